"""Plugs that are pulled. A device back soon is not worth a word; without a loudspeaker, lines wait that long."""

from __future__ import annotations

from narrator.ports import Overdue
from narrator.stage.clock import Appointment, Clock

BACK_SOON = {"speaker": 6.0, "microphone": 1.5}  # seconds in which a pulled plug may be put back without a word


class Plugs:
    """Devices that are gone just now, each until it is back or overdue."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._missing: dict[str, Appointment] = {}

    def missing(self, device: str) -> bool:
        return device in self._missing

    def gone(self, device: str) -> None:
        if device not in self._missing:
            when = self._clock.now() + BACK_SOON[device]
            self._missing[device] = self._clock.at(when, Overdue(device), flows=True)

    def overdue(self, device: str) -> None:
        """It is not waited for any longer."""
        self._missing.pop(device, None)

    def forget(self, device: str) -> None:
        """It is back, or nothing waits for it any more."""
        if waiting := self._missing.pop(device, None):
            waiting.cancelled = True
