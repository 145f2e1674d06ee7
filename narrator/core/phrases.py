"""Sentence templates -> the sentences to listen for, and heard or typed text -> intent and slots.

Templates are hassil's ("[je] propose {player}"); hassil expands them, and every sentence they allow is kept
with its meaning. Heard text is looked up there, so a sentence that no template allows is not an intent.
`hear` lists the forms that the ear listens for (few: each filled form is a token of the table's graph), `say`
all that is understood.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hassil import Sentence, parse_sentence
from hassil.parser import ParseError
from hassil.sample import sample_expression
from rapidfuzz import fuzz, process

from narrator.core.errors import ScriptError
from narrator.core.lines import number_words
from narrator.core.script import Source

_SLOT = re.compile(r"\{(\w+)\}")
_PUNCTUATION = re.compile(r"[.,;:!?…«»“”\"()]")
PLAYER_SLOTS = ("player", "other")
_NEAR = 72  # rapidfuzz score (0..100) from which a typed sentence resembles a known one


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a sentence means: an intent and its slots (player names, numbers)."""

    intent: str
    slots: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Form:
    intent: str
    text: str  # with {slot} holes
    fixed: Mapping[str, Any]  # slots that the form itself gives (tale = "pacifist")
    heard: bool


def normal(text: str) -> str:
    """Lower case, no accents or punctuation, hyphens as spaces: two spellings of one sentence are one key."""
    text = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = _PUNCTUATION.sub(" ", text.replace("’", "'").replace("`", "'"))
    return " ".join(re.sub(r"[-‐‑–—]", " ", text).split())


class Phrases:
    """All that a table can say in one language."""

    def __init__(
        self,
        language: str,
        sources: Sequence[Source],
        players: Sequence[str],
        ranges: Mapping[str, range],
    ) -> None:
        """`ranges`: number slots and their values. ScriptError (file and line) for a faulty template."""
        self.language = language
        self._numbers: dict[int, list[str]] = {}
        self._fillers: frozenset[str] = frozenset()
        for source in sources:
            for number, words in source.data.get("numbers", {}).items():
                self._numbers[int(number)] = [*self._numbers.get(int(number), ()), *words]
            self._fillers |= {normal(word) for word in source.data.get("fillers", ())}
        self._players, self._ranges = tuple(players), ranges
        self._forms = [form for source in sources for form in _forms(source, {*PLAYER_SLOTS, *ranges})]
        self._meanings: dict[str, list[Meaning]] = {}
        self._heard: dict[str, dict[str, Meaning]] = {}
        for form in self._forms:
            for text, slots in self._filled(form):
                meanings = self._meanings.setdefault(normal(text), [])
                meaning = Meaning(form.intent, slots)
                if meaning not in meanings:
                    meanings.append(meaning)
                if form.heard and slots.get("player", 0) != slots.get("other", 1):
                    self._heard.setdefault(form.intent, {})[text.lower()] = meaning

    @property
    def intents(self) -> frozenset[str]:
        return frozenset(form.intent for form in self._forms)

    def sentences(self, intents: Iterable[str] | None = None) -> tuple[str, ...]:
        """What the ear listens for when these intents are legal (all of them without `intents`)."""
        wanted = self._heard if intents is None else intents
        return tuple(dict.fromkeys(text for intent in wanted for text in self._heard.get(intent, ())))

    def sentences_for(self, meaning: Meaning) -> tuple[str, ...]:
        """Every sentence that the ear listens for and that means exactly this."""
        heard = self._heard.get(meaning.intent, {})
        return tuple(text for text, other in heard.items() if other.slots == meaning.slots)

    def parse(self, text: str, accepts: Collection[str] | None = None) -> Meaning | None:
        """The meaning of a sentence, one of `accepts` first; None if no template allows it."""
        key = normal(text)
        meanings = self._meanings.get(key) or self._meanings.get(self._without_fillers(key), [])
        legal = (m for m in meanings if accepts is None or m.intent in accepts)
        return next(itertools.chain(legal, meanings), None)

    def near(self, text: str, accepts: Collection[str]) -> str:
        """The legal sentence that resembles `text` most, "" if none does."""
        legal = [
            key for key, meanings in self._meanings.items() if any(m.intent in accepts for m in meanings)
        ]
        best = process.extractOne(normal(text), legal, scorer=fuzz.WRatio, score_cutoff=_NEAR)
        if best is None:
            return ""
        wanted = self._meanings[best[0]]
        spoken = (text for form in self._forms if form.intent in accepts for text, _ in self._filled(form))
        return next((text for text in spoken if self._meanings[normal(text)] is wanted), best[0])

    def examples(self, intents: Iterable[str], most: int = 3) -> tuple[str, ...]:
        """One sentence for each of the first `most` intents that can be heard."""
        firsts = (next(iter(self._heard[intent]), "") for intent in intents if intent in self._heard)
        return tuple(itertools.islice(filter(None, firsts), most))

    def _without_fillers(self, key: str) -> str:
        words = key.split()
        while words and words[0] in self._fillers:
            words = words[1:]
        while words and words[-1] in self._fillers:
            words = words[:-1]
        return " ".join(words)

    def _filled(self, form: _Form) -> Iterator[tuple[str, dict[str, Any]]]:
        names = _SLOT.findall(form.text)
        choices = [list(self._values(name, form.heard)) for name in names]
        for combination in itertools.product(*choices):
            text, slots = form.text, dict(form.fixed)
            for name, (words, value) in zip(names, combination, strict=True):
                text = text.replace("{" + name + "}", words, 1)
                slots[name.rsplit("_", 1)[-1]] = value
            yield text, slots

    def _values(self, name: str, heard: bool) -> Iterator[tuple[str, Any]]:
        if name in PLAYER_SLOTS:
            yield from ((player, player) for player in self._players)
            return
        for number in self._ranges[name]:
            yield number_words(number, self.language), number
            if not heard:
                yield str(number), number
                yield from ((word, number) for word in self._numbers.get(number, ()))


def _forms(source: Source, slots: Collection[str]) -> Iterator[_Form]:
    for intent, entry in source.data.get("sentences", {}).items():
        path = ("sentences", intent)
        entries = entry if isinstance(entry, list) and entry and isinstance(entry[0], dict) else [entry]
        for one in entries:
            if isinstance(one, (str, list)):
                one = {"say": one}
            if not isinstance(one, dict) or not set(one) <= {"say", "hear", "slots"} or "say" not in one:
                raise source.fault(
                    f"sentence “{intent}”: give a template, a list of them, or say/hear/slots", *path
                )
            heard = one.get("hear", one["say"])
            yield from _expanded(source, intent, heard, one, slots, heard=True)
            yield from _expanded(source, intent, one["say"], one, slots, heard=False)


def _expanded(
    source: Source,
    intent: str,
    templates: Any,
    entry: Mapping[str, Any],
    slots: Collection[str],
    *,
    heard: bool,
) -> Iterator[_Form]:
    for template in [templates] if isinstance(templates, str) else templates:
        for text in _expand(source, intent, template):
            for name in _SLOT.findall(text):
                if name not in slots:
                    raise source.fault(f"sentence “{intent}”: there is no slot “{name}”", "sentences", intent)
            yield _Form(intent, text, entry.get("slots", {}), heard)


def _expand(source: Source, intent: str, template: Any) -> Iterable[str]:
    if not isinstance(template, str) or not template.strip():
        raise source.fault(f"sentence “{intent}”: a template must be a text", "sentences", intent)
    try:
        sentence: Sentence = parse_sentence(template)
        texts = sample_expression(sentence.expression, expand_lists=False, expand_ranges=False)
        return [" ".join(text.split()) for text in texts]
    except (ParseError, ScriptError, ValueError) as error:
        raise source.fault(
            f"sentence “{intent}”: “{template}” is not a template ({error})", "sentences", intent
        ) from None
