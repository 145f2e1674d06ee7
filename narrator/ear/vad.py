"""Where speech begins and ends, by energy: silence and hiss never reach the decoder.

The level of 20 ms frames is compared with the noise floor, which is the quietest of the last seconds. Frames come out
with what to do with them: a `Span` opens with a little of what came before it and ends after a trailing silence; before
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


@dataclass(frozen=True, slots=True)
class VadSettings:
    """Seconds and decibels. Tuned on voices never trained on, in a room of 0 to 0.5 s of echo, hiss of rms 10 to 60."""

    opens_above: float = 9.0  # dB over the floor that begin speech
    closes_below: float = 6.0  # dB over the floor under which a frame counts as silence
    quietest: float = 26.0  # dB, re one unit of int16: nothing below this is speech, whatever the floor
    learning: float = 0.2  # s at the start in which only the floor is learnt; the pre-roll covers it
    highest_floor: float = 46.0  # dB, the floor at most, until one memory is full: a stream may start in mid-word
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


def level(frame: NDArray[np.int16]) -> float:
    """Decibels of a frame re one unit of int16, low rumble taken off by a first difference."""
    steps = np.diff(frame.astype(np.float32))
    return 10.0 * float(np.log10(np.mean(steps * steps) + 1.0))


class Vad:
    """One stream of int16 mono 16 kHz."""

    def __init__(self, settings: VadSettings) -> None:
        self._set = settings
        frames = RATE / FRAME
        self._kept: deque[NDArray[np.int16]] = deque(maxlen=round(settings.pre_roll * frames))
        self._levels: deque[float] = deque(maxlen=round(settings.floor_memory * frames))
        self._learning = round(settings.learning * frames)
        self._brisk, self._patience = (round(s * frames) for s in (settings.brisk, settings.trailing))
        self._rest = np.zeros(0, np.int16)
        self._sample = 0  # of the end of the frame at hand
        self._speaking = self._enough = False
        self._loud = self._quiet = self._last_loud = self._run = 0

    @property
    def floor(self) -> float:
        """The noise floor now, dB re one unit of int16."""
        full = len(self._levels) == self._levels.maxlen
        return min(self._levels) if full else min(*self._levels, self._set.highest_floor)

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
        now = level(frame)
        self._levels.append(now)
        over = self._set.closes_below if self._speaking else self._set.opens_above
        loud = now > max(self.floor + over, self._set.quietest)
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
