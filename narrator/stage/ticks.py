"""What is left on the table's clocks, noted in the journal while they run: after a power cut they go on from there.

A limit that is soon over, and the silences of hands and eyes, are not noted: these begin again. A clock that has a name
(the day's) may stand still while another phase has its own limit; a limit without one belongs to the phase that is
resumed and to no later one.
"""

from __future__ import annotations

from collections.abc import Mapping

from narrator.core.effects import Wait

EVERY = 10.0  # seconds between two notes
LEAST = 20.0  # seconds: a shorter limit begins again
_LIMIT = "time_up"


class Ticks:
    """`left` is asked once for every timer that a floor asks for, the limit itself first."""

    def __init__(self) -> None:
        self._recalled: dict[str, float] = {}
        self._phase = ""  # that was resumed
        self._gone = 0.0  # seconds of this floor's limit that had passed before the cut

    def recall(self, notes: Mapping[str, float], phase: str) -> None:
        """The notes of an evening that was cut in `phase`."""
        self._recalled, self._phase = dict(notes), phase

    def entered(self, phase: str) -> None:
        """Another floor: limits without a name were the resumed phase's."""
        self._gone = 0.0
        if phase != self._phase:
            self._recalled = {name: left for name, left in self._recalled.items() if name.startswith("clock ")}

    def left(self, name: str, wait: Wait, seconds: float) -> float:
        """Seconds that a timer of `seconds` still has to run; 0 or less: it rang before the cut."""
        if wait.timer == _LIMIT and name in self._recalled:
            self._gone = seconds - self._recalled.pop(name)
        warned = wait.timer.startswith("warn")
        return seconds - self._gone if wait.timer == _LIMIT or warned else seconds


def noted(wait: Wait, seconds: float) -> bool:
    """Whether a timer is the table's own clock, and long enough."""
    return wait.timer == _LIMIT and not wait.dwell and seconds >= LEAST


def name_of(wait: Wait, phase: str, turn: int) -> str:
    """What a limit is noted under."""
    return f"clock {wait.clock} {turn}" if wait.clock else f"phase {phase} {turn}"


__all__ = ["EVERY", "LEAST", "Ticks", "name_of", "noted"]
