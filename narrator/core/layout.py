"""What the views of an evening draw: the table `[show]` of a game.toml, checked against the public facts.

A view (captions on a screen, a page on the phones) knows no game. It draws seats with marks, counters, boards, a vote
and sentences; which facts these are, `[show]` tells:
  [[show.phase]]    word, in            what the phases `in` are called
  [[show.seat]]     fact, kind, sign, word [, in, when]   a mark on the player, or the players, that a fact names
  [show.value]      fact, sign, word    a number beside every name, one for each seat
  [[show.counter]]  fact, word [, of, in, when]
  [[show.board]]    fact, word, of [, cells]   `fact` places of `of` are filled; `cells`: what stands on them
  [show.vote]       in, yes [, no, hands, voters, needed, about, when]
  [[show.text]]     word [, in, when]   a sentence
  [[show.sheet]]    fact, word [, current, when]   of the master's own page; the only one that may name private facts
`in` lists phases, `when` is a fact that is true ("not x": false). A `word` is looked up under `[show]` of the language
file, where it is a template like any line. Names of private facts cannot be written: that is checked when a game loads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.lines import Lines
from narrator.core.script import Script, Source

#: What a mark means, beside its sign and its word: whose word it is, an office held, something done, a vote given,
#: somebody spoken of, barred from something, out of the game, or no more than a note.
KINDS = ("speaks", "office", "done", "voted", "target", "barred", "out", "note")
_ALLOWED: Mapping[str, tuple[str, ...]] = {
    "phase": ("word", "in"),
    "seat": ("fact", "kind", "sign", "word", "in", "when"),
    "value": ("fact", "sign", "word"),
    "counter": ("fact", "word", "of", "in", "when"),
    "board": ("fact", "word", "of", "cells"),
    "vote": ("in", "yes", "no", "hands", "voters", "needed", "about", "when"),
    "text": ("word", "in", "when"),
    "sheet": ("fact", "word", "current", "when"),
}
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "phase": ("word", "in"),
    "seat": ("fact", "kind", "sign", "word"),
    "value": ("fact", "sign", "word"),
    "counter": ("fact", "word"),
    "board": ("fact", "word", "of"),
    "vote": ("in", "yes"),
    "text": ("word",),
    "sheet": ("fact", "word"),
}
_SINGLE = ("value", "vote")
_FACTS = ("fact", "of", "cells", "yes", "no", "hands", "voters", "needed", "about", "current")
#: What is marked where a game says nothing about its views.
_USUAL = {"dead": "✝", "exiled": "✕", "departed": "✕", "out": "✕"}


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of `[show]`. `of` may be a number; other names are facts. `phases`: empty means all."""

    word: str = ""
    fact: str = ""
    kind: str = ""
    sign: str = ""
    of: str | int = 0
    cells: str = ""
    yes: str = ""
    no: str = ""
    hands: str = ""
    voters: str = ""
    needed: str = ""
    about: str = ""
    current: str = ""
    when: str = ""
    phases: frozenset[str] = frozenset()

    def holds(self, phase: str, facts: Mapping[str, Any]) -> bool:
        """Whether it is drawn in this phase, with these facts."""
        if self.phases and phase not in self.phases:
            return False
        name = self.when.removeprefix("not ")
        return not name or bool(facts.get(name)) is (name == self.when)


@dataclass(frozen=True)
class Layout:
    """`words` says the names that items carry, as sentences filled with public facts."""

    words: Lines
    phases: tuple[Item, ...] = ()
    seats: tuple[Item, ...] = ()
    value: Item | None = None
    counters: tuple[Item, ...] = ()
    boards: tuple[Item, ...] = ()
    vote: Item | None = None
    texts: tuple[Item, ...] = ()
    sheet: tuple[Item, ...] = ()


def read_layout(
    source: Source,
    language: str,
    texts: Collection[Source],
    script: Script,
    facts: Collection[str],
    secrets: Collection[str] = (),
) -> Layout:
    """`source`: the game.toml; `texts`: the language files, the table's first; `facts`: the names of public facts.

    Raises ScriptError (file and line) for what no view could draw.
    """
    words = Lines(language, [_words_of(one) for one in texts], facts)
    show = source.data.get("show", {})
    if not show:
        usual = tuple(Item("out", fact, "out", sign) for fact, sign in _USUAL.items() if fact in facts)
        return Layout(words, seats=usual)
    reader = _Reader(source, words, frozenset(script.phases), frozenset(facts), frozenset(secrets))
    items = {kind: reader.items(kind, show.get(kind, {} if kind in _SINGLE else [])) for kind in _ALLOWED}
    for kind in show:
        if kind not in _ALLOWED:
            raise source.fault(f"“{kind}” is nothing a view draws: {', '.join(_ALLOWED)}", "show", kind)
    single = {kind: items[kind][0] if items[kind] else None for kind in _SINGLE}
    return Layout(
        words,
        items["phase"],
        items["seat"],
        single["value"],
        items["counter"],
        items["board"],
        single["vote"],
        items["text"],
        items["sheet"],
    )


def _words_of(source: Source) -> Source:
    """The `[show]` of a language file, read as lines are, beside its names."""
    data = {"names": source.data.get("names", {}), "lines": source.data.get("show", {})}
    return Source(source.file, data, {("lines", *at[1:]): n for at, n in source.lines.items() if at[:1] == ("show",)})


@dataclass(frozen=True)
class _Reader:
    source: Source
    words: Lines
    phases: frozenset[str]
    facts: frozenset[str]
    secrets: frozenset[str]

    def items(self, kind: str, entries: Any) -> tuple[Item, ...]:
        if kind in _SINGLE:
            if not isinstance(entries, dict):
                raise self.source.fault(f"there is one [show.{kind}] only", "show", kind)
            entries = [entries] if entries else []
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self.source.fault(f"write every one as a [[show.{kind}]] of its own", "show", kind)
        return tuple(self._item(kind, n, entry) for n, entry in enumerate(entries))

    def _item(self, kind: str, n: int, entry: Mapping[str, Any]) -> Item:
        at: tuple[str | int, ...] = ("show", kind) if kind in _SINGLE else ("show", kind, n)
        for key in entry:
            if key not in _ALLOWED[kind]:
                raise self.source.fault(f"“{key}” is not known here: {', '.join(_ALLOWED[kind])}", *at, key)
        for key in _NEEDED[kind]:
            if key not in entry:
                raise self.source.fault(f"show.{kind} needs “{key}”", *at)
        self._check(kind, entry, at)
        values = {key: value for key, value in entry.items() if key != "in"}
        return Item(**values, phases=frozenset(entry.get("in", ())))

    def _check(self, kind: str, entry: Mapping[str, Any], at: tuple[str | int, ...]) -> None:
        for phase in entry.get("in", ()):
            if phase not in self.phases:
                raise self.source.fault(f"there is no phase “{phase}”", *at, "in")
        for key, value in entry.items():
            if key != "in" and not isinstance(value, str) and not (key == "of" and type(value) is int):
                raise self.source.fault(f"“{key}” must be a text, not {value!r}", *at, key)
        known = self.facts | (self.secrets if kind == "sheet" else frozenset())
        named = [(key, entry[key]) for key in _FACTS if isinstance(entry.get(key), str)]
        named += [("when", entry["when"].removeprefix("not "))] if "when" in entry else []
        for key, fact in named:
            if fact not in known:
                raise self.source.fault(f"“{fact}” is no public fact of this game", *at, key)
        if "word" in entry and entry["word"] not in self.words.ids:
            raise self.source.fault(f"“{entry['word']}” is not written under [show] of the language", *at, "word")
        if kind == "seat" and entry["kind"] not in KINDS:
            raise self.source.fault(f"a mark is one of {', '.join(KINDS)}", *at, "kind")
        if len(entry.get("sign", "·")) != 1:
            raise self.source.fault("a sign is one character", *at, "sign")


SURROUND = "show_"


def surroundings(layout: Layout) -> dict[str, str]:
    """The words that surround every evening ("paused" -> "Pause"), from the `show_…` of the language files."""
    return {word.removeprefix(SURROUND): text for word, text in layout.words.templates.items() if word[:5] == SURROUND}
