"""The table's own commands: repeat, pause, time, pace, volume, help. They change nothing in the game.

Which of them is meant is decided elsewhere; here it is done, and told by a line of the table's language file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from narrator.core.effects import Manner
from narrator.pacing import PACES
from narrator.ports import Mouth
from narrator.speech import Line, Speech
from narrator.timers import Timers

Tell = Callable[[str, Mapping[str, Any]], None]  # a line, and what fills it

COMMANDS = (
    "repeat",
    "pause",
    "resume",
    "help",
    "time_left",
    "slower",
    "faster",
    "softer",
    "louder",
    "mute",
    "unmute",
)


class Commands:
    """What the table wants of the voice: `paused`, `muted`, its pace."""

    def __init__(self, speech: Speech, timers: Timers, mouth: Mouth, pace: int, tell: Tell, refuse: Tell) -> None:
        """`pace`: a place in PACES; `tell` and `refuse` say a line."""
        self.paused = self.muted = False
        self._place = pace
        self._speech, self._timers, self._mouth, self._tell, self._refuse = speech, timers, mouth, tell, refuse

    @property
    def pace(self) -> float:
        """Times the usual speed."""
        return PACES[self._place]

    def do(self, command: str, question: str, examples: Callable[[], tuple[str, ...]]) -> None:
        """`question`: what is asked now, said again after a pause; `examples`: of what may be said now."""
        match command:
            case "repeat":
                if not self._speech.again():
                    self._refuse("nothing_to_repeat", {})
            case "pause":
                self._pause()
            case "resume":
                self._resume(question)
            case "help":
                self._help(examples())
            case "time_left":
                self._time_left()
            case "slower" | "faster":
                step = 1 if command == "faster" else -1
                self._place = min(max(self._place + step, 0), len(PACES) - 1)
                self._tell(command, {})
            case "softer" | "louder":
                self._change_volume(1 if command == "louder" else -1, command)
            case "mute" | "unmute":
                self._mute(command == "mute")

    def _pause(self) -> None:
        self._timers.freeze()
        self._speech.hold()  # typed in the middle of a sentence: it is said again afterwards
        self._tell("paused", {})
        self.paused = True

    def _resume(self, question: str) -> None:
        if self.paused:
            self.paused = False
            self._tell("unpaused", {})
            self._speech.release(Line(question, Manner.ASK) if question else None)
        else:
            self._tell("not_paused", {})

    def _help(self, examples: tuple[str, ...]) -> None:
        self._speech.keep_lately()
        self._tell("help" if examples else "help_nothing", {"examples": examples})

    def _time_left(self) -> None:
        self._speech.keep_lately()
        countdown = self._timers.countdown()
        if countdown is None:
            self._tell("no_clock", {})
            return
        minutes, seconds = divmod(round(countdown.left), 60)
        line = "seconds_only" if not minutes else "minutes_only" if not seconds else "minutes_and_seconds"
        self._tell(line, {"minutes_left": minutes, "seconds_left": seconds})

    def _change_volume(self, steps: int, line: str) -> None:
        if self.muted and steps > 0:
            self._mute(False)
            return
        self._mouth.volume(steps)
        self._tell(line, {})

    def _mute(self, on: bool) -> None:
        """All that would be said is still shown, and takes its time: no end is missed."""
        self.muted = on
        self._mouth.mute(on)
        self._tell("muted" if on else "unmuted", {})
