"""What an utterance is made of: pieces between breaths, so that a sentence beside chatter can be heard for itself.

An utterance that is no sentence as a whole ("mais non attends … je propose Bob") is cut at its pauses; whoever listens
tries the pieces, and two of them in a row, since a sentence may have a breath in it. Only the last seconds are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from narrator.ear.vad import FRAME, RATE

BREATH = 0.16  # seconds of quiet that part two pieces
MOST = 4  # pieces kept, the last ones
_QUIET = round(BREATH * RATE / FRAME)  # frames

Sound = NDArray[np.int16]


@dataclass(slots=True)
class _Piece:
    begin: int  # sample of the utterance
    end: int
    frames: list[Sound] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """A part of an utterance: how long it is from its first to its last loud sample, and its sound."""

    seconds: float
    sound: Sound


class Pieces:
    """Takes an utterance frame by frame (int16 mono, 16 kHz); `before`: samples of the room that it begins with."""

    def __init__(self, before: int = 0) -> None:
        self._pieces = [_Piece(before, before)]
        self._quiet: list[Sound] = []
        self._at = 0
        self._dropped = False

    def add(self, audio: Sound, *, loud: bool) -> None:
        """What comes next, and whether it is louder than the room."""
        here = self._at
        self._at += len(audio)
        if loud and len(self._quiet) >= _QUIET:
            self._pieces.append(_Piece(here, here, self._quiet[-_QUIET:]))
            self._dropped |= len(self._pieces) > MOST
            self._pieces = self._pieces[-MOST:]
            self._quiet = []
        self._pieces[-1].frames.append(audio)
        if loud:
            self._pieces[-1].end, self._quiet = self._at, []
        else:
            self._quiet.append(audio)

    def runs(self, size: int) -> Iterator[Run]:
        """So many pieces in a row, wherever they are less than the whole."""
        for at in range(len(self._pieces) - size + 1):
            chosen = self._pieces[at : at + size]
            if len(chosen) < len(self._pieces) or self._dropped:
                sound = np.concatenate([frame for piece in chosen for frame in piece.frames])
                yield Run((chosen[-1].end - chosen[0].begin) / RATE, sound)
