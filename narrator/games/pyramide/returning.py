"""The return of the murdered, after the elections: each die by itself, in the order of the text.

Text: "chaque joueur loyaliste éliminé aura 90% de chance de se voir proposer de réintégrer le jeu en tant que Bête
d'Airain … Si le joueur accepte, il aura 5% de chance de rejoindre les rangs de la Harpie, puis 15% de chance
d'obtenir un rôle non attribué." Who comes back begins anew: the former role is gone, and is not assigned again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from narrator.games.pyramide.draws import happens
from narrator.games.pyramide.ranks import Pyramid, returned_as_beast
from narrator.games.pyramide.roles import SPECIAL, SPECIALS, Deal, Role

OFFERED, JOINS, GAINS = 90, 5, 15  # percent


def may_return(
    pyramid: Pyramid, dealt: Deal, murdered: Iterable[str], turn: int, every_turn: bool = False
) -> tuple[str, ...]:
    """The loyal whom this turn's squads killed, by seat; in the first turn only (RULINGS; an option makes it every)."""
    if turn != 1 and not every_turn:
        return ()
    dead = set(murdered) & pyramid.dead
    return tuple(player for player in pyramid.seats if player in dead and dealt.loyal(player))


def offered(draw: float) -> bool:
    return happens(OFFERED, draw)


def joins(draw: float) -> bool:
    """Whether one who accepted joins the harpy."""
    return happens(JOINS, draw)


def gains(draw: float) -> bool:
    """Whether one who accepted obtains an unassigned role."""
    return happens(GAINS, draw)


def come_back(pyramid: Pyramid, dealt: Deal, player: str) -> tuple[Pyramid, Deal]:
    """A brass beast like any other."""
    specials = {holder: role for holder, role in dealt.specials.items() if holder != player}
    return returned_as_beast(pyramid, player), replace(dealt, specials=specials)


def joined(pyramid: Pyramid, dealt: Deal, player: str) -> Deal:
    """A henchman of the cell with the fewest living, where a lieutenant lives to know him; the first of equals."""

    def living(at: int) -> tuple[bool, int]:
        return not pyramid.alive(dealt.lieutenants[at]), sum(map(pyramid.alive, dealt.cells[at]))

    chosen = min(range(len(dealt.cells)), key=living)
    cells = tuple((*cell, player) if at == chosen else cell for at, cell in enumerate(dealt.cells))
    return replace(dealt, cells=cells)


def open_roles(dealt: Deal, player: str) -> tuple[Role, ...]:
    """The roles not assigned yet that this player may hold, in the order of the text; deal.with_role gives one."""
    son = dealt.is_son(player)
    free = (special.role for special in SPECIALS if dealt.given.count(special.role) < special.most)
    return tuple(role for role in free if not son or SPECIAL[role].camp is None)
