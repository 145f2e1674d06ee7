"""What an evening's page tells of Le Bourreau: executions, and how the purses grew."""

from __future__ import annotations

from narrator.core.deeds import Deed
from narrator.games.bourreau.state import Scaffold


def deeds(before: Scaffold, after: Scaffold) -> tuple[Deed, ...]:
    """What lies between two states in a row."""
    new = after.executions[len(before.executions) :]
    found = [Deed("execution", (e.by, e.player), e.fate) for e in new]
    if after.executioner and after.executioner != before.executioner:
        found.append(Deed("office", (after.executioner,), "executioner"))
    return tuple(found)


def gauges(scaffold: Scaffold) -> dict[str, int]:
    """Numbers whose course is drawn: the purses, in crowns, by player."""
    return dict(zip(scaffold.table.seats, scaffold.purses, strict=True)) if scaffold.purses else {}
