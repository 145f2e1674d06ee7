"""Which simulated table plays a game: that of the package beside this one named as its rules, else the Sultan's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from narrator.core.phrases import Meaning
from narrator.library import Production
from narrator.rehearsal.people import SimulatedTable
from narrator.rehearsal.talk import Act


class People(Protocol):
    """Everybody around one table; people.py says who calls what.

    A table with a game master also has `at_keys(state)`, what he enters next (a delay in seconds and a text), or None.
    One that keeps a score of its own has `figures()`.
    """

    def on_understood(self, meaning: Meaning) -> None: ...
    def on_state(self, view: Mapping[str, Any]) -> None: ...
    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]: ...
    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]: ...
    def check(self, public_state: Mapping[str, Any]) -> str | None: ...


def table_for(production: Production, seed: int) -> People:
    """The first name that the game's package offers is its table."""
    name = f"narrator.rehearsal.{production.rules_module.__name__.rsplit('.', 1)[-1]}"
    if find_spec(name) is None:
        return SimulatedTable(production, seed)
    module = import_module(name)
    return cast(People, getattr(module, module.__all__[0])(production, seed))
