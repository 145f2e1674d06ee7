"""The only importer of `transitions`: a script's phases as its state machine, fired without side effects.

transitions answers a false condition with False and accepts misspelt names until they are fired;
read_script() has checked every name before, so what is left here is to choose the destination whose condition
holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from transitions import Machine
from transitions.core import EventData

from narrator.core.script import Script

Condition = Callable[[Any], bool]


class _Position:
    """The machine's model: where a firing starts and ends, and the game state its conditions look at."""

    state: str
    looked_at: Any = None
    trigger: Callable[..., bool]


class Phases:
    """fire() says where a trigger leads from a phase, given the state that its conditions look at."""

    def __init__(self, script: Script, conditions: Mapping[str, Condition]) -> None:
        self._position = _Position()
        self.machine = Machine(
            model=self._position,
            states=list(script.phases),
            initial=script.first_phase,
            auto_transitions=False,
            send_event=True,
            after_state_change=None,
        )
        for (phase, trigger), move in script.moves.items():
            for destination in move.to:
                self.machine.add_transition(
                    trigger, phase, destination.phase, conditions=_conditions(destination.when, conditions)
                )

    def fire(self, phase: str, trigger: str, looked_at: Any) -> str:
        """The next phase, or `phase` itself when no destination's condition holds."""
        self._position.state, self._position.looked_at = phase, looked_at
        self._position.trigger(trigger)
        return self._position.state


def _conditions(when: str, known: Mapping[str, Condition]) -> list[str | Callable[..., bool | None]]:
    if not when:
        return []
    holds = condition(when, known)

    def named(event: EventData) -> bool:
        return holds(cast(_Position, event.model).looked_at)

    named.__name__ = when.replace(" ", "_")
    return [named]


def condition(when: str, known: Mapping[str, Condition]) -> Condition:
    """The condition called `when`; "not x" is the opposite of x."""
    if when.startswith("not "):
        holds = known[when.removeprefix("not ")]
        return lambda state: not holds(state)
    return known[when]
