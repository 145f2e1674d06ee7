"""A simulated Storyteller: he sits at the keyboard, leads the night, enters the deaths and answers what he is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from narrator.library import Production
from narrator.rehearsal.clocktower.minds import Accusation, Minds, View

STEP = 6.0  # seconds that a step of the night takes
VERDICTS = ("verdict", "verdict_eve")


@dataclass(frozen=True, slots=True)
class Key:
    """What he enters after `delay` seconds."""

    delay: float
    text: str


class Storyteller:
    """One key at a time: what he does next follows from where the evening stands."""

    def __init__(self, production: Production, minds: Minds) -> None:
        self._rules, self._minds = production.game.rules, minds
        self._forms = {form.intent: form.text for form in reversed(production.phrases.forms)}

    def view(self, state: Any) -> View:
        return self._rules.view(state)

    def next_key(self, state: Any, accusation: Accusation | None) -> Key | None:
        view = self.view(state)
        phase = view["phase"]
        if phase == "night":
            return self._night(state, view)
        if phase in VERDICTS:
            return self._key(3.0, self._minds.verdict(view))
        if phase in ("hands", "dead_voters", "readback") and self._rules.options["vote"] == "eye":  # type: ignore[attr-defined]
            return self._by_eye(view, accusation)
        return self._key(2.0, "next") if phase in ("winners", "reveal") else None

    def _night(self, state: Any, view: View) -> Key:
        for player in self._minds.kills(view):
            if player not in state.hidden.dying:
                return self._key(STEP / 2, "dies", player=player)
        return self._key(STEP, "next")

    def _by_eye(self, view: View, accusation: Accusation | None) -> Key | None:
        if view["phase"] == "hands" and accusation and accusation.nominee == view["nominee"]:
            for player in accusation.yes:
                if player not in view["yes_voters"] and (player in view["living"] or player in view["tokens"]):
                    return self._key(1.0, "hand", player=player)
        return self._key(1.5, "next") if view["phase"] != "readback" else None

    def _key(self, delay: float, intent: str, **slots: str) -> Key:
        text = self._forms[intent]
        for name, value in slots.items():
            text = text.replace("{" + name + "}", value)
        return Key(delay, text)


__all__ = ["Key", "Storyteller"]
