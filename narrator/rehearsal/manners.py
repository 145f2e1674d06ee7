"""What comes before anything else that a table says: an objection, and the end of a pause. Every table has one."""

from __future__ import annotations

from collections.abc import Callable

from narrator.core.phrases import Meaning
from narrator.rehearsal.talk import Act


class Manners:
    """`objects`: whether an objection is still to be said."""

    def __init__(self) -> None:
        self._paused = False
        self._objection: list[Act] = []

    @property
    def objects(self) -> bool:
        return bool(self._objection)

    def understood(self, meaning: Meaning) -> None:
        """The narrator took this for what was said: whatever was to be objected to is past."""
        if meaning.intent in ("pause", "resume"):
            self._paused = meaning.intent == "pause"
        self._objection = []

    def object(self, act: Act) -> None:
        self._objection = [act]

    def objection(self) -> list[Act]:
        """The same, for who tells a driver at once: one that asks the floor anew is given it by `first`, once."""
        return list(self._objection)

    def first(self, resume: Callable[[], Act]) -> list[Act]:
        """What is said before anything else, once; `resume` ends a pause. Empty where nothing is in the way."""
        if self._objection:
            objection, self._objection = self._objection, []
            return objection
        return [resume()] if self._paused else []
