"""Half duplex: nothing is heard while we speak, nor for a moment after, so the narrator never hears itself.

The owner closes the gate before the first sample is played and calls `reopen` when the last one has left the speaker;
the tail (the room's echo) is counted in samples heard, not by a clock, so rehearsal at any speed behaves the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from narrator.ear.vad import RATE


class Gate:
    """Starts open. `tail_seconds` of sound are still dropped after `reopen`."""

    def __init__(self, tail_seconds: float = 0.25) -> None:
        self._tail = round(tail_seconds * RATE)
        self._closed = False
        self._dropping = 0  # samples still to drop once reopened

    @property
    def open(self) -> bool:
        """True if the next sample would pass."""
        return not self._closed and self._dropping == 0

    def close(self) -> None:
        """From now on everything is dropped."""
        self._closed, self._dropping = True, self._tail

    def reopen(self) -> None:
        """Sound passes again after the tail. Does nothing to an open gate."""
        self._closed = False

    def through(self, block: NDArray[np.int16]) -> NDArray[np.int16]:
        """The part of a block that passes: all, none, or what comes after the tail."""
        if self._closed:
            return block[:0]
        dropped = min(self._dropping, len(block))
        self._dropping -= dropped
        return block[dropped:]
