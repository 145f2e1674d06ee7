"""Scripted play: sentences from a text, no sound, a virtual clock. The door for checks from outside.

One sentence a line; "(+30s)" lets that time pass; "# …" is a comment. Dwell times and speech pass by themselves.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from narrator.conductor import Conductor, Ended, Stop, Typed
from narrator.library import Production
from narrator.stage.clock import Clock, VirtualClock
from narrator.stage.screen import Screen

_TIME = re.compile(r"^\(\s*\+\s*(\d+(?:\.\d+)?)\s*s\s*\)$")


class SilentMouth:
    """Speaks in no time at all, to nobody."""

    looks_ahead = False

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def say(self, number: int, text: str, pace: float) -> None:
        self._clock.post(Ended(number))

    def cue(self, sound: str) -> float:
        return 0.0

    def scene(self, name: str) -> None: ...
    def hush(self) -> None: ...
    def volume(self, steps: int) -> None: ...
    def prepare(self, texts: Iterable[str], pace: float) -> None: ...


class Prompter:
    """Hands the sentences of a text to the conductor, one whenever the narrator waits for the table."""

    def __init__(self, production: Production, sentences: TextIO, out: TextIO, *, state: bool) -> None:
        self.clock = VirtualClock(idle=self._next)
        self.conductor: Conductor | None = None
        self._production, self._out, self._show_state = production, out, state
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
            self._spoken = True
            return Typed(text)
        return Stop()

    def _print_state(self) -> None:
        conductor = self.conductor
        if not (self._spoken and self._show_state and conductor):
            return
        self._spoken = False
        state = self._production.rules_module.public_state(conductor.evening.state)
        verdict = {"accepted": conductor.verdict.accepted, "reason": conductor.verdict.reason or None}
        print(json.dumps({**verdict, **state}, ensure_ascii=False), file=self._out, flush=True)


def prompt(production: Production, sentences: TextIO | None = None, *, state: bool = False) -> Prompter:
    """A prompter on standard input and output."""
    return Prompter(production, sentences or sys.stdin, sys.stdout, state=state)


__all__ = ["Prompter", "Screen", "SilentMouth", "prompt"]
