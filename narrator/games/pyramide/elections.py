"""Elections and nominations: vacant places from the top, offices after the places of their rank.

Text: "Troisième Phase : Élections et Nominations". Ties are drawn; who is first not elected must have had a vote
(RULINGS).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from narrator.games.pyramide.draws import Draws, pick, sample
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.plan import Plan
from narrator.games.pyramide.ranks import BELOW, OFFICE_RANK, Office, Pyramid, Rank

#: What is voted for, from the top, and the office that goes to the first who is not elected into it.
ELECTED: Mapping[Rank, Office] = {Rank.COUNCILLOR: Office.SENESCHAL, Rank.MASTER: Office.GREEN_GRACE}
NEXT, DRAWN = "next", "drawn"


@dataclass(frozen=True, slots=True)
class Result:
    """`elected`: the strongest first; `drawn`: those of them whom only the lot chose, among `tied`; `heir`: the first
    not elected, "" where nobody else had a vote; `heir_drawn`: a lot decided between several."""

    elected: tuple[str, ...]
    tied: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    heir: str = ""
    heir_drawn: bool = False


@dataclass(frozen=True, slots=True)
class Heir:
    """Who takes an office, and how: NEXT in the election, or DRAWN among the rank."""

    player: str
    how: str


def vacancies(plan: Plan, pyramid: Pyramid, rank: Rank) -> int:
    """Places of this rank to be filled: never more than there are living below it."""
    if rank not in BELOW:
        return 0  # "Seule la classe des Bêtes d'Airain conserve des places vacantes"
    free = plan.count(rank) - len(pyramid.of_rank(rank))
    return max(0, min(free, len(candidates(pyramid, rank))))


def candidates(pyramid: Pyramid, rank: Rank) -> tuple[str, ...]:
    """Who can be raised to this rank: "un membre de la classe inférieure"."""
    return pyramid.of_rank(BELOW[rank])


def election(names: Sequence[str], totals: Mapping[str, int], places: int, draws: Draws) -> Result:
    """ "Les joueurs accumulant le plus d'influence": all places are filled, by lot where votes do not tell."""
    order = sorted(names, key=lambda player: -totals.get(player, 0))
    groups = [tuple(group) for _, group in groupby(order, key=lambda player: totals.get(player, 0))]
    elected: list[str] = []
    tied: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    for group in groups:
        left = places - len(elected)
        if len(group) <= left:
            elected += group
        elif left:
            tied, drawn = group, sample(group, left, draws)
            elected += drawn
    chosen = set(elected)
    others = [tuple(p for p in group if p not in chosen) for group in groups]
    first = next((group for group in others if group and totals.get(group[0], 0) > 0), ())
    heir = pick(first, next(draws)) if len(first) > 1 else "".join(first)
    return Result(tuple(elected), tied, drawn, heir, len(first) > 1)


def drawn_graces(plan: Plan, pyramid: Pyramid, draws: Draws) -> tuple[str, ...]:
    """ "un tirage au sort parmi les Bêtes d'Airain": for every vacant place of a grace."""
    return sample(candidates(pyramid, Rank.GRACE), vacancies(plan, pyramid, Rank.GRACE), draws)


def heir_of(pyramid: Pyramid, office: Office, result: Result | None, draws: Draws) -> Heir | None:
    """Who becomes seneschal or green grace; `result`: of the election into the rank above, None if there was none.

    None while the office is held, or if nobody is left of its rank.
    """
    able = pyramid.of_rank(OFFICE_RANK[office])
    if pyramid.holder(office) or not able:
        return None
    if result is not None and result.heir in able:
        return Heir(result.heir, NEXT)
    return Heir(pick(able, next(draws)), DRAWN)


def may_be_shavepate(pyramid: Pyramid, player: str) -> Fault | None:
    """ "Le poste de Crâne Ras, s'il est vacant, est nommé par les Conseillers": a living brass beast."""
    if not pyramid.alive(player):
        return Fault("dead", player)
    return None if pyramid.ranks[player] == Rank.BEAST else Fault("no_beast", player)
