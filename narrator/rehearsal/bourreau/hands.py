"""The hands of a table of Le Bourreau: they deal and move the real cards, and pay with real coins.

They follow what the narrator says is happening; what the cards and purses then really hold is theirs to know.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from narrator.rehearsal.bourreau.coins import TREASURY, Coins
from narrator.rehearsal.bourreau.truth import HARMLESS, Cards, drawn, outcome, paid_out

View = Mapping[str, Any]
_NO_CARDS = Cards({}, {})


class Hands:
    """One evening. `roles` and `items`: the active cards of this game; `cards`: who has which of them."""

    def __init__(
        self, players: tuple[str, ...], items: Mapping[str, int], roles: Mapping[str, int], rng: random.Random
    ) -> None:
        self._players, self._box, self._role_box, self._rng = players, items, roles, rng
        self.coins = Coins(players)
        for player in players:
            self.coins.move(TREASURY, player, 5)
        self.roles: list[str] = []
        self.items: list[str] = []
        self.cards = _NO_CARDS
        self.out: set[str] = set()  # gallows cards of this game
        self.attempts = 0  # decisions taken back, and rounds of repairs
        self.doubtful = False  # something was misheard and let pass
        self.difference = ""
        self._dealt = self._paid = self._laid = 0  # in which game that was done last
        self._acted = 0
        self._phase = ""

    def follow(self, view: View, phase: str) -> None:
        """The game is here now: do with cards and money what this calls for, once."""
        turn = view["turn"]
        if self._laid < turn and phase in ("table_setup", "roles", "items", "items_ready", "gallows"):
            self._lay_out(view)
        if (self._phase, phase) == ("draw_item", "no_mundane"):
            self.attempts += 1
        self._phase = phase
        if phase in ("draw_item", "no_mundane", "deal", "curtain"):
            self._set_right(view)
        if self._dealt < turn and phase == "gallows":
            self._deal(view)
        if view["card"]:
            self.out.add(view["card"])
        if len(view["acted"]) > self._acted:
            self._swap_something()
        self._acted = len(view["acted"])

    def settle(self, view: View) -> None:
        """Once a game is paid and nobody objects: do the accounts agree?"""
        turn = view["turn"]
        if view["phase"] in ("again", "over") and self._paid < turn and self._dealt == turn:
            self._pay(view)

    # ---- cards

    def _lay_out(self, view: View) -> None:
        """As many roles and items as players, face up: those of the table file, or drawn."""
        self._laid, self.out = view["turn"], set()
        self.roles = _announced(view["roles"]) or drawn(self._role_box, len(self._players), self._rng)
        self.items = _announced(view["items"]) or drawn(self._box, len(self._players), self._rng)

    def _set_right(self, view: View) -> None:
        """During the repairs the cards on the table are those that were announced."""
        self.items = _announced(view["items"]) or self.items

    def removable(self) -> str:
        """An item that the executioner may take out: any, but not the last pardon."""
        pardons = self.items.count("pardon")
        return self._rng.choice([item for item in self.items if item != "pardon" or pardons > 1])

    def another(self) -> str:
        """An item drawn from the rest of the pile; luck helps half of the time, or some would draw for ever."""
        rest = Counter(self._box)
        rest.subtract(self.items)
        pile = [item for item, copies in rest.items() for _ in range(max(copies, 0))]
        harmless = [item for item in pile if item in HARMLESS]
        return self._rng.choice(harmless if harmless and self._rng.random() < 0.5 else pile)

    def _deal(self, view: View) -> None:
        self._dealt = view["turn"]
        self._acted = 0
        self.cards = Cards.dealt(view["prisoners"], self.roles, self.items, self._rng)

    def _swap_something(self) -> None:
        """An action, or what somebody made of it: two cards change places, nobody looks."""
        one, other = self._rng.sample(list(self.cards.items), 2)
        self.cards.swap(one, other)

    # ---- money

    def _pay(self, view: View) -> None:
        """What everybody is owed, by the real cards; then compared with the narrator's purses."""
        self._paid = view["turn"]
        prisoners = view["prisoners"]
        end = outcome(self.cards, view["executed"])
        paid_out(self.coins, self.cards, end, (view["executioner"], *prisoners))
        told = dict(zip(self._players, view["purses"], strict=True))
        real = {player: self.coins.crowns(player) for player in self._players}
        if self.doubtful:
            self._give_in(told)
        elif sorted(end.dead) != sorted(view["dead"]):
            self._differs(view, f"really dead {end.dead}, for the narrator {list(view['dead'])}")
        elif told != real:
            self._differs(view, f"real purses {real}, for the narrator {told}")
        self.doubtful = False

    def _differs(self, view: View, what: str) -> None:
        self.difference = self.difference or f"game {view['turn']}: {what}"

    def _give_in(self, told: Mapping[str, int]) -> None:
        """After something misheard the table believes the narrator."""
        for player in self._players:
            self.coins.move(player, TREASURY, self.coins.crowns(player))
        for player, crowns in told.items():
            self.coins.move(TREASURY, player, crowns)


def _announced(names: tuple[str, ...]) -> list[str]:
    """("pardon", "hat_2") -> one pardon, two hats."""
    cards = []
    for name in names:
        card, _, number = name.partition("_")
        cards += [card] * int(number or 1)
    return cards
