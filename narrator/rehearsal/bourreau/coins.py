"""Real coins and gems in real purses: they only move from hand to hand, and change must be found somewhere.

It imports nothing of the narrator's rules: it is the check on them.
"""

from __future__ import annotations

from collections.abc import Sequence

TREASURY = "the treasury"
GEM = 3  # crowns


class Coins:
    """Twenty coins and twenty gems, all of them somewhere. Raises ValueError for what no hand could do."""

    def __init__(self, players: Sequence[str], coins: int = 20, gems: int = 20) -> None:
        self._held: dict[str, list[int]] = {TREASURY: [coins, gems], **{player: [0, 0] for player in players}}

    def crowns(self, holder: str) -> int:
        coins, gems = self._held[holder]
        return coins + GEM * gems

    @property
    def box(self) -> tuple[int, int]:
        """All coins and all gems, wherever they are."""
        return sum(c for c, _ in self._held.values()), sum(g for _, g in self._held.values())

    def move(self, payer: str, payee: str, crowns: int) -> int:
        """As much of `crowns` as the payer has; returns how much that was."""
        crowns = min(crowns, self.crowns(payer))
        gems = min(crowns // GEM, self._held[payer][1])
        rest = crowns - GEM * gems
        while self._held[payer][0] < rest:
            self._break_gem(payer)
        for holder, sign in ((payer, -1), (payee, 1)):
            self._held[holder][0] += sign * rest
            self._held[holder][1] += sign * gems
        return crowns

    def _break_gem(self, payer: str) -> None:
        """Three coins for a gem, from the treasury or from anybody who has them."""
        changer = next((h for h, held in self._held.items() if h != payer and held[0] >= GEM), None)
        if changer is None or not self._held[payer][1]:
            raise ValueError(f"nobody can change a gem for {payer}")
        for holder, sign in ((payer, 1), (changer, -1)):
            self._held[holder][0] += sign * GEM
            self._held[holder][1] -= sign
