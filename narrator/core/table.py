"""Seats in clockwise order and who sits in them. Frozen; every change is a new table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Table:
    """`seats[i + 1]` is the seat to the left of `seats[i]` (clockwise), the first one follows the last."""

    seats: tuple[str, ...]

    def __contains__(self, player: object) -> bool:
        return player in self.seats

    def __len__(self) -> int:
        return len(self.seats)

    def left_of(self, player: str, absent: Collection[str] = ()) -> str:
        """The next player clockwise who is not `absent`; `player` itself if nobody else is left."""
        at = self.seats.index(player)
        for step in range(1, len(self.seats) + 1):
            neighbour = self.seats[(at + step) % len(self.seats)]
            if neighbour not in absent:
                return neighbour
        return player

    def swapped(self, one: str, other: str) -> Table:
        """The table after two players have changed places."""
        seats = list(self.seats)
        a, b = seats.index(one), seats.index(other)
        seats[a], seats[b] = seats[b], seats[a]
        return replace(self, seats=tuple(seats))

    def without(self, absent: Collection[str]) -> tuple[str, ...]:
        return tuple(player for player in self.seats if player not in absent)
