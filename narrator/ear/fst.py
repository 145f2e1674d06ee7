"""A weighted transducer written as an OpenFst "vector" file, the form vosk reads, without OpenFst.

Labels and states are ints from 0, label 0 is "nothing"; costs are negative natural logarithms.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

_MAGIC, _VERSION, _NO_SYMBOLS = 2125659606, 2, 0
_EXPANDED_MUTABLE = 0x3  # properties
_STATE_WORDS, _ARC_WORDS = 3, 4  # of 32 bits: final cost, number of arcs (64) / input, output, cost, target


class Fst:
    """States are made by `state()`, the first is the start; arcs by `arc()`; `final[state] = cost` ends there."""

    def __init__(self) -> None:
        self.states = 0
        self.final: dict[int, float] = {}
        self._labels: list[tuple[int, int, int, int]] = []  # source, input, output, target
        self._costs: list[float] = []

    def state(self) -> int:
        """A new state's number."""
        self.states += 1
        return self.states - 1

    def arc(self, source: int, target: int, read: int, write: int = 0, cost: float = 0.0) -> None:
        """One arc that reads and writes a label at a cost."""
        self._labels.append((source, read, write, target))
        self._costs.append(cost)

    def __len__(self) -> int:
        return len(self._labels)

    def to_bytes(self, sort: Literal["read", "write"]) -> bytes:
        """The file, the arcs of each state sorted by what they read or write (what composition needs)."""
        labels = np.array(self._labels, np.int32).reshape(-1, 4)
        order = np.lexsort((labels[:, 1 if sort == "read" else 2], labels[:, 0]))
        labels, costs = labels[order], np.array(self._costs, np.float32)[order]
        counts = np.bincount(labels[:, 0], minlength=self.states)
        before = np.concatenate([[0], np.cumsum(counts)[:-1]])  # arcs before each state's own
        words = np.zeros(_STATE_WORDS * self.states + _ARC_WORDS * len(labels), np.int32)
        heads = _STATE_WORDS * np.arange(self.states) + _ARC_WORDS * before
        final = np.full(self.states, np.inf, np.float32)
        final[list(self.final)] = list(self.final.values())
        words[heads], words[heads + 1] = final.view(np.int32), counts
        arcs = _STATE_WORDS * (labels[:, 0] + 1) + _ARC_WORDS * np.arange(len(labels))
        for column, values in enumerate((labels[:, 1], labels[:, 2], costs.view(np.int32), labels[:, 3])):
            words[arcs + column] = values
        return self._head(len(labels)) + words.astype("<i4").tobytes()

    def write(self, path: Path, sort: Literal["read", "write"]) -> None:
        """Writes `to_bytes(sort)` to a file. Raises OSError."""
        path.write_bytes(self.to_bytes(sort))

    def _head(self, arcs: int) -> bytes:
        names = b"".join(np.int32(len(n)).tobytes() + n for n in (b"vector", b"standard"))
        numbers = np.array([_VERSION, _NO_SYMBOLS], "<i4").tobytes()
        counts = np.array([_EXPANDED_MUTABLE, 0, self.states, arcs], "<i8").tobytes()  # 0: the start
        return np.array([_MAGIC], "<i4").tobytes() + names + numbers + counts
