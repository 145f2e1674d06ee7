"""A bed of sound for the night, generated for ever from a seed: wind with its gusts, embers, rain, far
crickets and bells.

Rules. Never a loop, so never a seam: noise is shaped block by block in the spectrum and overlapped at
constant power. The same scene, seed and rate give the same samples, however they are asked for. It hides
taps and cards, so it keeps some hiss where they sound, and stays far under speech.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from narrator.core.errors import DeviceError
from narrator.voice.clip import Floats
from narrator.voice.scenes import SCENES

__all__ = ["SCENES", "Ambience"]

_HALF = 0.085  # seconds of one step of the overlap
_BELLS = (196.0, 233.1, 261.6)  # Hz of the bells far away
_STROKE = (  # ratio, level, decay per second: hum, prime, tierce, quint, nominal
    (0.5, 0.5, 0.55),
    (1.0, 1.0, 0.9),
    (1.19, 0.6, 1.3),
    (1.5, 0.3, 1.8),
    (2.0, 0.5, 2.2),
    (2.67, 0.12, 3.5),
)
_RINGS = 7.0  # seconds after which a stroke cannot be heard any more
_BETWEEN = (5.0, 14.0)  # seconds from one stroke to the next


class Ambience:
    """An endless bed. `block(frames)` gives float32 mono in -1..1; RMS about -32 dBFS."""

    def __init__(self, scene: str = "night", seed: int = 0, rate: int = 48000) -> None:
        """Raises DeviceError for a scene that is not in SCENES."""
        if scene not in SCENES:
            raise DeviceError(f"there is no ambience {scene!r}: choose {', '.join(SCENES)}")
        self.scene, self.rate = scene, rate
        self._plan = SCENES[scene]
        self._random = np.random.default_rng([seed, *scene.encode()])
        self._half = round(_HALF * rate)
        size = 2 * self._half
        self._window = np.sin(np.pi * (np.arange(size) + 0.5) / size).astype(np.float32)
        self._octaves = np.log2(np.maximum(1.0, np.fft.rfftfreq(size, 1 / rate)))
        self._gusts = [_wandering(self._random) for _ in self._plan.bands]
        self._chorus = _wandering(self._random)
        self._tail = np.zeros(self._half, np.float32)
        self._ready = np.zeros(0, np.float32)
        self._spill = np.zeros(round(0.05 * rate), np.float32)
        self._strokes: list[tuple[float, float, float]] = []  # of bells: when, Hz, level
        self._next_stroke = float(self._random.uniform(1.0, _BETWEEN[0])) if self._plan.bells else 0.0
        self._made = 0  # samples so far
        self._step()  # the first half window has nothing to overlap with: the mixer does the fade-in

    def block(self, frames: int) -> Floats:
        """The next `frames` samples."""
        parts = [self._ready]
        count = len(self._ready)
        while count < frames:
            parts.append(self._step())
            count += self._half
        whole = np.concatenate(parts)
        self._ready = whole[frames:]
        return whole[:frames]

    def _step(self) -> Floats:
        now = self._made / self.rate
        noise = self._noise(now) * self._window
        out = self._tail + noise[: self._half]
        self._tail = noise[self._half :]
        if self._plan.crackles:
            out = self._crackle(out)
        if self._plan.crickets:
            out += self._crickets()
        if self._plan.bells:
            out += self._bells()
        self._made += self._half
        return np.asarray(out, np.float32)

    def _noise(self, now: float) -> Floats:
        """One window of noise with the spectrum of this moment, at known RMS."""
        bins = len(self._octaves)
        power = np.zeros(bins)
        for band, gust in zip(self._plan.bands, self._gusts, strict=True):
            force = gust(now)
            centre = np.log2(band.centre) + band.drift * force
            shape = np.exp(-0.5 * ((self._octaves - centre) / band.width) ** 2)
            shape[0] = 0
            level = band.level * (1 + band.gust * force)
            power += level**2 * shape / shape.sum()
        size = 2 * self._half
        phases = self._random.standard_normal(bins) + 1j * self._random.standard_normal(bins)
        return np.asarray(np.fft.irfft(np.sqrt(power) * phases, size) * size / 2, np.float32)

    def _crackle(self, out: Floats) -> Floats:
        """Embers or drops: short bursts that die within 50 ms, some louder."""
        line = np.concatenate([out, np.zeros(len(self._spill), np.float32)])
        line[: len(self._spill)] += self._spill
        length = len(self._spill)
        for _ in range(self._random.poisson(self._plan.crackles * self._half / self.rate)):
            at = int(self._random.integers(self._half))
            time = np.arange(length) / self.rate
            pitch = self._random.uniform(900, 4200)
            burst = np.sin(2 * np.pi * pitch * time) * np.exp(-time / self._random.uniform(0.001, 0.006))
            ease = np.minimum(1, time / 0.0006) * np.minimum(1, (length / self.rate - time) / 0.01)
            line[at : at + length] += (min(self._random.pareto(2.5) * 0.012, 0.2) + 0.004) * burst * ease
        self._spill = line[self._half :].copy()
        return line[: self._half]

    def _crickets(self) -> Floats:
        """Two far singers at their own tempo, coming and going; their phase runs on the clock of the
        samples.
        """
        time = (self._made + np.arange(self._half)) / self.rate
        total = np.zeros(self._half)
        for pitch, tempo, every in ((4150.0, 31.0, 0.91), (4480.0, 28.0, 1.17)):
            chirp = np.clip(np.sin(2 * np.pi * tempo * time), 0, None) ** 2
            phrase = np.clip(np.sin(2 * np.pi * time / every), 0, None) ** 0.5
            total += chirp * phrase * np.sin(2 * np.pi * pitch * time)
        start, end = (max(0.0, self._chorus(at) + 0.2) for at in (time[0], time[-1] + 1 / self.rate))
        fade = start + (end - start) * np.arange(self._half) / self._half
        return np.asarray(total * self._plan.crickets * fade, np.float32)

    def _bells(self) -> Floats:
        """Strokes far away, each ringing out in its own time, never in step."""
        time = (self._made + np.arange(self._half)) / self.rate
        while self._next_stroke < time[-1]:
            pitch = float(self._random.choice(_BELLS))
            self._strokes.append((self._next_stroke, pitch, float(self._random.uniform(0.5, 1.0))))
            self._next_stroke += float(self._random.uniform(*_BETWEEN))
        self._strokes = [stroke for stroke in self._strokes if stroke[0] + _RINGS > time[0]]
        total = np.zeros(self._half)
        for start, pitch, level in self._strokes:
            since = np.maximum(time - start, 0.0)
            swell = np.minimum(1, since / 0.03) ** 2 * np.minimum(1, np.maximum(_RINGS - since, 0) / 0.5)
            for ratio, share, decay in _STROKE:
                total += level * share * swell * np.exp(-decay * since) * np.sin(2 * np.pi * pitch * ratio * since)
        return np.asarray(total * self._plan.bells, np.float32)


def _wandering(random: np.random.Generator) -> Callable[[float], float]:
    """A smooth course through -1..1 that does not come back: slow sines whose periods share no measure."""
    periods = random.uniform(1, 1.3, 4) * np.array([5.3, 11.9, 23.1, 47.7])
    phases = random.uniform(0, 2 * np.pi, 4)
    weights = np.array([0.2, 0.3, 0.3, 0.2])

    def course(now: float) -> float:
        return float(weights @ np.sin(2 * np.pi * now / periods + phases))

    return course
