"""The rules of La Grande Pyramide for one table: what scripts/pyramide/game.toml names.

Pure rules: ranks, plan, deal, squads, ballots, elections, returning, specials, points. What a sentence changes:
turns (places), night (squads, questions), voting (justice, ballots), polls (elections), fates (the master's dice),
secrets (a typed deal), corrections (and the end). The two views: view (everybody's), desk (the game master's).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from narrator.core.effects import Roll
from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.script import Script
from narrator.core.setting import Setting
from narrator.core.states import Action, Check
from narrator.games.pyramide import corrections, desk, fates, night, polls, secrets, turns, view, voting
from narrator.games.pyramide.configuration import read_house
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.elections import ELECTED
from narrator.games.pyramide.roles import Camp
from narrator.games.pyramide.state import JUSTICE, Meereen

_ROLLS = {"founding": "founding", "places_lot": "places", "election_lot": "election", "lots": "lots"}


class PyramideRules:
    """core.states.Rules for one table."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Raises RuleError for a table that cannot be played."""
        self.options = options
        house = self.house = read_house(setting.players, options, facts)
        self.checks: Mapping[str, Check] = {
            **turns.checks(),
            **night.CHECKS,
            **voting.checks(options["vote"]),
            **polls.CHECKS,
            **fates.CHECKS,
            **secrets.checks(house),
            **corrections.CHECKS,
        }
        self.actions: Mapping[str, Action] = {
            **turns.actions(house),
            **night.ACTIONS,
            **voting.actions(house),
            **polls.actions(house),
            **fates.actions(house),
            **secrets.ACTIONS,
            **corrections.actions(house),
        }
        self.conditions: Mapping[str, Condition] = {**_CONDITIONS, **self._own_conditions()}
        self.whisper_lines: Mapping[str, Callable[[Meereen], str]] = _WHISPERS
        sample = self.start("x")
        self.fact_names = frozenset((*view.SLOTS, *view.ROWS, *view.view_of(sample, house)))
        own = (*desk.ROWS, *desk.ABOUT, *desk.private_view_of(sample, house))
        self.private_fact_names = frozenset(own) - self.fact_names

    def start(self, phase: str) -> Meereen:
        return Meereen(phase, pyramid=self.house.founded(spread(0.0)))

    def view(self, state: Any) -> dict[str, Any]:
        return view.view_of(state, self.house)

    def private_view(self, state: Any) -> dict[str, Any]:
        return desk.private_view_of(state, self.house)

    def about(self, state: Any, slots: Slots) -> Mapping[str, Any]:
        return desk.about(state, slots)

    def roll(self, state: Any) -> Roll | None:
        """What is drawn aloud; an election's lot is its own."""
        what = _ROLLS.get(state.phase)
        return Roll(what, key=state.vote.kind) if what else None

    def private_roll(self, state: Any) -> Roll | None:
        return fates.private_roll(state)

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        return ()

    def lines_needed(self, script: Script) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Lines that the script does not name: what refuses, what is whispered by the state, rows of lists."""
        spoken = (f"refuse_{reason}" for reason in view.REFUSALS)
        whispered = (f"mj_fault_{reason}" for reason in desk.FAULTS)
        for line in (*spoken, *whispered, *view.ROW_LINES, *desk.ROW_LINES, *_BY_STATE):
            yield line, ()

    def _own_conditions(self) -> dict[str, Condition]:
        by, always = self.options["vote"], self.house.return_always
        return {
            "by_ear": lambda state: by == "ear",
            "by_eye": lambda state: by == "eye",
            "by_hand": lambda state: by == "typed",
            "master_deals": lambda state: self.house.typed,
            "return_due": lambda state: bool(state.murdered) and (state.turn == 1 or always),
        }


_CONDITIONS: Mapping[str, Condition] = {
    "dealt": lambda state: state.hidden.dealt,
    "first_turn": lambda state: state.turn == 1,
    "all_drawn": lambda state: bool(state.drawn) and _all_drawn(state),
    "some_drawn": lambda state: bool(state.drawn) and not _all_drawn(state),
    "murdered_any": lambda state: bool(state.murdered),
    "reinforced": lambda state: state.reinforced,
    "council_any": lambda state: bool(state.councillors),
    "accuser_named": lambda state: voting.accuser(state) != "",
    "accusations_left": lambda state: voting.accusations_left(state) > 0,
    "accused_any": lambda state: bool(state.accused),
    "justice": lambda state: state.vote.kind == JUSTICE,
    "election": lambda state: state.vote.kind in ELECTED,
    "seats_left": lambda state: state.vote.seat != "",
    "second_call": voting.second_call,
    "choices_left": lambda state: state.vote.choice != "",
    "executed_any": lambda state: bool(state.executed),
    "lot_any": lambda state: bool(state.held and state.results[state.held[-1]].drawn),
    "graces_any": lambda state: bool(state.graces),
    "seneschal_new": lambda state: "seneschal" in state.named,
    "green_grace_new": lambda state: "green_grace" in state.named,
    "shavepate_due": lambda state: polls.shavepate_due(state.pyramid),
    "returned_any": lambda state: bool(state.returned),
    "ended": lambda state: state.end is not None,
    "queen_won": lambda state: state.end is not None and state.end.winners == (Camp.QUEEN.value,),
    "specials_any": lambda state: any(role for role in state.revealed.deal.specials),
    "prestige_any": lambda state: any(state.pyramid.prestige.values()),
    "prophecies_any": lambda state: bool(state.revealed.prophecies),
}


def _total(state: Meereen) -> str:
    if state.vote.kind:
        return "mj_total_vote"
    return "mj_total_squads" if state.hidden.squads else "mj_total_nothing"


def _all_drawn(state: Meereen) -> bool:
    return len(state.drawn) >= len(state.pyramid.living) - len(state.councillors)


#: What _WHISPERS may choose.
_BY_STATE = (
    *("mj_total_vote", "mj_total_squads", "mj_total_nothing", "mj_outcomes", "mj_outcomes_none", "mj_answer_camp"),
    *("mj_answer_role", "mj_die_revealed", "mj_die_offered", "mj_harpy_night", "mj_harpy_day", "mj_news", "mj_fallen"),
    "mj_back",
)
_DICE = {"revealed": "mj_die_revealed", "offered": "mj_die_offered", "gains": "", "joins": "", "role": "", "deal": ""}
_WHISPERS: Mapping[str, Callable[[Meereen], str]] = {
    "mj_harpy_night": lambda state: "mj_harpy_night" if state.deal.harpy in state.murdered else "",
    "mj_harpy_day": lambda state: "mj_harpy_day" if state.deal.harpy in state.executed else "",
    "mj_total": _total,
    "mj_outcomes": lambda state: "mj_outcomes" if state.hidden.outcomes else "mj_outcomes_none",
    "mj_news": lambda state: "mj_news" if state.hidden.news else "",
    "mj_fallen": lambda state: "mj_fallen" if _fallen(state) else "",
    "mj_back": lambda state: "mj_back" if state.returned else "",
    "mj_answer": lambda state: "mj_answer_camp" if state.hidden.question.camp else "mj_answer_role",
    "mj_die": lambda state: "" if state.hidden.dice else _DICE.get(state.hidden.last, ""),
}


def _fallen(state: Meereen) -> bool:
    dead = (player for player in state.deal.lieutenants if not state.pyramid.alive(player))
    return state.pyramid.alive(state.deal.harpy) and any(dead)
