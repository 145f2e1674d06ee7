"""What may be said next, so that the voice can be rendered while the table talks.

The game is pure, so it can be asked: every sentence that is legal now is tried on a copy of the evening, and the lines
of its answer are collected, likely ones first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from narrator.core.effects import Listen, Say, Wait
from narrator.core.errors import ScriptError
from narrator.core.events import Elapsed, Event, Heard
from narrator.core.states import Evening
from narrator.library import Production

TRIALS = 160  # sentences tried per floor: a table of ten can say about this many


def sentences_ahead(production: Production, evening: Evening, floor: Listen) -> Iterator[str]:
    """Every line, as text, that the next sentence or timer may lead to; lazily, so that a caller may stop."""
    events: list[Event] = [Elapsed("step"), Elapsed("time_up"), Elapsed("remind"), Elapsed("warn")]
    meanings = production.phrases.meanings(floor.hears).values()
    events += [Heard(meaning.intent, meaning.slots) for meaning in islice(meanings, TRIALS)]
    told: set[str] = set()
    for event in events:
        for text in _answer(production, evening, event):
            if text not in told:
                told.add(text)
                yield text


def _answer(production: Production, evening: Evening, event: Event) -> Iterator[str]:
    """The lines that follow an event, through the dwell times that pass by themselves."""
    for _ in range(12):
        evening, effects = production.game.receive(evening, event)
        for effect in effects:
            if isinstance(effect, Say):
                try:
                    yield production.lines.spoken(effect.line, effect.facts)
                except ScriptError:
                    continue  # told when it is really said
        dwell = next((e for e in effects if isinstance(e, Wait) and e.dwell), None)
        if dwell is None:
            return
        event = Elapsed(dwell.timer)
