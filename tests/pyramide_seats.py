"""A pyramid to test the rules on: C1 … C3, M1 … M5, G1 … G10, B1 … B20, all in the maze unless a test says otherwise.

The seneschal is M1, the green grace G1, the shavepate B1; the harpy is B20, the serpent B12.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from narrator.games.pyramide.plan import Plan
from narrator.games.pyramide.ranks import RANKS, District, Office, Pyramid, Rank
from narrator.games.pyramide.roles import Deal, Prophecies, Role

PLAN = Plan(3, 5, 10, 20, 3, 3)
SMALL = Plan(2, 3, 5, 9, 2, 2)
LETTERS = dict(zip(RANKS, "CMGB", strict=True))
CELLS = (("B18", "B17", "G9"), ("B16", "B15", "M4"), ("B14", "B13", "B12"))
SONS = Deal("B20", ("M5", "G10", "B19"), CELLS, "B12")
MAZE, PITS, PLAZA = District


def scaled(seats: int) -> Plan:
    """A plan for any size from 10 on, in the text's proportions."""
    councillors, masters, graces = (max(1, round(seats * n / 38)) for n in (3, 5, 10))
    lieutenants = max(1, seats // 12)
    return Plan(
        councillors, masters, graces, seats - councillors - masters - graces, lieutenants, 3 if seats > 24 else 2
    )


def pyramid(where: Mapping[str, District] | None = None, dead: str = "", plan: Plan = PLAN, **changes: Any) -> Pyramid:
    """`dead`: names with spaces between them; `where`: who is not in the maze."""
    seats = tuple(f"{LETTERS[rank]}{n + 1}" for rank in RANKS for n in range(plan.count(rank)))
    ranks = {player: rank for rank in RANKS for player in seats if player.startswith(LETTERS[rank])}
    districts = {player: (where or {}).get(player, MAZE) for player in seats}
    return Pyramid(
        seats,
        ranks,
        districts,
        {Office.SENESCHAL: "M1", Office.GREEN_GRACE: "G1", Office.SHAVEPATE: "B1"},
        frozenset(dead.split()),
        tuple((player, districts[player]) for player in seats if ranks[player] == Rank.COUNCILLOR),
        changes.get("prestige", {}),
    )


def dealt(specials: Mapping[str, Role] | None = None, prophecies: Prophecies = Prophecies()) -> Deal:  # noqa: B008
    held = dict(specials or {})
    return replace(SONS, specials=held, given=tuple(held.values()), prophecies=prophecies)
