"""What an evening's page tells of Au chevet du Sultan: governments and their votes, tales, exiles."""

from __future__ import annotations

from narrator.core.deeds import NO, YES, Deed
from narrator.games.sultan.court import Court


def deeds(before: Court, after: Court) -> tuple[Deed, ...]:
    """What lies between two states in a row."""
    found = []
    if after.ballot.complete and not before.ballot.complete:
        outcome = "accepted" if after.ballot.passes else "refused"
        counts = ((YES, after.ballot.yes or 0), (NO, after.ballot.no or 0))
        found.append(Deed("vote", (before.gv, before.narratrice), outcome, counts))
    if after.interventionist + after.pacifist > before.interventionist + before.pacifist:
        readers = () if after.by_slave else (before.gv, before.narratrice)
        found.append(Deed("tale", readers, after.last_tale))
    found += [Deed("exile", (player,)) for player in after.exiled if player not in before.exiled]
    found += [Deed("departure", (player,)) for player in after.departed if player not in before.departed]
    return tuple(found)


def gauges(court: Court) -> dict[str, int]:
    """Numbers whose course is drawn."""
    return {"interventionist": court.interventionist, "pacifist": court.pacifist}
