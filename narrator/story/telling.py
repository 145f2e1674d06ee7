"""A journal -> what happened, in an order that can be told: pure, and public unless secrets are asked for.

The events are folded once more; what the narrator said to each of them is what it says to them now. Deeds are derived
from the states that still stand at the end: what was undone left no deed, but is listed among what was misheard.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.core.deeds import Deed
from narrator.core.effects import Effect, Manner, Say, Whisper
from narrator.core.elision import agreed
from narrator.core.events import Event, Heard
from narrator.core.floors import YES
from narrator.core.phrases import Meaning
from narrator.core.spelling import printed
from narrator.core.states import Evening
from narrator.core.templates import SLOT, Form
from narrator.library import Production
from narrator.story.words import page_word

#: Why a sentence is in the list of what was misheard or taken back.
MISSED, REFUSED, DENIED, UNDONE = "missed", "refused", "denied", "undone"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the transcript. `kind`: "said", "heard", "typed", "whisper" or one of the four above."""

    at: float  # seconds since the evening began
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A deed, when and in which turn."""

    at: float
    turn: int
    deed: Deed


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn (a day, a game of Le Bourreau) and the game's numbers at its end."""

    number: int
    at: float
    gauges: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Story:
    """All that the page shows."""

    title: str
    language: str
    game: str
    players: tuple[str, ...]
    seconds: float
    entries: tuple[Entry, ...]
    deeds: tuple[Told, ...]
    turns: tuple[Turn, ...]
    state: Mapping[str, Any]  # the public one at the end
    winners: tuple[str, ...]
    how: str

    @property
    def doubts(self) -> tuple[Entry, ...]:
        """What was misheard, refused or taken back."""
        return tuple(e for e in self.entries if e.kind in (MISSED, REFUSED, DENIED, UNDONE))


@dataclass(frozen=True, slots=True)
class Happened:
    """An event and when; an event of None is an utterance that was none of the sentences."""

    at: float
    event: Event | None


@dataclass(frozen=True, slots=True)
class _Step:
    at: float
    state: Any


class _Decisions:
    """Which sentence made which decision: what can be undone keeps only the intent, and with a master the event."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[object, Heard]] = {}  # by an id: its owner is kept, so that nothing else gets it

    def note(self, event: Event, before: Evening, after: Evening) -> None:
        """Keep the sentence if it decided something; a “oui” decides what was asked back."""
        past = after.past
        if isinstance(event, Heard) and event.intent != "undo" and past is not None and past is not before.past:
            asked = before.state.ask if event.intent == YES else None
            key = past.event or past
            self._made[id(key)] = (key, asked or event)

    def last(self, evening: Evening, *, private: bool) -> Heard | None:
        """The sentence that an undo in this channel takes back."""
        past = evening.past
        while past is not None and not (past.decision and past.private is private):
            past = past.earlier
        if past is None:
            return None
        _, heard = self._made.get(id(past.event or past), (None, Heard(past.intent)))
        return heard


def tell(production: Production, happened: Sequence[Happened], *, skip_setup: bool, secrets: bool = False) -> Story:
    """The story of an evening. `secrets`: the game master's whispers and entries are told too."""
    entries: list[Entry] = []
    evening = production.game.opening(skip_setup)
    path, decisions = [_Step(0.0, evening.state)], _Decisions()
    for one in happened:
        if one.event is None:
            entries.append(Entry(one.at, MISSED, ""))
            continue
        after, effects = production.game.receive(evening, one.event)
        taken_back = decisions.last(evening, private=isinstance(one.event, Heard) and one.event.private)
        entries += _entries(production, one.at, one.event, evening, after, effects, taken_back, secrets)
        decisions.note(one.event, evening, after)
        path = _path(path, after.state, one.at)
        evening = after
    if production.game.script.mastered:
        path = _stands(production, evening, happened, skip_setup)
    module, setting, end = production.rules_module, production.setting, evening.state.end
    return Story(
        production.title, setting.language, setting.game, setting.players, happened[-1].at if happened else 0.0,
        tuple(entries), tuple(_deeds(module, path)), tuple(_turns(module, path)), module.public_state(evening.state),
        end.winners if end else (), end.how if end else "",
    )  # fmt: skip


def _path(path: list[_Step], state: Any, at: float) -> list[_Step]:
    """The states that stand: an undo goes back to one of them, the very same object."""
    for i in range(len(path) - 1, -1, -1):
        if path[i].state is state:
            return path[: i + 1]
    return [*path, _Step(at, state)]


def _stands(production: Production, end: Evening, happened: Sequence[Happened], skip_setup: bool) -> list[_Step]:
    """With a game master an undo does again what the other channel did: the events that stand are in the past."""
    times = {id(one.event): one.at for one in happened}
    events: list[Event] = []
    past = end.past
    while past is not None:
        if past.event is not None:
            events.append(past.event)
        past = past.earlier
    evening = production.game.opening(skip_setup)
    path = [_Step(0.0, evening.state)]
    for event in reversed(events):
        evening, _ = production.game.receive(evening, event)
        path.append(_Step(times.get(id(event), path[-1].at), evening.state))
    return path


def _entries(
    production: Production, at: float, event: Event, before: Evening, after: Evening, effects: Sequence[Effect],
    taken_back: Heard | None, secrets: bool,
) -> Iterator[Entry]:  # fmt: skip
    if isinstance(event, Heard) and (secrets or not event.private):
        kind = _kind(event, before, after, effects)
        meant = {UNDONE: taken_back, DENIED: before.state.ask}.get(kind)
        yield Entry(at, kind, printed(_words(production, meant or event)))
    for effect in effects:
        if isinstance(effect, Say):
            yield Entry(at, "said", production.lines.text(effect.line, effect.facts))
        elif isinstance(effect, Whisper) and secrets:
            yield Entry(at, "whisper", production.lines.text(effect.line, effect.facts))


def _kind(event: Heard, before: Evening, after: Evening, effects: Sequence[Effect]) -> str:
    if before.state.ask is not None and event.intent in ("no", "undo"):
        return DENIED
    if event.intent == "undo" and after.past is not before.past:
        return UNDONE
    if any(isinstance(e, (Say, Whisper)) and e.manner is Manner.REFUSE for e in effects):
        return REFUSED
    return "heard" if event.said and not event.private else "typed"


def _words(production: Production, heard: Heard) -> str:
    """What was said, else how a table would have said it; never an id, which tells a player nothing."""
    if heard.said:
        return heard.said
    if shown := production.phrases.sentences_for(Meaning(heard.intent, heard.slots)):
        return shown[0]
    forms = (form for form in production.phrases.forms if form.intent == heard.intent)  # what can only be typed
    found = max(
        (form for form in forms if _fits(form, heard)), key=lambda form: len(SLOT.findall(form.text)), default=None
    )
    return _filled(production, found.text, heard) if found else page_word(production.setting.language, "some_sentence")


def _fits(form: Form, heard: Heard) -> bool:
    """Whether this form says nothing but what was meant, once its holes are filled."""
    holes = all(_slot(hole) in heard.slots for hole in SLOT.findall(form.text))
    return holes and all(heard.slots.get(name) == value for name, value in form.fixed.items())


def _filled(production: Production, text: str, heard: Heard) -> str:
    for hole in SLOT.findall(text):
        value, mark = heard.slots[_slot(hole)], f"{{{hole}}}"
        listed = value if isinstance(value, (list, tuple)) else [value]
        name = ", ".join(production.phrases.called(hole, one) for one in listed)
        elides = production.setting.language == "fr" and not isinstance(value, int)
        text = (agreed(text, mark, name) if elides else text).replace(mark, name, 1)
    return text


def _slot(hole: str) -> str:
    """“{oui_n}” fills the slot n."""
    return hole.rsplit("_", 1)[-1]


def _deeds(module: Any, path: Sequence[_Step]) -> Iterator[Told]:
    find = getattr(module, "deeds", lambda before, after: ())
    for before, after in itertools.pairwise(path):
        for deed in find(before.state, after.state):
            yield Told(after.at, getattr(before.state, "turn", 0), deed)  # a refusal already began the next turn


def _turns(module: Any, path: Sequence[_Step]) -> Iterator[Turn]:
    gauge: Callable[[Any], Mapping[str, int]] = getattr(module, "gauges", lambda state: {})
    began = path[0].at
    for step, later in zip(path, [*path[1:], None], strict=True):
        turn = getattr(step.state, "turn", 0)
        if later is None or getattr(later.state, "turn", 0) != turn:
            if numbers := gauge(step.state):
                yield Turn(turn, began, numbers)
            began = later.at if later else began
