"""A trigger that leads somewhere: it is checked, asked back where the move wants it, acted upon, echoed; then goes on.

What the master enters privately is answered privately, except where a move says aloud what everybody may know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from narrator.core.effects import Manner, Show
from narrator.core.events import Heard, Slots
from narrator.core.floors import Floors
from narrator.core.phases import Phases, condition
from narrator.core.replies import Replies
from narrator.core.script import ANY, MASTER, Move, Script
from narrator.core.states import Effects, Evening, Past, Refusal, Rules
from narrator.core.steps import Steps


class Moves:
    """Makes the moves of a script; every way out of a phase that is not its own end goes through here."""

    def __init__(
        self, script: Script, rules: Rules, phases: Phases, floors: Floors, replies: Replies, steps: Steps
    ) -> None:
        self._script, self._rules, self._phases = script, rules, phases
        self._floors, self._replies, self._steps = floors, replies, steps
        self._confirm_when = {
            move.confirm_when: condition(move.confirm_when, rules.conditions)
            for move in script.moves.values()
            if move.confirm_when
        }

    def move(
        self, evening: Evening, trigger: str, slots: Slots, *, decision: bool, heard: Heard | None = None
    ) -> tuple[Evening, Effects]:
        """Check, act, echo, go on. `heard`: ask back first where the move wants it."""
        state, private = evening.state, trigger.startswith(MASTER)
        move = self._script.moves.get((state.phase, trigger))
        if move is None and private:
            return evening, [self._replies.refused(state, Refusal("not_now", {"intent": trigger}), private=True)]
        if move is None:
            refusal = Refusal("cannot_skip" if trigger == "skip" else "not_now", {"intent": trigger})
            return evening, [self._replies.refuse(state, refusal), *self._replies.question(state)]
        if move.check and (why_not := self._rules.checks[move.check](state, slots)):
            return evening, [self._replies.refused(state, why_not, private=private)]
        if heard is not None and self._must_confirm(move, state, heard):
            asking = replace(state, ask=heard)
            asked: Effects = [self._floors.yes_or_no(asking), self._replies.asked_back(state, move, heard)]
            return replace(evening, state=asking), [*asked, *self._steps.reminder(asking)]
        after = self._rules.actions[move.do](state, slots) if move.do else state
        past = self._past(evening, move, after) if decision else evening.past
        effects: Effects = self._replies.whispered(after, move.whisper, slots)
        if move.echo:
            effects.append(self._replies.say(after, move.echo, slots, Manner.ECHO))
        if private:
            return self._moved_privately(evening, replace(after, ask=None), trigger, move, past, effects)
        if not move.to and not move.echo and after == state:
            return evening, []  # nothing changed and nothing is to be said: a late "oui", the rest of a count
        if not move.to:
            return Evening(after, past), [*effects, Show(self._rules.view(after)), *self._steps.reopen(after)]
        phase = self._phases.fire(state.phase, trigger, after)
        after = self._steps.settle(replace(after, phase=phase, step=0, reminded=0), effects)
        return Evening(after, past), effects

    def _moved_privately(
        self, evening: Evening, after: Any, trigger: str, move: Move, past: Past | None, effects: Effects
    ) -> tuple[Evening, Effects]:
        """Where the phase stays and nothing is said aloud, nothing public happens at all. A move that leads back to
        its own phase begins it anew (the next seat is called), but not in one without a word (a night sheet turns)."""
        state = evening.state
        phase = self._phases.fire(state.phase, trigger, after) if move.to else state.phase
        if phase != state.phase or (move.to and any(step.say for step in self._script.phases[phase].steps)):
            after = self._steps.settle(replace(after, phase=phase, step=0, reminded=0), effects)
        elif move.echo:
            effects += [Show(self._rules.view(after)), *self._steps.reopen(after)]
        else:
            after = replace(after, ask=state.ask)
        return Evening(after, past), effects

    def _past(self, evening: Evening, move: Move, after: Any) -> Past | None:
        """What undo goes back to. A sentence that changes nothing is no decision; what is said within a
        breath of the one before it (a phase with a dwelling limit) belongs to that one."""
        dwells = self._script.phases[evening.state.phase].limit_dwell and not move.private
        breath = dwells and evening.past is not None
        if breath or (not move.to and after == evening.state):
            return evening.past
        return Past(evening.state, move.on.removeprefix(MASTER), evening.past, move.private)

    def _must_confirm(self, move: Move, state: Any, heard: Heard) -> bool:
        """What a move asks back; and a fact that somebody, anybody, set right by the microphone."""
        if not move.confirm:
            return bool(heard.said) and ANY in move.sources
        return not move.confirm_when or self._confirm_when[move.confirm_when](state)
