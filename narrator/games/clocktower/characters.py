"""The Storyteller's characters: those of the script that the table imported, and who holds which.

A character is what an imported script says of it (ids, orders of waking, texts to the Storyteller, reminder tokens).
Where the script does not say how it wakes, its own text to the Storyteller is looked at: a text that speaks of having
died tonight is for that night only, one that begins with "if" is for him to judge, one that wakes nobody acts unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from narrator.core.errors import RuleError
from narrator.core.spelling import normal

TOWNSFOLK, OUTSIDER, MINION, DEMON, TRAVELLER = "townsfolk", "outsider", "minion", "demon", "traveller"
TEAMS = (TOWNSFOLK, OUTSIDER, MINION, DEMON, TRAVELLER, "fabled", "loric")
WAKES = ("always", "perhaps", "if_killed")
_KILLED = re.compile(r"\b(died|dies|killed) (to)?night|\b(mort|morte|meurt|tuée?) cette nuit", re.I)
_IF = re.compile(r"^\s*(if|si|s['’]il|lorsque|when)\b", re.I)
_WAKES = re.compile(r"\bw(ake|akes|oke)\b|réveill|ouvre les yeux|\bput .* to sleep", re.I)


@dataclass(frozen=True, slots=True)
class Character:
    """`first` and `other`: places in the order of the first and of the other nights, 0 for none."""

    id: str
    name: str
    team: str
    first: float = 0.0
    other: float = 0.0
    first_text: str = ""
    other_text: str = ""
    reminders: tuple[str, ...] = ()
    wakes: str = "always"
    unseen: bool = False  # acts without waking

    @property
    def good(self) -> bool:
        return self.team in (TOWNSFOLK, OUTSIDER)


@dataclass(frozen=True, slots=True)
class Grimoire:
    """`roles`: player -> character id. Empty where the Storyteller keeps his grimoire to himself."""

    characters: Mapping[str, Character]
    roles: Mapping[str, str]
    bluffs: tuple[str, ...] = ()

    def after(self, became: Iterable[tuple[str, str]]) -> Grimoire:
        """With the characters that players have since: entered, or changed."""
        return replace(self, roles={**self.roles, **dict(became)})

    def of(self, player: str) -> Character | None:
        return self.characters.get(self.roles.get(player, ""))

    def holders(self, *teams: str) -> tuple[str, ...]:
        """The players whose character is of one of these teams."""
        return tuple(player for player in self.roles if self.characters[self.roles[player]].team in teams)

    def bluffs_for_demon(self) -> tuple[str, ...]:
        """Names of three good characters not in play, two townsfolk and an outsider if there are (Guide, The night)."""
        if self.bluffs:
            return tuple(self.characters[one].name for one in self.bluffs)
        free = [c for c in self.characters.values() if c.good and c.id not in self.roles.values()]
        folk = [c.name for c in free if c.team == TOWNSFOLK]
        odd = [c.name for c in free if c.team == OUTSIDER]
        return (*folk[:2], *odd[:1], *(*folk[2:], *odd[1:])[: 3 - len(folk[:2]) - len(odd[:1])])


def read_grimoire(options: Mapping[str, Any], players: Sequence[str]) -> Grimoire:
    """From a table's options `characters`, `roles` and `bluffs`. Raises RuleError for what makes no sense."""
    characters = {}
    for entry in options["characters"]:
        if not isinstance(entry, Mapping):
            raise RuleError(f"characters are tables such as {{ id = …, team = … }}, not {entry!r}")
        character = read_character(entry)
        characters[character.id] = character
    called = {normal(said): ident for said, ident in names_of(characters).items()}
    roles = {}
    for player, role in options["roles"].items():
        if player not in players:
            raise RuleError(f"roles: “{player}” is not one of the players")
        if not isinstance(role, str) or normal(role) not in called:
            raise RuleError(f"roles: “{role}” (for {player}) is not a character of the script; import its file")
        roles[player] = called[normal(role)]
    for bluff in options["bluffs"]:
        if not isinstance(bluff, str) or bluff not in characters:
            raise RuleError(f"bluffs: “{bluff}” is not a character of the script")
    return Grimoire(characters, roles, tuple(options["bluffs"]))


def names_of(characters: Mapping[str, Character]) -> dict[str, str]:
    """What the Storyteller may call them, by id or by name -> id."""
    return {**{c.name: c.id for c in characters.values()}, **{ident: ident for ident in characters}}


def read_character(entry: Mapping[str, Any]) -> Character:
    """One character as the official scripts write it. Raises RuleError, naming the field."""
    ident, team = entry.get("id"), entry.get("team", TOWNSFOLK)
    if not isinstance(ident, str) or not ident.strip():
        raise RuleError(f"character “{entry.get('name', '')}”: “id” must be a text")
    name = _text(ident, entry, "name") or ident
    team = team.lower() if isinstance(team, str) else team
    team = TRAVELLER if team == "traveler" else team
    if team not in TEAMS:
        raise RuleError(f"character “{ident}”: team {team!r} is not one of {', '.join(TEAMS)}")
    first, other = (_order(ident, entry, key) for key in ("firstNight", "otherNight"))
    texts = [_text(ident, entry, key) for key in ("firstNightReminder", "otherNightReminder")]
    tokens = entry.get("reminders", [])
    if not isinstance(tokens, Sequence) or isinstance(tokens, str) or not all(isinstance(t, str) for t in tokens):
        raise RuleError(f"character “{ident}”: “reminders” must be a list of texts")
    wakes = entry.get("wakes", _how_it_wakes(texts[1] or texts[0]))
    if wakes not in WAKES:
        raise RuleError(f"character “{ident}”: “wakes” is one of {', '.join(WAKES)}, not {wakes!r}")
    placed = tuple(dict.fromkeys(tokens))
    unseen = bool(texts[1] or texts[0]) and not _WAKES.search(texts[1] or texts[0])
    return Character(ident, name, str(team), first, other, texts[0], texts[1], placed, wakes, unseen)


def _order(ident: str, entry: Mapping[str, Any], key: str) -> float:
    value = entry.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
        raise RuleError(f"character “{ident}”: “{key}” must be a number, 0 for a night without it")
    return float(value)


def _text(ident: str, entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise RuleError(f"character “{ident}”: “{key}” must be a text")
    return " ".join(value.split())


def _how_it_wakes(text: str) -> str:
    if _KILLED.search(text):
        return "if_killed"
    return "perhaps" if _IF.search(text) else "always"
