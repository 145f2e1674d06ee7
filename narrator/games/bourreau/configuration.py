"""The box of Le Bourreau and the house options: which cards there are, and which are active in the first game.

The text names every item and role but gives no full list: how many of each are the house's own numbers, in game.toml.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.core.errors import RuleError
from narrator.games.bourreau.deck import Card, read_deck

PARDON, HAT, CHALICE, CHEESE, DUMMY = "pardon", "hat", "chalice", "cheese", "dummy"
SHIELD, PARASITE, MIMIC = "shield", "parasite", "mimic"
ITEMS = (PARDON, HAT, CHALICE, CHEESE, DUMMY, SHIELD, PARASITE, MIMIC)
MUNDANE = (HAT, CHALICE, CHEESE, DUMMY)  # §1: at least one of them is active
LOYALIST, SABOTEUR, PRINCESS, FOOL = "loyalist", "saboteur", "princess", "fool"
ROLES = (LOYALIST, SABOTEUR, PRINCESS, FOOL)
GEM = 3  # crowns (§4)
START_COINS, START_GEMS = 2, 1  # §1, at the first game of the evening only
START = START_COINS + GEM * START_GEMS


@dataclass(frozen=True, slots=True)
class Box:
    """What the table plays with. `active_…`: the cards of the first game where the table file gives them."""

    seats: int
    items: Mapping[str, int]
    roles: Mapping[str, int]
    coins: int
    gems: int
    gallows: Mapping[str, Card]
    active_items: tuple[str, ...] = ()
    active_roles: tuple[str, ...] = ()
    fool_pays: bool = True
    fool_counts: bool = False
    princess_is_paid: bool = True
    cheese_steals: bool = False
    shield_skips: bool = False
    tokens: bool = False
    everyone_once: bool = False

    @property
    def crowns(self) -> int:
        return self.coins + GEM * self.gems


def build_box(seats: int, language: str, options: Mapping[str, Any], facts: Mapping[str, Any]) -> Box:
    """The box for this many players; its gallows are the table's own, if it has any. Raises RuleError, saying why."""
    items, roles = _counts("items", ITEMS, options, facts), _counts("roles", ROLES, options, facts)
    box = Box(
        seats,
        items,
        roles,
        facts["coins"],
        facts["gems"],
        read_deck(options["gallows"] or facts["gallows"], language),
        _active("active_items", options, items, seats),
        _active("active_roles", options, roles, seats),
        **{key: bool(options[key]) for key in _SWITCHES},
    )
    for kind, cards in (("items", items), ("roles", roles)):
        if sum(cards.values()) < seats:
            raise RuleError(f"{kind}: the box holds {sum(cards.values())} cards, {seats} players need {seats}")
    if not items[PARDON]:
        raise RuleError("items: the box needs a royal pardon (pardon = 1)")
    if not any(items[item] for item in MUNDANE):
        raise RuleError(f"items: the box needs one of {', '.join(MUNDANE)}")
    if START * seats > box.crowns:
        raise RuleError(f"{seats} players take {START} crowns each, the box holds {box.crowns}")
    return box


_SWITCHES = (
    "fool_pays",
    "fool_counts",
    "princess_is_paid",
    "cheese_steals",
    "shield_skips",
    "tokens",
    "everyone_once",
)


def _counts(kind: str, known: Sequence[str], options: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, int]:
    counts = {name: int(facts[kind].get(name, 0)) for name in known}
    for name, number in options[kind].items():
        if name not in known or type(number) is not int or number < 0:
            raise RuleError(f"{kind}: “{name}” must be one of {', '.join(known)}, with a number of cards")
        counts[name] = number
    return counts


def _active(key: str, options: Mapping[str, Any], box: Mapping[str, int], seats: int) -> tuple[str, ...]:
    active = tuple(str(card).strip() for card in options[key])
    if not active:
        return ()
    if len(active) != seats:
        raise RuleError(f"{key}: {seats} players need {seats} cards, these are {len(active)}")
    for card, number in Counter(active).items():
        if card not in box:
            raise RuleError(f"{key}: “{card}” is not one of {', '.join(box)}")
        if number > box[card]:
            raise RuleError(f"{key}: “{card}” is there {number} times, the box holds {box[card]}")
    return active
