"""Another throat: other pitch, the same times (needs pyworld: pytest training/tests)."""

from __future__ import annotations

import numpy as np
import pytest
import pyworld

from training.throats import HIGHEST, LOWEST, RATE, Voice

BEGIN, END = 0.4, 1.1  # s


def vowel(pitch: float) -> np.ndarray:
    """Something like "a" between BEGIN and END, in 1.5 s of silence."""
    at = np.arange(int(1.5 * RATE)) / RATE
    harmonics = pitch * np.arange(1, int(4000 / pitch))
    loud = sum(np.exp(-((np.log2(harmonics / formant) / 0.3) ** 2)) for formant in (700, 1300, 2600)) + 0.02
    sound = (loud[:, None] * np.sin(2 * np.pi * harmonics[:, None] * at)).sum(0)
    return np.where((at > BEGIN) & (at < END), 3000 * sound / np.abs(sound).max(), 0.0)


def heard(x: np.ndarray) -> tuple[float, float, float]:
    """(begin, end, pitch) of the loud part."""
    frames = np.sqrt((x[: len(x) // 160 * 160].reshape(-1, 160) ** 2).mean(1))
    loud = np.flatnonzero(frames > frames.max() / 4) * 0.01
    rough, times = pyworld.harvest(x, RATE, f0_floor=50)
    inside = (times > BEGIN + 0.1) & (times < END - 0.1) & (rough > 0)
    return float(loud[0]), float(loud[-1]), float(np.median(rough[inside]))


@pytest.mark.parametrize("seed", range(6))
def test_another_throat_says_it_at_the_same_times(seed: int) -> None:
    said = vowel(200.0)
    other = Voice(said).another(np.random.default_rng(seed))
    begin, end, pitch = heard(other)
    assert len(other) == len(said)
    assert begin == pytest.approx(BEGIN, abs=0.03)
    assert end == pytest.approx(END, abs=0.03)
    assert LOWEST * 0.9 < pitch < HIGHEST * 1.1


def test_throats_are_many() -> None:
    voice = Voice(vowel(200.0))
    pitches = [heard(voice.another(np.random.default_rng(seed)))[2] for seed in range(12)]
    assert min(pitches) < 150
    assert max(pitches) > 260


def test_playing_it_faster_afterwards_does_not_move_the_pitch() -> None:
    voice, speed = Voice(vowel(200.0)), 1.25
    plain, fast = (heard(voice.another(np.random.default_rng(3), s))[2] for s in (1.0, speed))
    assert fast * speed == pytest.approx(plain, rel=0.04)


def test_silence_has_no_throat() -> None:
    assert np.abs(Voice(np.zeros(RATE)).another(np.random.default_rng(0))).max() < 50
