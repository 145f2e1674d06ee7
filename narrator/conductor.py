"""The one loop: what happens (heard, typed, elapsed, spoken) goes to the pure game, what it answers is performed.

Half duplex: while anything is being said the ear is shut; when the last word has left the loudspeaker, the timers that
the game asked for start and the ear opens with the sentences that are legal now. The table's own commands (repeat,
pause, time, pace, volume, help) are answered here, since they change nothing in the game.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from narrator.core.effects import Cue, Effect, End, Listen, Manner, Roll, Say, Show, Wait, Whisper
from narrator.core.errors import DeviceError
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.game import Evening
from narrator.core.phrases import Meaning
from narrator.foresight import sentences_ahead
from narrator.library import Production
from narrator.stage.clock import Appointment, Clock, ExhaustedError
from narrator.stage.journal import Journal

PACES = (0.7, 0.85, 1.0, 1.15, 1.35)  # "plus lentement" and "plus vite" move along these
EXAMPLES_AFTER = 2  # misses in a row
TAIL = 0.25  # seconds for which the room carries our last sample
GRACE = 25.0  # seconds after the end in which "annule" still reopens the game


@dataclass(frozen=True, slots=True)
class Ended:
    """The mouth has finished what it was given under this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Caught:
    """The ear caught an utterance; "" when it was none of the sentences listened for."""

    text: str


@dataclass(frozen=True, slots=True)
class Typed:
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A device failed; `line` of the table's language file tells it."""

    line: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Leave, and let the evening be resumed later."""


@dataclass(frozen=True, slots=True)
class Due:
    """A timer of the game has run out."""

    timer: str


class Mouth(Protocol):
    """Where lines are spoken. say() returns at once and posts Ended(number) when the last sample has been heard.

    cue() plays an earcon and returns how long it sounds, in seconds.
    """

    def say(self, number: int, text: str, pace: float) -> None: ...
    def cue(self, sound: str) -> float: ...
    def scene(self, name: str) -> None: ...
    def hush(self) -> None: ...
    def volume(self, steps: int) -> None: ...
    def prepare(self, texts: Iterable[str], pace: float) -> None: ...
    @property
    def looks_ahead(self) -> bool: ...


class Hearing(Protocol):
    """An ear that may be opened for some sentences, from `delay` seconds on; posts Caught."""

    def open(self, sentences: tuple[str, ...], delay: float) -> None: ...
    def close(self) -> None: ...


class Watcher(Protocol):
    """Who is shown what happens: the screen, a transcript, a rehearsal."""

    def spoke(self, text: str, manner: Manner) -> None: ...
    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None: ...
    def shown(self, facts: Mapping[str, Any]) -> None: ...
    def whispered(self, text: str) -> None: ...
    def settled(self, conductor: Conductor) -> None: ...


@dataclass(slots=True)
class _Timer:
    """Asked for, then running (`appointment`), or frozen by a pause with `left` seconds."""

    wait: Wait
    left: float
    appointment: Appointment | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the last sentence: `reason` is the spoken refusal."""

    accepted: bool
    reason: str = ""


@dataclass
class Conductor:
    production: Production
    clock: Clock
    mouth: Mouth
    ear: Hearing | None
    watchers: tuple[Watcher, ...] = ()
    journal: Journal | None = None
    seed: int = 0
    evening: Evening = field(init=False)
    floor: Listen = field(init=False, default=Listen("", (), ()))
    verdict: Verdict = field(init=False, default=Verdict(True))
    ending: End | None = field(init=False, default=None)
    paused: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._lines, self._phrases, self._game = (
            self.production.lines,
            self.production.phrases,
            self.production.game,
        )
        self._to_say: deque[tuple[str, Manner]] = deque()
        self._held: deque[tuple[str, Manner]] = deque()  # what a pause interrupted
        self._speaking = 0  # number of the utterance being spoken, 0 for none
        self._numbers = 0
        self._timers: dict[str, _Timer] = {}
        self._lately: list[str] = []  # what "répète" says again
        self._since_heard = True
        self._question = ""  # the last one asked on this floor
        self._misses = 0
        self._pace = PACES.index(1.0)
        self._rolls = 0
        self._journal_warned = False
        self._running = True
        self._waiting = False  # all is said and done: timers run, the ear is open
        self._sound_until = -TAIL  # when our last sound ends
        self._closing: Appointment | None = None
        self._commands: Mapping[str, Callable[[], None]] = {
            "repeat": self._repeat,
            "pause": self._pause,
            "resume": self._resume,
            "help": self._help,
            "time_left": self._time_left,
            "slower": lambda: self._change_pace(-1, "slower"),
            "faster": lambda: self._change_pace(+1, "faster"),
            "softer": lambda: self._change_volume(-1, "softer"),
            "louder": lambda: self._change_volume(+1, "louder"),
        }

    # ---- the loop

    def run(self, evening: Evening, *, resumed: bool = False) -> End | None:
        """Lead the evening to its end or until Stop; returns how it ended."""
        self.evening = evening
        self._apply(Ordered("resume" if resumed else "start"))
        self._speak_next()
        while self._running:
            try:
                item = self.clock.next()
            except ExhaustedError:
                break
            self.handle(item)
        if self.ear:
            self.ear.close()
        self.mouth.hush()
        if self.ending and self.journal:
            self.journal.close()
        return self.ending

    def handle(self, item: Any) -> None:
        """One thing that happened, and all that follows from it at once."""
        match item:
            case Ended(number):
                if number == self._speaking:
                    self._speaking = 0
                    self._sound_until = max(self._sound_until, self.clock.now())
            case Caught(text):
                self._caught(text)
            case Typed(text):
                self._typed(text)
            case Due(timer):
                self._timers.pop(timer, None)
                self._apply(Elapsed(timer))
            case Fault(line):
                self._say(line)
            case Stop():
                self._running = False
                return
        self._speak_next()

    # ---- hearing

    def _caught(self, text: str) -> None:
        if self._speaking or self._to_say:
            return  # what was heard before the gate shut
        meaning = self._phrases.parse(text, self._legal()) if text else None
        self._tell_caught(text, meaning, typed=False)
        if meaning is not None:
            self._understood(meaning, typed=False)
        elif not (self.floor.talk or self.paused):  # while the table talks, that was not for us
            self._missed()

    def _typed(self, text: str) -> None:
        if not text.strip():
            return
        legal = self._legal(typed=True)
        meaning = self._phrases.parse(text, legal)
        self._tell_caught(text, meaning, typed=True)
        if meaning is None:
            near = self._phrases.near(text, legal)
            self._refuse("near" if near else "not_understood", {"near": near})
            return
        if (self._speaking or self._to_say) and meaning.intent not in (
            *self._commands,
            *self._game.script.queries,
        ):
            self._to_say.clear()  # the keyboard goes on without waiting for the voice
            self._cut()
        self._understood(meaning, typed=True)

    def _cut(self) -> None:
        self.mouth.hush()
        self._speaking = 0

    def _legal(self, *, typed: bool = False) -> tuple[str, ...]:
        if self.paused:
            return ("resume",)
        own = self.floor.accepts if typed else self.floor.hears
        if not own:
            return ()
        # "on reprend" sounds like "on vote": what nobody needs now is not listened for.
        return (*own, *(command for command in self._commands if typed or command != "resume"))

    def _understood(self, meaning: Meaning, *, typed: bool) -> None:
        self._misses = 0
        self.verdict = Verdict(True)
        self._since_heard = True
        if self.paused and meaning.intent != "resume":
            self._refuse("still_paused")
        elif meaning.intent in self._commands:
            self._commands[meaning.intent]()
        else:
            self._apply(Heard(meaning.intent, meaning.slots))
            if not typed and self._to_say:  # never over the second half of a count
                self._cue("understood")

    def _missed(self) -> None:
        self._misses += 1
        self.verdict = Verdict(False, self._lines.text("not_understood", {}))
        if self._misses <= EXAMPLES_AFTER:
            self._cue("not_understood")
            self._waiting = False  # opens the ear afresh behind the earcon
        if self._misses == EXAMPLES_AFTER:
            self._say("examples", {"examples": self._quoted_examples()})

    def _quoted_examples(self) -> tuple[str, ...]:
        quote = ("«\u00a0", "\u00a0»") if self._lines.language == "fr" else ("“", "”")
        own = [intent for intent in self.floor.hears if intent not in self._game.general]
        usual = [intent for intent in self.floor.hears if intent in self._game.script.queries]
        examples = self._phrases.examples(own or usual)
        return tuple(quote[0] + text + quote[1] for text in examples)

    # ---- the game

    def _apply(self, event: Event) -> None:
        self.evening, effects = self._game.receive(self.evening, event)
        if self.journal:
            self.journal.write(event, self.clock.now())
            self._watch_journal(self.journal)
        for effect in effects:
            self._perform(effect)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Say(line, facts, manner):
                self._say(line, facts, manner)
            case Listen():
                self._set_floor(effect)
            case Wait():
                self._ask_time(effect)
            case Cue(sound):
                self._cue(sound)
            case Show(facts):
                for watcher in self.watchers:
                    watcher.shown(facts)
            case Whisper(line, facts):
                for watcher in self.watchers:
                    watcher.whispered(self._lines.text(line, facts))
            case Roll(what, choices):
                self._roll(what, choices)
            case End():
                self.ending = effect

    def _set_floor(self, floor: Listen) -> None:
        if floor.phase != self.floor.phase:
            self._misses, self._question = 0, ""
        self.floor = floor
        self.ending = None
        self._waiting = False
        for timer in self._timers.values():
            if timer.appointment:
                timer.appointment.cancelled = True
        self._timers.clear()
        self.mouth.scene(self._game.script.phases[floor.phase].scene)

    def _roll(self, what: str, choices: tuple[Any, ...]) -> None:
        """Every draw has its own generator, so that a resumed evening draws as the uncut one would."""
        self._rolls += 1
        turn = getattr(self.evening.state, "turn", 0)
        value = random.Random(f"{self.seed}:{what}:{turn}").choice(choices)
        self._apply(Rolled(what, value))

    def _watch_journal(self, journal: Journal) -> None:
        if journal.trouble and not self._journal_warned:
            self._journal_warned = True
            self._say("journal_lost")
        elif self._journal_warned and not journal.trouble:
            self._journal_warned = False
            self._say("journal_back")

    # ---- speaking and time

    def _say(self, line: str, facts: Mapping[str, Any] | None = None, manner: Manner = Manner.TELL) -> None:
        text = self._lines.text(line, facts or {})
        if manner is Manner.REFUSE:
            self.verdict = Verdict(False, text)
        elif manner is Manner.ASK:
            self._question = text
            if not self.verdict.accepted:  # why not, and what is waited for
                self.verdict = Verdict(False, f"{self.verdict.reason} {text}")
        self._waiting = False
        self._to_say.append((text, manner))

    def _refuse(self, line: str, facts: Mapping[str, Any] | None = None) -> None:
        self._cue("not_understood")
        self._say(line, facts, Manner.REFUSE)

    def _speak_next(self) -> None:
        if self._speaking:
            return
        if not self._to_say:
            if not self._waiting:
                self._settle()
            return
        if self.ear:
            self.ear.close()
        text, manner = self._to_say.popleft()
        if self._since_heard:
            self._lately, self._since_heard = [], False
        self._lately.append(text)
        self._numbers += 1
        self._speaking = self._numbers
        for watcher in self.watchers:
            watcher.spoke(text, manner)
        try:
            self.mouth.say(self._speaking, text, PACES[self._pace])
        except DeviceError:
            # Nobody hears it, but the game goes on at the speed of reading.
            self.clock.at(self.clock.now() + 0.06 * len(text), Ended(self._speaking), flows=True)

    def _settle(self) -> None:
        """Everything is said: timers start (unless the table pauses), the ear opens."""
        self._waiting = True
        for timer in () if self.paused else self._timers.values():
            if timer.appointment is None:
                self._start(timer)
        if self.ending and self._closing is None:
            self._closing = self.clock.at(self.clock.now() + GRACE, Stop())
        elif self.ending is None and self._closing:
            self._closing.cancelled = True
            self._closing = None
        self._open_ear()
        if self.mouth.looks_ahead:
            ahead = tuple(sentences_ahead(self.production, self.evening, self.floor))
            self.mouth.prepare(ahead, PACES[self._pace])
        for watcher in self.watchers:
            watcher.settled(self)

    def _open_ear(self) -> None:
        if self.ear and (legal := self._legal()):
            if self._question and self._misses == 0 and not self.floor.talk:
                self._cue("listen")
            delay = max(self._sound_until + TAIL - self.clock.now(), 0.0)
            self.ear.open(self._phrases.sentences(legal), delay)

    def _cue(self, sound: str) -> None:
        self._sound_until = max(self._sound_until, self.clock.now() + self.mouth.cue(sound))

    def _ask_time(self, wait: Wait) -> None:
        self._waiting = False
        running = self._timers.get(wait.timer)
        if wait.extend:
            if running:
                left = self._left(running) + wait.seconds
                if running.appointment:
                    running.appointment.cancelled = True
                self._timers[wait.timer] = _Timer(running.wait, left)
            return
        if running and running.appointment:
            running.appointment.cancelled = True
        seconds = wait.seconds / PACES[self._pace] if wait.dwell else wait.seconds
        self._timers[wait.timer] = _Timer(wait, seconds)

    def _start(self, timer: _Timer) -> None:
        timer.appointment = self.clock.at(self.clock.now() + timer.left, Due(timer.wait.timer), flows=timer.wait.dwell)

    def _left(self, timer: _Timer) -> float:
        return timer.appointment.when - self.clock.now() if timer.appointment else timer.left

    # ---- the table's commands

    def _repeat(self) -> None:
        if not self._lately:
            self._refuse("nothing_to_repeat")
            return
        self._since_heard = False
        again, self._lately = self._lately, []
        self._to_say.extend((text, Manner.TELL) for text in again)

    def _pause(self) -> None:
        self._waiting = False
        for timer in self._timers.values():
            timer.left = self._left(timer)
            if timer.appointment:
                timer.appointment.cancelled = True
                timer.appointment = None
        if self._speaking:  # typed in the middle of a sentence: it is said again afterwards
            self._held.append((self._lately.pop(), Manner.TELL))
            self._cut()
        self._held.extend(self._to_say)
        self._to_say.clear()
        self._say("paused")
        self.paused = True

    def _resume(self) -> None:
        if self.paused:
            self.paused = False
            self._say("unpaused")
            if not self._held and self._question and not self.floor.talk:
                self._held.append((self._question, Manner.ASK))
            self._to_say.extend(self._held)
            self._held.clear()

    def _help(self) -> None:
        examples = self._quoted_examples()
        self._since_heard = False
        self._say("help" if examples else "help_nothing", {"examples": examples})

    def _time_left(self) -> None:
        self._since_heard = False
        timer = self._timers.get("time_up")
        if timer is None or timer.wait.dwell:
            self._say("no_clock")
            return
        minutes, seconds = divmod(max(round(self._left(timer)), 0), 60)
        line = "seconds_only" if not minutes else "minutes_only" if not seconds else "minutes_and_seconds"
        self._say(line, {"minutes_left": minutes, "seconds_left": seconds})

    def _change_pace(self, step: int, line: str) -> None:
        self._pace = min(max(self._pace + step, 0), len(PACES) - 1)
        self._say(line)

    def _change_volume(self, steps: int, line: str) -> None:
        self.mouth.volume(steps)
        self._say(line)

    def _tell_caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        for watcher in self.watchers:
            watcher.caught(text, meaning, typed=typed)
