"""Parts of the mixing desk: a queue of clips on one channel, and levels that move smoothly."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from narrator.voice.clip import Floats

_EDGE = 0.005  # seconds: cuts, pauses and resumptions are eased by this


@dataclass(frozen=True)
class Ended:
    """A clip's last sample is before `frame` (counted from the first sample rendered). `cut`: it was
    stopped.
    """

    id: int
    frame: int
    cut: bool = False


class Ramp:
    """

    level that moves to its target at constant speed, sample by sample, whatever the size of the blocks.
    """

    def __init__(self, level: float) -> None:
        self.level = self.target = level

    def line(self, frames: int, step: float) -> Floats:
        """The levels of the next `frames` samples (one value when nothing moves); `step`: change per
        sample.
        """
        if self.level == self.target:
            return np.full(1, self.level, np.float32)
        way = np.minimum(step * np.arange(1, frames + 1), abs(self.target - self.level))
        line = self.level + np.copysign(way, self.target - self.level)
        arrived = way[-1] >= abs(self.target - self.level)
        self.level = self.target if arrived else float(line[-1])
        return np.asarray(line, np.float32)


def decibels(line: Floats) -> Floats:
    """dB to a linear gain."""
    return np.asarray(10 ** (line / 20), np.float32)


def curve(line: Floats) -> Floats:
    """A fader's position 0..1 to a gain that starts and arrives softly."""
    return np.asarray(np.sin(np.pi / 2 * line) ** 2, np.float32)


class Track:
    """Clips one after another, without a gap; can be held and cut without a click."""

    def __init__(self, rate: int) -> None:
        self._queue: deque[tuple[int, Floats]] = deque()
        self._at = 0
        self._edge = max(1, round(_EDGE * rate))
        self._ease: int | None = None  # samples of the fade-in left after a resumption
        self.ended: list[Ended] = []

    @property
    def busy(self) -> bool:
        return bool(self._queue)

    def add(self, number: int, sound: Floats) -> None:
        self._queue.append((number, sound))

    def block(self, frames: int, now: int) -> Floats:
        out = np.zeros(frames, np.float32)
        done = 0
        while self._queue and done < frames:
            number, sound = self._queue[0]
            part = sound[self._at : self._at + frames - done]
            out[done : done + len(part)] = part
            done += len(part)
            self._at += len(part)
            if self._at >= len(sound):
                self._queue.popleft()
                self._at = 0
                self.ended.append(Ended(number, now + done))
        return self._eased_in(out)

    def hold(self) -> Floats:
        """A short fade-out; what it covered is said again by `go`, so no sound is lost."""
        part = self._queue[0][1][self._at : self._at + self._edge] if self._queue else np.zeros(0, np.float32)
        return np.asarray(part * np.linspace(1, 0, len(part)), np.float32)

    def go(self) -> None:
        """Eases in what was held in its middle; what had not begun starts as it is."""
        self._ease = self._edge if self._at else None

    def cut(self, now: int) -> Floats:
        """Ends everything queued; returns the fade-out of the sound under way."""
        tail = self.hold()
        for place, (number, _) in enumerate(self._queue):
            self.ended.append(Ended(number, now + (len(tail) if place == 0 else 0), cut=True))
        self._queue.clear()
        self._at = 0
        return tail

    def _eased_in(self, out: Floats) -> Floats:
        if self._ease is not None:
            count = min(self._ease, len(out))
            done = self._edge - self._ease
            out[:count] *= ((np.arange(count) + done) / self._edge).astype(np.float32)
            self._ease = self._ease - count or None
        return out
