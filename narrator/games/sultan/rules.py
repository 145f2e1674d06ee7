"""The rules of Au chevet du Sultan, pure: what scripts/sultan/game.toml names (checks.py, actions.py, corrections.py).

The narrator holds only what is public; players announce the rest. Section numbers (§) are those of the game's
text, "RULINGS" the readings listed in docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from narrator.core.ballot import Ballot
from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.setting import Setting
from narrator.core.states import Action, Check, Refusal
from narrator.core.table import Table
from narrator.games.sultan import corrections
from narrator.games.sultan.actions import ACTIONS, begin_turn, end_power, ended
from narrator.games.sultan.checks import CHECKS, may_propose
from narrator.games.sultan.configuration import Configuration, configure
from narrator.games.sultan.court import (
    ADVANCES,
    DINARZADE_FROM,
    DRAWN,
    VETO_FROM,
    Court,
    total_tales,
    uncovered_by,
    wins,
)
from narrator.games.sultan.view import FACTS, view_of

#: Undone to here, tales may have been drawn since.
_VOTING = frozenset(("discussion", "countdown", "vote", "half_count"))


class SultanRules:
    """core.states.Rules for one table."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Raises RuleError for a table or configuration that cannot be played."""
        if setting.first and setting.first not in setting.players:
            raise RuleError(f"first = “{setting.first}” is not one of the players")
        self.setting, self.options = setting, options
        self.configuration: Configuration = configure(len(setting.players), options, facts, setting.options)
        self.powers = frozenset(facts["powers"])
        own = self._own_conditions()
        self.conditions: Mapping[str, Condition] = {**_CONDITIONS, **own}
        self.checks: Mapping[str, Check] = {
            **CHECKS,
            **corrections.CHECKS,
            "may_propose_next": self._may_propose_next,
            "may_be_giafar": lambda court, slots: None if own["giafar_due"](court) else Refusal("no_giafar"),
        }
        self.actions: Mapping[str, Action] = {
            **ACTIONS,
            **corrections.ACTIONS,
            "read_tale": self._read_tale,
            "slave_reads": self._slave_reads,
            "giafar_wins": self._giafar_wins,
        }
        self.fact_names = FACTS

    def start(self, phase: str) -> Court:
        return Court(
            phase,
            table=Table(self.setting.players),
            set_up=phase == "checklist",
            gv=self.setting.first,
            cycle_from=self.setting.first,
            pile=self.configuration.deck,
        )

    def view(self, state: Any) -> dict[str, Any]:
        return view_of(state, self.configuration, self.options)

    def roll(self, state: Any) -> Roll | None:
        return Roll("first", state.table.seats) if state.phase == "draw_first" else None

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        """Hands cannot unshuffle (RULINGS, all games): said when the tales were shuffled since."""
        since = undone.turn != state.turn or not state.reshuffled
        drawn = state.phase in _VOTING and undone.phase not in _VOTING and undone.ballot.passes
        return ("undo_drawn",) * drawn + ("undo_shuffled",) * (undone.reshuffled and since)

    # ---- tales

    def _read_tale(self, court: Court, slots: Slots) -> Court:
        """§5: of three drawn, two are discarded, one is read; its government may not narrate next (§7c)."""
        after = replace(
            self._covered(court, slots["tale"]),
            pile=court.pile - DRAWN,
            discard=court.discard + DRAWN - 1,
            government=(court.gv, court.narratrice),
            by_slave=False,
        )
        return self._decided_by_tales(after)

    def _slave_reads(self, court: Court, slots: Slots) -> Court:
        """§5: the top tale, without power; everyone is eligible again."""
        after = replace(
            self._covered(court, slots["tale"]),
            pile=court.pile - 1,
            government=None,
            by_slave=True,
            uncovered="",
        )
        return self._decided_by_tales(after)

    def _covered(self, court: Court, tale: str) -> Court:
        letter = uncovered_by(court, tale, self.configuration)
        if letter == "P" and total_tales(court) > self.configuration.deck:
            letter = ""  # a board set right covers the place again: its tale was added already
        return replace(
            court,
            **{tale: getattr(court, tale) + 1},
            counter=0,
            last_tale=tale,
            uncovered=letter if letter in self.powers else "",
            ballot=Ballot(),  # what is said late of a count belongs to the turn before
            before_tale=replace(court, before_tale=None),
        )

    def _decided_by_tales(self, court: Court) -> Court:
        camp = wins(court)
        return ended(court, f"{camp}_tales", camp) if camp else replace(court, before_tale=None)

    def _may_propose_next(self, court: Court, slots: Slots) -> Refusal | None:
        """The table goes on by itself, but not past the invitation of l'Amoureuse."""
        free = end_power(court, {})
        if court.phase != "lover" and self.conditions["lover_due"](free):
            return Refusal("not_now")
        return may_propose(begin_turn(free, {}), slots)

    # ---- Giafar and l'Amoureuse (§8c)

    def _giafar_wins(self, court: Court, slots: Slots) -> Court:
        if court.end is None:
            return court
        return replace(court, giafar_asked=True, end=replace(court.end, winners=(*court.end.winners, "giafar")))

    def _own_conditions(self) -> dict[str, Condition]:
        c = self.configuration
        return {
            "lover_plays": lambda court: c.amoureuse,
            "has_reserve": lambda court: c.added_most > 0,
            "giafar_due": lambda court: c.giafar and not court.by_slave and not court.giafar_asked,
            "hand_over": lambda court: c.giafar and court.interventionist == 4 and court.pacifist == 5,
            "lover_due": lambda court: (
                c.amoureuse
                and not court.lover_asked
                and court.interventionist >= 4
                and court.pacifist >= 5
                and court.fifth_exercised
            ),
        }


# ---- conditions


def _power(letters: str) -> Callable[[Court], bool]:
    return lambda court: court.uncovered != "" and court.uncovered in letters


_CONDITIONS: Mapping[str, Condition] = {
    "small_table": lambda court: len(court.table) <= 6,
    "first_known": lambda court: court.gv != "",
    "set_up": lambda court: court.set_up,
    "reshuffled": lambda court: court.reshuffled,
    "veto_unlocked": lambda court: court.pacifist >= VETO_FROM and not court.veto_asked,
    "veto_news": lambda court: court.pacifist >= VETO_FROM and not court.veto_told,
    "passed": lambda court: court.ballot.passes,
    "counted": lambda court: court.ballot.complete,
    "third_advance": lambda court: court.counter >= ADVANCES,
    "decided": lambda court: court.end is not None,
    "dinarzade_asked": lambda court: court.pacifist >= DINARZADE_FROM,
    "pile_empty": lambda court: court.pile == 0,
    "slave_had_read": lambda court: court.counter >= ADVANCES,
    "giafar_asked": lambda court: court.giafar_asked,
    **{f"power_{letter.lower()}": _power(letter) for letter in "BCFNP0"},
    "power_x": _power("XY"),
}
