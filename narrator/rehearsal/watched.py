"""A rehearsal that somebody looks at: captions, plain lines or the page for the phones, at a speed one can follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from narrator.ports import Stop
from narrator.rehearsal.evening import Rehearsal
from narrator.stage.screen import Screen
from narrator.views.captions import interrupt
from narrator.views.wishes import Looks, Views

SPEED = 4.0  # times faster than life


def watched(rehearsal: Rehearsal, looks: Looks, speed: float | None) -> Views:
    """Begins the views; close() them afterwards. `speed`: 0 does not wait at all."""
    speed = SPEED if speed is None else speed
    views = Views(looks, rehearsal.production, _leave, rate=speed or 1.0, rehearsed=True)
    rehearsal.conductor.watchers += tuple(one for one in views.watchers if not isinstance(one, Screen))
    if speed > 0 and (looks.captions or looks.served):
        rehearsal.wait = _at(speed)
    views.begin(rehearsal.conductor)
    return views


def _leave(item: Any) -> None:
    """Nobody types in a rehearsal, but may leave it."""
    if isinstance(item, Stop):
        interrupt()


def _at(speed: float) -> Callable[[float], None]:
    return lambda seconds: time.sleep(max(seconds, 0.0) / speed)
