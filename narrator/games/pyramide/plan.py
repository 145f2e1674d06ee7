"""How many of each a table has, as data (`[facts.tables.<seats>]` of game.toml), and the pyramid that it makes.

The text is for 38 seats; every other size is the house's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from narrator.core.errors import RuleError
from narrator.games.pyramide.draws import Draws, sample
from narrator.games.pyramide.ranks import (
    OFFICE_RANK,
    RANKS,
    District,
    Office,
    Pyramid,
    Rank,
    appointed,
    council_drawn,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Seats per rank; lieutenants, and henchmen under each; the fractions of justice (3: a third, 5: a fifth)."""

    councillors: int
    masters: int
    graces: int
    beasts: int
    lieutenants: int
    henchmen: int
    third: int = 3
    fifth: int = 5

    def count(self, rank: Rank) -> int:
        return (self.councillors, self.masters, self.graces, self.beasts)[RANKS.index(rank)]

    @property
    def seats(self) -> int:
        return self.councillors + self.masters + self.graces + self.beasts

    @property
    def sons(self) -> int:
        """ "treize revêtent une double identité": the harpy, her lieutenants and theirs."""
        return 1 + self.lieutenants * (1 + self.henchmen)


_LEAST = {"henchmen": 1, "lieutenants": 1, "councillors": 1, "third": 1, "fifth": 1}


def read_plan(seats: int, facts: Mapping[str, Any], numbers: Mapping[str, Any] | None = None) -> Plan:
    """The plan for this many seats. `facts`: the game file's, with `tables`; `numbers`: the table's own, if any.

    A size that the game file does not have takes the numbers of the next smaller one; whoever is left is a brass beast.
    Raises RuleError, saying what to write, for numbers that cannot be.
    """
    tables = {int(size): table for size, table in facts["tables"].items()}
    below = max((size for size in tables if size <= seats), default=min(tables))
    known = dict(tables[below])
    if "beasts" not in (numbers or {}):
        known["beasts"] += max(seats - below, 0)
    for name, number in (numbers or {}).items():
        if name not in {f.name for f in fields(Plan)}:
            raise RuleError(f"numbers: “{name}” is not one of {', '.join(f.name for f in fields(Plan))}")
        known[name] = number
    for name, number in known.items():
        least = _LEAST.get(name, 0)
        if type(number) is not int or number < least:
            raise RuleError(f"numbers: “{name}” must be a whole number, {least} or more, not {number!r}")
    return _checked(Plan(**known), seats)


def _checked(plan: Plan, seats: int) -> Plan:
    if plan.seats != seats:
        raise RuleError(
            f"{seats} players, but councillors: {plan.councillors}, great masters: {plan.masters}, "
            f"graces: {plan.graces}, brass beasts: {plan.beasts}, which makes {plan.seats}: "
            "write the numbers of this table in “numbers”"
        )
    if plan.sons > seats - plan.councillors:
        raise RuleError(f"{plan.sons} Sons of the Harpy do not fit among {seats - plan.councillors} below the council")
    if not all(plan.count(rank) for rank in OFFICE_RANK.values()):
        raise RuleError("every rank needs somebody: each has an office to fill")
    return plan


def found(
    plan: Plan,
    seats: tuple[str, ...],
    draws: Draws,
    ranks: Mapping[str, Rank] | None = None,
    offices: Mapping[Office, str] | None = None,
    districts: Mapping[str, District] | None = None,
) -> Pyramid:
    """The pyramid before the first turn; whatever is not given (ranks, offices, councillors' districts) is drawn.

    Raises RuleError for more players of a rank than the plan has, and for an office held by the wrong rank.
    """
    pyramid = Pyramid(seats, _ranks(plan, seats, draws, ranks or {}), {}, {})
    for office, rank in OFFICE_RANK.items():
        holder = (offices or {}).get(office, "")
        if holder and holder not in pyramid.of_rank(rank):
            raise RuleError(f"“{holder}” cannot hold the office “{office}”: it is for the rank “{rank}”")
        pyramid = appointed(pyramid, office, holder or sample(pyramid.of_rank(rank), 1, draws)[0])
    return council_drawn(pyramid, draws, districts or {})


def _ranks(plan: Plan, seats: tuple[str, ...], draws: Draws, given: Mapping[str, Rank]) -> dict[str, Rank]:
    for player in given:
        if player not in seats:
            raise RuleError(f"ranks: “{player}” is not one of the players")
    free = [rank for rank in RANKS for _ in range(plan.count(rank))]
    for player, rank in given.items():
        if rank not in free:
            raise RuleError(f"“{player}” is one too many of the rank “{rank}”: the table has {plan.count(rank)}")
        free.remove(rank)
    drawn = iter(sample(free, len(free), draws))
    return {player: given.get(player) or next(drawn) for player in seats}
