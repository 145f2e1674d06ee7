"""Before the evening, with nothing but a voice, an ear and a button: is there one to go on with, shall we begin?

Whoever waits says so once, reminds once, and is then silent until somebody speaks or presses: silence never decides.
Where something is missing (a table, a microphone, a loudspeaker) that is told aloud as far as possible, and waited for.
A button is a keyboard that types Enter; it means yes. What happens is printed, for the journal of the system.
"""

from __future__ import annotations

import os
import select
import string
import sys
import threading
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from narrator.core.errors import DeviceError
from narrator.core.setting import Setting
from narrator.core.spelling import normal
from narrator.ear.choice import can_hear, table_ear
from narrator.faults import told
from narrator.ports import Back, Caught, Cut, Ended, Stop, Typed
from narrator.stage.clock import RealClock
from narrator.stage.hearing import LiveEar
from narrator.stage.live import LiveMouth, or_none
from narrator.stage.opening import open_microphone, open_speaker
from narrator.voice.choice import open_chosen
from narrator.voice.profile import table_profile

TAIL = 0.3  # seconds for which the room carries our last sample
REMIND = 60.0  # seconds of silence
SAID, PRESSED = "said", "pressed"
LOOK = 3.0  # seconds between looks for a table
_Heard = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Silence:
    """Nobody has answered for a while."""


@dataclass(frozen=True, slots=True)
class _Look:
    """Time to see whether what was missing is there."""


@dataclass(frozen=True)
class Speech:
    """What is said and heard before an evening, in one language."""

    lines: Mapping[str, str]
    hears: _Heard

    @classmethod
    def of(cls, language: str) -> Speech:
        """In English where the language has none of its own."""
        path = Path(__file__).with_name(f"{language}.toml")
        data = tomllib.loads((path if path.is_file() else path.with_name("en.toml")).read_text(encoding="utf-8"))
        return cls(data["lines"], data["hears"])

    def line(self, name: str, **facts: str) -> str:
        return string.Formatter().vformat(self.lines[name], (), facts)

    def sentences(self, intents: Sequence[str]) -> tuple[str, ...]:
        return tuple(sentence for intent in intents for sentence in self.hears[intent])

    def meaning(self, text: str, intents: Sequence[str]) -> str:
        """The intent of a sentence, "" if it is none of these."""
        said = normal(text)
        return next((one for one in intents if said in map(normal, self.hears[one])), "")


class Button:
    """Lines of the standard input, posted as typed until stop(): whoever comes next reads what comes then."""

    def __init__(self, clock: RealClock) -> None:
        self._clock, self._stopped = clock, threading.Event()
        self._thread = threading.Thread(target=self._read, name="button", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(2.0)

    def _read(self) -> None:
        begun = b""
        with suppress(OSError, ValueError, AttributeError):  # no input at all
            source = sys.stdin.fileno()
            while not self._stopped.is_set():
                if not select.select([source], [], [], 0.2)[0]:
                    continue
                if not (data := os.read(source, 1024)):
                    return
                *lines, begun = (begun + data).split(b"\n")
                for line in lines:
                    self._clock.post(Typed(line.decode("utf-8", "replace").strip()))


class Porch:
    """The devices of the waiting. close() before somebody else opens them."""

    def __init__(self, setting: Setting, microphone: str | None = None, loudspeaker: str | None = None) -> None:
        """`setting`: whose language and names are spoken. Raises DeviceError if sound cannot be played at all."""
        self.clock = RealClock()
        self.speech = Speech.of(setting.language)
        self._speaker = open_speaker(self.clock, loudspeaker, log)
        self._studio = open_chosen(table_profile(setting))
        self._mouth = LiveMouth(self.clock, self._studio, self._speaker)
        self._ear: LiveEar | None = or_none(lambda: self._listen(setting, microphone), log)
        self._button = Button(self.clock)
        self._number = 0

    def close(self) -> None:
        self._button.stop()
        if self._ear:
            self._ear.leave()
        self._speaker.close()
        self._studio.close()

    def say(self, name: str, **facts: str) -> str:
        """Until it is said, as soon as there is a loudspeaker: SAID, or PRESSED by who did not wait; "" to leave."""
        text = self.speech.line(name, **facts)
        log(text)
        if self._ear:
            self._ear.close()
        speaking = self._begin(text)
        while True:
            match self.clock.next():
                case Ended(number) if number == speaking:
                    return SAID
                case Cut(number) if number == speaking:
                    speaking = 0
                case Back("speaker"):
                    speaking = self._begin(text)
                case Typed(typed) as item:
                    self._mouth.hush()
                    if not typed:
                        return PRESSED
                    self.clock.post(item)  # an answer, for who asks
                    return SAID
                case Stop():
                    return ""

    def ask(self, name: str, reminder: str, intents: Sequence[str], **facts: str) -> str:
        """The intent that answers, the first of them by the button; "" to leave. Waits as long as it takes."""
        said = self.say(name, **facts)
        if said == SAID and not (self._ear and self._ear.alive):
            said = self.say("no_microphone")
        self.clock.at(self.clock.now() + REMIND, _Silence())
        while said == SAID:
            self._open(intents)
            match self.clock.next():
                case Typed(""):
                    return intents[0]
                case Typed(text) | Caught(text):
                    log(f"  ◂ {text or '…'}")
                    meant = self.speech.meaning(text, (*intents, "repeat"))
                    if meant == "repeat":
                        said = self.say(name, **facts)
                    elif meant:
                        return meant
                case _Silence():
                    said = self.say(reminder)
                case Back("speaker"):
                    said = self.say(name, **facts)
                case Stop():
                    return ""
        return intents[0] if said == PRESSED else ""

    def wait(self) -> bool:
        """A moment; False if somebody wants us to leave."""
        self.clock.at(self.clock.now() + LOOK, _Look())
        while True:
            match self.clock.next():
                case _Look():
                    return True
                case Stop():
                    return False

    def _listen(self, setting: Setting, microphone: str | None) -> LiveEar | None:
        if not can_hear(setting.language):
            return None
        sentences = self.speech.sentences(tuple(self.speech.hears))
        ear = table_ear(
            setting.language, sentences, meaning=lambda text: self.speech.meaning(text, [*self.speech.hears])
        )
        return LiveEar(self.clock, ear, open_microphone(self.clock, microphone, log))

    def _begin(self, text: str) -> int:
        """The number under which it is said, 0 if it cannot be."""
        self._number += 1
        try:
            self._mouth.say(self._number, text, 1.0)
        except DeviceError as error:
            log(told(error))
            return 0
        return self._number

    def _open(self, intents: Sequence[str]) -> None:
        if self._ear:
            self._ear.open(self.speech.sentences((*intents, "repeat")), TAIL)


def log(text: str) -> None:
    """For whoever reads the journal of the system."""
    print(text, flush=True)
