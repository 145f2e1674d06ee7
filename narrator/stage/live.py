"""The devices of a real evening behind the conductor's ports: loudspeaker, microphone, keyboard.

A device that fails never ends the evening: without a loudspeaker the lines are read on the screen, without a microphone
the keyboard leads.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from narrator.conductor import Caught, Ended, Fault, Stop, Typed
from narrator.core.errors import DeviceError
from narrator.ear.mic import Microphone
from narrator.ear.recognizer import Listener, TableEar
from narrator.stage.clock import Clock
from narrator.voice.cache import Studio
from narrator.voice.earcons import earcon
from narrator.voice.speaker import Speaker

log = logging.getLogger(__name__)
SILENT_MICROPHONE = 2.0  # seconds without a block: the device is gone


class LiveMouth:
    """Mouth on a loudspeaker."""

    looks_ahead = True

    def __init__(self, clock: Clock, studio: Studio, speaker: Speaker) -> None:
        self._clock, self._studio, self._speaker = clock, studio, speaker
        self._scene = ""

    def say(self, number: int, text: str, pace: float) -> None:
        """Raises DeviceError if neither the synthesiser nor its cache has the line."""
        clip = self._studio.clip(text, pace)
        self._speaker.play(clip, lambda: self._clock.post(Ended(number)))

    def cue(self, sound: str) -> float:
        self._speaker.earcon(sound)
        return earcon(sound).seconds + self._speaker.latency

    def scene(self, name: str) -> None:
        if name != self._scene:
            self._scene = name
            self._speaker.ambience(name or None)

    def hush(self) -> None:
        self._speaker.stop()

    def volume(self, steps: int) -> None:
        self._speaker.louder() if steps > 0 else self._speaker.softer()

    def prepare(self, texts: Iterable[str], pace: float) -> None:
        self._studio.forget_ahead()
        self._studio.ahead(texts, pace)


class LiveEar:
    """Hearing on a microphone: one thread takes its blocks to the listener that is open."""

    def __init__(self, clock: Clock, table_ear: TableEar, microphone: Microphone) -> None:
        """Starts the microphone. Raises DeviceError if there is none."""
        self._clock, self._table_ear, self._microphone = clock, table_ear, microphone
        self._listener: Listener | None = None
        self._mutex = threading.Lock()
        self._open_at = 0.0
        self._lost = self._stopped = False
        microphone.start()
        self._thread = threading.Thread(target=self._listen, name="ear", daemon=True)
        self._thread.start()

    def open(self, sentences: tuple[str, ...], delay: float) -> None:
        """A fresh recogniser for these sentences, once the room has carried our last sound away."""
        listener = self._table_ear.open(sentences)
        with self._mutex:
            self._listener = listener
            self._open_at = self._clock.now() + delay

    def close(self) -> None:
        with self._mutex:
            self._listener = None

    def leave(self) -> None:
        """Stop listening for good and free the device."""
        self._stopped = True
        self._thread.join(timeout=2.0)
        self._microphone.close()
        self._table_ear.close()

    def _listen(self) -> None:
        while not self._stopped:
            try:
                block = self._microphone.blocks.get(timeout=SILENT_MICROPHONE)
            except queue.Empty:
                self._missing()
                continue
            self._lost = False
            with self._mutex:
                listener = self._listener if self._clock.now() >= self._open_at else None
                utterance = listener.accept(block) if listener else None
                if utterance is not None:
                    self._clock.post(Caught(utterance.text))

    def _missing(self) -> None:
        if not self._lost and not self._stopped:
            self._lost = True
            self._clock.post(Fault("microphone_lost"))


class Keyboard:
    """Typing beside the voice: every line of standard input is posted. `ends`: the end of the input ends the play."""

    def __init__(self, clock: Clock, source: TextIO = sys.stdin, *, ends: bool) -> None:
        self._clock, self._source, self._ends = clock, source, ends
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self._source:
                self._clock.post(Typed(line.strip()))
        except (OSError, ValueError) as error:  # a terminal that went away
            log.warning("the keyboard cannot be read any more: %s", error)
        if self._ends:
            self._clock.post(Stop())


class MuteMouth:
    """No loudspeaker: the lines are read on the screen, at the speed of reading aloud."""

    looks_ahead = False

    def say(self, number: int, text: str, pace: float) -> None:
        raise DeviceError("there is no loudspeaker")

    def cue(self, sound: str) -> float:
        return 0.0

    def scene(self, name: str) -> None: ...
    def hush(self) -> None: ...
    def volume(self, steps: int) -> None: ...
    def prepare(self, texts: Iterable[str], pace: float) -> None: ...


def or_none(make: Callable[[], Any], tell: Callable[[str], None]) -> Any:
    """What `make` gives, or None after telling why a device is not there."""
    try:
        return make()
    except DeviceError as error:
        tell(str(error))
        return None
