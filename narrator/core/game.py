"""The pure game: (evening, event) -> (evening, effects). Phases, steps, confirming, undo; no game's rules.

- A decision is a heard sentence that changed the state; the state before it is kept, so that undo is a step
  back and itself an event: the fold of the journal is the state, undone decisions included.
- A sentence that ends a game or a player is asked back once (`confirm`); only “oui” makes it a decision.
- A game with a human master has two channels. What he enters privately is answered privately (Whisper), except where
  a move says aloud what everybody may know; undo goes back in its own channel, what the other one did is done again.
  Draws that only he may know of are asked for and answered in his channel; nothing public happens meanwhile.
- Entering a phase opens its floor (Listen), says its steps one by one, then starts its timers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from narrator.core.effects import Cue, Effect, End, Listen, Manner, Roll, Say, Show, Wait, Whisper
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled, Slots, Spoken
from narrator.core.phases import Condition, Phases, condition
from narrator.core.script import ANY, GENERAL, MASTER, Move, Names, Phase, Script, Step

#: Trigger of a phase that goes on by itself or waits for hands; “suivant” hurries, “c'est fait” ends.
DONE, NEXT, TIME_UP = "done", "next", "time_up"
YES, NO = "yes", "no"
REMINDERS = 2  # a silent room is reminded twice, then the narrator waits
MORE_SECONDS = 60.0
#: Lines of the engine's own, which every language must have; `library.stage` checks them at load.
LINES = frozenset(
    (
        "not_now",
        "cannot_skip",
        "undone",
        "nothing_to_undo",
        "not_done",
        "more_time",
        "no_clock",
        "resumed",
        "confirm_fact",
    )
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended and who won, as ids that the language files name."""

    how: str
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """Where the evening stands in its script; the games' own states extend it."""

    phase: str
    step: int = 0
    ask: Heard | None = None  # waits for a confirmation
    reminded: int = 0
    end: Ending | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a sentence is not possible now: a line and what fills it."""

    line: str
    facts: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """The decisions that can be undone, last one first (a linked list, so that states share it).

    In a game with a master every event that changed the state is kept, so that one channel can be gone back in.
    """

    before: Any  # the state before the decision
    intent: str
    earlier: Past | None
    private: bool = False
    event: Event | None = None
    decision: bool = True


@dataclass(frozen=True, slots=True)
class Evening:
    state: Any  # a Position
    past: Past | None = None


Check = Callable[[Any, Slots], Refusal | None]
Action = Callable[[Any, Slots], Any]


class Rules(Protocol):
    """What a module of games/ offers; all pure. `advice`: lines for when `undone` is taken back.

    A game with a master also has `private_view(state)`, what he may see, and may have `whisper_lines`: line -> the line
    that is whispered in its place in a state ("": none), `about(state, slots)`, facts of a whisper on what a sentence
    names, and `private_roll(state)`, a draw that nobody else may know of. Any game may have `clocks`: name -> the
    seconds of a phase's limit, `words`: names and sentences of its own cards, as a language file has them, and
    `word_slots`: slot of its sentences -> what may be said there -> the value.
    """

    checks: Mapping[str, Check]
    actions: Mapping[str, Action]
    conditions: Mapping[str, Condition]
    fact_names: frozenset[str]

    def start(self, phase: str) -> Any: ...
    def view(self, state: Any) -> dict[str, Any]: ...
    def roll(self, state: Any) -> Roll | None: ...
    def advice(self, state: Any, undone: Any) -> Sequence[str]: ...


def names_of(rules: Rules) -> Names:
    return Names(rules.checks, rules.actions, rules.conditions, getattr(rules, "clocks", {}))


Effects = list[Effect]


class Game:
    """One table's game: a script and its rules. Holds nothing that changes."""

    def __init__(self, script: Script, rules: Rules, options: Mapping[str, Any], lines: frozenset[str]) -> None:
        """`lines`: the ids that the language file has; optional ones (undo_…) are said where they exist."""
        self.script, self.rules, self.lines = script, rules, lines
        self.options = {**script.options, **options}
        self.phases = Phases(script, rules.conditions)
        #: Intents that may be said in every phase: corrections, questions, the commands of every game.
        self.general = frozenset(
            (
                *(move.on for move in script.moves.values() if ANY in move.sources and not move.private),
                *script.queries,
                *GENERAL,
            )
        )
        #: What nobody but the master can say: from anywhere else it is no sentence at all.
        private = {on.removeprefix(MASTER) for _, on in script.moves if on.startswith(MASTER)}
        public = {on for _, on in script.moves if not on.startswith(MASTER)} | {YES, NO, DONE, NEXT, *self.general}
        self.masters_own = frozenset(private | set(script.private_queries)) - public
        self._floors = {name: self._floor(phase) for name, phase in script.phases.items()}
        self._shown_when = {
            step.when: condition(step.when, rules.conditions)
            for phase in script.phases.values()
            for step in phase.steps
            if step.when
        }
        self._confirm_when = {
            move.confirm_when: condition(move.confirm_when, rules.conditions)
            for move in script.moves.values()
            if move.confirm_when
        }

    @property
    def floors(self) -> Mapping[str, Listen]:
        """What each phase waits for, by its name."""
        return self._floors

    def opening(self, skip_setup: bool = False) -> Evening:
        """The evening before its first event."""
        return Evening(self.rules.start(self.script.skip_to if skip_setup else self.script.first_phase))

    def receive(self, evening: Evening, event: Event) -> tuple[Evening, Effects]:
        """The evening after `event`, and what is to be done. Raises nothing: what cannot be is refused."""
        after, effects = self._received(evening, event)
        if not self.script.mastered:
            return after, effects
        return _recorded(evening, after, event), [*effects, *self._secret_draw(evening.state, after.state, event)]

    def _secret_draw(self, before: Any, after: Any, event: Event) -> Effects:
        """The draw of the master's that a state needs, asked for once."""
        needed = getattr(self.rules, "private_roll", None)
        roll = needed(after) if needed else None
        asked = needed(before) if needed and not isinstance(event, Ordered) else None
        return [roll] if roll and roll != asked else []

    def _received(self, evening: Evening, event: Event) -> tuple[Evening, Effects]:
        match event:
            case Heard(private=True):
                return self._heard_privately(evening, event)
            case Heard():
                return self._heard(evening, event)
            case Elapsed():
                return self._elapsed(evening, event)
            case Ordered("start"):
                effects: Effects = []
                state = self._settle(evening.state, effects)
                return replace(evening, state=state), effects
            case Ordered("resume"):
                return self._resume(evening)
            case Rolled(private=True):
                return self._move(evening, f"{MASTER}rolled:{event.what}", {"value": event.value}, decision=False)
            case Rolled():
                return self._move(evening, "rolled:" + event.what, {"value": event.value}, decision=False)
            case Spoken() | Ordered():
                return evening, []

    def _resume(self, evening: Evening) -> tuple[Evening, Effects]:
        """After a power cut: where we are, then what may not have been heard: the phase from its last pause on.

        Eyes that are closed in it have opened: it begins again, and tells nothing but that.
        """
        state = evening.state
        phase = self.script.phases[state.phase]
        if phase.eyes_closed:
            effects: Effects = [self._say(state, "resumed")]
        else:
            effects = self._recap(state, "resumed")
        effects += self._reminded_privately(state)
        if state.ask is not None or phase.flow == "checklist" or self.script.mastered:
            return evening, [*effects, *self._reopen(state)]
        heard = (n for n, step in enumerate(phase.steps[: state.step], 1) if step.pause and not phase.eyes_closed)
        return replace(evening, state=self._settle(replace(state, step=max(heard, default=0)), effects)), effects

    def _reminded_privately(self, state: Any) -> Effects:
        """Where the master stands, and what he was led to last."""
        whispers = [step.whisper for step in self.script.phases[state.phase].steps[: state.step] if step.whisper]
        led = self._whispered(state, whispers[-1]) if whispers else []
        return [*self._private_answer(state, "status"), *led]

    # ---- what was heard

    def _heard(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        state = evening.state
        if state.ask is not None:
            return self._answered(evening, event)
        if event.intent == "undo":
            return self._undo(evening)
        if event.intent in self.script.queries:
            answer = self._say(state, self._line_here(state, event.intent), event.slots)
            return evening, [answer, *(self._question(state) if event.intent == "status" else ())]
        if event.intent == "more_time":
            return self._more_time(evening, event.slots)
        intent = self._handwork(evening.state, event.intent)
        if intent is None:
            return self._next_step(evening)
        return self._move(evening, intent, event.slots, decision=True, heard=event)

    def _answered(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        """While a confirmation is waited for: yes, no, or another sentence in its place."""
        state = evening.state
        calm = replace(evening, state=replace(state, ask=None))
        if event.intent == YES:
            return self._move(calm, state.ask.intent, state.ask.slots, decision=True)
        if event.intent in (NO, "undo"):
            return calm, [self._say(calm.state, "not_done"), *self._reopen(calm.state)]
        after, effects = self._heard(calm, event)
        if after != calm:
            return after, effects
        open_question = self._open_question(state)  # still, and not the one of the phase
        answers = [e for e in effects if not (isinstance(e, Say) and e.manner is Manner.ASK)]
        return evening, [*answers, *([open_question] if open_question else ())]

    # ---- what the game master entered

    def _heard_privately(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        state, intent = evening.state, event.intent
        if intent == "undo":
            return self._undo_channel(evening, private=True)
        if intent in self.script.private_queries:
            return evening, self._private_answer(state, intent, event.slots)
        if intent in (DONE, NEXT) and self.script.phases[state.phase].flow in ("checklist", "hands"):
            return self._heard(evening, replace(event, private=False))
        return self._move(evening, MASTER + intent, event.slots, decision=True)

    def private_intents(self, state: Any) -> tuple[str, ...]:
        """What the master's keys may say now."""
        own = (on.removeprefix(MASTER) for phase, on in self.script.moves if phase == state.phase)
        sayable = (on for on in own if ":" not in on and (state.phase, MASTER + on) in self.script.moves)
        hands = (NEXT, DONE) if self.script.phases[state.phase].flow in ("checklist", "hands") else ()
        return tuple(dict.fromkeys((*sayable, *hands, *self.script.private_queries, "undo")))

    def _private_answer(self, state: Any, query: str, slots: Slots | None = None) -> Effects:
        return self._whispered(state, self.script.private_queries.get(query, ""), slots)

    def _undo_channel(self, evening: Evening, *, private: bool) -> tuple[Evening, Effects]:
        """Back to before the last decision of this channel; what the other channel did since is done again.

        Over a secret undo the table's own time goes on as it went; an undo aloud rewinds it. Aloud, nobody gets behind
        a phase that seals what was before it (a night).
        """
        later: list[Past] = []
        shut = not private and self.script.phases[evening.state.phase].seals  # whatever the master has entered or not
        past = None if shut else evening.past
        while past is not None and not (past.decision and past.private is private):
            sealed = not private and self.script.phases[past.before.phase].seals
            later.append(past)
            past = None if sealed else past.earlier
        if past is None:
            refusal = Refusal("nothing_to_undo")
            return evening, [self._refused(evening.state, refusal, private=private)]
        now, lost = Evening(past.before, past.earlier), []
        for one in reversed(later):
            if one.event is not None and (private or one.decision):
                done, _ = self.receive(now, one.event)
                lost += [one.intent] if one.decision and done.state == now.state else []
                now = done
        if private:
            return now, self._undone_secretly(evening.state, now.state, lost)
        return now, [*self._undone(now.state, evening.state, past), *self._lost(now.state, lost)]

    def _undone_secretly(self, before: Any, after: Any, lost: Sequence[str]) -> Effects:
        """Nothing of it is heard unless something public had come of it."""
        effects: Effects = [self._whisper(after, "undone"), *self._lost(after, lost)]
        same = (before.phase, before.step, before.ask) == (after.phase, after.step, after.ask)
        if same and self.rules.view(before) == self.rules.view(after):
            return effects
        said = [self._say(after, "corrected")] if "corrected" in self.lines else []
        return [*effects, *said, *self._reopen(after)]

    def _lost(self, state: Any, intents: Sequence[str]) -> Effects:
        return [self._whisper(state, "mj_lost", {"intent": intent}) for intent in intents if "mj_lost" in self.lines]

    def _handwork(self, state: Any, intent: str) -> str | None:
        """“suivant” and “c'est fait” mean the same where hands work; None: go to the next step."""
        phase = self.script.phases[state.phase]
        if phase.flow == "auto":  # nobody hurries closed eyes, or a card that is being chosen
            return "not now" if intent in (DONE, NEXT) else intent
        if intent in (DONE, NEXT):
            steps_left = state.step < len(phase.steps) - 1
            if phase.flow in ("checklist", "hands") and steps_left:
                return None
            if (state.phase, intent) not in self.script.moves:
                return DONE if intent == NEXT else NEXT if (state.phase, NEXT) in self.script.moves else intent
        return intent

    def _next_step(self, evening: Evening) -> tuple[Evening, Effects]:
        effects: Effects = []
        state = self._settle(replace(evening.state, step=evening.state.step + 1), effects)
        return Evening(state, Past(evening.state, NEXT, evening.past)), effects

    def _undo(self, evening: Evening) -> tuple[Evening, Effects]:
        if self.script.mastered:
            return self._undo_channel(evening, private=False)
        past = evening.past
        if past is None:
            return evening, [self._refuse(evening.state, Refusal("nothing_to_undo"))]
        return Evening(past.before, past.earlier), self._undone(past.before, evening.state, past)

    def _undone(self, state: Any, left: Any, past: Past) -> Effects:
        """What is said when `left` was gone back from, to `state`."""
        effects: Effects = [self._say(state, "undone")]
        known = (line for line in _undo_lines(state.phase, past.intent) if line in self.lines)
        advice = (*itertools.islice(known, 1), *self.rules.advice(state, left))
        effects += [self._say(state, line) for line in advice]
        recap = [self._say(state, "undo_recap")] if "undo_recap" in self.lines else self._recap(state, "")
        return [*effects, *recap, *self._reopen(state)]

    def _more_time(self, evening: Evening, slots: Slots) -> tuple[Evening, Effects]:
        phase = self.script.phases[evening.state.phase]
        if not phase.limit or phase.limit_dwell:
            return evening, [self._refuse(evening.state, Refusal("no_clock"))]
        minutes = max(slots.get("minutes", 1), 1)
        line = "more_minutes" if minutes > 1 and "more_minutes" in self.lines else "more_time"
        timers = (TIME_UP, "warn", *(f"warn:{before:g}" for before, _ in phase.warnings))
        longer = [Wait(timer, minutes * MORE_SECONDS, extend=True) for timer in timers]
        return evening, [self._say(evening.state, line, slots), *longer]

    # ---- moves

    def _move(
        self, evening: Evening, trigger: str, slots: Slots, *, decision: bool, heard: Heard | None = None
    ) -> tuple[Evening, Effects]:
        """Check, act, echo, go on. `heard`: ask back first where the move wants it."""
        state, private = evening.state, trigger.startswith(MASTER)
        move = self.script.moves.get((state.phase, trigger))
        if move is None and private:
            return evening, [self._refused(state, Refusal("not_now", {"intent": trigger}), private=True)]
        if move is None:
            refusal = Refusal("cannot_skip" if trigger == "skip" else "not_now", {"intent": trigger})
            return evening, [self._refuse(state, refusal), *self._question(state)]
        if move.check and (why_not := self.rules.checks[move.check](state, slots)):
            return evening, [self._refused(state, why_not, private=private)]
        if heard is not None and self._must_confirm(move, state, heard):
            asking = replace(state, ask=heard)
            question = self._asked_back(state, move, heard)
            return replace(evening, state=asking), [self._yes_or_no(state), question, *self._reminder(asking)]
        after = self.rules.actions[move.do](state, slots) if move.do else state
        past = self._past(evening, move, after) if decision else evening.past
        effects: Effects = self._whispered(after, move.whisper, slots)
        if move.echo:
            effects.append(self._say(after, move.echo, slots, Manner.ECHO))
        if private:
            return self._moved_privately(evening, replace(after, ask=None), trigger, move, past, effects)
        if not move.to and not move.echo and after == state:
            return evening, []  # nothing changed and nothing is to be said: a late "oui", the rest of a count
        if not move.to:
            return Evening(after, past), [*effects, Show(self.rules.view(after)), *self._reopen(after)]
        phase = self.phases.fire(state.phase, trigger, after)
        after = self._settle(replace(after, phase=phase, step=0, reminded=0), effects)
        return Evening(after, past), effects

    def _moved_privately(
        self, evening: Evening, after: Any, trigger: str, move: Move, past: Past | None, effects: Effects
    ) -> tuple[Evening, Effects]:
        """Where the phase stays and nothing is said aloud, nothing public happens at all."""
        state = evening.state
        phase = self.phases.fire(state.phase, trigger, after) if move.to else state.phase
        if phase != state.phase:
            after = self._settle(replace(after, phase=phase, step=0, reminded=0), effects)
        elif move.echo:
            effects += [Show(self.rules.view(after)), *self._reopen(after)]
        else:
            after = replace(after, ask=state.ask)
        return Evening(after, past), effects

    def _past(self, evening: Evening, move: Move, after: Any) -> Past | None:
        """What undo goes back to. A sentence that changes nothing is no decision; what is said within a
        breath of the one before it (a phase with a dwelling limit) belongs to that one."""
        dwells = self.script.phases[evening.state.phase].limit_dwell and not move.private
        breath = dwells and evening.past is not None
        if breath or (not move.to and after == evening.state):
            return evening.past
        return Past(evening.state, move.on.removeprefix(MASTER), evening.past, move.private)

    def _must_confirm(self, move: Move, state: Any, heard: Heard) -> bool:
        """What a move asks back; and a fact that somebody, anybody, set right by the microphone."""
        if not move.confirm:
            return bool(heard.said) and ANY in move.sources
        return not move.confirm_when or self._confirm_when[move.confirm_when](state)

    def _asked_back(self, state: Any, move: Move, heard: Heard) -> Say:
        return self._say(state, move.confirm or "confirm_fact", {**heard.slots, "said": heard.said}, Manner.ASK)

    # ---- entering phases and saying their steps

    def _settle(self, state: Any, effects: Effects, *, opened: bool = False) -> Any:
        """Say steps until something must be waited for; adds to `effects`, returns the state that waits."""
        while True:
            phase = self.script.phases[state.phase]
            if not opened:
                effects += [self._floors[phase.name], Show(self.rules.view(state))]
            state, opened = self._skip_hidden(state, phase), False
            while state.step < len(phase.steps):
                step = phase.steps[state.step]
                effects += self._step(state, step)
                if phase.flow == "checklist":
                    effects += self._reminder(state)
                    return state
                if step.pause:
                    effects.append(_dwell(step))
                    return state
                state = self._skip_hidden(replace(state, step=state.step + 1), phase)
            if phase.flow not in ("auto", "checklist"):
                effects += self._waits(state, phase)
                return state
            state = self._go_on(state, effects)

    def _step(self, state: Any, step: Step) -> Effects:
        effects: Effects = [Cue(step.cue)] if step.cue else []
        effects += self._whispered(state, step.whisper)
        if step.say:
            effects.append(self._say(state, step.say, manner=Manner.ASK if step.ask else Manner.TELL))
        return effects

    def _go_on(self, state: Any, effects: Effects) -> Any:
        """A phase that ends by itself fires its `done`."""
        move = self.script.moves[state.phase, DONE]
        after = self.rules.actions[move.do](state, {}) if move.do else state
        if move.echo:
            effects.append(self._say(after, move.echo, manner=Manner.ECHO))
        return replace(after, phase=self.phases.fire(state.phase, DONE, after), step=0, reminded=0)

    def _skip_hidden(self, state: Any, phase: Phase) -> Any:
        """Steps whose condition does not hold are not said."""
        step = state.step
        while (
            step < len(phase.steps) and phase.steps[step].when and not self._shown_when[phase.steps[step].when](state)
        ):
            step += 1
        return state if step == state.step else replace(state, step=step)

    def _elapsed(self, evening: Evening, event: Elapsed) -> tuple[Evening, Effects]:
        state, phase = evening.state, self.script.phases[evening.state.phase]
        if event.timer == "step" and state.step < len(phase.steps):
            effects: Effects = []
            if phase.flow == "checklist":
                return evening, []
            after = self._settle(replace(state, step=state.step + 1), effects)
            return replace(evening, state=after), effects
        if event.timer == TIME_UP and phase.limit and state.ask is None:
            return self._move(evening, TIME_UP, {}, decision=False)
        if event.timer == "warn" and phase.warn:
            return evening, [self._say(state, phase.warn)]
        for before, warning in phase.warnings:
            if event.timer == f"warn:{before:g}":
                return evening, [self._say(state, warning)]
        if event.timer == "remind" and state.reminded < REMINDERS:
            again = replace(state, reminded=state.reminded + 1)
            line = self._open_question(state) or phase.remind
            effects = [line] if isinstance(line, Say) else [self._say(state, line, manner=Manner.ASK)] if line else []
            return replace(evening, state=again), [*effects, *self._reminder(again)]
        return evening, []

    def _open_question(self, state: Any) -> Say | None:
        """The confirmation that is waited for, to be asked again."""
        if state.ask is None:
            return None
        return self._asked_back(state, self.script.moves[state.phase, state.ask.intent], state.ask)

    def _waits(self, state: Any, phase: Phase) -> Effects:
        """What a phase waits for once its steps are said: time, a draw; or the end it has come to."""
        effects: Effects = []
        if phase.final and state.end is not None:
            effects.append(End(state.end.how, state.end.winners))
        if roll := self.rules.roll(state):
            effects.append(roll)
        if seconds := self._seconds(state, phase):
            limit = Wait(TIME_UP, seconds, dwell=phase.limit_dwell, patient=phase.patient, clock=phase.clock)
            effects.append(limit)
            warnings = {f"warn:{before:g}": before for before, _ in phase.warnings}
            if phase.warn:
                warnings["warn"] = phase.warn_before
            for timer, before in warnings.items():
                if seconds > before * 1.5:
                    effects.append(Wait(timer, seconds - before, clock=phase.clock))
        if phase.remind:
            effects += self._reminder(state)
        return effects

    def _seconds(self, state: Any, phase: Phase) -> float:
        """The limit of a phase: a number, an option, or what a clock of the rules says."""
        if not isinstance(phase.limit, str):
            return float(phase.limit)
        clocks = getattr(self.rules, "clocks", {})
        return float(clocks[phase.limit](state) if phase.limit in clocks else self.options[phase.limit])

    def _reminder(self, state: Any) -> Effects:
        phase = self.script.phases[state.phase]
        wanted = state.reminded < REMINDERS and (phase.remind or state.ask is not None)
        return [Wait("remind", phase.remind_after * (1 + state.reminded))] if wanted else []

    def _reopen(self, state: Any) -> Effects:
        """The present phase's floor, question and timers again: after an undo, a correction, a power cut."""
        phase = self.script.phases[state.phase]
        effects: Effects = [self._floors[phase.name], Show(self.rules.view(state))]
        if question := self._open_question(state):
            return [self._yes_or_no(state), effects[1], question, *self._reminder(state)]
        if state.step < len(phase.steps):
            self._settle(state, effects, opened=True)
            return effects
        return [*effects, *self._question(state), *self._waits(state, phase)]

    def _question(self, state: Any) -> Effects:
        """What the present phase waits for, asked again."""
        phase = self.script.phases[state.phase]
        asked = [step for step in phase.steps if step.ask and (not step.when or self._shown_when[step.when](state))]
        line = phase.remind or (asked[-1].say if asked else "")
        return [self._say(state, line, manner=Manner.ASK)] if line else []

    def _recap(self, state: Any, line: str) -> Effects:
        """Where the evening stands: what a query of that name would answer here."""
        recap = self._line_here(state, "status") if "status" in self.script.queries else ""
        return [self._say(state, name) for name in (line, recap) if name in self.lines]

    # ---- small pieces

    def _line_here(self, state: Any, query: str) -> str:
        """The line that answers a query; a language file may have another one for a phase (recap_checklist)."""
        line = self.script.queries[query]
        here = f"{line}_{state.phase}"
        return here if here in self.lines else line

    def _floor(self, phase: Phase) -> Listen:
        """What a phase accepts follows from its moves; nothing is written twice."""
        moves = sorted(self.script.moves.items(), key=lambda item: ANY in item[1].sources)
        own = [on for (name, on), _ in moves if name == phase.name and ":" not in on and on != TIME_UP]
        if phase.flow in ("checklist", "hands") or DONE in own:
            own = [
                *(on for on in own if on not in (DONE, NEXT)),
                *((DONE, NEXT) if phase.flow != "auto" else ()),
            ]
        accepts = tuple(dict.fromkeys((*own, *self.script.queries, *GENERAL)))
        deaf = set(phase.deaf_to)
        if phase.talk:  # table talk is full of facts: to set one right there, use the keyboard, or wait
            deaf |= {move.on for (name, _), move in moves if name == phase.name and ANY in move.sources}
        hears = () if phase.eyes_closed or phase.flow == "auto" else tuple(a for a in accepts if a not in deaf)
        return Listen(phase.name, accepts, hears, phase.talk, phase.brisk)

    def _yes_or_no(self, state: Any) -> Listen:
        """The floor of a confirmation: another sentence may still be typed in its place."""
        floor = self._floors[state.phase]
        return Listen(floor.phase, (YES, NO, *floor.accepts), (YES, NO, "undo"))

    def _say(self, state: Any, line: str, slots: Slots | None = None, manner: Manner = Manner.TELL) -> Say:
        return Say(line, {**self.rules.view(state), **(slots or {})}, manner)

    def _whispered(self, state: Any, line: str, slots: Slots | None = None) -> Effects:
        """`line`, or what the rules whisper in its place; nothing where that is ""."""
        chosen = getattr(self.rules, "whisper_lines", {}).get(line)
        line = chosen(state) if chosen else line
        return [self._whisper(state, line, slots)] if line else []

    def _whisper(self, state: Any, line: str, slots: Slots | None = None, manner: Manner = Manner.TELL) -> Whisper:
        view, slots = getattr(self.rules, "private_view", self.rules.view), slots or {}
        about = self.rules.about(state, slots) if hasattr(self.rules, "about") else {}
        return Whisper(line, {**view(state), **about, **slots}, manner)

    def _refused(self, state: Any, refusal: Refusal, *, private: bool) -> Effect:
        """A refusal is heard by whom it answers."""
        if private:
            return self._whisper(state, refusal.line, refusal.facts, Manner.REFUSE)
        return self._refuse(state, refusal)

    def _refuse(self, state: Any, refusal: Refusal) -> Say:
        return self._say(state, refusal.line, refusal.facts, Manner.REFUSE)


def _recorded(before: Evening, after: Evening, event: Event) -> Evening:
    """With the event beside its decision, or as something that happened between decisions."""
    if after.state is before.state or (isinstance(event, Heard) and event.intent == "undo"):
        return after
    if after.past is before.past:
        return replace(after, past=Past(before.state, "", before.past, event=event, decision=False))
    assert after.past is not None
    return replace(after, past=replace(after.past, event=event))


def _dwell(step: Step) -> Wait:
    return Wait("step", step.pause, dwell=True, jitter=step.jitter, paced=step.paced, mask=step.mask)


def _undo_lines(phase: str, intent: str) -> tuple[str, ...]:
    """The optional lines that say what to do when this decision is taken back, the most particular first."""
    return f"undo_{phase}_{intent}", f"undo_{phase}", f"undo_{intent}"


def fold(game: Game, events: Sequence[Event], skip_setup: bool = False) -> Evening:
    """The evening after all `events`: what a journal amounts to."""
    evening = game.opening(skip_setup)
    for event in events:
        evening, _ = game.receive(evening, event)
    return evening
