"""What a vote comes to. Guide, Nominations and votes: at least half of the living, and more than anybody else today."""

from __future__ import annotations

from collections.abc import Sequence

Tallies = Sequence[tuple[str, int]]


def half(players: int) -> int:
    """Half of them, rounded up (RULINGS)."""
    return (players + 1) // 2


def best(tallies: Tallies) -> int:
    """The highest count of the day, failed ones included (RULINGS)."""
    return max((count for _, count in tallies), default=0)


def to_pass(living: int, tallies: Tallies) -> int:
    """Votes with which a nominee would be about to die."""
    return max(half(living), best(tallies) + 1)


def to_tie(living: int, tallies: Tallies, block: str) -> int:
    """Votes with which nobody would be about to die any more; 0 where a tie changes nothing."""
    high = best(tallies)
    held = bool(block) and dict(tallies).get(block) == high
    return high if held and high >= half(living) else 0


def outcome(count: int, living: int, tallies: Tallies, block: str) -> tuple[str, str]:
    """What this count makes of the day: ("block", "tie" or "low"; keeps its nominee or not is the caller's) and why.

    Returns the outcome and what becomes of the block: "new", "empty" or "same".
    """
    if count >= to_pass(living, tallies):
        return "block", "new"
    if count and count == to_tie(living, tallies, block):
        return "tie", "empty"
    return "low", "same"
