"""One line for each thing that happens: for screen readers, braille displays, logs and pipes; no colour, no layout.

The sentences of the voice as they are; what was heard; and every change on the table that is worth a word.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from narrator.conductor import Conductor
from narrator.core.effects import Manner
from narrator.core.phrases import Meaning
from narrator.core.spelling import printed
from narrator.stage.screen import harmless
from narrator.views.snapshot import Counter, Seat, Snapshot, Vote


class Plain:
    """A Watcher, and a view of the Desk (`show`)."""

    def __init__(self, words: Mapping[str, str], out: TextIO | None = None) -> None:
        self._words, self._out = words, out or sys.stdout
        self._last: Snapshot | None = None

    def spoke(self, text: str, manner: Manner) -> None:
        self._print(text)

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        if not typed and meaning is not None:
            self._print(f"{self._words['heard']}{self._words['colon']}{printed(text)}")

    def shown(self, facts: Mapping[str, Any]) -> None:
        """The Desk tells what has changed."""

    def whispered(self, text: str) -> None:
        self._print(f"[mj] {text}")

    def settled(self, conductor: Conductor) -> None:
        """Nothing to add when the narrator falls silent."""

    def show(self, snapshot: Snapshot) -> None:
        for line in changes(self._last, snapshot, self._words):
            self._print(line)
        self._last = snapshot

    def _print(self, text: str) -> None:
        print(harmless(text), file=self._out, flush=True)


def changes(before: Snapshot | None, now: Snapshot, words: Mapping[str, str]) -> Iterator[str]:
    """What a listener would want to know besides the sentences themselves."""
    colon = words["colon"]
    if before is None:
        yield now.title
        yield f"{words['seats']}{colon}{', '.join(seat.name for seat in now.seats)}"
    if now.phase and (before is None or before.phase != now.phase):
        yield f"[{now.phase}]"
    was = {seat.name: seat for seat in before.seats} if before else {}
    for seat in now.seats:
        for news in _seat(was.get(seat.name, Seat(seat.name)), seat):
            yield f"{seat.name}{colon}{news}"
    for counter in now.counters if before is None else _new(before.counters, now.counters):
        yield f"{counter.word}{colon}{_of(counter)}"
    for board in _new(before.boards, now.boards) if before else now.boards:
        yield f"{board.word}{colon}{board.filled} / {len(board.cells)}"
    yield from _new(before.texts, now.texts) if before else now.texts
    if now.vote and (before is None or before.vote != now.vote):
        head, counts = vote_in_words(now.vote, words)
        yield f"{head}{colon}{', '.join(counts)}"
    if now.timer and now.timer.running and not (before and before.timer and before.timer.running):
        yield f"{words['timer']}{colon}{clock(now.timer.left)}"
    if now.paused and not (before and before.paused):
        yield words["paused"]


def vote_in_words(vote: Vote, words: Mapping[str, str]) -> tuple[str, list[str]]:
    """ "Vote, Chloé" and ["4 oui", "3 non"], the number that is needed last."""
    head = f"{words['vote']}, {vote.about}" if vote.about else words["vote"]
    counts = [f"{n} {words[word]}" for n, word in ((vote.yes, "yes"), (vote.no, "no")) if n is not None]
    return head, [*counts, *([f"{words['needed']} {vote.needed}"] if vote.needed else [])]


def quoted(text: str, language: str) -> str:
    """ "« oui »", “yes”."""
    return f"«\u00a0{text}\u00a0»" if language == "fr" else f"“{text}”"


def clock(seconds: float) -> str:
    """ "2:05"."""
    minutes, rest = divmod(max(int(-(-seconds // 1)), 0), 60)
    return f"{minutes}:{rest:02d}"


def _of(counter: Counter) -> str:
    return f"{counter.value} / {counter.of}" if counter.of else str(counter.value)


def _new(before: tuple[Any, ...], now: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for item in now if item not in before)


def _seat(before: Seat, now: Seat) -> Iterator[str]:
    gained = [mark.word for mark in now.marks if mark not in before.marks and mark.kind != "speaks"]
    if gained:
        yield ", ".join(gained)
    if now.value and now.value != before.value:
        yield now.value
