"""Ends of the game, points and the ranking.

Text: "Conditions de Victoire", "Fin du jeu", "Rôles spéciaux". The table of points is missing from the source: what
a camp's players gain and what a prophecy is worth are the house's numbers (`[facts.points]` of game.toml); Pyat
Pree's and Hizdahr's are the text's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from narrator.core.errors import RuleError
from narrator.games.pyramide.ranks import RANKS, Pyramid, Rank
from narrator.games.pyramide.roles import Camp, Deal, Role

LIFE, DEATH, GLORY = "life", "death", "glory"


@dataclass(frozen=True, slots=True)
class Scale:
    winner_alive: int
    winner_dead: int
    loser_alive: int
    loser_dead: int
    prophecy: int
    pyat_pree: int = 20  # "Il gagne 20 pts si le camp de la Harpie l'emporte et qu'il est toujours en vie"
    hizdahr_queen: int = 10  # "10 pts en cas de victoire des loyalistes"
    hizdahr_harpy: int = 15  # "et 15 points en cas de victoire de la Harpie"


@dataclass(frozen=True, slots=True)
class Score:
    """`points` × `tenths` of prestige; `total` is in tenths of a point."""

    player: str
    points: int
    tenths: int

    @property
    def total(self) -> int:
        return self.points * self.tenths


def read_scale(facts: Mapping[str, Any]) -> Scale:
    """From `[facts.points]`. Raises RuleError for a number that is missing, unknown or none."""
    known = {field.name for field in fields(Scale)}
    for name, points in facts.items():
        if name not in known or type(points) is not int:
            raise RuleError(f"points: “{name}” must be one of {', '.join(sorted(known))}, with a whole number")
    try:
        return Scale(**facts)
    except TypeError:
        missing = sorted(known - set(facts) - {"pyat_pree", "hizdahr_queen", "hizdahr_harpy"})
        raise RuleError(f"points: {', '.join(missing)} must be given") from None


# ---- ends


def harpy_is_dead(pyramid: Pyramid, dealt: Deal) -> bool:
    """Then the next phase of assassinations has no victim, and the Queen's camp wins after it."""
    return not pyramid.alive(dealt.harpy)


def son_elected(dealt: Deal, elected: Iterable[str]) -> str:
    """The first new councillor who is of the harpy's camp: she wins at once. The serpent ends nothing (RULINGS)."""
    return next((player for player in elected if dealt.camp(player) == Camp.HARPY), "")


# ---- points


def fulfilled(pyramid: Pyramid, dealt: Deal) -> tuple[str, ...]:
    """Which of Quaithe's prophecies have come true."""
    said = dealt.prophecies
    risen = RANKS[: RANKS.index(Rank.GRACE)]
    truths = (
        (LIFE, said.life and pyramid.alive(said.life)),
        (DEATH, said.death and not pyramid.alive(said.death)),
        (GLORY, said.glory and pyramid.ranks[said.glory] in risen),
    )
    return tuple(name for name, true in truths if true)


def points(pyramid: Pyramid, dealt: Deal, winner: Camp, scale: Scale, player: str) -> int:
    """Before prestige. Quaithe "conserve ses points même si elle a été éliminée"; the others must be alive."""
    alive, role = pyramid.alive(player), dealt.specials.get(player)
    if role == Role.QUAITHE:
        return scale.prophecy * len(fulfilled(pyramid, dealt))
    if role == Role.PYAT_PREE:
        return scale.pyat_pree if alive and winner == Camp.HARPY else 0
    if role == Role.HIZDAHR:
        return (scale.hizdahr_harpy if winner == Camp.HARPY else scale.hizdahr_queen) if alive else 0
    if dealt.camp(player) == winner:
        return scale.winner_alive if alive else scale.winner_dead
    return scale.loser_alive if alive else scale.loser_dead


def scores(pyramid: Pyramid, dealt: Deal, winner: Camp, scale: Scale) -> tuple[Score, ...]:
    """Everybody's, by seat: "ces points sont multipliés par le coefficient de prestige"."""
    return tuple(
        Score(player, points(pyramid, dealt, winner, scale, player), pyramid.prestige.get(player, 0))
        for player in pyramid.seats
    )


def ranking(lines: Sequence[Score]) -> tuple[tuple[int, Score], ...]:
    """(place, score), the best first, equals by seat with the same place."""
    order = sorted(lines, key=lambda score: -score.total)
    places: dict[int, int] = {}
    for at, score in enumerate(order, 1):
        places.setdefault(score.total, at)
    return tuple((places[score.total], score) for score in order)
