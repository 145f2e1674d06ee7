"""The rules of every game that is data only: nights, deaths told aloud, accusations, votes, counters, ends.

A game of this kind has no Python of its own: game.toml declares its nouns (nouns.py) and names the checks, actions and
conditions below in its phases and moves. docs/YOUR-GAME.md explains each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.phases import Condition
from narrator.core.script import Script, Source
from narrator.core.setting import Setting
from narrator.core.states import Action, Check
from narrator.core.table import Table
from narrator.games.plain import living, trials
from narrator.games.plain.conditions import Test, read_test
from narrator.games.plain.counters import check_counters, counted, own_actions
from narrator.games.plain.facts import SLOTS, Sheet, knowledge, view_of
from narrator.games.plain.nouns import Nouns, read_nouns
from narrator.games.plain.state import Party


class PlainRules:
    """core.states.Rules for one table of a game that is data only."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], source: Source) -> None:
        """Raises ScriptError for a file that declares nonsense, RuleError for a table that cannot be dealt to."""
        self.setting, self.options, self._source = setting, options, source
        nouns = read_nouns(source)
        _check_names(source, nouns, setting, options)
        dealt = nouns.deal(len(setting.players), options)
        self.sheet = Sheet(nouns, setting.players, dealt, _allowed(source, nouns, options), {})
        start = self.start("")
        self.sheet = Sheet(nouns, setting.players, dealt, options, self._tests(start))
        self.conditions: Mapping[str, Condition] = {name: self._condition(name) for name in self._flags(start)}
        self.checks: Mapping[str, Check] = {**living.checks(self.sheet), **trials.checks(self.sheet)}
        own = {**living.actions(self.sheet), **trials.actions(self.sheet)}
        check_counters(source, nouns.counters, own)
        self.actions: Mapping[str, Action] = {**counted(own, nouns.counters), **own_actions(nouns.counters)}
        self.fact_names = frozenset((*SLOTS, *view_of(start, self.sheet))) - {"tallies"}
        self.slot_values: Mapping[str, tuple[str, ...]] = {"role": tuple(dealt)}

    def start(self, phase: str) -> Party:
        counters = tuple((one.id, one.start) for one in self.sheet.nouns.counters)
        return Party(phase, table=Table(self.setting.players), counters=counters)

    def view(self, state: Any) -> dict[str, Any]:
        return view_of(state, self.sheet)

    def roll(self, state: Any) -> Roll | None:
        return None

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        return ()

    def lines_needed(self, script: Script) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """The lines by which the checks that a script names refuse, with where it names them."""
        for n, entry in enumerate(script.source.data["move"]):
            check = entry.get("check", "")
            for line in (*living.LINES.get(check, ()), *trials.LINES.get(check, ())):
                yield line, ("move", n, "check")

    # ---- conditions

    def _tests(self, start: Party) -> dict[str, Test]:
        """The game's own conditions; each may name those before it."""
        known = knowledge(start, self.sheet)
        flags = {name for name, value in known.items() if isinstance(value, bool)}
        numbers = sorted(name for name, value in known.items() if not isinstance(value, bool))
        tests: dict[str, Test] = {}
        for name, text in self.sheet.nouns.when.items():
            if name in known or name == "decided":
                raise self._source.fault(f"“{name}” is a name of the narrator’s own: choose another", "when", name)
            tests[name] = read_test(self._source, name, text, numbers, sorted(flags))
            flags.add(name)
        return tests

    def _flags(self, start: Party) -> list[str]:
        return [name for name, value in view_of(start, self.sheet).items() if isinstance(value, bool)]

    def _condition(self, name: str) -> Condition:
        return lambda party: bool(view_of(party, self.sheet)[name])


def _check_names(source: Source, nouns: Nouns, setting: Setting, options: Mapping[str, Any]) -> None:
    """One name, one meaning: lines and conditions share one space of names. Raises ScriptError."""
    empty = Nouns((), nouns.vote, (), (), {}, {})
    taken = {*SLOTS, *view_of(Party("", table=Table(setting.players)), Sheet(empty, setting.players, {}, {}, {}))}
    paths = {camp: ("role", _first(nouns, camp), "camp") for camp in nouns.camps}
    declared: list[tuple[str, tuple[str | int, ...]]] = [
        *((role.id, ("role", n)) for n, role in enumerate(nouns.roles)),
        *paths.items(),
        *((one.id, ("counter", n)) for n, one in enumerate(nouns.counters)),
        *((option, ("options", option)) for option in options),
    ]
    for name, path in declared:
        if name in taken:
            raise source.fault(f"“{name}” is taken, by the narrator or by something else here: choose another", *path)
        taken.add(name)


def _first(nouns: Nouns, camp: str) -> int:
    return next(n for n, role in enumerate(nouns.roles) if role.camp == camp)


def _allowed(source: Source, nouns: Nouns, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options, once none has a word that its [choices] do not have."""
    for option, allowed in nouns.choices.items():
        if options[option] not in allowed:
            raise RuleError(f"option “{option}” is one of {', '.join(allowed)}, not “{options[option]}”")
    return options
