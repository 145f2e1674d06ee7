"""What an evening's page tells of Blood on the Clocktower: votes with their hands, executions, exiles, deaths."""

from __future__ import annotations

from narrator.core.deeds import NO, YES, Deed, answers_of
from narrator.games.clocktower.town import Town


def deeds(before: Town, after: Town) -> tuple[Deed, ...]:
    """What lies between two states in a row."""
    found = []
    if len(after.tallies) > len(before.tallies) or (before.vote.exile and after.outcome != before.outcome):
        found.append(_vote(before if before.vote.nominee else after, after.outcome))
    if after.condemned and after.condemned != before.condemned:
        found.append(Deed("execution", (after.condemned,)))
    found += [Deed("exile", (player,)) for player in after.exiled if player not in before.exiled]
    found += [Deed("death", (player,)) for player in after.dead if player not in before.dead]
    found += [Deed("revival", (player,)) for player in before.dead if player not in after.dead]
    return tuple(found)


def _vote(town: Town, outcome: str) -> Deed:
    vote = town.vote
    people = tuple(player for player in (vote.nominator, vote.nominee) if player)
    if vote.total is not None:
        return Deed("vote", people, outcome, ((YES, vote.total),))
    against = tuple(player for player in town.voters if player not in vote.hands)
    counts = ((YES, town.count), (NO, len(against)))
    return Deed("vote", people, outcome, counts, answers_of(vote.hands, against))


def gauges(town: Town) -> dict[str, int]:
    """Numbers whose course is drawn."""
    return {"living": len(town.living)}
