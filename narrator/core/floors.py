"""What each phase waits for: which sentences it accepts and which it listens for follows from its moves alone.

A trigger of a phase is a sentence's intent, the end of a time, or a draw; what every phase accepts (corrections,
questions, the commands of every game) is not a phase's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.core.effects import Listen
from narrator.core.script import ANY, GENERAL, MASTER, Phase, Script

#: Trigger of a phase that goes on by itself or waits for hands; “suivant” hurries, “c'est fait” ends.
DONE, NEXT, TIME_UP = "done", "next", "time_up"
YES, NO = "yes", "no"


class Floors:
    """`by_phase`: what each phase waits for, by its name."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.by_phase: Mapping[str, Listen] = {name: self._floor(phase) for name, phase in script.phases.items()}

    def _floor(self, phase: Phase) -> Listen:
        """What a phase accepts follows from its moves; nothing is written twice."""
        moves = sorted(self._script.moves.items(), key=lambda item: ANY in item[1].sources)
        own = [on for (name, on), _ in moves if name == phase.name and ":" not in on and on != TIME_UP]
        if phase.flow in ("checklist", "hands") or DONE in own:
            own = [
                *(on for on in own if on not in (DONE, NEXT)),
                *((DONE, NEXT) if phase.flow != "auto" else ()),
            ]
        accepts = tuple(dict.fromkeys((*own, *self._script.queries, *GENERAL)))
        deaf = set(phase.deaf_to)
        if phase.talk:  # table talk is full of facts: to set one right there, use the keyboard, or wait
            deaf |= {move.on for (name, _), move in moves if name == phase.name and ANY in move.sources}
        hears = () if phase.eyes_closed or phase.flow == "auto" else tuple(a for a in accepts if a not in deaf)
        return Listen(phase.name, accepts, hears, phase.talk, phase.brisk)

    def yes_or_no(self, state: Any) -> Listen:
        """The floor of a confirmation: another sentence may still be typed in its place, and the one that is asked
        back (the village has won) is heard again where it holds no name and no number."""
        floor, ask = self.by_phase[state.phase], state.ask
        again = (ask.intent,) if not ask.slots and ask.intent in floor.hears else ()
        return Listen(floor.phase, (YES, NO, *floor.accepts), tuple(dict.fromkeys((YES, NO, "undo", *again))))


def general_intents(script: Script) -> frozenset[str]:
    """Intents that may be said in every phase: corrections, questions, the commands of every game."""
    corrections = (move.on for move in script.moves.values() if ANY in move.sources and not move.private)
    return frozenset((*corrections, *script.queries, *GENERAL))


def masters_own(script: Script) -> frozenset[str]:
    """What nobody but the master can say: from anywhere else it is no sentence at all."""
    private = {on.removeprefix(MASTER) for _, on in script.moves if on.startswith(MASTER)}
    public = {on for _, on in script.moves if not on.startswith(MASTER)} | {YES, NO, DONE, NEXT}
    return frozenset(private | set(script.private_queries)) - public - general_intents(script)


def private_intents(script: Script, phase: str) -> tuple[str, ...]:
    """What the master's keys may say in a phase."""
    own = (on.removeprefix(MASTER) for name, on in script.moves if name == phase)
    sayable = (on for on in own if ":" not in on and (phase, MASTER + on) in script.moves)
    hands = (NEXT, DONE) if script.phases[phase].flow in ("checklist", "hands") else ()
    return tuple(dict.fromkeys((*sayable, *hands, *script.private_queries, "undo")))
