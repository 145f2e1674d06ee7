"""A simulated village, with the same face as the Sultan's table (rehearsal/people.py says who calls what).

Beside the players it has a Storyteller, who never speaks: `at_keys` says what he enters. What the village meant is
compared with what the narrator made of it: every nomination, and every seat's vote.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from narrator.core.phrases import Meaning
from narrator.library import Production
from narrator.rehearsal.clocktower.minds import Accusation, Minds
from narrator.rehearsal.clocktower.storyteller import Key, Storyteller
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.talk import Act, Talk

CHATTER = Path(__file__).with_name("chatter.toml")
ANSWERS = (0.1, 1.1)  # seconds in which a seat answers to its name
LATE = (1.9, 2.4)  # … when it hesitates: the word reaches over the beat
HESITATES = 0.12
_TALKING = ("discussion", "nominations", "last_call", "last_two", "last_one")
_DEFENDING = ("defence", "exile_talk")


@dataclass
class Score:
    """What was right of what the village said."""

    nominations: int = 0  # that were put to the vote
    nominations_right: int = 0
    seats: int = 0  # votes of single seats, as they stood when the names were read back
    seats_right: int = 0
    first_right: int = 0  # … before anybody objected
    counts: int = 0
    counts_right: int = 0


class ClocktowerTable:
    """Everybody around one town square."""

    def __init__(self, production: Production, seed: int) -> None:
        chance = random.Random(seed)
        plots, tongues = random.Random(chance.random()), random.Random(chance.random())
        rules = production.game.rules
        players, travellers = production.setting.players, rules.travellers  # type: ignore[attr-defined]
        demons = rules.grimoire.holders("demon")  # type: ignore[attr-defined]
        self.minds = Minds(players, travellers, plots, demons[0] if demons else "")
        self.storyteller = Storyteller(production, self.minds)
        self.score = Score()
        self._talk = Talk(production.phrases, players, tongues, CHATTER)
        self._done: dict[int, int] = {}  # day -> accusations that are over
        self._first: frozenset[str] | None = None  # yes-voters as first read back
        self._asked: tuple[str, ...] = ()  # who could vote
        self._talked: set[tuple[Any, ...]] = set()
        self._manners = Manners()
        self.faults: list[str] = []

    # ---- what the driver tells

    def on_understood(self, meaning: Meaning) -> None:
        self._manners.understood(meaning)

    def on_state(self, view: Mapping[str, Any]) -> None:
        """Names that are read back, and counts that are made: judged as they come."""
        if view["phase"] == "readback" and self._first is None:
            self._first = frozenset(view["yes_voters"])
            voteless = set() if view["is_exile"] else self._voteless(view)
            self._asked = tuple(p for p in self._talk.players if p not in voteless)
        elif view["phase"] == "result" and self._first is not None:
            self._judge_nomination(view)
            self._judge_vote(view)

    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]:
        """Somebody objects to a nomination that nobody made; votes are set right when they are read back."""
        wrong = heard.intent in ("nominate_me", "is_name", "call_exile", "last_call", "close_nominations")
        if wrong and heard != meant:
            self._manners.object(self._talk.act(self._anybody(), Meaning("undo", {}), (0.4, 1.5), "objection"))
        return self._manners.objection()

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        """What people say next, now that the narrator waits in `phase`."""
        self.on_state(view)
        if first := self._manners.first(lambda: self._talk.act(self._anybody(), Meaning("resume", {}), (2.0, 5.0))):
            return first
        if phase == "prepare":
            return [self._talk.act(self._anybody(), Meaning("next", {}), (2.0, 5.0))]
        if phase in _TALKING:
            return self._talking(view, phase, accepts)
        if phase == "who_nominates":
            accusation = self._accusation(view)
            name = accusation.nominator if accusation else self._anybody()
            return [self._talk.act(name, Meaning("is_name", {"player": name}), (0.4, 1.5))]
        if phase in _DEFENDING:
            return self._defence(view, accepts)
        if phase == "seat":
            return self._answer(view)
        return self._corrections(view) if phase == "readback" else []

    def at_keys(self, state: Any) -> Key | None:
        """What the Storyteller enters next, and when; None: nothing before something happens."""
        return self.storyteller.next_key(state, self._accusation(self.storyteller.view(state)))

    def check(self, public_state: Mapping[str, Any]) -> str | None:
        """What is wrong beyond what was misheard; None if all is well."""
        return self.faults[0] if self.faults else None

    def figures(self) -> dict[str, int]:
        """For the report."""
        return {name: getattr(self.score, name) for name in Score.__dataclass_fields__}

    # ---- the day

    def _accusation(self, view: Mapping[str, Any]) -> Accusation | None:
        plan, done = self.minds.plan(view), self._done.get(view["day"], 0)
        return plan[done] if done < len(plan) else None

    def _talking(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        accusation = self._accusation(view)
        waits = 4.0 if (key := (view["day"], phase)) in self._talked else 16.0
        self._talked.add(key)
        chat = self._talk.table_talk(self._talk.players, waits, accepts)
        if phase.startswith("last"):
            return []
        if phase == "discussion" and accusation is not None and view["day"] % 2:
            return [*chat, self._say(self._anybody(), "open_nominations", {}, waits)]
        if accusation is None:
            return [*chat, self._say(self._anybody(), "last_call", {}, waits)]
        if accusation.exile:
            return [*chat, self._say(self._anybody(), "call_exile", {"player": accusation.nominee}, waits)]
        return [*chat, self._say(accusation.nominator, "nominate_me", {"player": accusation.nominee}, waits)]

    def _defence(self, view: Mapping[str, Any], accepts: Sequence[str]) -> list[Act]:
        chat = self._talk.table_talk([view["nominee"]], 8.0, accepts)
        return [*chat, self._say(self._anybody(), "call_vote", {}, 9.0)]

    def _answer(self, view: Mapping[str, Any]) -> list[Act]:
        seat = view["seat"]
        if seat not in self._wanted(view):
            return []
        between = LATE if self._talk.rng.random() < HESITATES else ANSWERS
        return [self._talk.act(seat, Meaning("yes", {}), between)]

    def _corrections(self, view: Mapping[str, Any]) -> list[Act]:
        """One at a time; whoever was left out speaks for herself."""
        wanted, read = self._wanted(view), set(view["yes_voters"])
        for player in self._talk.players:
            if player in wanted and player not in read and (view["is_exile"] or player not in self._voteless(view)):
                return [self._say(player, "also_player", {"player": player}, 0.6)]
            if player in read and player not in wanted:
                return [self._say(player, "not_player", {"player": player}, 0.6)]
        return []

    def _wanted(self, view: Mapping[str, Any]) -> set[str]:
        """Who means to vote yes on what is open."""
        accusation = self._accusation(view)
        return set(accusation.yes) if accusation and accusation.nominee == view["nominee"] else set()

    def _voteless(self, view: Mapping[str, Any]) -> set[str]:
        return {p for p in self._talk.players if p not in view["living"] and p not in view["tokens"]}

    def _say(self, speaker: str, intent: str, slots: Mapping[str, Any], after: float) -> Act:
        return self._talk.act(speaker, Meaning(intent, slots), (after, after + 1.5))

    def _anybody(self) -> str:
        return self._talk.rng.choice(self._talk.players)

    # ---- the score

    def _judge_nomination(self, view: Mapping[str, Any]) -> None:
        accusation = self._accusation(view)
        self.score.nominations += 1
        if accusation and accusation.nominee == view["nominee"]:
            self.score.nominations_right += accusation.exile or accusation.nominator == view["nominator"]

    def _judge_vote(self, view: Mapping[str, Any]) -> None:
        wanted, read, first = self._wanted(view), set(view["yes_voters"]), self._first or frozenset()
        for player in self._asked:
            self.score.seats += 1
            self.score.seats_right += (player in wanted) is (player in read)
            self.score.first_right += (player in wanted) is (player in first)
        self.score.counts += 1
        self.score.counts_right += view["votes"] == len(wanted & set(self._asked))
        self._first = None
        self._done[view["day"]] = self._done.get(view["day"], 0) + 1


__all__ = ["ClocktowerTable", "Score"]
