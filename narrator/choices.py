"""What a game lets a table choose, in plain words: the options that setup asks for.

The words are data, [setup] of a game's language file, keyed by option:
  giafar = "Giafar"                                        an option that is on or off, to be ticked
  vote = { ask = "How do you vote?", ear = "aloud" }       one of several; the keys are what the option may be
  travellers = { ask = "Who is passing through?" }         names of players
and two more: `first`, which asks who begins (none: nobody does), and `extra`, the question over all that is ticked.
What has no words is asked by its own name, so that a small game need not write any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.shapes import EXTRA, FIRST, check_setup
from narrator.library import game_folder, languages_of, read_game, read_source

ASK = "ask"


@dataclass(frozen=True, slots=True)
class Choice:
    """One question. `values`: what the option may be, and what that is called; empty where names are asked."""

    option: str
    ask: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Menu:
    """A game as setup shows it. `seats`: fewest and most; `ticks`: option -> words; `usual`: every option's default."""

    game: str
    title: str
    seats: tuple[int, int]
    first: str
    extra: str
    choices: tuple[Choice, ...]
    ticks: Mapping[str, str]
    usual: Mapping[str, Any]

    def called(self, option: str, value: Any) -> str:
        """What a choice is called, for a sentence; "" where it has no words."""
        known = {value: title for choice in self.choices if choice.option == option for value, title in choice.values}
        return known.get(value, "")


def read_menu(game: str, language: str) -> Menu:
    """A game in a language, or in the first one that it has. Raises ScriptError (file and line)."""
    source, _ = read_game(game)
    spoken = languages_of(game)
    written = read_source(game_folder(game) / f"{language if language in spoken else spoken[0]}.toml")
    options, told = source.data.get("options", {}), written.data.get("setup", {})
    check_setup(written, options)
    low, high = source.data["players"]
    bare = {name: dict.fromkeys(values, "") for name, values in source.data.get("choices", {}).items()}
    listed = {**bare, **{name: table for name, table in told.items() if isinstance(table, dict)}}
    return Menu(
        game,
        str(written.data.get("title", game)),
        (low, high),
        told.get(FIRST, ""),
        told.get(EXTRA, ""),
        tuple(_choice(name, table) for name, table in listed.items()),
        {name: told.get(name, name) for name, usual in options.items() if isinstance(usual, bool)},
        options,
    )


def _choice(option: str, table: Mapping[str, str]) -> Choice:
    values = tuple((value, title or value) for value, title in table.items() if value != ASK)
    return Choice(option, table.get(ASK) or f"{option} ?", values)
