"""The real cards of a simulated evening of Au chevet du Sultan: what lies on the table, face up or down.

It imports nothing of the narrator's rules: it is the check on them. Cards only move when hands move them; nothing
here knows whose turn it is. Every operation keeps all tales: pile + hand + set aside + discard + boards = the deck.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

INTERVENTIONIST, PACIFIST = "interventionist", "pacifist"
CAMPS = (INTERVENTIONIST, PACIFIST)
HEAPS = ("pile", "discard", *CAMPS)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read last, to be taken back if somebody objects."""

    board: str
    tale: str
    aside: tuple[str, ...]
    by_slave: bool
    shuffles: int


@dataclass(frozen=True, slots=True)
class Tales:
    """A photograph of the table. `pile`: the top card last. `aside`: what the government in office discarded."""

    pile: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    interventionist: tuple[str, ...] = ()  # what lies on that board; a distracted table may misplace a card
    pacifist: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    read: Reading | None = None  # the last tale read


@dataclass
class Cards:
    """The deck in hands. Raises ValueError for what no hand could do (drawing three from two, say)."""

    interventionist: int
    pacifist: int
    rng: random.Random
    reserve: bool = False  # the two additional tales (power P) are kept in reserve
    tales: Tales = field(default_factory=Tales)
    shuffles: int = 0

    def __post_init__(self) -> None:
        deck = [INTERVENTIONIST] * self.interventionist + [PACIFIST] * self.pacifist
        self.rng.shuffle(deck)
        self.tales = Tales(pile=tuple(deck), reserve=CAMPS if self.reserve else ())

    def counts(self) -> dict[str, int]:
        """Comparable with the narrator's public count: what a government holds or set aside is still the pile's."""
        tales = self.tales
        return {
            "pile": len(tales.pile) + len(tales.hand) + len(tales.aside),
            "discard": len(tales.discard),
            "interventionist": len(tales.interventionist),
            "pacifist": len(tales.pacifist),
        }

    # ---- a government

    def draw(self) -> tuple[str, ...]:
        """The three tales of the top, in hand."""
        tales = self.tales
        if len(tales.pile) < 3 or tales.hand:
            raise ValueError("three tales cannot be drawn")
        self.tales = replace(tales, hand=tales.pile[:-4:-1], pile=tales.pile[:-3])
        return self.tales.hand

    def keep(self, tale: str) -> None:
        """Set all but one tale of this colour aside, face down."""
        hand = list(self.tales.hand)
        hand.remove(tale)  # ValueError if it is not there
        self.tales = replace(self.tales, hand=(tale,), aside=(*self.tales.aside, *hand))

    def put_back(self) -> None:
        """The drawn tales go back on the pile (in the order of this hand; nobody may tell)."""
        tales = self.tales
        drawn = (*tales.hand, *tales.aside)
        self.tales = replace(tales, pile=(*tales.pile, *reversed(drawn)), hand=(), aside=())

    def read(self, board: str = "") -> str:
        """The tale left in hand is laid down (on `board` where that is not its own); the others are discarded."""
        tales = self.tales
        if len(tales.hand) != 1:
            raise ValueError("exactly one tale must be left in hand to be read")
        tale = tales.hand[0]
        reading = Reading(board or tale, tale, tales.aside, False, self.shuffles)
        discard = (*tales.discard, *tales.aside)
        self.tales = replace(tales, hand=(), aside=(), discard=discard, read=reading)
        self._lay(board or tale, tale)
        return tale

    def veto(self) -> None:
        """Everything that the government drew is discarded."""
        tales = self.tales
        drawn = (*tales.aside, *tales.hand)
        self.tales = replace(tales, hand=(), aside=(), discard=(*tales.discard, *drawn))

    def slave_read(self, board: str = "") -> str:
        """The top tale is laid down."""
        tales = self.tales
        if not tales.pile:
            raise ValueError("there is no tale to read")
        tale = tales.pile[-1]
        reading = Reading(board or tale, tale, (), True, self.shuffles)
        self.tales = replace(tales, pile=tales.pile[:-1], read=reading)
        self._lay(board or tale, tale)
        return tale

    def take_back(self) -> None:
        """The tale read last was not meant to be read there: back into the hand, or onto the pile."""
        tales, read = self.tales, self.tales.read
        if read is None:
            raise ValueError("no tale was read")
        shorter: dict[str, Any] = {read.board: getattr(tales, read.board)[:-1]}
        moved = replace(tales, read=None, **shorter)
        if read.by_slave:
            self.tales = replace(moved, pile=(*moved.pile, read.tale))
            return
        aside = read.aside if read.shuffles == self.shuffles else ()  # shuffled in: nobody finds them again
        discard = moved.discard[: len(moved.discard) - len(aside)]
        self.tales = replace(moved, hand=(read.tale,), aside=aside, discard=discard)

    def _lay(self, board: str, tale: str) -> None:
        longer: dict[str, Any] = {board: (*getattr(self.tales, board), tale)}
        self.tales = replace(self.tales, **longer)

    # ---- the pile

    @property
    def top(self) -> str:
        """What the slave would read."""
        return self.tales.pile[-1]

    def reshuffle(self) -> None:
        """The discard joins the pile; the order is new, and independent of the order before."""
        pool = sorted((*self.tales.pile, *self.tales.discard))
        self.rng.shuffle(pool)
        self.shuffles += 1
        self.tales = replace(self.tales, pile=tuple(pool), discard=())

    def look(self, number: int = 3) -> tuple[str, ...]:
        """The top tales, top first; fewer if there are not so many."""
        return tuple(reversed(self.tales.pile[-number:]))

    def look_bottom(self, number: int = 2) -> tuple[str, ...]:
        """The tales at the bottom, the lowest first."""
        return self.tales.pile[:number]

    def add(self, tale: str, depth: int) -> None:
        """A tale of the reserve goes under `depth` others (at least one, unless the pile is empty)."""
        tales, reserve = self.tales, list(self.tales.reserve)
        reserve.remove(tale)
        if tales.pile and not 1 <= depth <= len(tales.pile):
            raise ValueError("the added tale may go anywhere but on top")
        at = len(tales.pile) - depth if tales.pile else 0
        pile = (*tales.pile[:at], tale, *tales.pile[at:])
        self.tales = replace(tales, pile=pile, reserve=())

    # ---- after an objection

    def restore(self, photo: Tales, shuffles: int) -> None:
        """The table as it was on `photo`; if it was shuffled since, the hidden tales are dealt out anew."""
        if self.shuffles != shuffles:
            photo = self._dealt(photo)
        self.tales = photo

    def _dealt(self, photo: Tales) -> Tales:
        pool = sorted((*photo.pile, *photo.discard))
        self.rng.shuffle(pool)
        return replace(photo, pile=tuple(pool[: len(photo.pile)]), discard=tuple(pool[len(photo.pile) :]))

    # ---- a table that gives in

    def arrange(self, wanted: Mapping[str, int]) -> None:
        """Move cards, hidden ones first, until every heap has as many as `wanted`: the table believes the narrator.

        Only between two governments (nothing in hand). Raises ValueError if the sums differ.
        """
        heaps = {heap: list(getattr(self.tales, heap)) for heap in HEAPS}
        if sum(wanted[heap] for heap in HEAPS) != sum(len(cards) for cards in heaps.values()):
            raise ValueError("a deck has no more and no fewer tales than it has")
        spare = [heaps[heap].pop(0) for heap in HEAPS for _ in range(len(heaps[heap]) - wanted[heap])]
        for heap in HEAPS:
            for _ in range(wanted[heap] - len(heaps[heap])):
                heaps[heap].insert(0, spare.pop())
        arranged: dict[str, Any] = {heap: tuple(cards) for heap, cards in heaps.items()}
        self.tales = replace(self.tales, read=None, **arranged)
