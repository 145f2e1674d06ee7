"""The same words from another throat: pitch, formants and intonation changed apart from each other (WORLD's vocoder).

Few people have recorded French that anyone may use. Playing them faster shifts pitch, formants and tempo together; here
each moves alone, so that a woman's recording is also a man's or a child's. Nothing moves in time: labels stay right.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyworld
from numpy.random import Generator
from numpy.typing import NDArray

Samples = NDArray[np.float64]
RATE = 16000
LOWEST, HIGHEST = 75.0, 420.0  # Hz, the middle of a voice's pitch: a low man's, a small child's
_OCTAVES = 0.9  # by which the pitch moves at most
_FORMANTS = 0.3  # octaves of the formants for one of the pitch: small people have high voices …
_LOOSE = 0.09  # … not all of them
_LIVELY = 0.6, 1.5  # intonation, flatter or livelier


class Voice:
    """What somebody said, taken apart once at most, to be said by others as often as one likes."""

    def __init__(self, x: Samples) -> None:
        """Samples at 16 kHz, int16 range."""
        self._samples = x

    @cached_property
    def _parts(self) -> tuple[Samples, Samples, Samples]:
        """Pitch (Hz, 0 without), spectral envelope and share of breath every 5 ms."""
        x = self._samples + np.random.default_rng(len(self._samples)).standard_normal(len(self._samples))
        rough, times = pyworld.dio(x, RATE, f0_ceil=600.0)  # the noise: digital silence has no spectrum
        pitch = pyworld.stonemask(x, rough, times, RATE)
        return pitch, pyworld.cheaptrick(x, pitch, times, RATE), pyworld.d4c(x, pitch, times, RATE)

    def another(self, rng: Generator, speed: float = 1.0) -> Samples:
        """Somebody else who says the same at the same times; as many samples.

        `speed`: what it will be played at afterwards, which moves pitch and formants no more then.
        """
        pitch, envelope, breath = self._parts
        voiced, size = pitch > 0, len(self._samples)
        middle = float(np.median(pitch[voiced])) if voiced.any() else 200.0
        wanted = float(np.clip(middle * 2 ** rng.uniform(-_OCTAVES, _OCTAVES), LOWEST, HIGHEST))
        longer = 2 ** (_FORMANTS * np.log2(wanted / middle) + rng.normal(0, _LOOSE)) / speed
        melody = np.zeros_like(pitch)
        melody[voiced] = wanted / speed * (pitch[voiced] / middle) ** rng.uniform(*_LIVELY)
        y = pyworld.synthesize(melody, _stretched(envelope, longer), _stretched(breath, longer), RATE)
        return np.asarray(y[:size]) if len(y) >= size else np.pad(y, (0, size - len(y)))


def _stretched(spectra: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """times x frequencies, each value moved to a frequency so many times as high."""
    top = spectra.shape[1] - 1
    at = np.minimum(np.arange(top + 1) / factor, top)
    below = np.minimum(at.astype(np.int64), top - 1)
    share = at - below
    moved: NDArray[np.float64] = (1 - share) * spectra[:, below] + share * spectra[:, below + 1]
    return np.ascontiguousarray(moved)
