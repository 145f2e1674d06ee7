"""What every process that owns a voice does: one request a line on standard input, one answer a line.

Rules. An engine or a C library may print whatever it likes: the answers have a descriptor of their own. An engine that
refuses a line says so and lives on; one that cannot be loaded says so and ends. Ctrl-C is the parent's business, which
closes our input when it is time to go. Only the standard library is needed here, so that a worker starts at once.

Request  {"id", "voices": [..], "rate", "pitch", "pieces": [..], "prefix"}   Answer  {"id", "files": [..]}
At the start {"ready": engine} or {"error", "kind", "advice"}; kinds: "engine", "voice", "speech".
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Protocol, TextIO


class Talker(Protocol):
    """An engine, loaded. `name` is what the parent calls it."""

    @property
    def name(self) -> str: ...

    def say_to_files(self, request: dict[str, Any]) -> list[str]:
        """The names of the sound files, one per piece. May raise anything; `kind` of an exception is told."""
        ...


def serve(load: Callable[[], Talker], advice: str | None = None) -> None:
    """Answers until standard input ends. `advice`: what to do when the engine cannot be loaded."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _private_output()

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")

    try:
        talker = load()
    except Exception as error:
        more = {"advice": advice} if advice else {}
        answer(error=_told(error), kind="engine", **more)
        return
    answer(ready=talker.name)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer(id=request["id"], files=talker.say_to_files(request))
        except Exception as error:
            kind = getattr(error, "kind", "speech")
            answer(id=request["id"], error=str(error) if kind == "voice" else _told(error), kind=kind)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _private_output() -> TextIO:
    """The answers' own descriptor; from here on whatever prints, in Python or in C, goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return answers
