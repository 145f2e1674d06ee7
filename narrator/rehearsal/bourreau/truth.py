"""What really lies on the table in a game of Le Bourreau, and what it is worth: the check on the narrator's accounts.

It imports nothing of the narrator's rules. Cards are dealt, swapped and turned over by hands alone; the outcome of a
game follows from them and from who was struck, in the words of the game's own text.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from narrator.rehearsal.bourreau.coins import TREASURY, Coins

CENTRE = "the centre"
HARMLESS = ("hat", "chalice", "cheese", "dummy")


def drawn(box: Mapping[str, int], number: int, rng: random.Random) -> list[str]:
    """That many cards of a shuffled pile."""
    pile = [card for card, copies in box.items() for _ in range(copies)]
    rng.shuffle(pile)
    return pile[:number]


@dataclass
class Cards:
    """Who holds what this game. `items` has the centre too."""

    roles: dict[str, str]
    items: dict[str, str]

    @classmethod
    def dealt(cls, prisoners: Sequence[str], roles: Sequence[str], items: Sequence[str], rng: random.Random) -> Cards:
        """One role and one item each; the role left over is put away, the item left over is the centre."""
        shuffled_roles, shuffled_items = rng.sample(list(roles), len(roles)), rng.sample(list(items), len(items))
        return cls(
            dict(zip(prisoners, shuffled_roles, strict=False)),
            dict(zip((*prisoners, CENTRE), shuffled_items, strict=True)),
        )

    def swap(self, one: str, other: str) -> None:
        self.items[one], self.items[other] = self.items[other], self.items[one]

    def pass_left(self, prisoners: Sequence[str]) -> None:
        """`prisoners` clockwise: each item goes to the next."""
        held = [self.items[p] for p in prisoners]
        for player, item in zip(prisoners, (held[-1], *held[:-1]), strict=True):
            self.items[player] = item

    def counts_as(self, player: str) -> str:
        item = self.items[player]
        return self.items[CENTRE] if item == "mimic" else item

    def holders(self, item: str) -> list[str]:
        return [player for player, held in self.items.items() if held == item and player != CENTRE]


@dataclass
class Outcome:
    """How a game really ended."""

    dead: list[str] = field(default_factory=list)
    dummies: list[str] = field(default_factory=list)
    poisoned: list[str] = field(default_factory=list)  # of the dead: by the parasite
    rebellion: bool = False


def outcome(cards: Cards, struck: Sequence[str]) -> Outcome:
    """From the cards and from who was struck, in order."""
    end = Outcome()
    for player in struck:
        item = cards.counts_as(player)
        if item == "dummy":
            end.dummies.append(player)
        elif item not in ("shield", "parasite"):
            end.dead.append(player)
            end.rebellion |= item == "pardon" or cards.roles[player] == "princess"
    victims = cards.holders("parasite") + (cards.holders("mimic") if cards.items[CENTRE] == "parasite" else [])
    for player in victims:
        if player not in struck and not end.rebellion:
            end.dead.append(player)
            end.poisoned.append(player)
            end.rebellion |= cards.roles[player] == "princess"
    return end


def paid_out(coins: Coins, cards: Cards, end: Outcome, clockwise: Sequence[str]) -> bool:
    """Everybody takes and gives what the text says, by the usual rules; False if the treasury ran dry.

    `clockwise`: the executioner first.
    """
    executioner, prisoners = clockwise[0], clockwise[1:]
    enough = True
    thieves = [p for p in end.dead if cards.roles[p] == "fool" and cards.counts_as(p) != "cheese"]
    for thief in thieves:
        for player in clockwise:
            if player != thief and not coins.move(player, thief, 1):
                enough &= coins.move(TREASURY, thief, 1) == 1
    worth = len(end.dead) + len(end.dummies) - len([p for p in thieves if p not in end.poisoned])
    if end.rebellion:
        coins.move(executioner, TREASURY, 1)
    else:
        enough &= coins.move(TREASURY, executioner, worth) == worth
    for player in end.dead:
        coins.move(player, TREASURY, 1)
    for player in prisoners:
        due = _due(cards, end, player, worth)
        enough &= player in end.dead or coins.move(TREASURY, player, due) == due
    return enough


def _due(cards: Cards, end: Outcome, player: str, worth: int) -> int:
    role = cards.roles[player]
    if end.rebellion:
        return 3 if role == "saboteur" else 0
    fed = role == "fool" and cards.counts_as(player) == "cheese"
    return worth if role in ("loyalist", "princess") or fed else 0
