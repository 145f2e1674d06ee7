"""The one loop: what happens (heard, typed, elapsed, spoken) goes to the pure game, what it answers is performed.

Half duplex: while anything is being said the ear is shut; when the last word has left the loudspeaker, the timers that
the game asked for start and the ear opens with the sentences that are legal now. The table's own commands (repeat,
pause, time, pace, volume, help) are answered here, since they change nothing in the game.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from narrator.core.effects import Cue, Effect, End, Listen, Manner, Roll, Say, Show, Wait, Whisper
from narrator.core.errors import DeviceError
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.lines import written
from narrator.core.phrases import Meaning
from narrator.core.states import Evening
from narrator.foresight import sentences_ahead
from narrator.library import Production
from narrator.pacing import PACES, length_of, starting_pace
from narrator.ports import (
    Back,
    Caught,
    Countdown,
    Cut,
    Due,
    Ended,
    Fault,
    Gone,
    Hearing,
    Interrupted,
    Mouth,
    Overdue,
    Stop,
    Typed,
    Watcher,
)
from narrator.stage.clock import Appointment, Clock, ExhaustedError
from narrator.stage.journal import Journal
from narrator.timers import Timers

EXAMPLES_AFTER = 2  # misses in a row
TAIL = 0.25  # seconds for which the room carries our last sample
BACK_SOON = {"speaker": 6.0, "microphone": 1.5}  # seconds in which a pulled plug may be put back without a word
GRACE = 25.0  # seconds after the end in which "annule" still reopens the game


class _Rest(NamedTuple):
    """Seconds without a word, in the middle of what is to be said: a night is heard before it is told."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the last sentence: `reason` is the spoken refusal."""

    accepted: bool
    reason: str = ""
    private: bool = False  # the reason is for the master's screen


@dataclass
class Conductor:
    production: Production
    clock: Clock
    mouth: Mouth
    ear: Hearing | None
    watchers: tuple[Watcher, ...] = ()
    journal: Journal | None = None
    seed: int = 0
    keys_are_private: bool = False  # whoever types is the game master
    evening: Evening = field(init=False)
    floor: Listen = field(init=False, default=Listen("", (), ()))
    verdict: Verdict = field(init=False, default=Verdict(True))
    ending: End | None = field(init=False, default=None)
    paused: bool = field(init=False, default=False)
    muted: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._lines, self._phrases, self._game = (
            self.production.lines,
            self.production.phrases,
            self.production.game,
        )
        self._to_say: deque[tuple[str, Manner] | _Rest] = deque()
        self._held: deque[tuple[str, Manner] | _Rest] = deque()  # what a pause interrupted
        self._resting = False  # what is being said is a _Rest
        self._speaking = 0  # number of the utterance being spoken, 0 for none
        self._numbers = 0
        self._lately: list[str] = []  # what "répète" says again
        self._since_heard = True
        self._question = ""  # the last one asked on this floor
        self._misses = 0
        self._pace = starting_pace(self.production.setting.pace)
        self._forced: deque[float] = deque()  # draws to come, each 0 to below 1
        self._whispers: list[str] = []  # the last ones, for the master who asks again
        self._journal_warned = False
        self._missing: dict[
            str, Appointment
        ] = {}  # devices gone just now: what is to be said waits for the loudspeaker
        self._unheard: tuple[str, Manner] | None = None  # the last line said to nobody
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
            "mute": lambda: self._mute(True),
            "unmute": lambda: self._mute(False),
        }

    # ---- the loop

    def run(self, evening: Evening, *, resumed: bool = False) -> End | None:
        """Lead the evening to its end or until Stop; returns how it ended."""
        self.evening = evening
        self._timers = Timers(self.clock, self.ear, self.journal)
        if resumed and self.journal:
            self._timers.recall(self.journal.clocks(), evening.state.phase)
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
            case Ended(number, quiet):
                if number == self._speaking:
                    self._speaking = 0
                    self._sound_until = max(self._sound_until, self.clock.now() - quiet)
            case Caught(text):
                self._caught(text)
            case Typed(text, private):
                mastered = self._game.script.mastered
                if private or (mastered and (self.keys_are_private or text.startswith("mj>"))):
                    self._typed_privately(text.removeprefix("mj>").strip())
                else:
                    self._typed(text)
            case Due(timer):
                if self._timers.rings(timer):
                    self._apply(Elapsed(timer))
            case Fault(line):
                self._say(line)
                self._ask_again()
            case Interrupted(text):
                self._interrupted(text)
            case Cut(number):
                if number == self._speaking:
                    self._was_cut()
            case Gone(device):
                self._gone(device)
            case Overdue(device):
                self._missing.pop(device, None)
                self._to_say.appendleft((self._lines.text(f"{device}_lost", {}), Manner.TELL))
            case Back(device, other):
                self._back(device, other=other)
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
            self._understood(meaning, typed=False, said=text)
        elif not (self.floor.talk or self.paused):  # while the table talks, that was not for us
            self._missed()

    def _interrupted(self, text: str) -> None:
        meaning = self._phrases.parse(text, ("pause",))
        if meaning and meaning.intent == "pause" and not self.paused and (self._speaking or self._to_say):
            self._tell_caught(text, meaning, typed=False)
            self._understood(meaning, typed=False)

    def _typed(self, text: str) -> None:
        if not text.strip():
            return
        legal = self._legal(typed=True)
        meaning = self._phrases.parse(text, legal)
        if meaning is not None and meaning.intent in self._game.masters_own:
            meaning = None
        self._tell_caught(text, meaning, typed=True)
        if meaning is None:
            self._not_understood(text, legal)
            return
        if (self._speaking or self._to_say) and meaning.intent not in (
            *self._commands,
            *self._game.script.queries,
        ):
            self._to_say.clear()  # the keyboard goes on without waiting for the voice
            self._cut()
        self._understood(meaning, typed=True)

    def _not_understood(self, text: str, legal: tuple[str, ...]) -> None:
        """Typed words that mean nothing: a name nobody has, a sentence like one that is possible, or examples."""
        self._misses += 1
        stranger = self._phrases.unknown_name(text, legal)
        possible = (near for near in self._phrases.near(text, legal) if self._possible(near))
        if stranger:
            self._refuse("unknown_name", {"stranger": stranger, "names": self.production.setting.players})
        elif near := next(possible, ""):
            self._refuse("near", {"near": near})
        elif self._misses >= EXAMPLES_AFTER and (examples := self._quoted_examples()):
            self._misses = 0
            self._refuse("examples", {"examples": examples})
        else:
            self._refuse("not_understood")

    def _possible(self, sentence: str) -> bool:
        """Whether the game would take this sentence now; asked of a copy of the evening."""
        meaning = self._phrases.parse(sentence, self.floor.accepts)
        if meaning is None or meaning.intent in self._commands:
            return meaning is not None
        _, effects = self._game.receive(self.evening, Heard(meaning.intent, meaning.slots))
        return not any(isinstance(effect, Say) and effect.manner is Manner.REFUSE for effect in effects)

    def _typed_privately(self, text: str) -> None:
        """What the master entered; an empty line is his "suivant". What the table could say as well, it says."""
        legal = self._game.private_intents(self.evening.state) if self._game.script.mastered else ()
        meaning = self._phrases.parse(text, (*legal, *self._commands)) if text.strip() else Meaning("next", {})
        self.verdict = Verdict(True)
        intent = meaning.intent if meaning else ""
        if self.paused and intent != "resume":
            self._whisper("still_paused", {}, Manner.REFUSE)
        elif meaning is not None and intent in legal:
            self._whispers.clear()
            if self.floor.hears and intent in ("next", "done") and (self._speaking or self._to_say):
                self._to_say.clear()  # by day he goes on without waiting for the voice
                self._cut()
            self._apply(Heard(intent, meaning.slots, private=True))
        elif intent == "repeat":
            for whisper in tuple(self._whispers):
                self._tell_whisper(whisper)
        elif intent == "help":
            examples = self._phrases.examples(legal, most=len(legal), heard=False)
            self._whisper("examples_private", {"examples": examples})
        elif meaning is not None and self.floor.hears and self._public(text):
            self._typed(text)
        else:
            stranger = self._phrases.unknown_among(text, legal) if meaning is None else ""
            known = {"stranger": stranger, "names": self.production.setting.players} if stranger else {}
            why = "unknown_name" if stranger else "not_understood" if meaning is None else "not_now"
            self._whisper(why, known, Manner.REFUSE)

    def _public(self, text: str) -> bool:
        meaning, legal = self._phrases.parse(text, self._legal(typed=True)), self._legal(typed=True)
        return meaning is not None and meaning.intent in legal

    def _cut(self) -> None:
        self.mouth.hush()
        self._speaking = 0
        if waiting := self._missing.pop("speaker", None):
            waiting.cancelled = True

    def _legal(self, *, typed: bool = False) -> tuple[str, ...]:
        if self.paused:
            return ("resume",)
        own = self.floor.accepts if typed else self.floor.hears
        if not own:
            return ()
        # "on reprend" sounds like "on vote": what nobody needs now is not listened for.
        return (*own, *(command for command in self._commands if typed or command != "resume"))

    def _understood(self, meaning: Meaning, *, typed: bool, said: str = "") -> None:
        self._misses = 0
        self.verdict = Verdict(True)
        self._since_heard = True
        query = meaning.intent in self._game.script.queries
        if self.paused and meaning.intent != "resume" and not query:
            self._refuse("still_paused")
        elif meaning.intent in self._commands:
            self._commands[meaning.intent]()
        else:
            self._apply(Heard(meaning.intent, meaning.slots, said="" if typed else said))
            if not typed and self._to_say:  # never over the second half of a count
                self._cue("understood")

    def _missed(self) -> None:
        self._misses += 1
        if self.journal:
            self.journal.missed(self.clock.now())
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
        examples = self._phrases.examples(own or usual, possible=self._possible)
        return tuple(quote[0] + text + quote[1] for text in examples)

    # ---- plugs that are pulled

    def _was_cut(self) -> None:
        """Half a sentence is none: it is said again as soon as there is a loudspeaker, or shown after a while."""
        self._speaking = 0
        self._lately.pop()
        self._to_say.appendleft(self._saying)
        self._gone("speaker")

    def _gone(self, device: str) -> None:
        if device not in self._missing:
            when = self.clock.now() + BACK_SOON[device]
            self._missing[device] = self.clock.at(when, Overdue(device), flows=True)

    def _back(self, device: str, *, other: bool) -> None:
        if waiting := self._missing.pop(device, None):
            waiting.cancelled = True
        line = f"{device}_{'changed' if other else 'back'}"
        if device == "speaker":
            news = (self._lines.text(line, {}), Manner.TELL)
            if self._unheard and not self._to_say:
                self._to_say.append(self._unheard)
            if news not in self._to_say:
                self._to_say.appendleft(news)
            self._unheard, self._waiting = None, False
        else:
            self._say(line)
            self._ask_again()

    def _ask_again(self) -> None:
        """The question of this floor, unless it is about to be asked anyway."""
        again = (self._question, Manner.ASK)
        asking = bool(self._speaking) and self._saying == again
        if self._question and not (self.floor.talk or self.paused or asking or again in self._to_say):
            self._to_say.append(again)

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
            case Whisper(line, facts, manner):
                self._whisper(line, facts, manner)
            case Roll():
                self._roll(effect)
            case End():
                self.ending = effect

    def _whisper(self, line: str, facts: Mapping[str, Any], manner: Manner = Manner.TELL) -> None:
        text = self._lines.text(line, facts)
        if manner is Manner.REFUSE:
            self.verdict = Verdict(False, text, private=True)
        self._whispers.append(text)
        self._tell_whisper(text)

    def _tell_whisper(self, text: str) -> None:
        for watcher in self.watchers:
            watcher.whispered(text)

    def _set_floor(self, floor: Listen) -> None:
        phase = self._game.script.phases[floor.phase]
        if floor.phase != self.floor.phase:
            self._misses, self._question = 0, ""
            if phase.lead:
                self._to_say.append(_Rest(phase.lead))
        self.floor = floor
        self.ending = None
        self._waiting = False
        self._timers.enter(floor.phase)
        self.mouth.scene(phase.scene)

    def _roll(self, roll: Roll) -> None:
        """Every draw has its own generator, so that a resumed evening draws as the uncut one would."""
        choices, turn = roll.choices, getattr(self.evening.state, "turn", 0)
        chance = random.Random(f"{self.seed}:{roll.what}{roll.key}:{turn}")
        if self._forced:
            share = self._forced.popleft()
            value = choices[int(share * len(choices))] if choices else share
        else:
            value = chance.choice(choices) if choices else chance.random()
        self._apply(Rolled(roll.what, value, roll.private))

    def force(self, share: float) -> None:
        """Let the next draw fall at this share (0 to below 1) of what is possible. Raises ValueError outside."""
        if not 0.0 <= share < 1.0:
            raise ValueError("a draw is a number from 0 to below 1")
        self._forced.append(share)

    def _watch_journal(self, journal: Journal) -> None:
        if journal.trouble and not self._journal_warned:
            self._journal_warned = True
            self._say("journal_lost")
        elif self._journal_warned and not journal.trouble:
            self._journal_warned = False
            self._say("journal_back")

    # ---- speaking and time

    def _say(self, line: str, facts: Mapping[str, Any] | None = None, manner: Manner = Manner.TELL) -> None:
        text = self._lines.spoken(line, facts or {})
        if manner is Manner.REFUSE:
            self.verdict = Verdict(False, written(text))
        elif manner is Manner.ASK:
            self._question = text
            if not self.verdict.accepted:  # why not, and what is waited for
                self.verdict = Verdict(False, f"{self.verdict.reason} {written(text)}")
        self._waiting = False
        self._to_say.append((text, manner))

    def _refuse(self, line: str, facts: Mapping[str, Any] | None = None) -> None:
        self._cue("not_understood")
        self._say(line, facts, Manner.REFUSE)

    def _speak_next(self) -> None:
        if self._speaking or ("speaker" in self._missing and self._to_say):
            return
        if not self._to_say:
            if not self._waiting:
                self._settle()
            return
        if self.ear:
            self.ear.close()
        self._numbers += 1
        self._speaking = self._numbers
        item = self._to_say.popleft()
        self._resting = isinstance(item, _Rest)
        if isinstance(item, _Rest):
            when = self.clock.now() + item.seconds / PACES[self._pace]
            self.clock.at(when, Ended(self._speaking), flows=True)
        else:
            self._speak(*item)

    def _speak(self, text: str, manner: Manner) -> None:
        if self._since_heard:
            self._lately, self._since_heard = [], False
        self._lately.append(text)
        for watcher in self.watchers:
            watcher.spoke(written(text), manner)
        self._saying = (text, manner)
        try:
            self.mouth.say(self._speaking, text, PACES[self._pace])
            self._unheard = None
        except DeviceError:
            # Nobody hears it, but the game goes on at the speed of reading.
            self._unheard = self._saying
            self.clock.at(self.clock.now() + 0.06 * len(text), Ended(self._speaking), flows=True)

    def _settle(self) -> None:
        """Everything is said: timers start (unless the table pauses), the ear opens."""
        self._waiting = True
        if not self.paused:
            self._timers.start()
        if self.ending and self._closing is None:
            self._closing = self.clock.at(self.clock.now() + GRACE, Stop())
        elif self.ending is None and self._closing:
            self._closing.cancelled = True
            self._closing = None
        self.mouth.mask(not self.paused and self._hands_at_work())
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
            tail = 0.0 if self.floor.brisk else TAIL
            delay = max(self._sound_until + tail - self.clock.now(), 0.0)
            self.ear.open(self._phrases.sentences(legal), delay)

    def _cue(self, sound: str) -> None:
        self._sound_until = max(self._sound_until, self.clock.now() + self.mouth.cue(sound))

    def _ask_time(self, wait: Wait) -> None:
        self._waiting = False
        if wait.extend:
            self._timers.extend(wait.timer, wait.seconds)
            return
        seconds = length_of(wait, PACES[self._pace], self.seed, self._place())
        self._timers.ask(wait, seconds, self.floor, getattr(self.evening.state, "turn", 0))

    def _hands_at_work(self) -> bool:
        """What is done now must not be heard: so says the step that is waited for, else the phase."""
        masked = self._timers.masked()
        return self._game.script.phases[self.floor.phase].mask if masked is None else masked

    def _place(self) -> str:
        """Where the script stands, as the whole table knows it."""
        state = self.evening.state
        return f"{self.floor.phase}:{state.step}:{getattr(state, 'turn', 0)}"

    def countdown(self) -> Countdown | None:
        """The table's own clock, if one runs or stands still; never that of hands and eyes."""
        return self._timers.countdown()

    @property
    def lines_waiting(self) -> int:
        """How many lines wait behind the one that is being said."""
        return sum(not isinstance(item, _Rest) for item in self._to_say)

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
        self._timers.freeze()
        if self._speaking:  # typed in the middle of a sentence: it is said again afterwards
            if not self._resting:
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
        else:
            self._say("not_paused")

    def _help(self) -> None:
        examples = self._quoted_examples()
        self._since_heard = False
        self._say("help" if examples else "help_nothing", {"examples": examples})

    def _time_left(self) -> None:
        self._since_heard = False
        countdown = self.countdown()
        if countdown is None:
            self._say("no_clock")
            return
        minutes, seconds = divmod(round(countdown.left), 60)
        line = "seconds_only" if not minutes else "minutes_only" if not seconds else "minutes_and_seconds"
        self._say(line, {"minutes_left": minutes, "seconds_left": seconds})

    def _change_pace(self, step: int, line: str) -> None:
        self._pace = min(max(self._pace + step, 0), len(PACES) - 1)
        self._say(line)

    def _change_volume(self, steps: int, line: str) -> None:
        if self.muted and steps > 0:
            self._mute(False)
            return
        self.mouth.volume(steps)
        self._say(line)

    def _mute(self, on: bool) -> None:
        """All that would be said is still shown, and takes its time: no end is missed."""
        self.muted = on
        self.mouth.mute(on)
        self._say("muted" if on else "unmuted")

    def _tell_caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        for watcher in self.watchers:
            watcher.caught(text, meaning, typed=typed)
