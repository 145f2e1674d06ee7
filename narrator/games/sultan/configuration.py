"""Roles, boards and deck of an evening (§3b, §3c, §8, §9), by player count and house options.

Where the text leaves it open which role makes room: Giafar takes the place of an interventionist; l'Amoureuse
leaves two pacifists beside Dinarzade, as her recognition script counts them (§8c), and takes the place of an
interventionist where there are only two pacifists already, unless the interventionists would then be the smaller camp
(seven players with both). This gives the suggested nine of §9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.errors import RuleError

LOVER_SEATS = 7  # RULINGS: l'Amoureuse, seven or more players
TALES_TO_WIN = {"interventionist": 5, "pacifist": 6}  # §4
EXILES = "XY"


@dataclass(frozen=True, slots=True)
class Configuration:
    seats: int
    interventionists: int
    pacifists: int  # besides Dinarzade
    giafar: bool
    amoureuse: bool
    interventionist_board: tuple[str, ...]  # five letters, first place first
    pacifist_board: tuple[str, ...]  # six
    interventionist_tales: int
    pacifist_tales: int
    added_most: int  # tales that power P may add

    @property
    def deck(self) -> int:
        return self.interventionist_tales + self.pacifist_tales

    @property
    def letters(self) -> tuple[str, ...]:
        return self.interventionist_board + self.pacifist_board


def configure(
    seats: int, options: Mapping[str, Any], facts: Mapping[str, Any], wished: Mapping[str, Any]
) -> Configuration:
    """The configuration for this many players. Raises RuleError, saying why, if it cannot be played.

    `wished`: the options that the table chose itself; a suggested l'Amoureuse may be sent home by them.
    """
    kind = options["configuration"]
    if kind not in ("classic", "suggested"):
        raise RuleError(f"configuration “{kind}” does not exist: choose “classic” or “suggested”")
    key, classic, own = str(seats), facts["classic"], facts[kind]
    suggested = kind == "suggested" and seats in own["amoureuse"]
    amoureuse, giafar = bool(wished.get("amoureuse", suggested)), bool(options["giafar"])
    usual = classic["roles"][key] if suggested and not amoureuse else own["roles"][key]
    roles = _roles(seats, usual, options["roles"], giafar=giafar, amoureuse=amoureuse)
    middle = own["interventionist"][key] if kind == "suggested" else classic["interventionist_board"]
    deck = list(options["deck"]) or (own["decks"][key] if kind == "suggested" else classic["deck"])
    if len(deck) != 2 or not all(isinstance(n, int) for n in deck):
        raise RuleError("the deck is two numbers, interventionist and pacifist tales, such as [6, 11]")
    left = tuple(options["interventionist_board"] or middle)
    right = tuple(options["pacifist_board"] or own["boards"][key])
    added = _count((*left, *right), "P")
    chosen = Configuration(seats, *roles, giafar, amoureuse, left, right, deck[0], deck[1], added)
    _check_roles(chosen)
    _check_boards(chosen, facts)
    _check_deck(chosen, facts)
    return chosen


def _roles(
    seats: int, usual: list[int], wished: Mapping[str, Any], *, giafar: bool, amoureuse: bool
) -> tuple[int, int]:
    """Interventionists and pacifists (besides Dinarzade)."""
    interventionists, pacifists = usual
    interventionists -= giafar
    if amoureuse and interventionists + giafar + pacifists + 1 == seats:  # she is not among the roles yet
        if pacifists > 2 or interventionists - 1 < pacifists + 1:
            pacifists -= 1
        else:
            interventionists -= 1
    for role, number in wished.items():
        if role not in ("interventionist", "pacifist") or type(number) is not int:
            raise RuleError("roles are numbers of two kinds, such as { interventionist = 4, pacifist = 2 }")
    return wished.get("interventionist", interventionists), wished.get("pacifist", pacifists)


def _check_roles(c: Configuration) -> None:
    if c.amoureuse and c.seats < LOVER_SEATS:
        raise RuleError(f"l’Amoureuse needs {LOVER_SEATS} players or more, you are {c.seats}")
    total = c.interventionists + c.pacifists + 1 + c.giafar + c.amoureuse
    if total != c.seats:
        raise RuleError(f"{total} roles for {c.seats} players: change roles.interventionist or roles.pacifist")
    if c.interventionists < 1 or c.pacifists < 1:
        raise RuleError("each camp needs at least one player besides Dinarzade")
    if c.interventionists > 6 or c.pacifists > 3:
        raise RuleError("the box has six Interventionist and three Pacifist cards, not more")
    if c.interventionists < c.pacifists + 1:
        raise RuleError("the interventionists may not be fewer than the pacifists and Dinarzade together")


def _check_boards(c: Configuration, facts: Mapping[str, Any]) -> None:
    for name, board in (
        ("interventionist_board", c.interventionist_board),
        ("pacifist_board", c.pacifist_board),
    ):
        wanted = TALES_TO_WIN[name.removesuffix("_board")]
        if len(board) != wanted:
            raise RuleError(f"{name} needs {wanted} letters, it has {len(board)}")
        for letter in board:
            if letter not in facts["letters"]:
                raise RuleError(f"{name}: “{letter}” is not a board card; there are {', '.join(facts['letters'])}")
        if board[-1] in facts["powers"]:
            raise RuleError(f"{name}: the last place ends the game, so power {board[-1]} would never be used")
    exiles = sum(letter in EXILES for letter in c.letters)
    if c.seats - exiles - c.amoureuse < 3:
        raise RuleError(f"{exiles} exiles would leave fewer than three players: take some X or Y away")
    if c.added_most > 1:
        raise RuleError("power P can stand on the boards only once: the reserve holds one tale of each colour")
    if _count(c.letters, "B") >= c.seats - exiles:
        raise RuleError("there are more powers B than players who could be asked")


def _check_deck(c: Configuration, facts: Mapping[str, Any]) -> None:
    kept = facts["additional"] if c.added_most else 0
    for tales, most, name in zip(
        (c.interventionist_tales, c.pacifist_tales),
        facts["box"],
        ("interventionist", "pacifist"),
        strict=True,
    ):
        if tales > most - kept:
            raise RuleError(f"the box has {most - kept} {name} tales for the deck, you ask for {tales}")
        if tales < TALES_TO_WIN[name]:
            raise RuleError(f"{tales} {name} tales: that camp needs {TALES_TO_WIN[name]} of them to win")
    # Nine tales may lie on the boards before the last turn, and a government draws three.
    longest = sum(TALES_TO_WIN.values()) - 2
    if c.deck - longest < 3:
        raise RuleError(f"a deck of {c.deck} tales would run out: it needs at least {longest + 3}")


def _count(letters: tuple[str, ...], letter: str) -> int:
    return sum(one == letter for one in letters)
