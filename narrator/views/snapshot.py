"""What everybody may see of an evening at one moment, for any game: frozen, plain, ready to be written as JSON.

Built from nothing but what the rules publish (`Show`: the facts that spoken lines are filled with), what is said and
heard aloud, and the table's own clock. The game master's own page is a Sheet, built apart, and never inside a Snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from narrator.core.layout import Item, Layout

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mark:
    """`kind` is one of core.layout.KINDS; `sign` and `word` say the same without any colour."""

    kind: str
    sign: str
    word: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, clockwise. `value`: a number beside the name, with its sign ("12 ♔"), or ""."""

    name: str
    marks: tuple[Mark, ...] = ()
    value: str = ""

    def has(self, kind: str) -> bool:
        return any(mark.kind == kind for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Timer:
    """Seconds. `rate`: how many of them pass in a second of whoever looks on (a rehearsal may be fast)."""

    total: float
    left: float
    running: bool
    rate: float = 1.0

    def after(self, seconds: float) -> Timer:
        """The same `seconds` later."""
        return replace(self, left=max(self.left - seconds * self.rate, 0.0)) if self.running else self


@dataclass(frozen=True, slots=True)
class Counter:
    word: str
    value: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """`filled` of `len(cells)` places are covered; a cell's text is what stands on it, or ""."""

    word: str
    filled: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vote:
    """As far as it was counted; None is not known. `hands`: who raised one; `about`: whom it concerns."""

    yes: int | None
    no: int | None = None
    voters: int | None = None
    needed: int | None = None
    hands: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """The sentence of the voice; `manner`: tell, ask, echo or refuse."""

    text: str
    manner: str = "tell"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`number` grows by one with each. `dark`: eyes are closed. `heard`: what was last understood, as it was said."""

    number: int
    language: str
    title: str
    phase: str = ""
    said: Said = Said("")
    heard: str = ""
    paused: bool = False
    muted: bool = False
    dark: bool = False
    timer: Timer | None = None
    seats: tuple[Seat, ...] = ()
    counters: tuple[Counter, ...] = ()
    boards: tuple[Board, ...] = ()
    vote: Vote | None = None
    texts: tuple[str, ...] = ()
    ended: bool = False

    def after(self, seconds: float) -> Snapshot:
        """As somebody sees it who looks `seconds` later."""
        return replace(self, timer=self.timer.after(seconds)) if self.timer else self

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Entry:
    """One list of the game master's page; `current`: the line that is due now, or ""."""

    word: str
    lines: tuple[str, ...]
    current: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What only the game master may see."""

    number: int
    whispers: tuple[str, ...]
    entries: tuple[Entry, ...] = ()

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def drawn(layout: Layout, facts: Facts, phase: str) -> dict[str, Any]:
    """The part of a Snapshot that the game decides, by the names of its fields."""
    words = layout.words
    named = [item for item in layout.phases if phase in item.phases]
    return {
        "phase": words.text(named[0].word, facts) if named else "",
        "seats": _seats(layout, facts, phase),
        "counters": tuple(
            Counter(words.text(item.word, facts), _amount(facts.get(item.fact)), _of(item, facts))
            for item in layout.counters
            if item.holds(phase, facts)
        ),
        "boards": tuple(_board(layout, item, facts) for item in layout.boards if item.holds(phase, facts)),
        "vote": _vote(layout.vote, facts) if layout.vote and layout.vote.holds(phase, facts) else None,
        "texts": tuple(words.text(item.word, facts) for item in layout.texts if item.holds(phase, facts)),
    }


def master_entries(layout: Layout, facts: Facts) -> tuple[Entry, ...]:
    """What the game master's page lists; `facts` are those of the private view. Empty lists are left out."""
    entries = []
    for item in (item for item in layout.sheet if item.holds("", facts)):
        lines = tuple(layout.words.called(str(line)) for line in _many(facts.get(item.fact)))
        current = str(facts.get(item.current) or "") if item.current else ""
        if lines:
            entries.append(Entry(layout.words.text(item.word, facts), lines, current))
    return tuple(entries)


def _many(value: Any) -> tuple[Any, ...]:
    if value is None or value == "" or value is False:
        return ()
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _seats(layout: Layout, facts: Facts, phase: str) -> tuple[Seat, ...]:
    marks: dict[str, list[Mark]] = {name: [] for name in facts.get("players", ())}
    for item in layout.seats:
        if item.holds(phase, facts):
            mark = Mark(item.kind, item.sign, layout.words.text(item.word, facts))
            for name in _many(facts.get(item.fact)):
                if name in marks and mark not in marks[name]:
                    marks[name].append(mark)
    values = _values(layout.value, facts)
    return tuple(Seat(name, tuple(own), values.get(name, "")) for name, own in marks.items())


def _values(item: Item | None, facts: Facts) -> dict[str, str]:
    if item is None:
        return {}
    numbers = _many(facts.get(item.fact))
    return {name: f"{n}\u00a0{item.sign}" for name, n in zip(facts.get("players", ()), numbers, strict=False)}


def _amount(value: Any) -> int:
    """A number; of a list, how long it is."""
    return len(value) if isinstance(value, (tuple, list)) else int(value or 0)


def _of(item: Item, facts: Facts) -> int | None:
    return (_amount(facts.get(item.of)) if isinstance(item.of, str) else item.of) or None


def _board(layout: Layout, item: Item, facts: Facts) -> Board:
    texts = [str(cell) for cell in _many(facts.get(item.cells))] if item.cells else []
    size = _of(item, facts) or len(texts)
    texts += [""] * (size - len(texts))
    return Board(layout.words.text(item.word, facts), _amount(facts.get(item.fact)), tuple(texts[:size]))


def _vote(item: Item, facts: Facts) -> Vote:
    def number(name: str) -> int | None:
        value = facts.get(name) if name else None
        return None if value is None else int(value)

    hands = tuple(_many(facts.get(item.hands))) if item.hands else ()
    about = str(facts.get(item.about) or "") if item.about else ""
    return Vote(number(item.yes), number(item.no), number(item.voters), number(item.needed) or None, hands, about)
