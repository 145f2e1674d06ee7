"""The one loop: what happens (heard, typed, elapsed, spoken) goes to the pure game, what it answers is performed.

Half duplex: while anything is being said the ear is shut; when the last word has left the loudspeaker, the timers that
the game asked for start and the ear opens with the sentences that are legal now. The table's own commands never reach
the game, since they change nothing in it.

Its parts, each with a state of its own: `understanding` (what words mean here), `speech` (what is to be said),
`timers`, `commands` (pause, pace, volume ...), `plugs` (devices that are gone just now), `chance` (draws).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.chance import Chance
from narrator.commands import COMMANDS, Commands
from narrator.core.effects import Cue, Effect, End, Listen, Manner, Roll, Say, Show, Wait, Whisper
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.lines import written
from narrator.core.phrases import Meaning
from narrator.core.states import Effects, Evening
from narrator.foresight import sentences_ahead
from narrator.library import Production
from narrator.owed import Owed, gone_on, is_owed, only_answers, unsaid
from narrator.pacing import length_of, starting_pace
from narrator.plugs import Plugs
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
from narrator.speech import TAIL, Line, Rest, Speech
from narrator.stage.clock import Appointment, Clock, ExhaustedError
from narrator.stage.journal import Journal
from narrator.timers import Timers
from narrator.understanding import Understanding

EXAMPLES_AFTER = 2  # misses in a row
GRACE = 25.0  # seconds after the end in which "annule" still reopens the game


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the last sentence: `reason` is the spoken refusal."""

    accepted: bool
    reason: str = ""
    private: bool = False  # the reason is for the master's screen


@dataclass
class Conductor:
    """Leads one evening, run() to its end. What a view may read: the fields and properties below."""

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

    def __post_init__(self) -> None:
        self._lines, self._game = self.production.lines, self.production.game
        self._understanding = Understanding(self.production)
        self._chance = Chance(self.seed)
        self._question = ""  # the last one asked on this floor
        self._misses = 0
        self._whispers: list[str] = []  # the last ones, for the master who asks again
        self._journal_warned = False
        self._running = True
        self._waiting = False  # all is said and done: timers run, the ear is open
        self._closing: Appointment | None = None
        self._take_devices()

    def _take_devices(self) -> None:
        """The parts that act on devices; taken anew when an evening begins, for these may be exchanged until then."""
        self._plugs = Plugs(self.clock)
        self._speech = Speech(self.clock, self.mouth, self._plugs, self._tell_spoken)
        self._owed = Owed(self._speech, self.journal)
        self._timers = Timers(self.clock, self.ear, self.journal)
        pace = starting_pace(self.production.setting.pace)
        self._commands = Commands(self._speech, self._timers, self.mouth, pace, self._say, self._refuse)

    @property
    def paused(self) -> bool:
        """The table wants silence: timers stand still, only "on reprend" is listened for."""
        return self._commands.paused

    @property
    def muted(self) -> bool:
        """Nothing is heard of what is said, all of it is shown."""
        return self._commands.muted

    @property
    def lines_waiting(self) -> int:
        """How many lines wait behind the one that is being said."""
        return self._speech.lines_waiting

    def countdown(self) -> Countdown | None:
        """The table's own clock, if one runs or stands still; never that of hands and eyes."""
        return self._timers.countdown()

    def force(self, share: float) -> None:
        """Let the next draw fall at this share (0 to below 1) of what is possible. Raises ValueError outside."""
        self._chance.force(share)

    # ---- the loop

    def run(self, evening: Evening, *, resumed: bool = False) -> End | None:
        """Lead the evening to its end or until Stop; returns how it ended."""
        self.evening = evening
        self._take_devices()
        if resumed:
            self._resume()
        else:
            self._apply(Ordered("start"))
        self._speak_next()
        self._owed.note(self.clock.now())
        while self._running:
            try:
                item = self.clock.next()
            except ExhaustedError:
                break
            self.handle(item)
        if self.ear:
            self.ear.close()
        self.mouth.hush()
        if self.journal:
            self.journal.close() if self.ending else self.journal.settle()
        return self.ending

    def handle(self, item: Any) -> None:
        """One thing that happened, and all that follows from it at once."""
        self._happened(item)
        if self._running:
            self._speak_next()
        self._owed.note(self.clock.now())

    def _happened(self, item: Any) -> None:
        match item:
            case Ended(number, quiet):
                self._speech.ended(number, quiet)
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
                    self._elapsed(timer)
            case Fault(line):
                self._say(line)
                self._ask_again()
            case Interrupted(text):
                self._interrupted(text)
            case Cut(number):
                self._speech.was_cut(number)
            case Gone(device):
                self._plugs.gone(device)
            case Overdue(device):
                self._plugs.overdue(device)
                self._speech.put_first(Line(self._lines.text(f"{device}_lost", {}), Manner.TELL))
            case Back(device, other):
                self._back(device, other=other)
            case Stop():
                self._running = False

    def _elapsed(self, timer: str) -> None:
        if timer == "step" and not self._game.script.phases[self.floor.phase].eyes_closed:
            self._speech.heard()  # what was to be done is done: nobody is told to show the cards again
        self._apply(Elapsed(timer))

    # ---- hearing

    def _caught(self, text: str) -> None:
        if self._speech.busy:
            return  # what was heard before the gate shut
        meaning = self._understanding.meaning(text, self._legal())
        self._tell_caught(text, meaning, typed=False)
        if meaning is not None:
            self._understood(meaning, typed=False, said=text)
        elif not (self.floor.talk or self.paused):  # while the table talks, that was not for us
            self._missed()

    def _interrupted(self, text: str) -> None:
        meaning = self._understanding.meaning(text, ("pause",))
        if meaning and meaning.intent == "pause" and not self.paused and self._speech.busy:
            self._tell_caught(text, meaning, typed=False)
            self._understood(meaning, typed=False)

    def _typed(self, text: str) -> None:
        if not text.strip():
            return
        legal = self._legal(typed=True)
        meaning = self._understanding.meaning(text, legal)
        if meaning is not None and not self._understanding.is_aloud(meaning):
            meaning = None
        self._tell_caught(text, meaning, typed=True)
        if meaning is None:
            self._not_understood(text, legal)
            return
        if self._speech.busy and not self._understanding.answers_at_once(meaning):
            self._speech.skip()  # the keyboard goes on without waiting for the voice
        self._understood(meaning, typed=True)

    def _not_understood(self, text: str, legal: tuple[str, ...]) -> None:
        """Typed words that mean nothing: what was meant perhaps, or examples."""
        self._misses += 1
        if guess := self._understanding.guess(text, legal, self.evening, self.floor):
            self._refuse(*guess)
        elif self._misses >= EXAMPLES_AFTER and (examples := self._examples()):
            self._misses = 0
            self._refuse("examples", {"examples": examples})
        else:
            self._refuse("not_understood")

    def _typed_privately(self, text: str) -> None:
        """What the master entered. What the table could say as well, it says."""
        legal = self._understanding.masters(self.evening)
        meaning = self._understanding.of_masters(text, legal)
        self.verdict = Verdict(True)
        intent = meaning.intent if meaning else ""
        if self.paused and intent != "resume":
            self._whisper("still_paused", {}, Manner.REFUSE)
        elif meaning is not None and intent in legal:
            self._whispers.clear()
            if self.floor.hears and intent in ("next", "done") and self._speech.busy:
                self._speech.skip()  # by day he goes on without waiting for the voice
            self._apply(Heard(intent, meaning.slots, private=True, said=self._understanding.as_entered(text, meaning)))
        elif intent == "repeat":
            for whisper in tuple(self._whispers):
                self._tell_whisper(whisper)
        elif intent == "help":
            examples = self._understanding.masters_examples(legal)
            self._whisper("examples_private" if examples else "help_nothing", {"examples": examples})
        elif meaning and self.floor.hears and self._understanding.is_public(text, self._legal(typed=True)):
            self._typed(text)
        else:
            why, facts = ("not_now", {}) if meaning else self._understanding.guess_of_masters(text, legal)
            self._whisper(why, facts, Manner.REFUSE)

    def _legal(self, *, typed: bool = False) -> tuple[str, ...]:
        return self._understanding.legal(self.floor, typed=typed, paused=self.paused)

    def _understood(self, meaning: Meaning, *, typed: bool, said: str = "") -> None:
        self._misses = 0
        self.verdict = Verdict(True)
        self._speech.heard()
        query = meaning.intent in self._game.script.queries
        if self.paused and meaning.intent != "resume" and not query:
            self._refuse("still_paused")
        elif meaning.intent in COMMANDS:
            question = "" if self.floor.talk else self._question
            self._commands.do(meaning.intent, question, self._examples)
        else:
            self._apply(Heard(meaning.intent, meaning.slots, said="" if typed else said))
            if not typed and self._speech.waits:  # never over the second half of a count
                self._speech.cue("understood")

    def _missed(self) -> None:
        self._misses += 1
        if self.journal:
            self.journal.missed(self.clock.now())
        self.verdict = Verdict(False, self._lines.text("not_understood", {}))
        if self._misses <= EXAMPLES_AFTER:
            self._speech.cue("not_understood")
            self._waiting = False  # opens the ear afresh behind the earcon
        if self._misses == EXAMPLES_AFTER:
            self._say("examples", {"examples": self._examples()})

    def _examples(self) -> tuple[str, ...]:
        return self._understanding.examples(self.evening, self.floor)

    def _back(self, device: str, *, other: bool) -> None:
        self._plugs.forget(device)
        line = f"{device}_{'changed' if other else 'back'}"
        if device == "speaker":
            self._speech.heard_from_now_on(Line(self._lines.text(line, {}), Manner.TELL))
            self._waiting = False
        else:
            self._say(line)
            self._ask_again()

    def _ask_again(self) -> None:
        """The question of this floor, unless it is about to be asked anyway."""
        again = Line(self._question, Manner.ASK)
        if self._question and not (self.floor.talk or self.paused or self._speech.is_coming(again)):
            self._speech.add(again)

    # ---- the game

    def _apply(self, event: Event) -> None:
        owed = not only_answers(self._game.script, event)
        for effect in self._received(event):
            self._perform(effect, owed=owed)

    def _received(self, event: Event) -> Effects:
        self.evening, effects = self._game.receive(self.evening, event)
        if self.journal:
            self.journal.write(event, self.clock.now())
            self._watch_journal(self.journal)
        return effects

    def _resume(self) -> None:
        """After a power cut: a recap, then what was not said, and what is waited for."""
        owed = None
        if self.journal:
            owed = unsaid(self._game, self.journal)
            self._timers.recall(self.journal.clocks(), self.evening.state.phase)
        recap, rest = gone_on(self._game.script, self._received(Ordered("resume")), owed)
        for effect in recap:
            self._perform(effect, owed=False)
        for effect in rest:
            self._perform(effect)

    def _perform(self, effect: Effect, *, owed: bool = True) -> None:
        match effect:
            case Say(line, facts, manner):
                self._say(line, facts, manner, owed=owed and is_owed(self._game.script, self.floor.phase))
            case Listen():
                self._set_floor(effect)
            case Wait():
                self._ask_time(effect)
            case Cue(sound):
                self._speech.cue(sound)
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

    def _set_floor(self, floor: Listen) -> None:
        phase = self._game.script.phases[floor.phase]
        if floor.phase != self.floor.phase:
            before = self._game.script.phases.get(self.floor.phase)
            if before and before.eyes_closed and not phase.eyes_closed:
                self._speech.heard()  # a night is not told again to open eyes
            self._misses, self._question = 0, ""
            if phase.lead:
                self._speech.add(Rest(phase.lead))
        self.floor = floor
        self.ending = None
        self._waiting = False
        self._timers.enter(floor.phase)
        self.mouth.scene(phase.scene)

    def _roll(self, roll: Roll) -> None:
        value = self._chance.drawn(roll, getattr(self.evening.state, "turn", 0))
        self._apply(Rolled(roll.what, value, roll.private))

    def _watch_journal(self, journal: Journal) -> None:
        if journal.trouble and not self._journal_warned:
            self._journal_warned = True
            self._say("journal_lost")
        elif self._journal_warned and not journal.trouble:
            self._journal_warned = False
            self._say("journal_back")

    # ---- speaking and time

    def _say(
        self, line: str, facts: Mapping[str, Any] | None = None, manner: Manner = Manner.TELL, *, owed: bool = False
    ) -> None:
        text = self._lines.spoken(line, facts or {})
        if manner is Manner.REFUSE:
            self.verdict = Verdict(False, written(text))
        elif manner is Manner.ASK:
            self._question = text
            if not self.verdict.accepted:  # why not, and what is waited for
                self.verdict = Verdict(False, f"{self.verdict.reason} {written(text)}")
        self._waiting = False
        self._owed.add(Line(text, manner, owed))

    def _refuse(self, line: str, facts: Mapping[str, Any] | None = None) -> None:
        self._speech.cue("not_understood")
        self._say(line, facts, Manner.REFUSE)

    def _speak_next(self) -> None:
        if self._speech.speaking or self._speech.stuck:
            return
        if not self._speech.waits:
            if not self._waiting:
                self._settle()
            return
        if self.ear:
            self.ear.close()
        self._waiting = False  # whatever is said, the ear opens again behind it
        self._speech.next(self._commands.pace)

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
            self.mouth.prepare(ahead, self._commands.pace)
        for watcher in self.watchers:
            watcher.settled(self)

    def _open_ear(self) -> None:
        if self.ear and (legal := self._legal()):
            if self._question and self._misses == 0 and not self.floor.talk:
                self._speech.cue("listen")
            unlikely = self._understanding.unlikely(self.evening, legal)  # takes time: before the delay begins
            delay = self._speech.silence_in(0.0 if self.floor.brisk else TAIL)
            self.ear.open(self.production.phrases.sentences(legal), delay, unlikely)

    def _ask_time(self, wait: Wait) -> None:
        self._waiting = False
        if wait.extend:
            self._timers.extend(wait.timer, wait.seconds)
            return
        seconds = length_of(wait, self._commands.pace, self.seed, self._place())
        self._timers.ask(wait, seconds, self.floor, getattr(self.evening.state, "turn", 0))

    def _hands_at_work(self) -> bool:
        """What is done now must not be heard: so says the step that is waited for, else the phase."""
        masked = self._timers.masked()
        return self._game.script.phases[self.floor.phase].mask if masked is None else masked

    def _place(self) -> str:
        """Where the script stands, as the whole table knows it."""
        state = self.evening.state
        return f"{self.floor.phase}:{state.step}:{getattr(state, 'turn', 0)}"

    # ---- who is shown it

    def _tell_whisper(self, text: str) -> None:
        for watcher in self.watchers:
            watcher.whispered(text)

    def _tell_spoken(self, text: str, manner: Manner) -> None:
        for watcher in self.watchers:
            watcher.spoke(written(text), manner)

    def _tell_caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        for watcher in self.watchers:
            watcher.caught(text, meaning, typed=typed)
