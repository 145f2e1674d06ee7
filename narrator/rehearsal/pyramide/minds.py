"""What a simulated Meereen decides: places, accusations, votes, squads, questions, returns.

Everybody knows what their slip told them. A decision follows from the seed, the turn and who makes it, so that a
sentence said again means the same, and nothing that was misheard changes what comes after it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from narrator.games.pyramide.ranks import District
from narrator.games.pyramide.roles import Deal

View = Mapping[str, Any]
OFFICES = {"seneschal": "masters", "green_grace": "graces", "shavepate": "beasts"}  # office -> whom it places
EXCEPTIONS = 2  # whom an office places by name, at most
HASTE = 3  # from this turn on the council accuses the harpy


class Minds:
    """The table's decisions. `deal` is what the slips say, once they were handed out."""

    def __init__(self, seed: int, haste: int = HASTE) -> None:
        self._seed, self._haste = seed, haste
        self.deal = Deal()

    def chance(self, view: View, *what: object) -> random.Random:
        return random.Random(f"{self._seed} {view['turn']} {what}")

    # ---- aloud

    def places(self, view: View) -> list[tuple[str, str, str]]:
        """(speaker, player, district): whom the offices place by name this turn, in order."""
        told = []
        for office, rank in OFFICES.items():
            holder, chance = view[office], self.chance(view, "places", office)
            if holder:
                some = chance.sample(list(view[rank]), min(len(view[rank]), chance.randint(0, EXCEPTIONS)))
                told += [(holder, player, str(chance.choice(list(District)))) for player in some]
        return told

    def accused(self, view: View) -> str:
        """Whom the next accuser names."""
        able = [player for player in view["living"] if player not in view["accused"]]
        if view["turn"] >= self._haste and self.deal.harpy in able:
            return self.deal.harpy
        chosen: str = self.chance(view, "accuses", len(view["accused"])).choice(able)
        return chosen

    def vote(self, view: View, voter: str) -> str:
        """One of the choices, or "" for nobody."""
        choices, chance = list[str](view["choices"]), self.chance(view, view["kind"], voter)
        sons = [player for player in choices if self.deal.is_son(player)]
        if view["is_justice"]:
            return self._verdict(view, voter, choices, sons, chance)
        wanted = sons if sons and self.deal.is_son(voter) and chance.random() < 0.7 else choices
        return "" if chance.random() < 0.15 else chance.choice(wanted)

    def _verdict(
        self, view: View, voter: str, choices: Sequence[str], sons: Sequence[str], chance: random.Random
    ) -> str:
        others = [player for player in choices if player not in sons]
        if self.deal.is_son(voter):
            return chance.choice(others) if others and chance.random() < 0.8 else ""
        if view["turn"] >= self._haste and self.deal.harpy in choices and chance.random() < 0.9:
            return self.deal.harpy
        return choices[0] if chance.random() < 0.4 else "" if chance.random() < 0.3 else chance.choice(choices)

    def shavepate(self, view: View) -> str:
        chosen: str = self.chance(view, "shavepate").choice(list(view["beasts"]))
        return chosen

    # ---- in secret

    def squads(self, view: View) -> list[tuple[tuple[str, ...], str]]:
        """(members, target): up to two squads a night, while there is a harpy to send them."""
        chance = self.chance(view, "squads")
        sons = [player for player in self.deal.sons if player in view["living"]]
        prey = [player for player in view["living"] if not self.deal.is_son(player)]
        if self.deal.harpy not in sons or not prey:
            return []
        chance.shuffle(sons)
        sizes = [min(len(sons), chance.randint(2, 5))]
        sizes += [min(len(sons) - sizes[0], 3)] if chance.random() < 0.6 else []
        sent, at = [], 0
        for size, target in zip(sizes, chance.sample(prey, min(len(prey), 2)), strict=False):
            if size:
                sent.append((tuple(sons[at : at + size]), target))
            at += size
        return sent

    def asks_about(self, view: View, asker: str) -> str:
        others: list[str] = [player for player in view["players"] if player != asker]
        return self.chance(view, "asks", asker).choice(others)

    def guards(self, view: View) -> str:
        """Whom Belwas guards; "" where he leaves it at himself."""
        chance, living = self.chance(view, "guards"), list[str](view["living"])
        return chance.choice(living) if chance.random() < 0.5 else ""

    def returns(self, view: View, player: str) -> bool:
        return self.chance(view, "returns", player).random() < 0.8
