"""What an evening's page tells of a plain game: votes and deaths."""

from __future__ import annotations

from narrator.core.deeds import NO, YES, Deed, answers_of
from narrator.games.plain.state import Party, Trial


def deeds(before: Party, after: Party) -> tuple[Deed, ...]:
    """What lies between two states in a row."""
    found = []
    if after.trial.outcome and not before.trial.outcome:
        found.append(_vote(after.trial))
    found += [Deed("death", (player,)) for player in after.dead if player not in before.dead]
    return tuple(found)


def _vote(trial: Trial) -> Deed:
    people = tuple(player for player in (trial.accuser, trial.accused) if player)
    if trial.rolled:
        against = tuple(player for player in trial.passed if player not in trial.hands)
        counts = ((YES, len(trial.hands)), (NO, len(against)))
        return Deed("vote", people, trial.outcome, counts, answers_of(trial.hands, against))
    if trial.tallies:
        return Deed("vote", people, trial.outcome, trial.tallies)
    counts = ((YES, trial.ballot.yes or 0), (NO, trial.ballot.no or 0))
    return Deed("vote", people, trial.outcome, counts)


def gauges(party: Party) -> dict[str, int]:
    """Numbers whose course is drawn."""
    return {"living": len(party.living)}
