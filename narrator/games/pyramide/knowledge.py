"""Who knows whom: what a player's standing tells, and nothing more.

Text: "Seule la Harpie a connaissance de l'ensemble …", "Un Lieutenant ne connaît …", "Un Sbire … ne connaît que
l'identité de son Lieutenant", and of the serpent: "n'est connu que des Conseillers". The organisation takes the
serpent for a henchman. What squads and questions reveal is in squads.py and specials.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from narrator.games.pyramide.ranks import Pyramid, Rank
from narrator.games.pyramide.roles import Deal, Role


@dataclass(frozen=True, slots=True)
class Known:
    """`player` is known as `role`; `under`: the lieutenant of a henchman, where the harpy is told of him."""

    player: str
    role: Role
    under: str = ""


Knowledge = Mapping[str, tuple[Known, ...]]


def knowledge(dealt: Deal, pyramid: Pyramid) -> dict[str, tuple[Known, ...]]:
    """Everybody's, by seat; a player of whom nothing is known is not in it. The dead are told nothing any more."""
    told: dict[str, tuple[Known, ...]] = {}
    harpy = Known(dealt.harpy, Role.HARPY)
    whole: list[Known] = []
    for lieutenant, cell in zip(dealt.lieutenants, dealt.cells, strict=True):
        leader = Known(lieutenant, Role.LIEUTENANT)
        whole += [leader, *(Known(player, Role.HENCHMAN, lieutenant) for player in cell)]
        told[lieutenant] = (harpy, *(Known(player, Role.HENCHMAN) for player in cell))
        told |= dict.fromkeys(cell, (leader,))
    told[dealt.harpy] = tuple(whole)
    for player in pyramid.of_rank(Rank.COUNCILLOR):
        if dealt.serpent and player != dealt.serpent:
            told[player] = (*told.get(player, ()), Known(dealt.serpent, Role.SERPENT))
    return {player: told[player] for player in pyramid.living if told.get(player)}


def knows(dealt: Deal, pyramid: Pyramid, player: str) -> tuple[Known, ...]:
    """What this player's standing tells."""
    return knowledge(dealt, pyramid).get(player, ())


def news(before: Knowledge, after: Knowledge) -> dict[str, tuple[Known, ...]]:
    """What each is to be told now: after an election, a lieutenant's replacement, a return."""
    fresh = {p: tuple(known for known in told if known not in before.get(p, ())) for p, told in after.items()}
    return {player: told for player, told in fresh.items() if told}
