"""How long a table waits for a line of a slow voice: longer for a long line, once, and the work is not thrown away.

Rules. A line that comes too late is finished all the same, so that it is known the next time. While one is late nobody
waits for the next one: a machine that cannot keep up has another voice at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future

from narrator.voice.clip import Clip

GRACE = 4.0  # seconds
LETTERS = 15  # a second, as they are spoken


def bearable(text: str) -> float:
    """Seconds that a line may take to be rendered while people wait: as long as it sounds, and GRACE."""
    return GRACE + len(text) / LETTERS


class Patience:
    """For one who waits at a time; the work is done in a thread of its own, which ends with the program."""

    def __init__(self) -> None:
        self._late: Future[Clip] | None = None

    def wait(self, work: Callable[[], Clip], seconds: float) -> Clip | None:
        """What `work` gives, or raises; None if that takes longer, or an earlier one still does."""
        if self._late is not None and not self._late.done():
            return None
        future: Future[Clip] = Future()
        threading.Thread(target=_fill, args=(future, work), name="voice-line", daemon=True).start()
        try:
            return future.result(seconds)
        except TimeoutError:
            self._late = future
            return None


def _fill(future: Future[Clip], work: Callable[[], Clip]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # whoever waits gets it
        future.set_exception(error)
