"""A simulated table of Le Bourreau, with the same face as the Sultan's (rehearsal/people.py says who calls what)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from narrator.core.phrases import Meaning
from narrator.library import Production
from narrator.rehearsal.bourreau.answers import Answers
from narrator.rehearsal.bourreau.hands import Hands
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.talk import Act, Talk

CHATTER = Path(__file__).with_name("chatter.toml")
NOTICES = 0.7  # of the narrator's mistakes
#: Phases that are answered by yes or no themselves; elsewhere these two first mean that something is asked back.
ASKS_ITSELF = frozenset(("doubt", "pardon_sure", "doubt_role", "ask_cheese"))


class BourreauTable:
    """Everybody around one table."""

    def __init__(self, production: Production, seed: int) -> None:
        chance = random.Random(seed)  # one stream each, so that secrets do not change how people talk
        hands, tongues = random.Random(chance.random()), random.Random(chance.random())
        box = production.game.rules.configuration  # type: ignore[attr-defined]
        players = production.setting.players
        self.hands = Hands(players, box.items, box.roles, hands)
        self._talk = Talk(production.phrases, players, tongues, CHATTER)
        self._answers = Answers(self.hands, self._talk, tuple(box.gallows))
        moves = production.game.script.moves
        self._decisions = {on for _, on in moves} | {"done", "next"}
        self._last: Meaning | None = None
        self._manners = Manners()
        self._view: Mapping[str, Any] = {}
        self._moved = False
        self._objected = False  # somebody objects, and it may still be taken back

    def on_understood(self, meaning: Meaning) -> None:
        """The narrator took this for what was said."""
        self._manners.understood(meaning)
        if meaning.intent in self._decisions and meaning.intent not in ("yes", "no"):
            self._last = meaning
        if meaning.intent == "undo":
            self.hands.attempts += 1
        elif self._objected:  # the objection was not understood either: they live with it
            self.hands.doubtful = True
        self._objected = False
        self._moved = False

    def on_state(self, view: Mapping[str, Any]) -> None:
        """The narrator says where the game is now."""
        self._moved |= view != self._view
        self._view = view
        self.hands.follow(view, view["phase"])

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        """What people say next, now that the narrator waits in `phase`."""
        self.on_state(view)
        if not self._manners.objects:
            self.hands.settle(view)
        if first := self._manners.first(
            lambda: self._talk.act(self._talk.rng.choice(view["players"]), Meaning("resume", {}), (2.0, 6.0))
        ):
            return first
        if tuple(accepts[:2]) == ("yes", "no") and (phase not in ASKS_ITSELF or accepts.count("yes") > 1):
            return self._answers.confirmation(view, phase, self._last)
        return self._answers.on_floor(view, phase, accepts)

    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]:
        """Something else happened than was asked for: mostly somebody objects, else they live with it."""
        if not self._moved or heard.intent not in self._decisions or heard == meant:
            return []
        if self._talk.rng.random() < NOTICES:
            speaker = self._talk.rng.choice(self._talk.players)
            self._objected = True
            self._manners.object(self._talk.act(speaker, Meaning("undo", {}), (0.4, 1.8), "objection"))
        else:
            self.hands.doubtful = True
        return self._manners.objection()

    def check(self, public_state: Mapping[str, Any]) -> str | None:
        """The difference between real cards and coins and the narrator's accounts; None if there is none."""
        if public_state.get("phase") == "over":
            self.hands.settle(self._view)
        coins, gems = self.hands.coins.box
        if (coins, gems) != (20, 20):
            return f"{coins} coins and {gems} gems are on the table"
        return self.hands.difference or None
