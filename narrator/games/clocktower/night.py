"""Tonight's sheet: who is woken in which order. Guide, Preparing the night and Running the night."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.games.clocktower.characters import DEMON, MINION, Character, Grimoire
from narrator.games.clocktower.town import Town

INFO_SEATS = 7  # the Demon and its Minions learn of one another from this many players on


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the sheet. `kind`: dusk, minions, demon, role, dawn, or free where no roles are known."""

    kind: str
    player: str = ""
    character: Character | None = None

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.player}"


def sheet(town: Town, grimoire: Grimoire, options: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Everything of tonight, in order, dawn last. Without known roles the Storyteller follows his own."""
    if not grimoire.roles:
        return (Entry("free"),)
    return tuple(_entries(town, grimoire, options))


def _entries(town: Town, grimoire: Grimoire, options: Mapping[str, Any]) -> Iterator[Entry]:
    if any(town.alive(p) for p in town.travellers):
        yield Entry("dusk")
    first = town.turn == 0
    if first and _informed(town, options):
        if grimoire.holders(MINION):
            yield Entry("minions")
        if grimoire.holders(DEMON):
            yield Entry("demon")
    acting = [(_place(c, first), player, c) for player in town.table.seats if (c := grimoire.of(player))]
    for place, player, character in sorted(acting, key=lambda one: one[0]):
        if place > 0 and _acts(town, player, character):
            yield Entry("role", player, character)
    yield Entry("dawn")


def _informed(town: Town, options: Mapping[str, Any]) -> bool:
    """Travellers do not count for the seven, unless the table wants them to (RULINGS)."""
    players = len(town.table) if options["travellers_count"] else len(town.table) - len(town.travellers)
    return players >= INFO_SEATS


def _place(character: Character, first: bool) -> float:
    return character.first if first else character.other


def _acts(town: Town, player: str, character: Character) -> bool:
    """The dead do not act; who acts on their own death acts in that night only. What is done stays on the sheet."""
    if character.wakes == "if_killed":
        return player in town.hidden.dying
    if Entry("role", player).id in town.hidden.done:
        return True
    return town.alive(player) and player not in town.hidden.dying


def current(town: Town, grimoire: Grimoire, options: Mapping[str, Any]) -> Entry | None:
    """The first entry that is not done; None once the sheet is through."""
    return next((entry for entry in sheet(town, grimoire, options) if entry.id not in town.hidden.done), None)
