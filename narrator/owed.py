"""What a power cut must not swallow: the game's lines that were not said to their end are said behind the recap.

The journal notes how many lines are still to be said whenever one has ended, and the fold tells which these are. So at
most the sentence that was being said is said twice, and none is lost; whoever comes back is told once what is asked.
Lines said to closed eyes are not counted: eyes have opened, such a phase begins again; nor what answers a question of
the table's, which is said at once, before what a pause holds back. Without a note (an old journal) all is told again
from the last pause on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from narrator.core.effects import Cue, Effect, Listen, Manner, Say, Wait
from narrator.core.errors import ScriptError
from narrator.core.events import Event, Heard, Ordered
from narrator.core.floors import TIME_UP
from narrator.core.game import Game
from narrator.core.script import Script
from narrator.speech import Line, Speech
from narrator.stage.journal import Journal, Record, read_journal


class Owed:
    """Keeps the note of the journal true while lines are said."""

    def __init__(self, speech: Speech, journal: Journal | None) -> None:
        self._speech, self._journal = speech, journal
        self._left = -1  # lines, as the journal has it; nothing is noted yet
        self._number = 0  # of the last event that said something

    def add(self, line: Line) -> None:
        """A line of the game's, about an event that the journal has."""
        self._speech.add(line)
        if self._journal and line.owed:
            self._left += self._left >= 0
            self._number = self._journal.number

    def note(self, at: float) -> None:
        """`at`: seconds since the evening began. Nothing is written while no line has ended."""
        if self._journal and self._speech.owing != self._left:
            if self._left < 0:  # what was said before this evening, or before it went on, is over
                self._number = self._journal.number
            self._left = self._speech.owing
            self._journal.owed(self._left, self._number, at)


def is_owed(script: Script, phase: str) -> bool:
    """Whether what is said on this floor ("": before the first one) is said to open eyes."""
    return phase not in script.phases or not script.phases[phase].eyes_closed


def only_answers(script: Script, event: Event) -> bool:
    """Whether all that is said about an event answers a question ("où en est-on"): whoever wants it asks again."""
    return isinstance(event, Heard) and event.intent in script.queries


def unsaid(game: Game, journal: Journal) -> list[Say] | None:
    """What an evening that was cut still had to say, in order; None: its journal does not tell."""
    try:
        return _unsaid(game, read_journal(journal.path))
    except ScriptError:
        return None


def _unsaid(game: Game, record: Record) -> list[Say] | None:
    notes: dict[int, list[int]] = defaultdict(list)
    for events, left in record.owed:
        notes[events].append(left)
    evening, floor = game.opening(record.skip_setup), ""
    said: list[Say] = []
    done, noted = 0, bool(notes[0])
    for count, event in enumerate(record.events, 1):
        evening, effects = game.receive(evening, event)
        if event == Ordered("resume"):
            _, effects = gone_on(game.script, effects, said[done:] if noted else None)
            done, floor = len(said), ""
        for effect in effects:
            if isinstance(effect, Listen):
                floor = effect.phase
            elif isinstance(effect, Say) and is_owed(game.script, floor) and not only_answers(game.script, event):
                said.append(effect)
        for left in notes[count]:
            done, noted = max(0, len(said) - left), True
    return said[done:] if noted else None


def gone_on(script: Script, effects: Sequence[Effect], owed: Sequence[Say] | None) -> tuple[list[Effect], list[Effect]]:
    """What a game answers to a resume, parted: the recap, which nobody is owed, and what follows it.

    `owed`: said in the place of what the phase says; None: the phase is told as the game tells it.
    """
    opens = next((n for n, effect in enumerate(effects) if isinstance(effect, Listen)), len(effects))
    recap, rest = list(effects[:opens]), list(effects[opens:])
    if owed is None or not rest:
        return recap, [*(owed or ()), *rest]
    if isinstance(floor := rest[0], Listen) and not is_owed(script, floor.phase):
        return recap, [*owed, *rest]
    silent = [effect for effect in rest[1:] if not isinstance(effect, Say | Cue)]
    return recap, [floor, *owed, *_asked(rest, owed), *silent]


def _asked(effects: Sequence[Effect], owed: Sequence[Say]) -> list[Say]:
    """The question that is open, or what else is waited for, unless it is owed anyway.

    Where hands are at work or the table's clock runs, it goes on by itself: nobody has to be told. A patient clock is
    the beat of somebody who was called, and is called again.
    """
    says = [effect for effect in effects if isinstance(effect, Say)]
    questions = [say for say in says if say.manner is Manner.ASK]
    if questions:
        known = any(say.line == questions[-1].line for say in owed) or (owed and owed[-1].manner is Manner.ASK)
        return [] if known else questions[-1:]
    waits = [effect for effect in effects if isinstance(effect, Wait)]
    by_itself = any(
        wait.timer == "step" or (wait.timer == TIME_UP and not (wait.dwell or wait.patient)) for wait in waits
    )
    return [] if owed or by_itself else says[-1:]
