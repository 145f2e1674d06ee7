"""How a table of Le Bourreau makes up its mind: once for a situation, with commands, slips and chatter in between.

Nobody here waits for anything: each call gives what is still to be said. Choices are made once for a situation and
kept, so that a sentence that was not understood is said again; whatever delays the evening happens once at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from narrator.core.phrases import Meaning
from narrator.rehearsal.bourreau.hands import Hands
from narrator.rehearsal.talk import Act, Kind, Talk

View = Mapping[str, Any]
T = TypeVar("T")

#: What anybody may ask the narrator for, and how often of a hundred situations.
COMMANDS = {
    "repeat": 6,
    "status": 4,
    "purses": 4,
    "who_left": 4,
    "which_cards": 3,
    "time_left": 1,
    "help": 1,
    "pause": 1,
}
ASKS, ILLEGAL, CHATS, DOZES = 0.06, 0.04, 0.5, 0.02
DOZE_SECONDS = 80.0
_QUIET = frozenset(("table_setup", "deal", "interrogation", "over"))


class Policy:
    """Situation -> what is said. `speaks_in`: the phases for which there is a method `_<phase>`."""

    speaks_in: tuple[str, ...] = ()

    def __init__(self, hands: Hands, talk: Talk, cards: Sequence[str]) -> None:
        """`cards`: the gallows cards that can be told by their titles."""
        self._hands, self._talk, self._cards = hands, talk, tuple(cards)
        self._kept: dict[tuple[Any, ...], Any] = {}
        self.view: View = {}
        self.phase = ""
        self.meant: Meaning | None = None  # the last decision that somebody announced
        self._phases: dict[str, Callable[[], list[Act]]] = {name: getattr(self, f"_{name}") for name in self.speaks_in}

    def on_floor(self, view: View, phase: str, accepts: Sequence[str]) -> list[Act]:
        """Everything that is still to be said in this phase."""
        self.view, self.phase = view, phase
        speaks = self._phases.get(phase)
        if speaks is None:
            return []
        if phase not in _QUIET and self._once("command", ASKS):
            return [self._command()]
        acts = speaks()
        if phase not in _QUIET and self._once("doze", DOZES):
            acts = [replace(a, delay=a.delay + DOZE_SECONDS) for a in acts]
        if phase in ("gallows", "actions", "acting", "executions") and self._once("talk", CHATS):
            talk = self._talk.table_talk(self._alive(), self._talk.rng.uniform(4.0, 16.0), accepts)
            later = max((act.delay for act in talk), default=0.0) + 4.0
            acts = [*talk, *(replace(a, delay=a.delay + later) for a in acts)]
        return acts

    def confirmation(self, view: View, phase: str, asked: Meaning | None) -> list[Act]:
        """The narrator asks whether it understood what ends a game."""
        self.view, self.phase = view, phase
        right = asked is None or asked == self.meant
        return [self._talk.act(self._anybody(), Meaning("yes" if right else "no", {}))]

    # ---- small pieces

    def _here(self) -> tuple[Any, ...]:
        """The situation: what a decision is kept for."""
        view = self.view
        return (
            *(view["turn"], self.phase, view["owed"], view["acted"], view["executed"], view["target"], view["asked"]),
            *(view["items_missing"], view["roles_missing"], view["actor"], view["dead"], self._hands.attempts),
        )

    def _decide(self, what: str, choose: Callable[[], T]) -> T:
        key = (what, *self._here())
        if key not in self._kept:
            self._kept[key] = choose()
        return self._kept[key]  # type: ignore[no-any-return]

    def _once(self, what: str, likely: float) -> bool:
        key = ("once", what, *self._here())
        happens = self._talk.rng.random() < likely and key not in self._kept
        if happens:
            self._kept[key] = True
        return happens

    def _alive(self) -> list[str]:
        return [p for p in self.view["players"] if p not in self.view["dead"]]

    def _anybody(self) -> str:
        return str(self._talk.rng.choice(self._alive()))

    def _say(self, speaker: str, intent: str, kind: Kind = "answer", **slots: Any) -> list[Act]:
        """One sentence, in whichever form is listened for."""
        meaning = Meaning(intent, slots)
        if kind == "answer":
            self.meant = meaning
        return [self._talk.act(speaker, meaning, kind=kind)]

    def _boss(self, intent: str, kind: Kind = "answer", **slots: Any) -> list[Act]:
        return self._say(self.view["executioner"] or self._anybody(), intent, kind, **slots)

    def _either(self, speaker: str, one: str, other: str, **slots: Any) -> list[Act]:
        """Two ways of saying it."""
        return self._say(
            speaker, self._decide("form", lambda: one if self._talk.rng.random() < 0.6 else other), **slots
        )

    def _command(self) -> Act:
        intents = [c for c in COMMANDS if self._talk.knows(Meaning(c, {}))]
        intent = self._talk.rng.choices(intents, [COMMANDS[c] for c in intents])[0]
        return self._talk.act(self._anybody(), Meaning(intent, {}), (0.8, 3.0))

    def _step(self) -> list[Act]:
        intent = "done" if self._talk.rng.random() < 0.2 else "next"
        return [self._talk.act(self._anybody(), Meaning(intent, {}), (2.0, 6.0))]

    def _yes_or_no(self, speaker: str, yes: bool) -> list[Act]:
        return self._say(speaker, "yes" if yes else "no")

    def _pick(self, what: str, choices: Sequence[str]) -> str:
        return self._decide(what, lambda: self._talk.rng.choice(list(choices)))
