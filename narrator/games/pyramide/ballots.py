"""Weighted votes of justice: who is accused, what a vote weighs, who is put to death.

Text: "Deuxième Phase : Justice"; Daario's reinforced justice is in "Rôles spéciaux". Elections are in elections.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.plan import Plan
from narrator.games.pyramide.ranks import INFLUENCE, Pyramid, Rank

ABSTAINS = ""
Hands = Mapping[str, Mapping[Rank, int]]  # choice -> hands raised, by rank


@dataclass(frozen=True, slots=True)
class Verdict:
    """`totals` in the order of accusing; `threshold` points of influence put to death."""

    totals: tuple[tuple[str, int], ...]
    threshold: int

    @property
    def executed(self) -> tuple[str, ...]:
        """ "Chaque accusé pour lequel au moins un tiers des points d'influence …": several can die."""
        return tuple(player for player, total in self.totals if total >= self.threshold)


def accused_wanted(pyramid: Pyramid, reinforced: bool) -> int:
    """One for each councillor, and "un quatrième accusé" under reinforced justice; nobody without a council."""
    council = len(pyramid.of_rank(Rank.COUNCILLOR))
    return council + 1 if reinforced and council else council


def may_accuse(pyramid: Pyramid, accused: Sequence[str], player: str) -> Fault | None:
    """RULINGS: the same name twice is asked again."""
    if not pyramid.alive(player):
        return Fault("dead", player)
    return Fault("accused", player) if player in accused else None


def may_vote(pyramid: Pyramid, voter: str, choices: Iterable[str], choice: str) -> Fault | None:
    """Every living player for one of those up for it, or nobody."""
    if not pyramid.alive(voter):
        return Fault("dead", voter)
    return None if choice == ABSTAINS or choice in choices else Fault("no_choice", choice)


def tally(pyramid: Pyramid, votes: Mapping[str, str]) -> dict[str, int]:
    """Influence for each choice; `votes`: voter -> choice, ABSTAINS for nobody. The dead weigh nothing."""
    totals: dict[str, int] = {}
    for voter, choice in votes.items():
        if choice != ABSTAINS and pyramid.alive(voter):
            totals[choice] = totals.get(choice, 0) + pyramid.influence(voter)
    return totals


def hands_tally(hands: Hands) -> dict[str, int]:
    """The same from raised hands, counted by rank."""
    return {choice: sum(INFLUENCE[rank] * n for rank, n in ranks.items()) for choice, ranks in hands.items()}


def hands_fault(pyramid: Pyramid, hands: Hands) -> Fault | None:
    """Everybody raises one hand at most: more than there are living of a rank cannot be."""
    for rank in Rank:
        raised = sum(ranks.get(rank, 0) for ranks in hands.values())
        if raised > len(pyramid.of_rank(rank)):
            return Fault(f"too_many_{rank}")
    return None


def threshold(available: int, divisor: int) -> int:
    """ "au moins un tiers des points d'influence disponibles (arrondi à l'inférieur)", never below 1 (RULINGS)."""
    return max(1, available // divisor)


def verdict(
    pyramid: Pyramid, plan: Plan, accused: Sequence[str], totals: Mapping[str, int], reinforced: bool
) -> Verdict:
    """A third of the influence of all the living, or "un cinquième" under reinforced justice."""
    needed = threshold(pyramid.available, plan.fifth if reinforced else plan.third)
    return Verdict(tuple((player, totals.get(player, 0)) for player in accused), needed)
