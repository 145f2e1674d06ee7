"""What is told of an evening afterwards: deeds, which a game derives from two states in a row.

A module of games/ may offer `deeds(before, after)` and `gauges(state)`; both see and tell public facts only.
"""

from __future__ import annotations

from dataclasses import dataclass

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that happened between two states.

    `kind` ("vote", "tale", "death", "exile", "execution" …) and `outcome` are ids that the page has words for;
    `people` are those it is about, whoever acts first. `counts` are the answers of a vote (YES, NO, or who was voted
    for) and how much each got; `answers` are (voter, answer), empty where hands were counted without names.
    """

    kind: str
    people: tuple[str, ...] = ()
    outcome: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    answers: tuple[tuple[str, str], ...] = ()

    def who_said(self, answer: str) -> tuple[str, ...]:
        """Whoever gave this answer."""
        return tuple(voter for voter, given in self.answers if given == answer)


def answers_of(yes: tuple[str, ...], no: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(voter, answer) of a vote by name."""
    return (*((player, YES) for player in yes), *((player, NO) for player in no))
