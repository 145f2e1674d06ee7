"""The room of a simulated table, as one microphone in its middle hears it: distance, echo, a bed of noise.

Everything follows from a seed. Samples are int16 mono at 16 kHz; a voice comes in at about -20 dBFS as at one metre.
"""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from narrator.rehearsal.voices import RATE
from narrator.voice.clip import SPEECH_RMS, Samples, eased, to_float, to_int16

DISTANCES = (0.5, 1.6)  # metres from the microphone
REVERBERATION = (0.20, 0.40)  # seconds to -60 dB
SNR = (16.0, 24.0)  # dB of the speech over the noise
CRITICAL = 1.6  # metres at which the echo is as loud as the voice
_BED_SECONDS = 40
_LOWEST = 60.0  # Hz; a microphone hears no deeper

Floats = npt.NDArray[np.float64]


class Room:
    """One room for one evening."""

    def __init__(self, seed: int, snr: float | None = None) -> None:
        """`snr`: dB of the speech over the noise, if not one drawn from the seed."""
        rng = random.Random(f"room {seed}")
        self.seed = seed
        self.reverberation = rng.uniform(*REVERBERATION)
        drawn = rng.uniform(*SNR)
        self.snr = drawn if snr is None else snr
        self._echoes = np.random.default_rng(rng.getrandbits(32))
        self._tail = self._diffuse()
        self._bed = self._noise(np.random.default_rng(rng.getrandbits(32)))

    def distance(self, player: str) -> float:
        """How far this player sits, in metres."""
        return random.Random(f"seat {self.seed} {player}").uniform(*DISTANCES)

    def place(self, samples: Samples, player: str) -> Samples:
        """A voice as it arrives from that seat: softer with the distance, with the room's echo after it."""
        metres = self.distance(player)
        response = self.response(metres)
        size = 1 << (len(samples) + len(response) - 1).bit_length()
        spectrum = np.fft.rfft(to_float(samples), size) * np.fft.rfft(response, size)
        wet = np.fft.irfft(spectrum, size)[: len(samples) + len(response) - 1] / metres
        return to_int16(eased(wet.astype(np.float32), 0.9))

    def response(self, metres: float) -> Floats:
        """Impulse response at RATE, of a voice at one: the echo is the same everywhere, the voice is not."""
        response = self._tail * (metres / CRITICAL)
        response[0] = 1.0
        return response

    def bed(self, n: int, at: int = 0) -> Samples:
        """`n` samples of the room's noise from sample `at` of the evening on."""
        start = at % len(self._bed)
        if start + n <= len(self._bed):
            return self._bed[start : start + n].copy()
        return np.take(self._bed, np.arange(start, start + n), mode="wrap")

    def _diffuse(self) -> Floats:
        """A decaying echo whose energy is one."""
        length = int(self.reverberation * RATE)
        time = np.arange(length) / RATE
        tail = self._echoes.standard_normal(length) * 10 ** (-3 * time / self.reverberation)
        tail[: int(0.004 * RATE)] = 0.0  # the first wall is more than a metre away
        softened = np.convolve(tail, [0.25, 0.5, 0.25], mode="same")  # walls swallow the high sounds
        echo: Floats = softened / np.sqrt(np.sum(softened**2))
        return echo

    def _noise(self, chance: np.random.Generator) -> Samples:
        """Pink noise leaning to brown (a fan, the street), seamless when it starts over."""
        length = _BED_SECONDS * RATE
        frequencies = np.fft.rfftfreq(length, 1 / RATE)
        shape = np.zeros_like(frequencies)
        audible = frequencies >= _LOWEST
        shape[audible] = frequencies[audible] ** -0.75
        phases = chance.uniform(0, 2 * np.pi, len(frequencies))
        noise = np.fft.irfft(shape * np.exp(1j * phases), length)
        level = SPEECH_RMS * 10 ** (-self.snr / 20)
        return to_int16(noise / np.sqrt(np.mean(noise**2)) * level)
