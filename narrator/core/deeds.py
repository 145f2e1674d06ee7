"""What is told of an evening afterwards: deeds, which a game derives from two states in a row.

A module of games/ may offer `deeds(before, after)` and `gauges(state)`; both see and tell public facts only.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that happened between two states.

    `kind` ("vote", "tale", "death", "exile", "execution" …) and `outcome` are ids that the page has words for; `people`
    are those it is about, whoever acts first. Counts are None where nobody counted; `yes_names` and `no_names` are
    empty where hands were counted without names.
    """

    kind: str
    people: tuple[str, ...] = ()
    outcome: str = ""
    yes: int | None = None
    no: int | None = None
    yes_names: tuple[str, ...] = ()
    no_names: tuple[str, ...] = ()
