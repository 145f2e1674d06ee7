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

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from narrator.core.effects import Listen, Manner, Say, Wait
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled, Slots, Spoken
from narrator.core.floors import DONE, NEXT, NO, TIME_UP, YES, Floors, general_intents, masters_own, private_intents
from narrator.core.moves import Moves
from narrator.core.phases import Phases
from narrator.core.replies import Replies
from narrator.core.script import MASTER, Script
from narrator.core.states import Effects, Evening, Past, Refusal, Rules
from narrator.core.steps import REMINDERS, Steps
from narrator.core.undo import Undo, recorded

MORE_SECONDS = 60.0


class Game:
    """One table's game: a script and its rules. Holds nothing that changes.

    `general`: intents that may be said in every phase; `masters_own`: those that nobody but the master can say.
    """

    def __init__(self, script: Script, rules: Rules, options: Mapping[str, Any], lines: frozenset[str]) -> None:
        """`lines`: the ids that the language file has; optional ones (undo_…) are said where they exist."""
        self.script, self.rules, self.lines = script, rules, lines
        self.options = {**script.options, **options}
        self.general, self.masters_own = general_intents(script), masters_own(script)
        self.phases = Phases(script, rules.conditions)
        self._floors, self._replies = Floors(script), Replies(script, rules, lines)
        self._steps = Steps(script, rules, self.options, self.phases, self._floors, self._replies)
        self._moves = Moves(script, rules, self.phases, self._floors, self._replies, self._steps)
        self._undo = Undo(script, rules, self._replies, self._steps, self.receive)

    @property
    def floors(self) -> Mapping[str, Listen]:
        """What each phase waits for, by its name."""
        return self._floors.by_phase

    def opening(self, skip_setup: bool = False) -> Evening:
        """The evening before its first event."""
        return Evening(self.rules.start(self.script.skip_to if skip_setup else self.script.first_phase))

    def receive(self, evening: Evening, event: Event) -> tuple[Evening, Effects]:
        """The evening after `event`, and what is to be done. Raises nothing: what cannot be is refused."""
        after, effects = self._received(evening, event)
        if not self.script.mastered:
            return after, effects
        return recorded(evening, after, event), [*effects, *self._secret_draw(evening.state, after.state, event)]

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
                state = self._steps.settle(evening.state, effects)
                return replace(evening, state=state), effects
            case Ordered("resume"):
                return self._resume(evening)
            case Rolled(private=True):
                return self._moves.move(evening, f"{MASTER}rolled:{event.what}", {"value": event.value}, decision=False)
            case Rolled():
                return self._moves.move(evening, "rolled:" + event.what, {"value": event.value}, decision=False)
            case Spoken() | Ordered():
                return evening, []

    def _resume(self, evening: Evening) -> tuple[Evening, Effects]:
        """After a power cut: where we are, then what may not have been heard: the phase from its last pause on.

        Eyes that are closed in it have opened: it begins again, and tells nothing but that.
        """
        state = evening.state
        phase = self.script.phases[state.phase]
        if phase.eyes_closed:
            effects: Effects = [self._replies.say(state, "resumed")]
        else:
            effects = self._replies.recap(state, "resumed")
        effects += self._reminded_privately(state)
        waits = self.script.mastered and not self._steps.called(state)
        if state.ask is not None or phase.flow == "checklist" or waits:
            return evening, [*effects, *self._steps.reopen(state)]
        return replace(evening, state=self._steps.call_again(state, effects)), effects

    def _reminded_privately(self, state: Any) -> Effects:
        """Where the master stands, and what he was led to last."""
        return [*self._private_answer(state, "status"), *self._replies.led(state)]

    # ---- what was heard

    def _heard(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        state = evening.state
        if state.ask is not None:
            return self._answered(evening, event)
        if event.intent == "undo":
            return self._undo.aloud(evening)
        if event.intent in self.script.queries:
            answer = self._replies.say(state, self._replies.line_here(state, event.intent), event.slots)
            return evening, [answer, *(self._replies.question(state) if event.intent == "status" else ())]
        if event.intent == "more_time":
            return self._more_time(evening, event.slots)
        intent = self._handwork(evening.state, event.intent)
        if intent is None:
            return self._next_step(evening)
        return self._moves.move(evening, intent, event.slots, decision=True, heard=event)

    def _answered(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        """While a confirmation is waited for: yes (or the same sentence again), no, or another one in its place."""
        state = evening.state
        calm = replace(evening, state=replace(state, ask=None))
        if event.intent == YES or _said_again(state.ask, event):
            return self._moves.move(calm, state.ask.intent, state.ask.slots, decision=True)
        if event.intent in (NO, "undo"):
            return calm, [self._replies.say(calm.state, "not_done"), *self._steps.reopen(calm.state)]
        after, effects = self._heard(calm, event)
        if after != calm:
            return after, effects
        open_question = self._replies.open_question(state)  # still, and not the one of the phase
        answers = [e for e in effects if not (isinstance(e, Say) and e.manner is Manner.ASK)]
        return evening, [*answers, *([open_question] if open_question else ())]

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
        state = self._steps.settle(replace(evening.state, step=evening.state.step + 1), effects)
        return Evening(state, Past(evening.state, NEXT, evening.past)), effects

    def _more_time(self, evening: Evening, slots: Slots) -> tuple[Evening, Effects]:
        phase = self.script.phases[evening.state.phase]
        if not phase.limit or phase.limit_dwell:
            return evening, [self._replies.refuse(evening.state, Refusal("no_clock"))]
        minutes = max(slots.get("minutes", 1), 1)
        line = "more_minutes" if minutes > 1 and "more_minutes" in self.lines else "more_time"
        timers = (TIME_UP, "warn", *(f"warn:{before:g}" for before, _ in phase.warnings))
        longer = [Wait(timer, minutes * MORE_SECONDS, extend=True) for timer in timers]
        return evening, [self._replies.say(evening.state, line, slots), *longer]

    # ---- what the game master entered

    def _heard_privately(self, evening: Evening, event: Heard) -> tuple[Evening, Effects]:
        state, intent = evening.state, event.intent
        if intent == "undo":
            return self._undo.privately(evening)
        if intent in self.script.private_queries:
            return evening, self._private_answer(state, intent, event.slots)
        if intent in (DONE, NEXT) and self.script.phases[state.phase].flow in ("checklist", "hands"):
            return self._heard(evening, replace(event, private=False, said=""))
        return self._moves.move(evening, MASTER + intent, event.slots, decision=True)

    def private_intents(self, state: Any) -> tuple[str, ...]:
        """What the master's keys may say now."""
        return private_intents(self.script, state.phase)

    def _private_answer(self, state: Any, query: str, slots: Slots | None = None) -> Effects:
        return self._replies.whispered(state, self.script.private_queries.get(query, ""), slots)

    # ---- time that has passed

    def _elapsed(self, evening: Evening, event: Elapsed) -> tuple[Evening, Effects]:
        state, phase = evening.state, self.script.phases[evening.state.phase]
        if event.timer == "step" and state.step < len(phase.steps):
            effects: Effects = []
            if phase.flow == "checklist":
                return evening, []
            after = self._steps.settle(replace(state, step=state.step + 1), effects)
            return replace(evening, state=after), effects
        if event.timer == TIME_UP and phase.limit and state.ask is None:
            return self._moves.move(evening, TIME_UP, {}, decision=False)
        if event.timer == "warn" and phase.warn:
            return evening, [self._replies.say(state, phase.warn)]
        for before, warning in phase.warnings:
            if event.timer == f"warn:{before:g}":
                return evening, [self._replies.say(state, warning)]
        if event.timer == "remind" and state.reminded < REMINDERS:
            again = replace(state, reminded=state.reminded + 1)
            question = self._replies.open_question(state)
            if question is None and phase.remind:
                question = self._replies.say(state, phase.remind, manner=Manner.ASK)
            asked: Effects = [question] if question else []
            return replace(evening, state=again), [*asked, *self._steps.reminder(again)]
        return evening, []


def _said_again(ask: Heard, event: Heard) -> bool:
    """Whoever repeats what is asked back means yes; but a name or a number that was misheard is so a second time."""
    return (event.intent, event.slots) == (ask.intent, ask.slots) and not (event.said and event.slots)


def fold(game: Game, events: Sequence[Event], skip_setup: bool = False) -> Evening:
    """The evening after all `events`: what a journal amounts to."""
    evening = game.opening(skip_setup)
    for event in events:
        evening, _ = game.receive(evening, event)
    return evening
