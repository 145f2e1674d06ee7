"""Chance as a value: every draw is a number from 0 to below 1 that the engine rolled and journaled.

What needs many draws (a deal, lots for twenty beasts) takes a stream of them, which `spread` makes out of a single
one: the same number always gives the same stream, so that one line of the journal replays a whole deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

Draws = Iterator[float]
T = TypeVar("T")
_WORD = 2**64 - 1
_BITS = 53  # of a float's fraction


def spread(value: float) -> Draws:
    """An endless stream of draws out of one (SplitMix64 over its 53 bits)."""
    state = int(value * 2**_BITS)
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        word = state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
        yield ((word ^ (word >> 31)) >> 11) / 2**_BITS


def pick(things: Sequence[T], draw: float) -> T:
    """One of these, each as likely as the others. Raises IndexError if there are none."""
    return things[int(draw * len(things))]


def sample(things: Sequence[T], number: int, draws: Draws) -> tuple[T, ...]:
    """`number` different ones in the order drawn, one draw each; all of them if there are not so many."""
    left = list(things)
    return tuple(left.pop(int(next(draws) * len(left))) for _ in range(min(number, len(left))))


def happens(percent: int, draw: float) -> bool:
    """A chance of `percent` in a hundred."""
    return draw * 100 < percent
