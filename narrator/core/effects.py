"""What is to be done: the game answers every event with a list of these; the conductor does them in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Manner(Enum):
    """Why a line is spoken; the conductor repeats questions and tells refusals from answers by it."""

    TELL = "tell"
    ASK = "ask"
    ECHO = "echo"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Say:
    """Speak line `line` of the game's language file, filled with `facts` (public ones only)."""

    line: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    manner: Manner = Manner.TELL


@dataclass(frozen=True, slots=True)
class Listen:
    """The floor is open: these intents are legal now. Replaces the previous floor and forgets its timers.

    `accepts` may be typed, `hears` (a part of it) may also be spoken. `talk`: the table is talking among
    itself, so that what is not understood is not for us. An empty `hears` keeps the ear shut (closed eyes).
    `brisk`: the ear opens at our last sample, without waiting for the room to fall silent (a roll call).
    """

    phase: str
    accepts: tuple[str, ...]
    hears: tuple[str, ...]
    talk: bool = False
    brisk: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """After what was said so far, let `seconds` pass, then report Elapsed(timer).

    `dwell`: time for hands and eyes, scaled by the pace; other timers are the table's own. `extend` adds to
    the running timer of that name instead of starting it. `patient`: it does not run out on somebody who is
    speaking. `clock`: what is left is kept when the floor changes, and a later Wait of that clock goes on with it.
    `jitter`: by what share of it chance may shorten or lengthen a dwell; `paced`: the pace scales it; `mask`: hands are
    at work that must not be heard.
    """

    timer: str
    seconds: float
    dwell: bool = False
    extend: bool = False
    patient: bool = False
    clock: str = ""
    jitter: float = 0.0
    paced: bool = True
    mask: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """A sound that is not speech: an earcon or a scene of the ambience ("" = silence)."""

    sound: str


@dataclass(frozen=True, slots=True)
class Show:
    """The public facts have changed."""

    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Whisper:
    """For the game master's screen only; never spoken, never in the public journal. Its facts may be secret."""

    line: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    manner: Manner = Manner.TELL


@dataclass(frozen=True, slots=True)
class Roll:
    """Draw one of `choices` by chance and report Rolled(what, value); without choices, a number from 0 to below 1.

    `key` tells apart several draws of one name in one turn. A `private` draw is the master's: nobody but him and his
    journal learns of it.
    """

    what: str
    choices: tuple[Any, ...] = ()
    key: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """The game is decided; undoing the last decision may still reopen it."""

    how: str
    winners: tuple[str, ...]


Effect = Say | Listen | Wait | Cue | Show | Whisper | Roll | End
