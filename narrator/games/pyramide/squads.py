"""Assassinations: squads of Sons against their targets, all of a turn at once.

Text: "Première phase : Assassinats". A squad's influence must *exceed* its target's: −1 for each member in another
district than the target; +1 to reach where brass beasts hold the target's district; Belwas' protection +2 in his own
district, +1 elsewhere; while Hizdahr is a councillor, +2 to reach those who are none and −2 for those who are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.ranks import District, Pyramid, Rank
from narrator.games.pyramide.roles import Deal, Role

BRASS, BELWAS, HIZDAHR = "brass", "belwas", "hizdahr"
BRASS_BONUS = 1
BELWAS_HERE, BELWAS_ELSEWHERE = 2, 1
HIZDAHR_SHIFT = 2


@dataclass(frozen=True, slots=True)
class Squad:
    members: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """`strength`: the members' influence less `away` (those in another district); `needed`: what it had to exceed,
    the target's influence with `bonuses` (name, points)."""

    squad: Squad
    strength: int
    away: int
    needed: int
    bonuses: tuple[tuple[str, int], ...]

    @property
    def success(self) -> bool:
        """ "doit dépasser l'influence de la cible"."""
        return self.strength > self.needed


@dataclass(frozen=True, slots=True)
class Told:
    """`player` learns that `sons` were of the squad; `target`: as its intended victim, else as one of its members."""

    player: str
    sons: tuple[str, ...]
    target: bool = False


def refusal(pyramid: Pyramid, dealt: Deal, squads: Iterable[Squad], squad: Squad) -> Fault | None:
    """Why this squad cannot be sent besides those sent already this turn; None if it can."""
    if not pyramid.alive(dealt.harpy):
        return Fault("no_harpy")  # "la phase d'assassinat suivante, qui ne voit logiquement aucune victime"
    if not squad.members:
        return Fault("empty")
    if not pyramid.alive(squad.target):
        return Fault("target_dead", squad.target)
    serving = {player for other in squads for player in other.members}
    for at, player in enumerate(squad.members):
        if not dealt.is_son(player):
            return Fault("no_son", player)
        if not pyramid.alive(player):
            return Fault("dead", player)
        if player == squad.target:
            return Fault("target_inside", player)
        if player in serving or player in squad.members[:at]:
            return Fault("twice", player)  # RULINGS: one squad a turn
    return None


def brass_held(pyramid: Pyramid, dealt: Deal) -> frozenset[District]:
    """ "Si un quartier compte au moins autant de Bêtes d'Airain loyalistes que de joueurs loyalistes dans les étages
    supérieurs": with one beast or more (RULINGS)."""
    beasts: Counter[District] = Counter()
    above: Counter[District] = Counter()
    for player in pyramid.living:
        if player in pyramid.districts and dealt.loyal(player):
            (beasts if pyramid.ranks[player] == Rank.BEAST else above)[pyramid.districts[player]] += 1
    return frozenset(district for district in District if beasts[district] >= max(1, above[district]))


def resolve(pyramid: Pyramid, dealt: Deal, squads: Sequence[Squad], guarded: str = "") -> tuple[Outcome, ...]:
    """All squads at once, so that nobody's death this turn weakens another. `guarded`: whom Belwas protects,
    himself by default."""
    held = brass_held(pyramid, dealt)
    belwas, hizdahr = (_living(pyramid, dealt.holder(role)) for role in (Role.BELWAS, Role.HIZDAHR))
    sways = bool(hizdahr) and pyramid.ranks[hizdahr] == Rank.COUNCILLOR
    outcomes = []
    for squad in squads:
        target, where = squad.target, pyramid.districts.get(squad.target)
        bonuses = [(BRASS, BRASS_BONUS)] if where in held else []
        if belwas and target == (guarded or belwas):
            here = pyramid.districts.get(belwas) == where
            bonuses.append((BELWAS, BELWAS_HERE if here else BELWAS_ELSEWHERE))
        if sways:
            councillor = pyramid.ranks[target] == Rank.COUNCILLOR
            bonuses.append((HIZDAHR, -HIZDAHR_SHIFT if councillor else HIZDAHR_SHIFT))
        away = sum(pyramid.districts.get(player) != where for player in squad.members)
        strength = sum(pyramid.influence(player) for player in squad.members) - away
        needed = pyramid.influence(target) + sum(points for _, points in bonuses)
        outcomes.append(Outcome(squad, strength, away, needed, tuple(bonuses)))
    return tuple(outcomes)


def _living(pyramid: Pyramid, player: str) -> str:
    return player if player and pyramid.alive(player) else ""


def victims(pyramid: Pyramid, outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Who dies, by seat."""
    dying = {outcome.squad.target for outcome in outcomes if outcome.success}
    return tuple(player for player in pyramid.seats if player in dying)


def told(outcomes: Iterable[Outcome]) -> tuple[Told, ...]:
    """A target that was missed learns the whole squad; its members learn of each other, whatever came of it."""
    lessons: list[Told] = []
    for outcome in outcomes:
        members = outcome.squad.members
        if not outcome.success:
            lessons.append(Told(outcome.squad.target, members, target=True))
        for player in members if len(members) > 1 else ():
            lessons.append(Told(player, tuple(other for other in members if other != player)))
    return tuple(lessons)
