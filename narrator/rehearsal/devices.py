"""The conductor's ports in a rehearsal: a mouth that takes its time on a virtual clock, an ear in a simulated room, and
the people who speak in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from narrator.ear.choice import Ear
from narrator.ear.recognizer import Listener, Utterance
from narrator.ports import Caught, Ended, Typed
from narrator.rehearsal.people import Act
from narrator.rehearsal.room import Room
from narrator.rehearsal.tape import Tape
from narrator.rehearsal.voices import Voices
from narrator.rehearsal.world import AudioWorld
from narrator.stage.clock import Appointment, VirtualClock
from narrator.voice.cache import Studio
from narrator.voice.earcons import earcon

TYPES_AFTER = 5  # failures in a row after which a tired table uses the keyboard
_BLOCK = 0.1  # seconds of microphone


class PlayedMouth:
    """The real synthesiser; its clips last as long as they would, on the virtual clock."""

    looks_ahead = False

    def __init__(self, clock: VirtualClock, studio: Studio, tape: Tape) -> None:
        self._clock, self._studio, self._tape = clock, studio, tape
        self._scene, self._masked = "", False

    def say(self, number: int, text: str, pace: float) -> None:
        clip = self._studio.clip(text, pace)
        self._tape.clip(self._clock.now(), clip)
        self._clock.at(self._clock.now() + clip.seconds, Ended(number))

    def cue(self, sound: str) -> float:
        self._tape.earcon(self._clock.now(), sound)
        return earcon(sound).seconds

    def scene(self, name: str) -> None:
        if name != self._scene:
            self._scene = name
            self._tape.scene(self._clock.now(), name)

    def mask(self, on: bool) -> None:
        if on != self._masked:
            self._masked = on
            self._tape.mask(self._clock.now(), on)

    def mute(self, on: bool) -> None:
        """The tape hears everything."""

    def hush(self) -> None:
        """Nobody interrupts a rehearsal from the keyboard."""

    def volume(self, steps: int) -> None:
        """The tape is level."""

    def prepare(self, texts: Iterable[str], pace: float) -> None:
        """A rehearsal renders what it says and nothing else."""


@dataclass(frozen=True, slots=True)
class Span:
    """When something was heard or said, in seconds of the evening."""

    began: float
    ended: float

    def overlap(self, other: Span) -> float:
        return min(self.ended, other.ended) - max(self.began, other.began)


@dataclass(frozen=True, slots=True)
class Said:
    """An act as it was performed. `again`: it was not understood before."""

    act: Act
    again: bool
    when: Span


class RoomEar:
    """The real recogniser on the room's microphone, fed as far as time goes."""

    def __init__(self, clock: VirtualClock, table_ear: Ear, world: AudioWorld) -> None:
        self._clock, self._table_ear, self._world = clock, table_ear, world
        self._listener: Listener | None = None
        self._from = self._heard_to = 0.0
        self.last: Span | None = None  # of the utterance caught last

    def open(self, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None:
        self._listener = self._table_ear.open(sentences, unlikely)
        self._from = self._heard_to = self._clock.now() + delay

    def close(self) -> None:
        self._listener = None

    @property
    def speaking(self) -> bool:
        """Whether somebody is in the middle of an utterance."""
        return self._listener is not None and self._listener.speaking

    def leave(self) -> None:
        self._listener = None
        self._table_ear.close()

    def listen(self, until: float) -> tuple[float, Caught] | None:
        """Hear what the room sounds like up to `until`; the first utterance that ends before it, and when."""
        while self._listener is not None and self._heard_to < until:
            to = min(self._heard_to + _BLOCK, until)
            block = self._world.render(self._heard_to, to)
            self._heard_to = to
            utterance = self._listener.accept(block)
            if utterance is not None:
                return to, self._caught(utterance)
        return None

    def _caught(self, utterance: Utterance) -> Caught:
        self.last = Span(self._from + utterance.began, self._from + utterance.ended)
        return Caught(utterance.text)


class Table:
    """Puts what people want to say on the clock, and their voices into the room."""

    def __init__(
        self,
        clock: VirtualClock,
        voices: Voices | None,
        room: Room,
        world: AudioWorld,
        tape: Tape,
        told: Callable[[Said], None],
    ) -> None:
        """`voices`: None where people type. `told` is called when somebody begins to speak."""
        self._clock, self._voices, self._room, self._world = clock, voices, room, world
        self._tape, self._told = tape, told
        self._planned: list[Appointment] = []
        self._said: list[Said] = []  # lately
        self._typed: Said | None = None
        self._failures: Counter[str] = Counter()  # by what was meant

    def plan(self, acts: Iterable[Act]) -> None:
        """These acts instead of what is still to be said."""
        for appointment in self._planned:
            appointment.cancelled = True
        self._planned = [self._appoint(act) for act in acts]

    def say_again(self, act: Act, plainly: Sequence[str]) -> None:
        """It was not understood: said again after a moment, plainly and each time in other words."""
        text = plainly[self._failures[repr(act.meant)] % len(plainly)]
        self._planned.append(self._appoint(replace(act, text=text, delay=1.5), again=True))

    def judged(self, act: Act, *, understood: bool) -> None:
        """Whether the narrator understood it. Who is never understood goes to the keyboard (TYPES_AFTER)."""
        self._failures[repr(act.meant)] = 0 if understood else self._failures[repr(act.meant)] + 1

    def speaking(self, heard: Span | None, *, typed: bool) -> Said | None:
        """What was being said while that was heard: the sentence meant for the narrator, if there was one."""
        if typed:
            said, self._typed = self._typed, None
            return said
        if heard is None:
            return None
        during = [said for said in self._said if said.when.overlap(heard) > 0.1]
        return max(during, key=lambda said: (said.act.meant is not None, said.when.overlap(heard)), default=None)

    def _appoint(self, act: Act, *, again: bool = False) -> Appointment:
        return self._clock.at(self._clock.now() + act.delay, lambda: self._speak(act, again))

    def _speak(self, act: Act, again: bool) -> None:
        now = end = self._clock.now()
        types = self._voices is None or self._failures[repr(act.meant)] >= TYPES_AFTER
        if self._voices is not None and not types:
            samples = self._room.place(self._voices.say(act.text, act.speaker), act.speaker)
            end = self._world.schedule(now, samples)
            self._tape.voice(now, samples)
        said = Said(act, again, Span(now, end))
        self._said = [*self._said[-20:], said]
        self._told(said)
        if types and act.meant is not None:
            self._typed = said
            self._clock.post(Typed(act.text))
