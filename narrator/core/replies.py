"""What the engine answers: a line with all that may fill it, said to the table or whispered to the master.

Whether a step's question is asked depends on its condition; a line is chosen here, its words are the language file's.
"""

from __future__ import annotations

from typing import Any

from narrator.core.effects import Effect, Manner, Say, Whisper
from narrator.core.events import Heard, Slots
from narrator.core.phases import condition
from narrator.core.script import Move, Script, Step
from narrator.core.states import Effects, Refusal, Rules

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


class Replies:
    """`lines`: the ids that the language file has; optional ones are said where they exist."""

    def __init__(self, script: Script, rules: Rules, lines: frozenset[str]) -> None:
        self._script, self._rules, self.lines = script, rules, lines
        self._shown_when = {
            step.when: condition(step.when, rules.conditions)
            for phase in script.phases.values()
            for step in phase.steps
            if step.when
        }

    def say(self, state: Any, line: str, slots: Slots | None = None, manner: Manner = Manner.TELL) -> Say:
        return Say(line, {**self._rules.view(state), **(slots or {})}, manner)

    def refuse(self, state: Any, refusal: Refusal) -> Say:
        return self.say(state, refusal.line, refusal.facts, Manner.REFUSE)

    def refused(self, state: Any, refusal: Refusal, *, private: bool) -> Effect:
        """A refusal is heard by whom it answers."""
        if private:
            return self.whisper(state, refusal.line, refusal.facts, Manner.REFUSE)
        return self.refuse(state, refusal)

    def whisper(self, state: Any, line: str, slots: Slots | None = None, manner: Manner = Manner.TELL) -> Whisper:
        view, slots = getattr(self._rules, "private_view", self._rules.view), slots or {}
        about = self._rules.about(state, slots) if hasattr(self._rules, "about") else {}
        return Whisper(line, {**view(state), **about, **slots}, manner)

    def whispered(self, state: Any, line: str, slots: Slots | None = None) -> Effects:
        """`line`, or what the rules whisper in its place; nothing where that is ""."""
        chosen = getattr(self._rules, "whisper_lines", {}).get(line)
        line = chosen(state) if chosen else line
        return [self.whisper(state, line, slots)] if line else []

    def led(self, state: Any) -> Effects:
        """What the master was led to last in this phase, as it is now."""
        steps = self._script.phases[state.phase].steps[: state.step]
        lines = [step.whisper for step in steps if step.whisper and self.is_shown(step, state)]
        return self.whispered(state, lines[-1]) if lines else []

    def asked_back(self, state: Any, move: Move, heard: Heard) -> Say:
        return self.say(state, move.confirm or "confirm_fact", {**heard.slots, "said": heard.said}, Manner.ASK)

    def open_question(self, state: Any) -> Say | None:
        """The confirmation that is waited for, to be asked again."""
        if state.ask is None:
            return None
        return self.asked_back(state, self._script.moves[state.phase, state.ask.intent], state.ask)

    def question(self, state: Any) -> Effects:
        """What the present phase waits for, asked again."""
        phase = self._script.phases[state.phase]
        asked = [step for step in phase.steps if step.ask and self.is_shown(step, state)]
        line = phase.remind or (asked[-1].say if asked else "")
        return [self.say(state, line, manner=Manner.ASK)] if line else []

    def recap(self, state: Any, line: str) -> Effects:
        """Where the evening stands: what a query of that name would answer here."""
        recap = self.line_here(state, "status") if "status" in self._script.queries else ""
        return [self.say(state, name) for name in (line, recap) if name in self.lines]

    def line_here(self, state: Any, query: str) -> str:
        """The line that answers a query; a language file may have another one for a phase (recap_checklist)."""
        line = self._script.queries[query]
        here = f"{line}_{state.phase}"
        return here if here in self.lines else line

    def is_shown(self, step: Step, state: Any) -> bool:
        """Whether a step is said in this state: its condition holds."""
        return not step.when or self._shown_when[step.when](state)
