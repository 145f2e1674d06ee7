"""What passes between the conductor and the devices: the items that a clock reports, and the ports that devices fill.

A device never calls a game, and a game never a device: it posts one of these items on the clock, or is called by the
conductor through one of these protocols.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from narrator.core.effects import Manner
from narrator.core.phrases import Meaning

if TYPE_CHECKING:
    from narrator.conductor import Conductor


@dataclass(frozen=True, slots=True)
class Ended:
    """The mouth has finished what it was given under this number; `quiet`: seconds of silence at its end."""

    number: int
    quiet: float = 0.0


@dataclass(frozen=True, slots=True)
class Caught:
    """The ear caught an utterance; "" when it was none of the sentences listened for."""

    text: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A line from the keyboard. `private`: the game master's, neither heard nor seen by the table."""

    text: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """The ear failed; `line` of the table's language file tells it, and the question is asked again."""

    line: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Somebody said this while we spoke; only a call for silence counts."""

    text: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The loudspeaker died while it said this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A device ("speaker", "microphone") does not answer any more."""

    device: str


@dataclass(frozen=True, slots=True)
class Back:
    """It works again, or an `other` one does in its place."""

    device: str
    other: bool = False


@dataclass(frozen=True, slots=True)
class Overdue:
    """A device that was gone has not come back so far."""

    device: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Leave, and let the evening be resumed later."""


@dataclass(frozen=True, slots=True)
class Due:
    """A timer of the game has run out."""

    timer: str


class Countdown(NamedTuple):
    """The table's clock: seconds. It stands still in a pause, and until what opens it has been said."""

    total: float
    left: float
    running: bool


class Mouth(Protocol):
    """Where lines are spoken. say() returns at once and posts Ended(number) when the last sample has been heard.

    cue() plays an earcon and returns how long it sounds, in seconds. mask() raises the sound of the scene over what
    hands do; mute() makes all of it unheard, but everything still takes its time and ends.
    """

    def say(self, number: int, text: str, pace: float) -> None: ...
    def cue(self, sound: str) -> float: ...
    def scene(self, name: str) -> None: ...
    def mask(self, on: bool) -> None: ...
    def hush(self) -> None: ...
    def volume(self, steps: int) -> None: ...
    def mute(self, on: bool) -> None: ...
    def prepare(self, texts: Iterable[str], pace: float) -> None: ...
    @property
    def looks_ahead(self) -> bool: ...


class Hearing(Protocol):
    """An ear that may be opened for some sentences, from `delay` seconds on; posts Caught. `unlikely` ones would be
    refused by the game (counts that do not add up): of two that sound alike, people mean the other.

    `speaking`: whether somebody is in the middle of an utterance that it has not judged yet.
    """

    def open(self, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None: ...
    def close(self) -> None: ...
    @property
    def speaking(self) -> bool: ...


class Watcher(Protocol):
    """Who is shown what happens: the screen, a transcript, a rehearsal."""

    def spoke(self, text: str, manner: Manner) -> None: ...
    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None: ...
    def shown(self, facts: Mapping[str, Any]) -> None: ...
    def whispered(self, text: str) -> None: ...
    def settled(self, conductor: Conductor) -> None: ...


class Soundless:
    """The part of a Mouth that makes no sound at all: a base for mouths that only show or count what is said."""

    looks_ahead = False

    def cue(self, sound: str) -> float:
        return 0.0

    def scene(self, name: str) -> None: ...
    def mask(self, on: bool) -> None: ...
    def mute(self, on: bool) -> None: ...
    def hush(self) -> None: ...
    def volume(self, steps: int) -> None: ...
    def prepare(self, texts: Iterable[str], pace: float) -> None: ...
