"""The draws of an evening: each has its own generator, so that a resumed evening draws as the uncut one would."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

from narrator.core.effects import Roll


class Chance:
    """`seed`: the evening's. A draw may be decided beforehand, by somebody with dice of his own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._forced: deque[float] = deque()  # draws to come, each 0 to below 1

    def force(self, share: float) -> None:
        """Let the next draw fall at this share (0 to below 1) of what is possible. Raises ValueError outside."""
        if not 0.0 <= share < 1.0:
            raise ValueError("a draw is a number from 0 to below 1")
        self._forced.append(share)

    def drawn(self, roll: Roll, turn: int) -> Any:
        """One of the choices; a number from 0 to below 1 where there are none."""
        choices = roll.choices
        if self._forced:
            share = self._forced.popleft()
            return choices[int(share * len(choices))] if choices else share
        chance = random.Random(f"{self._seed}:{roll.what}{roll.key}:{turn}")
        return chance.choice(choices) if choices else chance.random()
