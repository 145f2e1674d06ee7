"""What an evening's page tells of La Grande Pyramide: murders, justice, elections, offices, returns."""

from __future__ import annotations

from narrator.core.deeds import Deed
from narrator.games.pyramide.state import JUSTICE, Meereen

ABSTAINED = "abstained"


def deeds(before: Meereen, after: Meereen) -> tuple[Deed, ...]:
    """What lies between two states in a row."""
    found = [Deed("murder", (player,)) for player in after.murdered if player not in before.murdered]
    if before.vote.kind == JUSTICE and after.vote.kind != JUSTICE:
        found.append(Deed("justice", after.executed, "died" if after.executed else "kept", *_counted(before, after)))
    for rank, result in after.results.items():
        if rank not in before.results:
            found.append(Deed("election", result.elected, rank, *_counted(before, after)))
    for office, (holder, _) in after.named.items():
        if before.named.get(office) != after.named[office]:
            found.append(Deed("named", (holder,), office))
    found += [Deed("revival", (player,)) for player in after.returned if player not in before.returned]
    return tuple(found)


def _counted(before: Meereen, after: Meereen) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, str], ...]]:
    """The influence for each, and who voted for whom where seats were called by name."""
    votes = tuple((voter, choice or ABSTAINED) for voter, choice in before.vote.votes.items())
    return tuple(after.totals.items()), votes


def gauges(state: Meereen) -> dict[str, int]:
    """Numbers whose course is drawn."""
    seats = state.pyramid.ranks
    return {"living": sum(state.pyramid.alive(player) for player in seats)}
