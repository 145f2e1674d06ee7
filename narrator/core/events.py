"""What can happen. The state of an evening is the fold of these in order; the journal stores nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Slots = Mapping[str, Any]  # slot name -> player name or number


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence was understood. `private`: it came from the game master's keys, not from the microphone.

    `said`: its words, if it came by the microphone, where anybody may have said them; "" if it was typed, but for the
    master's, who is told which entry of his was taken back.
    """

    intent: str
    slots: Slots = field(default_factory=dict)
    private: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A timer that the game asked for (effects.Wait) has run out."""

    timer: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """Everything that was to be said has left the loudspeaker. Starts the timers; never changes a state."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """A draw that the game asked for (effects.Roll) fell on `value`; a `private` one is the game master's."""

    what: str
    value: Any
    private: bool = False


@dataclass(frozen=True, slots=True)
class Ordered:
    """A wish of whoever runs the machine: "start" opens the evening, "resume" reopens an interrupted one."""

    order: str


Event = Heard | Elapsed | Spoken | Rolled | Ordered

KINDS: Mapping[str, type[Event]] = {
    "heard": Heard,
    "elapsed": Elapsed,
    "spoken": Spoken,
    "rolled": Rolled,
    "ordered": Ordered,
}
_NAMES = {kind: name for name, kind in KINDS.items()}


def to_data(event: Event) -> dict[str, Any]:
    """An event as plain JSON data; from_data() is its inverse."""
    data: dict[str, Any] = {"event": _NAMES[type(event)]}
    for name in type(event).__dataclass_fields__:
        value = getattr(event, name)
        if name in ("private", "said") and not value:
            continue
        data[name] = dict(value) if name == "slots" else value
    return data


def from_data(data: Mapping[str, Any]) -> Event:
    """The event that to_data() wrote. Raises ValueError on anything else."""
    fields = dict(data)
    kind = KINDS.get(str(fields.pop("event", "")))
    if kind is None:
        raise ValueError("no such event")
    known = kind.__dataclass_fields__
    try:
        return kind(**{name: value for name, value in fields.items() if name in known})
    except TypeError as error:
        raise ValueError(str(error)) from None
