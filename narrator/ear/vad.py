"""Where speech begins and ends, by energy: silence and hiss never reach the decoder.

The level of 20 ms frames is compared with the noise floor, which is the quietest of the last seconds: once where vowels
are loud and once where hissing sounds are, for a room drowns the ones or the others. Frames come out with what to do
with them: a `Span` opens with a little of what came before it and ends after a trailing silence; before
that it pauses, and whoever listens may say that it is enough.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RATE = 16000  # Hz, everywhere in the ear
FRAME = 320  # samples: 20 ms


Levels = tuple[float, float]  # dB re one unit of int16: of hissing sounds, of voiced ones
_WINDOW = np.hanning(FRAME).astype(np.float32)
_VOICED = slice(round(250 * FRAME / RATE), round(3400 * FRAME / RATE) + 1)  # bins of a frame's spectrum
_POWER = 2.0 / (FRAME * float((_WINDOW**2).sum()))


@dataclass(frozen=True, slots=True)
class VadSettings:
    """Seconds and decibels. Tuned on voices never trained on, in a room of 0 to 0.5 s of echo, hiss of rms 10 to 60."""

    opens_above: Levels = (9.0, 12.0)  # dB over the floor that begin speech; ambience that swells has voiced sounds
    closes_below: Levels = (6.0, 6.0)  # dB over the floor under which a frame counts as silence
    quietest: Levels = (26.0, 34.0)  # dB, re one unit of int16: nothing below this is speech, whatever the floor
    learning: float = 0.2  # s at the start in which only the floor is learnt; the pre-roll covers it
    highest_floor: Levels = (46.0, 56.0)  # dB, at most, until one memory is full: a stream may start in mid-word
    floor_memory: float = 2.0  # s over which the floor is the minimum
    pre_roll: float = 0.3  # s kept from before the beginning
    brisk: float = 0.38  # s of silence after which an utterance may be ended (`enough`)
    trailing: float = 0.56  # s of silence that end it in any case
    shortest: float = 0.1  # s of loud frames; less is a click


@dataclass(frozen=True, slots=True)
class Began:
    """Speech began at `sample`; `audio` is what has come since shortly before."""

    sample: int
    audio: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Goes:
    """More of the same utterance; whether this frame is louder than the room."""

    audio: NDArray[np.int16]
    loud: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The utterance is over; its last loud frame ended at `sample`; `loud` seconds of it were loud."""

    sample: int
    loud: float


@dataclass(frozen=True, slots=True)
class Paused:
    """Nothing was loud for `VadSettings.brisk`."""


Span = Began | Goes | Paused | Ended


def levels(frame: NDArray[np.int16]) -> Levels:
    """Of a frame: its first difference, which hissing sounds fill, and what lies between 250 and 3400 Hz.

    In a living room at 15 dB the first alone missed whole sentences of low voices.
    """
    samples = frame.astype(np.float32)
    steps = np.diff(samples)
    voiced = np.abs(np.fft.rfft(samples * _WINDOW)[_VOICED])
    hissing, voice = np.mean(steps * steps), float((voiced * voiced).sum()) * _POWER
    return 10.0 * float(np.log10(hissing + 1.0)), 10.0 * float(np.log10(voice + 1.0))


class Vad:
    """One stream of int16 mono 16 kHz."""

    def __init__(self, settings: VadSettings) -> None:
        self._set = settings
        frames = RATE / FRAME
        self._kept: deque[NDArray[np.int16]] = deque(maxlen=round(settings.pre_roll * frames))
        self._levels: deque[Levels] = deque(maxlen=round(settings.floor_memory * frames))
        self._learning = round(settings.learning * frames)
        self._brisk, self._patience = (round(s * frames) for s in (settings.brisk, settings.trailing))
        self._rest = np.zeros(0, np.int16)
        self._sample = 0  # of the end of the frame at hand
        self._speaking = self._enough = False
        self._loud = self._quiet = self._last_loud = self._run = 0

    @property
    def floor(self) -> Levels:
        """The noise floor now."""
        full = len(self._levels) == self._levels.maxlen
        hissing, voiced = zip(*self._levels, *(() if full else (self._set.highest_floor,)), strict=True)
        return min(hissing), min(voiced)

    @property
    def speaking(self) -> bool:
        """True between Began and Ended."""
        return self._speaking

    def feed(self, block: NDArray[np.int16]) -> Iterator[Span]:
        """What a block of samples, of any length, brings."""
        audio = np.concatenate([self._rest, block])
        whole = len(audio) // FRAME * FRAME
        self._rest = audio[whole:]
        for at in range(0, whole, FRAME):
            yield from self._frame(audio[at : at + FRAME])

    def enough(self) -> None:
        """Said at a pause: the utterance ends here."""
        self._enough = True

    def flush(self) -> Iterator[Span]:
        """The end of the stream: ends what is open."""
        if self._speaking:
            yield self._end()

    def _frame(self, frame: NDArray[np.int16]) -> Iterator[Span]:
        self._sample += FRAME
        now = levels(frame)
        self._levels.append(now)
        over = self._set.closes_below if self._speaking else self._set.opens_above
        limits = zip(now, self.floor, over, self._set.quietest, strict=True)
        loud = any(one > max(floor + more, least) for one, floor, more, least in limits)
        if not self._speaking:
            self._kept.append(frame)
            self._run = self._run + 1 if loud else 0
            if self._run >= 2 and len(self._levels) >= self._learning:
                yield self._begin()
            return
        yield Goes(frame, loud)
        self._loud += loud
        self._quiet = 0 if loud else self._quiet + 1
        if loud:
            self._last_loud = self._sample
        if self._quiet == self._brisk:
            yield Paused()
        if self._enough or self._quiet >= self._patience:
            yield self._end()

    def _begin(self) -> Began:
        self._speaking, self._loud, self._quiet, self._last_loud = True, self._run, 0, self._sample
        audio = np.concatenate(list(self._kept))
        self._kept.clear()
        return Began(self._sample - self._run * FRAME, audio)

    def _end(self) -> Ended:
        self._speaking, self._enough, self._run = False, False, 0
        return Ended(self._last_loud, self._loud * FRAME / RATE)
