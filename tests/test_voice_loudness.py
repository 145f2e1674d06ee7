"""Every line as loud as the next one, without a click, never clipped: measured on the real voice and by BS.1770."""

from __future__ import annotations

import random

import numpy as np
import pyloudnorm
import pytest
from evening import production, table
from scipy.signal import resample_poly
from test_lines import sample

from narrator.voice.choice import find
from narrator.voice.clip import PEAK, Clip, to_float
from narrator.voice.loudness import SPEECH_LUFS, evened, limited, loudness, true_peak
from narrator.voice.profile import load_profile

RATE = 22050
SAMPLES = {"system": 40, "kokoro": 6}  # lines a language


def lines(language: str, count: int) -> list[str]:
    """Lines of the Sultan as they are spoken, the shortest among them, and the longest if they are many."""
    staged = production(table(7, language=language)).lines
    facts = sample("sultan", 3, True)
    texts = sorted({staged.spoken(line, facts) for line in staged.ids}, key=lambda text: (len(text), text))
    ends = [*texts[:4], *texts[-2:]] if count > 6 else texts[:2]
    return [*ends, *random.Random(1).sample(texts[4:-2], count - len(ends))]


def measured(clip: Clip) -> tuple[float, float]:
    """Loudness (LUFS) and true peak (dBFS), by means of its own: not those of the levelling."""
    sound = clip.samples.astype(float) / 32768
    heard = np.flatnonzero(np.abs(sound) > 0.001)
    part = sound[heard[0] : heard[-1] + 1]
    part = np.tile(part, int(np.ceil(2 * clip.rate / len(part)))) if len(part) < 2 * clip.rate else part
    level = pyloudnorm.Meter(clip.rate).integrated_loudness(part)
    return float(level), float(20 * np.log10(np.abs(resample_poly(sound, 8, 1)).max()))


@pytest.mark.sound
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("voice", SAMPLES)
def test_lines_are_equally_loud_and_end_in_silence(voice: str, language: str) -> None:
    profile = load_profile(language)
    engine = find(voice, language).make(profile)
    try:
        clips = {text: engine.render(text) for text in lines(language, SAMPLES[voice])}
    finally:
        engine.close()
    assert len(clips) == SAMPLES[voice]
    figures = {text: measured(clip) for text, clip in clips.items()}
    target = SPEECH_LUFS + 20 * np.log10(profile.volume)
    assert {text: level for text, (level, _) in figures.items() if abs(level - target) > 1.0} == {}
    assert {text: peak for text, (_, peak) in figures.items() if peak > -1.0} == {}
    for text, clip in clips.items():
        sound = to_float(clip.samples)
        assert np.abs(sound[:200]).max() < 0.003, text
        assert np.abs(sound[-200:]).max() < 0.003, text
        assert np.abs(sound).max() <= PEAK + 0.02, text


def tone(level: float, seconds: float = 1.0) -> np.ndarray:
    return (level * np.sin(2 * np.pi * 997 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("level", [0.01, 0.1, 0.5])
def test_a_known_tone_is_measured_as_the_standard_says(seconds: float, level: float) -> None:
    """A sine of 997 Hz at 0 dBFS is -3.01 LUFS (BS.1770-4, annex 1); however short it is."""
    assert loudness(tone(level, seconds), RATE) == pytest.approx(-3.01 + 20 * np.log10(level), abs=0.15)


def test_silence_around_a_line_does_not_count() -> None:
    padded = np.concatenate([np.zeros(RATE, np.float32), tone(0.1), np.zeros(3 * RATE, np.float32)])
    assert loudness(padded, RATE) == pytest.approx(loudness(tone(0.1), RATE), abs=0.1)
    assert loudness(np.zeros(RATE, np.float32), RATE) == loudness(np.zeros(0, np.float32), RATE) == float("-inf")
    assert not evened(np.zeros(RATE, np.float32), RATE).any()


@pytest.mark.parametrize("volume", [1.0, 0.5])
def test_a_line_with_high_peaks_is_as_loud_as_one_without(volume: float) -> None:
    spiky = tone(0.03, 2)
    spiky[::441] += 0.4
    for sound in (spiky, tone(0.9), tone(0.001)):
        even = evened(sound, RATE, volume)
        assert loudness(even, RATE) == pytest.approx(SPEECH_LUFS + 20 * np.log10(volume), abs=0.2)
        assert true_peak(even, RATE) < -1.0
    assert not evened(spiky, RATE, 0.0).any()


def test_peaks_between_the_samples_are_found_and_bent() -> None:
    """A sine at a quarter of the rate, sampled beside its crests: 3 dB higher than any sample."""
    sound = (0.99 * np.sin(np.pi / 2 * np.arange(8192) + np.pi / 4)).astype(np.float32)
    assert np.abs(sound).max() < 0.71
    assert true_peak(sound, RATE) == pytest.approx(-0.09, abs=0.1)
    assert true_peak(limited(sound)[64:-64], RATE) < -1.0
    soft = tone(0.2)
    assert limited(soft) is soft
    assert true_peak(np.zeros(0, np.float32), RATE) == float("-inf")
