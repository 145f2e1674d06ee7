"""The figures of a rehearsal: understood at once, asked again, and what happened that nobody asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from narrator.core.phrases import Meaning
from narrator.rehearsal.devices import Said

#: Nothing of the game changes by these.
HARMLESS = frozenset(
    ("repeat", "help", "time_left", "status", "who_eligible", "how_many", "slower", "faster", "softer", "louder")
)


@dataclass
class Tally:
    spoken_lines: int = 0
    utterances: int = 0
    first_try: int = 0
    false_actions: int = 0
    wrong_actions: int = 0
    audio_seconds: float = 0.0
    wall_seconds: float = 0.0
    _standing: list[str] = field(default_factory=list)  # mistakes that an "annule" may still take back

    def said(self, said: Said) -> None:
        """Somebody spoke; only what is meant for the narrator counts, and only once."""
        self.utterances += said.act.meant is not None and not said.again

    def judge(self, said: Said | None, meaning: Meaning | None, *, accepted: bool) -> bool:
        """Count one thing heard; True if something happened that was not asked for.

        `said`: what was being said (None: nobody spoke to the narrator), `meaning`: what was understood.
        """
        meant = said.act.meant if said else None
        if said and meant is not None and meaning == meant:
            self.first_try += not said.again
        if meaning is not None and meaning == meant:
            if meaning.intent == "undo" and self._standing:
                kind = self._standing.pop()
                setattr(self, kind, getattr(self, kind) - 1)
            return False
        if meaning is None or not accepted:
            return False
        kind = "false_actions" if meant is None else "wrong_actions"
        setattr(self, kind, getattr(self, kind) + 1)
        if meaning.intent not in HARMLESS and kind == "wrong_actions":
            self._standing.append(kind)
        return True

    def figures(self) -> dict[str, Any]:
        return {
            "spoken_lines": self.spoken_lines,
            "utterances": self.utterances,
            "first_try": self.first_try,
            "reasked": self.utterances - self.first_try,
            "false_actions": self.false_actions,
            "wrong_actions": self.wrong_actions,
            "audio_seconds": round(self.audio_seconds, 1),
            "wall_seconds": round(self.wall_seconds, 1),
        }
