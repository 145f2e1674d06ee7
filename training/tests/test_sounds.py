"""What is made dirty stays where it was, for its labels know nothing of it (torch and sox: pytest training/tests)."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from training import align, corpus, sounds, throats
from training.body import FRAME

BEGIN, END = 0.6, 1.2  # s
LABEL = 7


def burst() -> NDArray[np.float64]:
    """A loud buzz between BEGIN and END, in 1.8 s of silence."""
    at = np.arange(int(1.8 * sounds.RATE)) / sounds.RATE
    buzz = sum(np.sin(2 * np.pi * 140 * k * at) for k in range(2, 20))
    return np.where((at > BEGIN) & (at < END), 900 * buzz, 0.0)


def loud(x: NDArray[np.float64]) -> tuple[float, float]:
    """Seconds between which x is loud; its steps are looked at, in which an offset is nothing."""
    x = np.diff(x)
    frames = np.sqrt((x[: len(x) // 160 * 160].reshape(-1, 160) ** 2).mean(1))
    at = np.flatnonzero(frames > np.percentile(frames, 90) / 3) * 0.01
    return float(at[0]), float(at[-1]) + 0.01


@pytest.mark.parametrize("effect", [sounds.telephone, sounds.gsm, sounds.thump, sounds.narrow, sounds.tilt])
@pytest.mark.parametrize("seed", range(4))
def test_an_effect_keeps_length_and_moves_nothing(effect: sounds.Effect, seed: int) -> None:
    x = burst()
    y = effect(x, np.random.default_rng(seed))
    assert len(y) == len(x)
    assert loud(y) == pytest.approx((BEGIN, END), abs=0.03)


def test_a_line_that_filters_little_folds_hissing_down() -> None:
    hiss = np.random.default_rng(0).standard_normal(sounds.RATE)
    spectrum = np.fft.rfft(hiss)
    spectrum[: len(spectrum) * 5 // 8] = 0  # nothing under 5 kHz
    x = 1000 * np.fft.irfft(spectrum)
    left = sorted(sounds.telephone(x, np.random.default_rng(seed)).std() / x.std() for seed in range(30))
    assert left[0] < 0.1  # one that filters as it should
    assert left[-1] > 0.3


@pytest.mark.parametrize("filed", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_labels_of_a_copy_lie_where_its_sound_is(monkeypatch: pytest.MonkeyPatch, filed: float, seed: int) -> None:
    monkeypatch.setattr(corpus, "_FILED", filed)
    monkeypatch.setattr(corpus, "_THROATS", 0.0)
    monkeypatch.setattr(sounds, "dirty", lambda x, rng, others: x)
    x = burst()
    frames = int(sounds.RATE * FRAME)
    at = np.arange(0, len(x), frames) / sounds.RATE
    labels = np.where((at > BEGIN) & (at < END), LABEL, 0)
    clip = align.Clip(x, labels, 0.0)
    y, truth = corpus._copy(clip, throats.Voice(x), Random(seed), np.random.default_rng(seed), [])
    assert callable(truth)
    said = np.flatnonzero(truth(len(y) // frames) == LABEL) * FRAME
    assert loud(y) == pytest.approx((said[0], said[-1] + FRAME), abs=0.06)
