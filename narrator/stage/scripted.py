"""Scripted play: sentences from a text, no sound, a virtual clock. The door for checks from outside.

One sentence a line; "(+30s)" lets that time pass; "# …" is a comment. Dwell times and speech pass by themselves.
"mj> …" is what the game master enters privately (his answers are printed after "[mj]"); "dice> 0.42" lets the next draw
fall at that share of what is possible.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from narrator.conductor import Conductor
from narrator.core.errors import NarratorError
from narrator.library import Production
from narrator.ports import Ended, Soundless, Stop, Typed
from narrator.stage.clock import Clock, VirtualClock
from narrator.stage.screen import Screen

_MASTER, _DICE = "mj>", "dice>"
_TIME = re.compile(r"^\(\s*\+\s*(\d+(?:\.\d+)?)\s*s\s*\)$")


class SilentMouth(Soundless):
    """Speaks in no time at all, to nobody."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def say(self, number: int, text: str, pace: float) -> None:
        self._clock.post(Ended(number))


class Prompter:
    """Hands the sentences of a text to the conductor, one whenever the narrator waits for the table."""

    def __init__(
        self, production: Production, sentences: Iterable[str], out: TextIO, *, state: bool, private: bool = False
    ) -> None:
        """`state`: print the public state after every sentence, one JSON line; `private`: the master's too."""
        self.clock = VirtualClock(idle=self._next)
        self.conductor: Conductor | None = None
        self._production, self._out, self._show_state = production, out, state
        self._show_private = private
        self._lines: Iterator[str] = iter(sentences)
        self._spoken = False  # a sentence was given whose outcome is not printed yet

    def _next(self) -> Typed | Stop | None:
        self._print_state()
        for line in self._lines:
            text = line.strip().lstrip("\ufeff")
            if not text or text.startswith("#"):
                continue
            if time := _TIME.match(text):
                self.clock.pass_time(float(time[1]))
                return None
            if text.startswith(_DICE):
                self._force(text[len(_DICE) :])
                continue
            self._spoken = True
            return Typed(text[len(_MASTER) :].strip(), private=True) if text.startswith(_MASTER) else Typed(text)
        return Stop()

    def _force(self, text: str) -> None:
        try:
            if self.conductor:
                self.conductor.force(float(text))
        except ValueError:
            raise NarratorError(f"“dice>{text}”: a draw is a number from 0 to below 1, such as dice> 0.42") from None

    def _print_state(self) -> None:
        conductor = self.conductor
        if not (self._spoken and (self._show_state or self._show_private) and conductor):
            return
        self._spoken = False
        module, state, verdict = self._production.rules_module, conductor.evening.state, conductor.verdict
        told = None if verdict.private else verdict.reason or None
        data = {"accepted": verdict.accepted, "reason": told, **module.public_state(state)}
        if self._show_private:
            secrets = getattr(module, "private_state", None)
            reason = verdict.reason or None if verdict.private else None
            data["private"] = {"reason": reason, **(secrets(state) if secrets else {})}
        print(json.dumps(data, ensure_ascii=False), file=self._out, flush=True)


def prompt(
    production: Production, sentences: TextIO | None = None, *, state: bool = False, private: bool = False
) -> Prompter:
    """A prompter on standard input and output."""
    return Prompter(production, sentences or sys.stdin or io.StringIO(), sys.stdout, state=state, private=private)


__all__ = ["Prompter", "Screen", "SilentMouth", "prompt"]
