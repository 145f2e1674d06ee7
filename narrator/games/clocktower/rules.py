"""The rules of Blood on the Clocktower, as far as a narrator carries them: what scripts/clocktower/game.toml names.

The Storyteller judges everything about characters. Here are days and nights, nominations, votes, tokens, the block,
deaths, exiles and ends (nominating.py, fate.py, tally.py), tonight's sheet (night.py), and the two views (view.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.setting import Setting
from narrator.core.states import Action, Check, Refusal
from narrator.core.table import Table
from narrator.games.clocktower import fate, nominating, view
from narrator.games.clocktower.characters import Grimoire, names_of, read_grimoire
from narrator.games.clocktower.night import Entry, current
from narrator.games.clocktower.town import Town, added, without

DAWN = (5.0, 10.0)  # seconds before eyes open, by chance (Guide, Running the night)
FEWEST = 5  # players besides the travellers


class ClocktowerRules:
    """core.states.Rules for one table."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Raises RuleError for a table that cannot be played."""
        self.setting, self.options = setting, options
        self.travellers = _travellers(setting, options)
        if options["vote"] not in ("ear", "eye"):
            raise RuleError(f"vote “{options['vote']}” does not exist: choose “ear” or “eye”")
        if not 1 <= options["beat"] <= 20:
            raise RuleError(f"beat is the seconds of a seat's vote, from 1 to 20, not {options['beat']}")
        for name in (*options["dead"], *options["voteless"]):
            if name not in setting.players:
                raise RuleError(f"dead, voteless: “{name}” is not one of the players")
        self.late = _late(setting, options)
        self.grimoire: Grimoire = read_grimoire(options, setting.players)
        self.word_slots = {"being": names_of(self.grimoire.characters)}
        checks = {**nominating.CHECKS, **fate.CHECKS, "may_become": self._may_become}
        self.checks: Mapping[str, Check] = {
            **{name: _in_town(check) for name, check in checks.items()},
            "may_arrive": _may_arrive,
        }
        self.actions: Mapping[str, Action] = {
            **nominating.ACTIONS,
            **fate.ACTIONS,
            "nightfall": lambda town, slots: self._led(fate.nightfall(town, slots)),
            "next_step": self._next_step,
            "reveal": self._reveal,
            "arrive": self._arrive,
            "leave": _leave,
            "become": _become,
        }
        self.conditions: Mapping[str, Condition] = {**_CONDITIONS, **self._own_conditions()}
        self.clocks: Mapping[str, Callable[[Town], float]] = {
            "dawn": lambda town: DAWN[0] + (DAWN[1] - DAWN[0]) * town.pause,
        }
        self.whisper_lines: Mapping[str, Callable[[Town], str]] = {"mj_step": self._step_line}
        self.fact_names = view.FACTS
        self.private_fact_names = view.PRIVATE_FACTS

    def start(self, phase: str) -> Town:
        dead, spent = tuple(self.options["dead"]), tuple(self.options["voteless"])
        here = Table(tuple(p for p in self.setting.players if p not in self.late))
        return Town(phase, table=here, travellers=self.travellers, dead=dead, spent=spent)

    def view(self, state: Any) -> dict[str, Any]:
        return view.view_of(state, self.options)

    def private_view(self, state: Any) -> dict[str, Any]:
        return view.private_view_of(state, self.options, self.grimoire_of(state))

    def about(self, state: Any, slots: Slots) -> dict[str, Any]:
        """The character that a sentence names, as it is called."""
        character = self.grimoire.characters.get(slots.get("being", ""))
        return {"new_character": character.name} if character else {}

    def grimoire_of(self, town: Town) -> Grimoire:
        """Who is what by now."""
        return self.grimoire.after(town.hidden.became)

    def roll(self, state: Any) -> Roll | None:
        """How long before dawn and in which order deaths are told; both are drawn every night, whatever happened."""
        rolls = {"dawn_draw": "dawn", "order_draw": "order"}
        return Roll(rolls[state.phase]) if state.phase in rolls else None

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        return ()

    # ---- the night's sheet and the reveal

    def _next_step(self, town: Town, slots: Slots) -> Town:
        """What was shown is done; where a death or a new character has changed the sheet, that is shown first."""
        entry = self._current(town)
        if entry is None or entry.id != town.hidden.led:
            return self._led(town)
        return self._led(town.hide(done=added(town.hidden.done, entry.id)))

    def _led(self, town: Town) -> Town:
        entry = self._current(town)
        return town.hide(led=entry.id if entry else "")

    def _step_line(self, town: Town) -> str:
        entry = self._current(town)
        return view.STEP_LINES[entry.kind] if entry else "mj_step"

    def _current(self, town: Town) -> Entry | None:
        return current(town, self.grimoire_of(town), self.options)

    def _reveal(self, town: Town, slots: Slots) -> Town:
        """The next seat, clockwise."""
        left = [p for p in town.table.seats if p not in town.shown]
        character = self.grimoire_of(town).of(left[0])
        role = character.name if character else ""
        return replace(town, revealed=left[0], shown=(*town.shown, left[0]), shown_role=role)

    def _own_conditions(self) -> dict[str, Condition]:
        return {
            "by_eye": lambda town: self.options["vote"] == "eye",
            **{f"vote_by_{how}": self._votes(how, exile=False) for how in ("ear", "eye")},
            **{f"exile_by_{how}": self._votes(how, exile=True) for how in ("ear", "eye")},
            "sheet_over": lambda town: self._current(town) is None,
        }

    def _votes(self, how: str, *, exile: bool) -> Condition:
        return lambda town: self.options["vote"] == how and town.vote.exile == exile

    # ---- characters that are entered or change, travellers that come and go

    def _may_become(self, town: Town, slots: Slots) -> Refusal | None:
        if not self.grimoire.characters:
            return Refusal("mj_no_script")
        if not slots.get("being"):
            return Refusal("mj_which_character", {"names": tuple(c.name for c in self.grimoire.characters.values())})
        return None

    def _arrive(self, town: Town, slots: Slots) -> Town:
        """A traveller comes into town, to the seat that was kept."""
        here = {*town.table.seats, slots["player"]}
        seats = tuple(p for p in self.setting.players if p in here)
        return replace(town, table=Table(seats), travellers=added(town.travellers, slots["player"]))


def _leave(town: Town, slots: Slots) -> Town:
    """A traveller goes: the seat is empty, as if nobody had sat there."""
    player = slots["player"]
    lists = {name: without(getattr(town, name), player) for name in ("travellers", "dead", "exiled", "spent")}
    return replace(town, table=Table(town.table.without((player,))), **lists)  # type: ignore[arg-type]


def _become(town: Town, slots: Slots) -> Town:
    others = tuple(one for one in town.hidden.became if one[0] != slots["player"])
    return town.hide(became=(*others, (slots["player"], slots["being"])))


def _may_arrive(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return Refusal("mj_is_here", {"player": player}) if player in town.table.seats else None


def _in_town(check: Check) -> Check:
    """Nobody who has no seat is named, votes or dies."""

    def checked(town: Town, slots: Slots) -> Refusal | None:
        away = [slots[name] for name in ("player", "other") if slots.get(name, "") not in ("", *town.table.seats)]
        return Refusal("refuse_away", {"player": away[0]}) if away else check(town, slots)

    return checked


def _late(setting: Setting, options: Mapping[str, Any]) -> tuple[str, ...]:
    late = tuple(options["late"])
    for name in late:
        if name not in setting.players:
            raise RuleError(f"late: “{name}” is not one of the players")
    if len(setting.players) - len({*late, *options["travellers"]}) < FEWEST:
        raise RuleError(f"late: {FEWEST} players are needed besides travellers, now or later")
    return late


def _travellers(setting: Setting, options: Mapping[str, Any]) -> tuple[str, ...]:
    chosen = tuple(options["travellers"])
    for name in chosen:
        if not isinstance(name, str) or name not in setting.players:
            raise RuleError(f"travellers: “{name}” is not one of the players")
    if len(setting.players) - len(set(chosen)) < FEWEST:
        raise RuleError(f"travellers: {FEWEST} players are needed besides them")
    return tuple(p for p in setting.players if p in chosen and p not in options["late"])


_CONDITIONS: Mapping[str, Condition] = {
    "first_night": lambda town: town.turn == 0,
    "travelling": lambda town: bool(town.travellers),
    "deaths_told": lambda town: bool(town.told),
    "risen": lambda town: bool(town.risen),
    "called": lambda town: town.called,
    "just_called": lambda town: town.just_called,
    "more_seats": lambda town: bool(town.vote.seat),
    "dead_may_vote": lambda town: town.vote.total is not None and not town.vote.exile and bool(town.tokens),
    "on_block": lambda town: town.outcome == "block",
    "tied": lambda town: town.outcome == "tie",
    "low": lambda town: town.outcome == "low",
    "exiled": lambda town: town.outcome == "exiled",
    "kept": lambda town: town.outcome == "kept",
    "has_block": lambda town: town.block != "",
    "died": lambda town: town.outcome == "died",
    "survived": lambda town: town.outcome == "survived",
    "already": lambda town: town.outcome == "already",
    "decided": lambda town: town.hidden.decided != "",
    "day_over": lambda town: town.over,
    "woken": lambda town: town.woken,
    "reveal_left": lambda town: len(town.shown) < len(town.table),
    "fresh_day": lambda town: not town.begun,
    "question_due": lambda town: town.question_due,
    "by_name": lambda town: town.vote.total is None and bool(town.vote.hands),
    "by_nobody": lambda town: town.vote.total is None and not town.vote.hands,
    "by_total": lambda town: town.vote.total is not None,
}
