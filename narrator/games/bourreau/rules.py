"""The rules of Le Bourreau, pure: what scripts/bourreau/game.toml names.

One module per part of a game: dealing (§1), gallows (§2), executions (§3), rewards (§4), closing (§5), corrections.
The narrator never knows a card that nobody has announced. Sections (§) are those of the game's text, FAQ its last
part, "RULINGS" the readings listed in docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.phases import Condition
from narrator.core.setting import Setting
from narrator.core.states import Action, Check
from narrator.core.table import Table
from narrator.games.bourreau import closing, corrections, dealing, executions, gallows
from narrator.games.bourreau.configuration import START, Box, build_box
from narrator.games.bourreau.deck import words_of
from narrator.games.bourreau.state import Scaffold
from narrator.games.bourreau.view import FACTS, view_of


class BourreauRules:
    """core.states.Rules for one table."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Raises RuleError for a table or cards that cannot be played."""
        if setting.first and setting.first not in setting.players:
            raise RuleError(f"first = “{setting.first}” is not one of the players")
        self.setting, self.options = setting, options
        self.configuration: Box = build_box(len(setting.players), setting.language, options, facts)
        box = self.configuration
        self.conditions: Mapping[str, Condition] = {
            **dealing.conditions(box),
            **gallows.conditions(box),
            **executions.conditions(box),
            **closing.conditions(box),
        }
        self.checks: Mapping[str, Check] = {
            **dealing.checks(box),
            **gallows.CHECKS,
            **executions.checks(box),
            **closing.checks(box),
            **corrections.CHECKS,
        }
        self.actions: Mapping[str, Action] = {
            **dealing.ACTIONS,
            **gallows.actions(box),
            **executions.actions(box),
            **closing.actions(box),
            **corrections.ACTIONS,
        }
        self.fact_names = FACTS
        self.words = words_of(box.gallows, setting.language)

    def start(self, phase: str) -> Scaffold:
        box, players = self.configuration, self.setting.players
        return Scaffold(
            phase,
            table=Table(players),
            set_up=phase == "opening",
            executioner=self.setting.first,
            purses=(START,) * len(players),
            total=box.crowns,
            gems=box.gems,
            roles=box.active_roles,
            items=box.active_items,
        )

    def view(self, state: Any) -> dict[str, Any]:
        return view_of(state, self.configuration, self.options, self.setting.language)

    def roll(self, state: Any) -> Roll | None:
        if state.phase == "draw_executioner":
            return Roll("executioner", state.table.seats)
        return gallows.draw(state, self.configuration)

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        """What eyes have seen stays seen (RULINGS, all games)."""
        seen = len(undone.executions) > len(state.executions) or undone.item != state.item
        return ("undo_seen",) if seen or undone.centre != state.centre else ()
