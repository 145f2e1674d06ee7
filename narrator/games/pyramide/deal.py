"""The secret deal: who is a Son in which cell, who the serpent is, which special roles are in the game and whose.

Text: "La Harpie", "Le serpent", "Rôles spéciaux". Everything is a function of a stream of draws (draws.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from narrator.core.errors import RuleError
from narrator.games.pyramide.draws import Draws, happens, pick, sample
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.plan import Plan
from narrator.games.pyramide.ranks import Pyramid, Rank
from narrator.games.pyramide.roles import SPECIAL, SPECIALS, Deal, Prophecies, Role


def deal(plan: Plan, pyramid: Pyramid, draws: Draws) -> Deal:
    """Sons among those below the council ("Seuls les trois Conseillers initiaux sont au delà de tout soupçon")."""
    below = [player for player in pyramid.seats if pyramid.ranks[player] != Rank.COUNCILLOR]
    harpy, *rest = sample(below, plan.sons, draws)
    lieutenants, henchmen = rest[: plan.lieutenants], rest[plan.lieutenants :]
    cells = tuple(tuple(henchmen[at :: plan.lieutenants]) for at in range(plan.lieutenants))
    dealt = Deal(harpy, tuple(lieutenants), cells, pick(henchmen, next(draws)))
    for special in SPECIALS:
        for _ in range(special.most):
            if happens(special.percent, next(draws)):
                dealt = drawn_role(dealt, pyramid, special.role, draws)
    return dealt


def eligible(dealt: Deal, pyramid: Pyramid, role: Role) -> tuple[str, ...]:
    """Who could be given this special role: the living without one; only a courtesan may be a Son.

    "Camp de la reine uniquement" keeps Belwas and Daario from the Sons, "n'appartient à aucun camp" the others.
    """
    sons_may = SPECIAL[role].camp is None
    return tuple(p for p in pyramid.living if p not in dealt.specials and (sons_may or not dealt.is_son(p)))


def drawn_role(dealt: Deal, pyramid: Pyramid, role: Role, draws: Draws) -> Deal:
    """A holder for this special role by lot; the same deal if there is nobody for it."""
    able = eligible(dealt, pyramid, role)
    return with_role(dealt, pyramid, pick(able, next(draws)), role, draws) if able else dealt


def with_role(dealt: Deal, pyramid: Pyramid, player: str, role: Role, draws: Draws) -> Deal:
    """`player` holds this special role; Quaithe's prophecies are drawn with it."""
    after = replace(dealt, specials={**dealt.specials, player: role}, given=(*dealt.given, role))
    return replace(after, prophecies=drawn_prophecies(pyramid, player, draws)) if role == Role.QUAITHE else after


def drawn_prophecies(pyramid: Pyramid, quaithe: str, draws: Draws) -> Prophecies:
    """ "Vie", "Mort": two different players; "Gloire": a grace. None of them is Quaithe herself."""
    others = [player for player in pyramid.living if player != quaithe]
    life, death = (*sample(others, 2, draws), "", "")[:2]
    graces = [player for player in pyramid.of_rank(Rank.GRACE) if player != quaithe]
    return Prophecies(life, death, pick(graces, next(draws)) if graces else "")


# ---- a deal that the game master typed


def check(plan: Plan, pyramid: Pyramid, dealt: Deal) -> None:
    """Raises RuleError, saying what is wrong, for a deal that the text does not allow at the start."""
    known = {*dealt.sons, *dealt.specials, dealt.serpent}
    if strangers := sorted(known - {*pyramid.seats, ""}):
        raise RuleError(f"the deal names “{strangers[0]}”, who is not one of the players")
    if twice := [player for player, times in Counter(dealt.sons).items() if times > 1]:
        raise RuleError(f"“{twice[0]}” stands twice among the Sons of the Harpy")
    _check_sons(plan, pyramid, dealt)
    for role, times in Counter(dealt.specials.values()).items():
        if times > SPECIAL[role].most:
            raise RuleError(f"the role “{role}” is there {times} times, {SPECIAL[role].most} at most")
    for player, role in dealt.specials.items():
        if SPECIAL[role].camp is not None and player in dealt.sons:
            raise RuleError(f"“{player}” is a Son of the Harpy and cannot be “{role}”")


def _check_sons(plan: Plan, pyramid: Pyramid, dealt: Deal) -> None:
    sizes = [len(cell) for cell in dealt.cells]
    if not dealt.harpy or len(dealt.lieutenants) != plan.lieutenants or sizes != [plan.henchmen] * plan.lieutenants:
        there = ", ".join(map(str, sizes)) or "0"
        raise RuleError(
            f"roles and cells: this table needs one harpy, lieutenants: {plan.lieutenants}, henchmen of each (the "
            f"serpent is one): {plan.henchmen}; there are lieutenants: {len(sizes)}, henchmen: {there}"
        )
    if councillor := next((p for p in dealt.sons if pyramid.ranks[p] == Rank.COUNCILLOR), ""):
        raise RuleError(f"“{councillor}” is one of the first councillors and cannot be a Son of the Harpy")
    if dealt.serpent not in dealt.henchmen:
        raise RuleError("the serpent must be one of the henchmen")


# ---- lieutenants who fell


def vacant_cells(dealt: Deal, pyramid: Pyramid) -> tuple[str, ...]:
    """The dead lieutenants in whose place nobody stands yet."""
    return tuple(player for player in dealt.lieutenants if not pyramid.alive(player))


def may_replace(dealt: Deal, pyramid: Pyramid, henchman: str, lieutenant: str) -> Fault | None:
    """ "la Harpie choisit parmi les Sbires ceux qui remplaceront d'éventuels morts parmi ses Lieutenants"."""
    if not pyramid.alive(dealt.harpy):
        return Fault("no_harpy")
    if lieutenant not in vacant_cells(dealt, pyramid):
        return Fault("not_vacant", lieutenant)
    if not pyramid.alive(henchman):
        return Fault("dead", henchman)
    return None if henchman in dealt.henchmen else Fault("no_henchman", henchman)


def replaced(dealt: Deal, henchman: str, lieutenant: str) -> Deal:
    """The henchman leaves his cell and leads that of the fallen one."""
    leaders = tuple(henchman if player == lieutenant else player for player in dealt.lieutenants)
    cells = tuple(tuple(player for player in cell if player != henchman) for cell in dealt.cells)
    return replace(dealt, lieutenants=leaders, cells=cells)
