"""What special roles ask the game master, one question a turn each, and the answers.

Text: "Rôles spéciaux". A question of Pyat Pree's or of a courtesan's may give the asker away to the one it is about.
"""

from __future__ import annotations

from collections.abc import Collection

from narrator.games.pyramide.draws import happens
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.ranks import Pyramid
from narrator.games.pyramide.roles import Camp, Deal, Role

ASKERS = (Role.QUAITHE, Role.PYAT_PREE, Role.COURTESAN)
REVEALED = {Role.PYAT_PREE: 30, Role.COURTESAN: 50}  # percent


def may_ask(pyramid: Pyramid, dealt: Deal, asked: Collection[str], asker: str, target: str) -> Fault | None:
    """`asked`: who has asked this turn. "A chaque tour … d'un autre joueur": about the dead too."""
    if dealt.specials.get(asker) not in ASKERS:
        return Fault("no_asker", asker)
    if not pyramid.alive(asker):
        return Fault("dead", asker)
    if asker in asked:
        return Fault("asked", asker)
    return Fault("oneself", asker) if target == asker else None


def may_guard(pyramid: Pyramid, dealt: Deal, target: str) -> Fault | None:
    """ "Belwas peut apporter sa protection à un autre joueur (par défaut, Belwas se protège lui-même)"."""
    belwas = dealt.holder(Role.BELWAS)
    if not belwas:
        return Fault("no_belwas")
    dead = next((player for player in (belwas, target) if not pyramid.alive(player)), "")
    return Fault("dead", dead) if dead else None


def exact_role(dealt: Deal, player: str) -> tuple[Role, ...]:
    """Quaithe's and Pyat Pree's answer; () is "aucun rôle", two are a Son who is a courtesan as well.

    "La Harpie est protégée par un sortilège la désignant comme un sbire", in every question (RULINGS).
    """
    order = dealt.order(player)
    if player == dealt.serpent:
        order = Role.SERPENT
    elif order == Role.HARPY:
        order = Role.HENCHMAN
    special = dealt.specials.get(player)
    return tuple(role for role in (order, special) if role is not None)


def belongs(dealt: Deal, player: str, camp: Camp) -> bool:
    """The courtesan's answer: whether a player is of the camp of her choice; the campless are of neither."""
    return dealt.camp(player) == camp


def revealed(role: Role, draw: float) -> bool:
    """Whether the asker is "révélé en tant que tel à sa cible"; Quaithe never is."""
    return happens(REVEALED.get(role, 0), draw)
