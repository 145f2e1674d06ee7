"""A phase from its first word to what it waits for: its floor opens, its steps are said, its timers start.

Steps are said one by one until something must be waited for (a silence, hands, a sentence, a draw); a phase that ends
by itself goes on to the next one at once. After an undo, a correction, a power cut the same is opened again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from narrator.core.effects import Cue, End, Manner, Show, Wait
from narrator.core.floors import DONE, TIME_UP, Floors
from narrator.core.phases import Phases
from narrator.core.replies import Replies
from narrator.core.script import Phase, Script, Step
from narrator.core.states import Effects, Rules

REMINDERS = 2  # a silent room is reminded twice, then the narrator waits


class Steps:
    """Walks through a script as far as it goes by itself."""

    def __init__(
        self,
        script: Script,
        rules: Rules,
        options: Mapping[str, Any],
        phases: Phases,
        floors: Floors,
        replies: Replies,
    ) -> None:
        self._script, self._rules, self._options = script, rules, options
        self._phases, self._floors, self._replies = phases, floors, replies

    def settle(self, state: Any, effects: Effects, *, opened: bool = False) -> Any:
        """Say steps until something must be waited for; adds to `effects`, returns the state that waits."""
        while True:
            phase = self._script.phases[state.phase]
            if not opened:
                effects += [self._floors.by_phase[phase.name], Show(self._rules.view(state))]
            state, opened = self._skip_hidden(state, phase), False
            while state.step < len(phase.steps):
                step = phase.steps[state.step]
                effects += self._step(state, step)
                if phase.flow == "checklist":
                    effects += self.reminder(state)
                    return state
                if step.pause:
                    effects.append(_dwell(step))
                    return state
                state = self._skip_hidden(replace(state, step=state.step + 1), phase)
            if phase.flow not in ("auto", "checklist"):
                effects += self.waits(state, phase)
                return state
            state = self._go_on(state, effects)

    def _step(self, state: Any, step: Step) -> Effects:
        effects: Effects = [Cue(step.cue)] if step.cue else []
        effects += self._replies.whispered(state, step.whisper)
        if step.say:
            effects.append(self._replies.say(state, step.say, manner=Manner.ASK if step.ask else Manner.TELL))
        return effects

    def _go_on(self, state: Any, effects: Effects) -> Any:
        """A phase that ends by itself fires its `done`."""
        move = self._script.moves[state.phase, DONE]
        after = self._rules.actions[move.do](state, {}) if move.do else state
        if move.echo:
            effects.append(self._replies.say(after, move.echo, manner=Manner.ECHO))
        return replace(after, phase=self._phases.fire(state.phase, DONE, after), step=0, reminded=0)

    def _skip_hidden(self, state: Any, phase: Phase) -> Any:
        """Steps whose condition does not hold are not said."""
        step = state.step
        while step < len(phase.steps) and not self._replies.is_shown(phase.steps[step], state):
            step += 1
        return state if step == state.step else replace(state, step=step)

    def waits(self, state: Any, phase: Phase) -> Effects:
        """What a phase waits for once its steps are said: time, a draw; or the end it has come to."""
        effects: Effects = []
        if phase.final and state.end is not None:
            effects.append(End(state.end.how, state.end.winners))
        if roll := self._rules.roll(state):
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
            effects += self.reminder(state)
        return effects

    def _seconds(self, state: Any, phase: Phase) -> float:
        """The limit of a phase: a number, an option, or what a clock of the rules says."""
        if not isinstance(phase.limit, str):
            return float(phase.limit)
        clocks = getattr(self._rules, "clocks", {})
        return float(clocks[phase.limit](state) if phase.limit in clocks else self._options[phase.limit])

    def reminder(self, state: Any) -> Effects:
        """The timer after which a silent room is asked again, if it is."""
        phase = self._script.phases[state.phase]
        wanted = state.reminded < REMINDERS and (phase.remind or state.ask is not None)
        return [Wait("remind", phase.remind_after * (1 + state.reminded))] if wanted else []

    def reopen(self, state: Any) -> Effects:
        """The present phase's floor, question and timers again: after an undo, a correction, a power cut."""
        phase = self._script.phases[state.phase]
        effects: Effects = [self._floors.by_phase[phase.name], Show(self._rules.view(state))]
        if question := self._replies.open_question(state):
            return [self._floors.yes_or_no(state), effects[1], question, *self.reminder(state)]
        if state.step < len(phase.steps):
            self.settle(state, effects, opened=True)
            return effects
        return [*effects, *self._replies.question(state), *self.waits(state, phase)]

    def called(self, state: Any) -> bool:
        """Whether somebody is to answer within a beat, and is called for it: silence is an answer there."""
        phase = self._script.phases[state.phase]
        return (phase.patient or phase.limit_dwell) and any(step.say for step in phase.steps)

    def call_again(self, state: Any, effects: Effects) -> Any:
        """The present phase from its last pause on, or whole where eyes are closed; as `settle`."""
        phase = self._script.phases[state.phase]
        heard = (n for n, step in enumerate(phase.steps[: state.step], 1) if step.pause and not phase.eyes_closed)
        return self.settle(replace(state, step=max(heard, default=0)), effects)


def _dwell(step: Step) -> Wait:
    return Wait("step", step.pause, dwell=True, jitter=step.jitter, paced=step.paced, mask=step.mask)
