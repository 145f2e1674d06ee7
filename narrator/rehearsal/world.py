"""A virtual microphone: what is said is scheduled in the evening's own time; what is heard is rendered span by span.

Time only goes on: what was rendered is forgotten, so that an evening of hours costs no memory. Simultaneous
talkers add up.
"""

from __future__ import annotations

import heapq
import itertools
from typing import Protocol

import numpy as np

from narrator.rehearsal.room import Room
from narrator.rehearsal.voices import RATE
from narrator.voice.clip import Samples


class Leaking(Protocol):
    """Another sound that reaches the microphone, by samples of the evening."""

    def render(self, begin: int, end: int) -> Samples: ...


class AudioWorld:
    """One microphone in one room (without a room: in perfect silence)."""

    def __init__(self, room: Room | None = None) -> None:
        self._room = room
        self.leak: Leaking | None = None  # our own loudspeaker
        self._coming: list[tuple[int, int, Samples]] = []  # a heap: first sample, a tie-breaker, sound
        self._sounding: list[tuple[int, Samples]] = []
        self._order = itertools.count()

    def schedule(self, at: float, samples: Samples) -> float:
        """Let int16 mono samples (16 kHz) be heard from `at` seconds on. Returns when they end, in seconds."""
        start = round(at * RATE)
        heapq.heappush(self._coming, (start, next(self._order), samples))
        return (start + len(samples)) / RATE

    def cancel(self, after: float) -> None:
        """Forget everything that has not begun by `after` seconds; who is speaking finishes."""
        limit = round(after * RATE)
        self._coming = [sound for sound in self._coming if sound[0] <= limit]
        heapq.heapify(self._coming)

    @property
    def last(self) -> float:
        """When the last scheduled sound ends, in seconds; 0 if nothing is scheduled."""
        coming = [start + len(samples) for start, _, samples in self._coming]
        return max((*coming, *(start + len(samples) for start, samples in self._sounding)), default=0) / RATE

    def render(self, t0: float, t1: float) -> Samples:
        """What the microphone hears from `t0` to `t1` seconds: int16 mono, 16 kHz."""
        begin, end = round(t0 * RATE), round(t1 * RATE)
        length = max(0, end - begin)
        while self._coming and self._coming[0][0] < end:
            start, _, samples = heapq.heappop(self._coming)
            self._sounding.append((start, samples))
        bed = self._room.bed(length, begin) if self._room else np.zeros(length, np.int16)
        if not self._sounding and self.leak is None:
            return bed
        mixed = bed.astype(np.int32)
        if self.leak is not None:
            mixed += self.leak.render(begin, end)
        for start, samples in self._sounding:
            first, last = max(start, begin), min(start + len(samples), end)
            if first < last:
                mixed[first - begin : last - begin] += samples[first - start : last - start]
        self._sounding = [(start, s) for start, s in self._sounding if start + len(s) > end]
        return np.clip(mixed, -32768, 32767).astype(np.int16)
