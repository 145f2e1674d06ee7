"""Going back. A decision is a heard sentence that changed the state; undo returns to the state before it.

A game with a master has two channels: undo goes back in its own channel, and what the other one did since is done
again; so in such a game every event is recorded beside the state before it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from narrator.core.effects import Effect
from narrator.core.events import Event, Heard
from narrator.core.floors import DONE, NEXT
from narrator.core.replies import Replies
from narrator.core.script import Script
from narrator.core.states import Effects, Evening, Past, Refusal, Rules
from narrator.core.steps import Steps


class Undo:
    """`receive`: the game itself, which does again what the other channel did."""

    def __init__(
        self,
        script: Script,
        rules: Rules,
        replies: Replies,
        steps: Steps,
        receive: Callable[[Evening, Event], tuple[Evening, Effects]],
    ) -> None:
        self._script, self._rules, self._replies, self._steps, self._receive = script, rules, replies, steps, receive

    def privately(self, evening: Evening) -> tuple[Evening, Effects]:
        """The master's own last entry is taken back."""
        return self._in_channel(evening, private=True)

    def aloud(self, evening: Evening) -> tuple[Evening, Effects]:
        """The table's last decision is taken back."""
        if self._script.mastered:
            return self._in_channel(evening, private=False)
        past = evening.past
        if past is None:
            return evening, [self._replies.refuse(evening.state, Refusal("nothing_to_undo"))]
        return self._undone(Evening(past.before, past.earlier), evening.state, past)

    def _in_channel(self, evening: Evening, *, private: bool) -> tuple[Evening, Effects]:
        """Back to before the last decision of this channel; what the other channel did since is done again.

        Over a secret undo the table's own time goes on as it went; an undo aloud rewinds it. Aloud, nobody gets behind
        a phase that seals what was before it (a night).
        """
        later: list[Past] = []
        shut = not private and self._script.phases[evening.state.phase].seals  # whatever the master has entered or not
        past = None if shut else evening.past
        while past is not None and not (past.decision and past.private is private):
            sealed = not private and self._script.phases[past.before.phase].seals
            later.append(past)
            past = None if sealed else past.earlier
        if past is None:
            refusal = Refusal("nothing_to_undo")
            return evening, [self._replies.refused(evening.state, refusal, private=private)]
        now, lost = self._done_again(past, later, private=private)
        if private:
            return self._undone_secretly(evening.state, now, past, len(lost))
        if self._stands(evening.state, now.state, later, lost):
            return evening, self._masters(evening.state)
        now, effects = self._undone(now, evening.state, past)
        return now, [*effects, *self._lost(now.state, len(lost))]

    def _done_again(self, past: Past, later: list[Past], *, private: bool) -> tuple[Evening, list[Past]]:
        """The evening before `past`, with `later` (last one first) done again; and what of it cannot be."""
        now, lost = Evening(past.before, past.earlier), []
        for one in reversed(later):
            if one.event is not None and (private or one.decision):
                done = now if _means_another(one, now.state) else self._receive(now, one.event)[0]
                lost += [one] if one.decision and done.state == now.state else []
                now = done
        return now, lost

    def _stands(self, before: Any, after: Any, later: list[Past], lost: list[Past]) -> bool:
        """Whether what the table would take back has become the master's: something that he entered since, and that
        everybody saw, leads back to what is seen now, or cannot be done again. What he noted in secret shows nothing.
        """
        following = (before, *(one.before for one in later))
        both = zip(later, following, strict=False)
        shown = [one for one, end in both if one.private and self._seen(one.before) != self._seen(end)]
        back = self._seen(before) == self._seen(after)
        return any(back or any(one is gone for gone in lost) for one in shown)

    def _masters(self, state: Any) -> Effects:
        """Only the master takes back what is his: told to the table, asked again, and told to him."""
        line = "undo_masters" if "undo_masters" in self._replies.lines else "nothing_to_undo"
        told = [self._replies.whisper(state, "mj_objection")] if "mj_objection" in self._replies.lines else []
        return [self._replies.refuse(state, Refusal(line)), *self._replies.question(state), *told]

    def _seen(self, state: Any) -> tuple[Any, ...]:
        """What everybody may know of a state."""
        return state.phase, state.step, state.ask, self._rules.view(state)

    def _undone_secretly(self, before: Any, now: Evening, past: Past, lost: int) -> tuple[Evening, Effects]:
        """Nothing of it is heard unless something public had come of it. He is told what is taken back, and led again
        to where he stands."""
        after = now.state
        effects: Effects = [self._entry_undone(after, past), *self._lost(after, lost)]
        if self._seen(before) != self._seen(after):
            effects += [self._replies.say(after, "corrected")] if "corrected" in self._replies.lines else []
            now, effects = self._reopened(now, effects)
        return now, [*effects, *(one for one in self._replies.led(after) if one not in effects)]

    def _entry_undone(self, state: Any, past: Past) -> Effect:
        """Which of the master's entries it was, in his own words."""
        entry = past.event.said if isinstance(past.event, Heard) else ""
        if not entry or "mj_undone" not in self._replies.lines:
            return self._replies.whisper(state, "undone")
        return self._replies.whisper(state, "mj_undone", {"entry": entry})

    def _reopened(self, now: Evening, effects: Effects) -> tuple[Evening, Effects]:
        """The phase that was gone back to; who has a beat to answer in it is called again, as silence is an answer."""
        state = now.state
        patient = self._script.phases[state.phase].patient and self._steps.called(state)
        if state.ask is not None or not patient or self._replies.question(state):
            return now, [*effects, *self._steps.reopen(state)]
        return replace(now, state=self._steps.call_again(state, effects)), effects

    def _lost(self, state: Any, lost: int) -> Effects:
        """How much of what the other channel had decided since cannot be done again."""
        known = lost and "mj_lost" in self._replies.lines
        return [self._replies.whisper(state, "mj_lost", {"n": lost})] if known else []

    def _undone(self, now: Evening, left: Any, past: Past) -> tuple[Evening, Effects]:
        """What is said when `left` was gone back from, to `now`."""
        state = now.state
        effects: Effects = [self._replies.say(state, "undone")]
        known = (line for line in _undo_lines(state.phase, past.intent) if line in self._replies.lines)
        advice = (*itertools.islice(known, 1), *self._rules.advice(state, left))
        effects += [self._replies.say(state, line) for line in advice]
        if "undo_recap" in self._replies.lines:
            effects.append(self._replies.say(state, "undo_recap"))
        else:
            effects += self._replies.recap(state, "")
        return self._reopened(now, effects)


def recorded(before: Evening, after: Evening, event: Event) -> Evening:
    """With the event beside its decision, or as something that happened between decisions."""
    if after.state is before.state or (isinstance(event, Heard) and event.intent == "undo"):
        return after
    if after.past is before.past:
        return replace(after, past=Past(before.state, "", before.past, event=event, decision=False))
    assert after.past is not None
    return replace(after, past=replace(after.past, event=event))


def _means_another(one: Past, state: Any) -> bool:
    """“suivant” goes on from where it was said; elsewhere it would mean something else."""
    return isinstance(one.event, Heard) and one.event.intent in (NEXT, DONE) and one.before.phase != state.phase


def _undo_lines(phase: str, intent: str) -> tuple[str, ...]:
    """The optional lines that say what to do when this decision is taken back, the most particular first."""
    return f"undo_{phase}_{intent}", f"undo_{phase}", f"undo_{intent}"
