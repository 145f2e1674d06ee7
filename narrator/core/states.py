"""What an evening consists of, and what a module of games/ offers: no behaviour, only the shapes of both.

The state of a game is a Position, which each game extends; the states that can be gone back to are its Past.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from narrator.core.effects import Effect, Roll
from narrator.core.events import Event, Heard, Slots
from narrator.core.phases import Condition
from narrator.core.script import Names


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended and who won, as ids that the language files name."""

    how: str
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """Where the evening stands in its script; the games' own states extend it."""

    phase: str
    step: int = 0
    ask: Heard | None = None  # waits for a confirmation
    reminded: int = 0
    end: Ending | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a sentence is not possible now: a line and what fills it."""

    line: str
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """The decisions that can be undone, last one first (a linked list, so that states share it).

    In a game with a master every event that changed the state is kept, so that one channel can be gone back in.
    """

    before: Any  # the state before the decision
    intent: str
    earlier: Past | None
    private: bool = False
    event: Event | None = None
    decision: bool = True


@dataclass(frozen=True, slots=True)
class Evening:
    state: Any  # a Position
    past: Past | None = None


Check = Callable[[Any, Slots], Refusal | None]
Action = Callable[[Any, Slots], Any]


class Rules(Protocol):
    """What a module of games/ offers; all pure. `advice`: lines for when `undone` is taken back.

    A game with a master also has `private_view(state)`, what he may see, and may have `whisper_lines`: line -> the line
    that is whispered in its place in a state ("": none), `about(state, slots)`, facts of a whisper on what a sentence
    names, and `private_roll(state)`, a draw that nobody else may know of. Any game may have `clocks`: name -> the
    seconds of a phase's limit, `words`: names and sentences of its own cards, as a language file has them, and
    `word_slots`: slot of its sentences -> what may be said there -> the value.
    """

    checks: Mapping[str, Check]
    actions: Mapping[str, Action]
    conditions: Mapping[str, Condition]
    fact_names: frozenset[str]

    def start(self, phase: str) -> Any: ...
    def view(self, state: Any) -> dict[str, Any]: ...
    def roll(self, state: Any) -> Roll | None: ...
    def advice(self, state: Any, undone: Any) -> Sequence[str]: ...


def names_of(rules: Rules) -> Names:
    return Names(rules.checks, rules.actions, rules.conditions, getattr(rules, "clocks", {}))


Effects = list[Effect]
