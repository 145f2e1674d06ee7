"""Why something cannot be: a word for the reason and the player it is about. The engine has a line for each reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """`reason` is part of a line's id; `player` is "" where it is about nobody."""

    reason: str
    player: str = ""
