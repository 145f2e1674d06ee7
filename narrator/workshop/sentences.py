"""The sentences of a game: two that mean the same words, two that sound alike, those that nothing answers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from narrator.core.errors import DeviceError, ModelError
from narrator.core.floors import DONE, NEXT, NO, YES
from narrator.core.phrases import Meaning
from narrator.core.script import ANY, GENERAL, Source
from narrator.ear.lexicon import Lexicon
from narrator.ear.models import has_ear
from narrator.library import Production
from narrator.workshop.findings import ERROR, WARNING, Finding, at

ALIKE = 0.2  # share of phones that differ, of the longer sentence


@dataclass(frozen=True)
class Hearing:
    """What a phase waits for: (intent, its templates), and whether the ear is open at all."""

    phase: str
    templates: tuple[tuple[str, tuple[str, ...]], ...]
    shut: bool


def hearings(production: Production) -> tuple[Hearing, ...]:
    """What the ear listens for in each phase, and everywhere (“*”); the commands of every table aside."""
    game = production.game
    found = [Hearing(name, _told(production, floor.hears), not floor.hears) for name, floor in game.floors.items()]
    own = [intent for intent in game.script.queries if intent not in GENERAL]
    corrections = [on for (_, on), move in game.script.moves.items() if ANY in move.sources]
    everywhere = dict.fromkeys((*own, *corrections))
    return (*found, Hearing(ANY, tuple((i, t) for i in everywhere if (t := _templates(production, i))), False))


def _told(production: Production, intents: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """With their templates, those that belong to a phase."""
    own = (intent for intent in intents if intent not in production.game.general)
    return tuple((intent, templates) for intent in own if (templates := _templates(production, intent)))


def _templates(production: Production, intent: str) -> tuple[str, ...]:
    forms = (form.text for form in production.phrases.forms if form.heard and form.intent == intent)
    return tuple(dict.fromkeys(forms))


def collisions(source: Source, production: Production) -> Iterator[Finding]:
    """A sentence that, where it may be said, means something else as well."""
    known, told = production.phrases, set[frozenset[str]]()
    commands = known.intents - {on for _, on in production.game.script.moves} - production.game.general
    floors = {name: {*floor.accepts, *commands} for name, floor in production.game.floors.items()}
    for intent in sorted(_own(source)):
        for sentence in _samples(production, intent):
            for other in _other_meanings(production, sentence, intent):
                both = next((name for name, accepts in floors.items() if {intent, other} <= accepts), None)
                if both is None or frozenset((intent, other)) in told:
                    continue
                told.add(frozenset((intent, other)))
                message = f"“{sentence}” means “{intent}” and “{other}”, and in phase “{both}” both may be said"
                yield at(source, ERROR, "collision", message, "sentences", intent)


def _other_meanings(production: Production, sentence: str, intent: str) -> Iterator[str]:
    rest = set(production.phrases.intents) - {intent}
    while (other := production.phrases.parse(sentence, rest)) is not None and other.intent in rest:
        rest -= {other.intent}
        yield other.intent


def alike(source: Source, production: Production) -> Iterator[Finding]:
    """Sentences of different meanings that the ear may take for one another, in a phase where both are waited for."""
    language = production.setting.language
    if not has_ear(language):
        return
    try:
        lexicon = Lexicon(language)
        yield from _alike(source, production, lexicon)
    except (DeviceError, ModelError):
        return  # without espeak-ng nothing can tell; `narrator check` says so


def _alike(source: Source, production: Production, lexicon: Lexicon) -> Iterator[Finding]:
    own, compared = _own(source), set[frozenset[str]]()
    samples: dict[str, list[tuple[str, Meaning, tuple[int, ...]]]] = {}
    for name, floor in production.game.floors.items():
        for intent in floor.hears:
            if intent not in samples:
                samples[intent] = list(_spelt(production, intent, lexicon))
        for one, other in itertools.combinations_with_replacement(floor.hears, 2):
            if not {one, other} & own or frozenset((one, other)) in compared:
                continue
            compared.add(frozenset((one, other)))
            for (this, meant, phones), (that, also, heard) in itertools.product(samples[one], samples[other]):
                twice = one == other and this >= that
                if twice or _same_but_numbers(meant, also) or not _near(phones, heard):
                    continue
                message = f"“{this}” and “{that}” sound alike, and phase “{name}” waits for both"
                yield at(source, WARNING, "sounds-alike", message, "sentences", one if one in own else other)


def _spelt(production: Production, intent: str, lexicon: Lexicon) -> Iterator[tuple[str, Meaning, tuple[int, ...]]]:
    for sentence in _samples(production, intent, heard=True):
        meaning = production.phrases.parse(sentence, {intent})
        if meaning is not None:
            yield sentence, meaning, tuple(phone for phone in lexicon.spell(sentence.lower()) if phone > 0)


def _same_but_numbers(this: Meaning, that: Meaning) -> bool:
    """Numbers sound as they do: “two for one” is told from “two for two” only by listening well."""
    words = ({k: v for k, v in one.slots.items() if not isinstance(v, int)} for one in (this, that))
    return this.intent == that.intent and next(words) == next(words)


def _near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    distance = Levenshtein.distance(one, other)
    return distance <= 1 or distance <= ALIKE * max(len(one), len(other))


def unused_sentences(source: Source, production: Production) -> Iterator[Finding]:
    script = production.game.script
    answered = {on.rsplit(":", 1)[-1] for _, on in script.moves} | {*script.queries, *script.private_queries, *GENERAL}
    for intent in sorted(_own(source) - answered - {YES, NO, DONE, NEXT}):
        message = f"nothing answers the sentence “{intent}”: no move and no query"
        yield at(source, WARNING, "unused-sentence", message, "sentences", intent)


def _own(source: Source) -> set[str]:
    return set(source.data.get("sentences", {}))


def _samples(production: Production, intent: str, *, heard: bool = False) -> Iterator[str]:
    """Each form once: with the first players and a small number; every form, or only those that are listened for."""
    names = production.setting.players
    for sentence in production.phrases.sentences((intent,)):
        meaning = production.phrases.parse(sentence, {intent})
        if meaning is not None and _is_sample(meaning, names):
            yield sentence
    if not heard:
        for form in production.phrases.forms:
            if form.intent == intent and not form.heard and "{" not in form.text:
                yield form.text


def _is_sample(meaning: Meaning, names: tuple[str, ...]) -> bool:
    slots = meaning.slots
    if slots.get("player", names[0]) != names[0] or slots.get("other", names[1]) != names[1]:
        return False
    return all(value <= 3 for value in slots.values() if isinstance(value, int))
