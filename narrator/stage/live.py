"""The devices of a real evening behind the conductor's ports: loudspeaker and keyboard (the ear is in hearing.py).

A device that fails never ends the evening: without a loudspeaker the lines are read on the screen, without a microphone
the keyboard leads.
"""

from __future__ import annotations

import io
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from narrator.core.errors import DeviceError, ModelError
from narrator.faults import told
from narrator.ports import Cut, Ended, Soundless, Stop, Typed
from narrator.stage.clock import Clock
from narrator.voice.cache import Studio
from narrator.voice.clip import sounding, to_float
from narrator.voice.earcons import earcon
from narrator.voice.speaker import Speaker

log = logging.getLogger(__name__)


class LiveMouth:
    """Mouth on a loudspeaker."""

    looks_ahead = True

    def __init__(self, clock: Clock, studio: Studio, speaker: Speaker, seed: int = 0) -> None:
        """`seed`: of the evening; a night that is resumed sounds as it did."""
        self._clock, self._studio, self._speaker, self._seed = clock, studio, speaker, seed
        self._scene = ""

    def say(self, number: int, text: str, pace: float) -> None:
        """Raises DeviceError if there is no loudspeaker now, or neither the synthesiser nor its cache has the line."""
        if not self._speaker.alive:
            raise DeviceError("the loudspeaker is gone: plug it in again")
        clip = self._studio.now(text, pace)
        quiet = (len(clip.samples) - sounding(to_float(clip.samples))[1]) / clip.rate
        self._speaker.play(clip, lambda: self._clock.post(Ended(number, quiet)), lambda: self._clock.post(Cut(number)))

    def cue(self, sound: str) -> float:
        if not self._speaker.alive:
            return 0.0
        lead = self._speaker.lead
        self._speaker.earcon(sound)
        return lead + earcon(sound).seconds + self._speaker.latency

    def scene(self, name: str) -> None:
        if name != self._scene:
            self._scene = name
            self._speaker.ambience(name or None, self._seed)

    def mask(self, on: bool) -> None:
        self._speaker.mixer.mask(on)

    def mute(self, on: bool) -> None:
        self._speaker.mixer.mute(on)

    def hush(self) -> None:
        self._speaker.stop()

    def volume(self, steps: int) -> None:
        self._speaker.louder() if steps > 0 else self._speaker.softer()

    def prepare(self, texts: Iterable[str], pace: float) -> None:
        self._studio.forget_ahead()
        self._studio.ahead(texts, pace)


class Keyboard:
    """Typing beside the voice: every line of standard input is posted. `ends`: the end of the input ends the play.

    `pressed`: what an empty line says.
    """

    def __init__(
        self, clock: Clock, source: TextIO | None = None, *, ends: bool, pressed: Callable[[], str] = str
    ) -> None:
        self._clock, self._source, self._ends = clock, source or sys.stdin or io.StringIO(), ends
        self._pressed = pressed
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._source:
                self._clock.post(Typed(line.strip() or self._pressed()))
        except (OSError, ValueError) as error:  # a terminal that went away
            log.warning("the keyboard cannot be read any more: %s", error)
        if self._ends:
            self._clock.post(Stop())


class MuteMouth(Soundless):
    """No loudspeaker: the lines are read on the screen, at the speed of reading aloud."""

    def say(self, number: int, text: str, pace: float) -> None:
        raise DeviceError("there is no loudspeaker")


def or_none(make: Callable[[], Any], tell: Callable[[str], None]) -> Any:
    """What `make` gives, or None after telling why a device is not there."""
    try:
        return make()
    except (DeviceError, ModelError) as error:
        tell(told(error))
        return None
