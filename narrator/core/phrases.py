"""Sentence templates -> the sentences to listen for, and heard or typed text -> intent and slots.

Templates are hassil's ("[je] propose {player}"). `hear` lists the forms that the ear listens for (few: each filled form
is a token of the table's graph), `say` everything that is understood. Text is looked up among all that the templates
allow, so a sentence stitched from known words is not an intent. Names are filled in beforehand; numbers stay holes, so
that a number nobody can have ("neuf oui" at a table of seven) is understood and refused with why. A typed sentence may
hold several names ("{players}"): these are looked for when it is typed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from narrator.core.elision import agreed, agrees, wavers
from narrator.core.lines import number_words
from narrator.core.script import Source
from narrator.core.spelling import HOLE, Numbers, as_typed, normal
from narrator.core.templates import SLOT, Form, read_forms

PLAYER_SLOTS = ("player", "other")
LIST_SLOT = "players"  # two names or more: typed only, and matched when it is said, since nobody can list them all
_WRITTEN_OUT = 150  # namings of a typed form: above them names are looked for when it is typed
_NAMES_AND = r"(?: (?:et|and|avec|with))?"
_SAME_NAME = 60  # … from which a name is a misspelt one of the table
_NEAR = 72  # rapidfuzz score (0..100) from which a typed sentence resembles a known one


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a sentence means: an intent and its slots (player names, numbers)."""

    intent: str
    slots: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a key means once its numbers are filled in: slot names, or numbers that must be just these."""

    intent: str
    slots: Mapping[str, Any]
    numbers: tuple[str | int, ...]

    def meaning(self, values: tuple[int, ...]) -> Meaning | None:
        slots = dict(self.slots)
        for wanted, value in zip(self.numbers, values, strict=True):
            if isinstance(wanted, str):
                slots[wanted] = value
            elif wanted != value:
                return None
        return Meaning(self.intent, slots)


class Phrases:
    """All that a table can say in one language."""

    def __init__(
        self,
        language: str,
        sources: Sequence[Source],
        players: Sequence[str],
        ranges: Mapping[str, range],
        words: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """`ranges`: number slots and the values to listen for; `words`: slots for what a table brings along, such as
        its characters: what is said -> the value. ScriptError (file, line) for a faulty template.

        `fillers` are what people say around a sentence without meaning anything by it ("euh", "alors").
        """
        self.language, self._players, self._ranges = language, tuple(players), ranges
        self._named_by = {slot: {player: player for player in players} for slot in PLAYER_SLOTS} | dict(words or {})
        self._elides = language == "fr"
        others: dict[int, list[str]] = {}
        self.fillers = tuple(dict.fromkeys(w.lower() for one in sources for w in one.data.get("fillers", ())))
        self._dropped = frozenset(map(normal, self.fillers))
        for source in sources:
            for number, words in source.data.get("numbers", {}).items():
                others.setdefault(int(number), []).extend(words)
        self._numbers = Numbers(language, others)
        slots = {*self._named_by, LIST_SLOT, *ranges}
        self.forms = tuple(form for source in sources for form in read_forms(source, slots))
        self._called = {normal(player): player for player in players}
        self._any_name = "|".join(re.escape(name) for name in sorted(self._called, key=len, reverse=True))
        self._name_in = re.compile(rf"\b(?:{self._any_name})\b")
        self._lists: list[tuple[Form, re.Pattern[str]]] = []
        self._entries: dict[str, list[_Entry]] = {}
        self._heard: dict[str, dict[str, tuple[str, Meaning]]] = {}
        for form in self.forms:
            if not form.heard and self._too_many(form):
                self._lists.append((form, self._pattern_of(form)))
                continue
            self._index(form)
            if form.heard:
                self._listen_for(form)

    @property
    def intents(self) -> frozenset[str]:
        return frozenset(form.intent for form in self.forms)

    def sentences(self, intents: Iterable[str] | None = None) -> tuple[str, ...]:
        """What the ear listens for, in lower case, when these intents are legal (all of them without `intents`)."""
        wanted = self._heard if intents is None else intents
        return tuple(dict.fromkeys(text for intent in wanted for text in self._heard.get(intent, ())))

    def meanings(self, intents: Iterable[str]) -> dict[str, Meaning]:
        """What each of those sentences means, in the same order; the first of these intents goes first."""
        found: dict[str, Meaning] = {}
        for intent in intents:
            for text, (_, meaning) in self._heard.get(intent, {}).items():
                found.setdefault(text, meaning)
        return found

    def sentences_for(self, meaning: Meaning) -> tuple[str, ...]:
        """Every sentence, as it is shown, that the ear listens for and that means exactly this."""
        heard = self._heard.get(meaning.intent, {}).values()
        return tuple(shown for shown, other in heard if other.slots == meaning.slots)

    def called(self, slot: str, value: object) -> str:
        """What is said for the value of a slot."""
        return next((said for said, meant in self._named_by.get(slot, {}).items() if meant == value), str(value))

    def parse(self, text: str, accepts: Collection[str] | None = None) -> Meaning | None:
        """The meaning of a sentence, one of `accepts` first; None if no template allows it."""
        for said in self._with_fewer_fillers(normal(text)):
            meanings = self._meanings(said)
            if meanings:
                legal = (m for m in meanings if accepts is None or m.intent in accepts)
                return next(legal, meanings[0])
        return None

    def takes(self, name: str) -> bool:
        """Whether the name of a player is by itself a sentence of this game, or a word that is dropped."""
        said = normal(name)
        return said in self._dropped or any(name not in m.slots.values() for m in self._meanings(said))

    def sense(self, text: str) -> Hashable:
        """What a sentence means, as something that can be compared: two sentences of one sense say the same."""
        meaning = self.parse(text)
        return (meaning.intent, repr(sorted(meaning.slots.items()))) if meaning else text

    def near(self, text: str, accepts: Collection[str], most: int = 5) -> tuple[str, ...]:
        """The legal sentences, as they are shown, that resemble `text` most, best first."""
        shown = {normal(one): one for intent in accepts for one, _ in self._heard.get(intent, {}).values()}
        found = process.extract(normal(text), list(shown), scorer=fuzz.WRatio, score_cutoff=_NEAR, limit=most)
        return tuple(shown[key] for key, _, _ in found)

    def unknown_name(self, text: str, accepts: Collection[str]) -> str:
        """The name in a sentence that would be legal if somebody were called so; "" if it is not that."""
        said, names = normal(text), {normal(player) for player in self._players}
        for form in self.forms:
            if form.intent in accepts and SLOT.findall(form.text) == ["player"] and len(form.text) > len("{player}"):
                before, after = (re.escape(normal(part)) for part in SLOT.split(form.text)[::2])
                match = re.fullmatch(f"{before} ?(.+?) ?{after}", said)
                if match and not process.extractOne(match[1], names, scorer=fuzz.ratio, score_cutoff=_SAME_NAME):
                    return as_typed(match[1], text)
        return ""

    def unknown_among(self, text: str, accepts: Collection[str]) -> str:
        """The same for a sentence of several names ("escouade X, Y contre Z"): the words that stand where names
        should, and are none; "" if there are none."""
        said = normal(text)
        for form in self.forms:
            slots = SLOT.findall(form.text)
            if form.intent not in accepts or not slots or not {*slots} <= {*PLAYER_SLOTS, LIST_SLOT}:
                continue
            literal = [re.escape(normal(part)) for part in SLOT.split(form.text)[::2]]
            if match := re.fullmatch(" ?(.+?) ?".join(literal), said) if any(literal) else None:
                left = (re.sub(r"\b(?:et|and)\b", " ", self._name_in.sub(" ", part)) for part in match.groups())
                if stranger := next(filter(None, (" ".join(part.split()) for part in left)), ""):
                    return as_typed(stranger, text)
        return ""

    def unknown_word(self, text: str, accepts: Collection[str]) -> tuple[str, str, tuple[str, ...]] | None:
        """The same for what a table brings along ("Bob est le roi"): its slot, the words that stand where one of
        them should, and those there are, each once; None if the sentence is none of these."""
        said = normal(text)
        for form in self.forms:
            names = SLOT.findall(form.text)
            own = [name for name in names if name in self._named_by and name not in PLAYER_SLOTS]
            if form.intent not in accepts or len(own) != 1 or not {*names} <= {*self._named_by}:
                continue
            holes = (f"({self._any_name})" if name in PLAYER_SLOTS else "(?P<word>.+)" for name in names)
            literal = (re.escape(normal(part)) for part in SLOT.split(form.text)[::2])
            pieces = (piece for pair in itertools.zip_longest(literal, holes, fillvalue="") for piece in pair if piece)
            if match := re.fullmatch(" ?".join(pieces), said):
                known: dict[str, str] = {}
                for word, value in self._named_by[own[0]].items():
                    known.setdefault(value, word)
                return own[0], as_typed(match["word"], text), tuple(known.values())
        return None

    def examples(
        self,
        intents: Iterable[str],
        most: int = 3,
        *,
        heard: bool = True,
        possible: Callable[[str], bool] = lambda sentence: True,
    ) -> tuple[str, ...]:
        """One sentence, as it is shown, for each of the first `most` intents that can be said: heard, or else typed.

        `possible`: whether the game would take a sentence now; nobody is shown what would be refused. Each example
        names somebody else, as long as there is somebody.
        """
        if not heard:
            forms, names = {form.intent: form.text for form in reversed(self.forms)}, itertools.cycle(self._players)
            wanted = (forms[intent] for intent in itertools.islice(intents, most) if intent in forms)
            return tuple(self._example(form, names) for form in wanted)
        named: set[str] = set()
        chosen = (self._possible_one(self._heard.get(intent, {}).values(), named, possible) for intent in intents)
        return tuple(itertools.islice(filter(None, chosen), most))

    def _possible_one(
        self, sentences: Iterable[tuple[str, Meaning]], named: set[str], possible: Callable[[str], bool]
    ) -> str:
        """Not the first one, since "zero yes, eight no" is an example to nobody; nor anybody of `named`, to whom
        whoever is chosen is added."""
        ones = [(one, {p for p in self._players if p in m.slots.values()}) for one, m in sentences if possible(one)]
        third = len(ones) // 3
        ones = [*ones[third:], *ones[:third]]
        one, players = next((found for found in ones if not found[1] & named), ones[0] if ones else ("", set[str]()))
        named |= players
        return one

    def _example(self, text: str, names: Iterator[str]) -> str:
        """A template with players and a number written in."""
        for slot in SLOT.findall(text):
            if slot == LIST_SLOT:
                value = ", ".join(itertools.islice(names, 2))
            elif slot in PLAYER_SLOTS:
                value = next(names)
            elif slot in self._named_by:
                value = next(iter(self._named_by[slot]), "…")
            else:
                value = number_words(self._ranges[slot][-1], self.language)
            hole = "{" + slot + "}"
            is_name = self._elides and slot not in self._ranges  # "de onze" is right
            text = (agreed(text, hole, value) if is_name else text).replace(hole, value, 1)
        return text

    def _meanings(self, text: str) -> list[Meaning]:
        key, values = self._numbers.taken_out(text)
        listed = [m for entry in self._entries.get(key, ()) if (m := entry.meaning(values)) is not None]
        return [*listed, *(m for form, pattern in self._lists if (m := self._of_list(form, pattern, text)))]

    def _too_many(self, form: Form) -> bool:
        """Whether a typed form has more namings than anybody wants to write down beforehand."""
        slots = SLOT.findall(form.text)
        pairs = len(slots) > 1 and set(slots) <= set(PLAYER_SLOTS) and len(self._players) ** len(slots) > _WRITTEN_OUT
        return LIST_SLOT in slots or pairs

    def _of_list(self, form: Form, pattern: re.Pattern[str], said: str) -> Meaning | None:
        match = pattern.fullmatch(said)
        if match is None:
            return None
        slots: dict[str, Any] = {**form.fixed}
        for name, text in match.groupdict().items():
            named = tuple(self._called[one] for one in self._name_in.findall(text))
            slots[name] = list(dict.fromkeys(named)) if name == LIST_SLOT else named[0]
        return Meaning(form.intent, slots)

    def _pattern_of(self, form: Form) -> re.Pattern[str]:
        """What a sentence with several names looks like, once spelling is out of the way."""
        one = f"(?:{self._any_name})"
        parts = SLOT.split(form.text)  # text, slot, text, slot, …
        holes = [
            f"(?P<{name}>{one}(?:{_NAMES_AND} {one})+)" if name == LIST_SLOT else f"(?P<{name}>{one})"
            for name in parts[1::2]
        ]
        texts = [re.escape(normal(part)).replace("\\ ", " ") for part in parts[::2]]
        if self._elides:
            texts = [re.sub(r"\b(d|qu)e$", r"\1(?:e|')", text) for text in texts]
        filled = [piece for pair in itertools.zip_longest(texts, holes, fillvalue="") for piece in pair if piece]
        return re.compile(" ?".join(filled))

    def _with_fewer_fillers(self, key: str) -> Iterator[str]:
        """The key itself, then with fillers (of one word or more) dropped one by one at its ends: "bon c'est bon"
        must lose one "bon" and not both."""
        todo = [key]
        while todo:
            key = todo.pop(0)
            yield key
            for filler in self._dropped:
                if key.startswith(f"{filler} "):
                    todo.append(key[len(filler) + 1 :])
                if key.endswith(f" {filler}"):
                    todo.append(key[: -len(filler) - 1])

    def _index(self, form: Form) -> None:
        """Every naming of the players under its key."""
        for text, slots in (*self._named(form), *self._as_written(form, lambda name: False)):
            names = iter(n.rsplit("_", 1)[-1] for n in SLOT.findall(text))
            key, literal = self._numbers.taken_out(SLOT.sub(f" {HOLE} ", text))
            fixed = iter(literal)
            # A hole of the text is a slot; a number word of the template itself must be said as it stands.
            marked, _ = self._numbers.taken_out(SLOT.sub(" § ", text))
            order = tuple(next(names) if sign == "§" else next(fixed) for sign in marked if sign in "§#")
            entry = _Entry(form.intent, slots, order)
            entries = self._entries.setdefault(" ".join(key.split()), [])
            if entry not in entries:
                entries.append(entry)

    def _listen_for(self, form: Form) -> None:
        heard = self._heard.setdefault(form.intent, {})
        for named, slots in (*self._named(form), *self._as_written(form, lambda name: not wavers(name))):
            names = SLOT.findall(named)
            if slots.get("player", 0) == slots.get("other", 1):
                continue
            for values in itertools.product(*(self._ranges[name] for name in names)):
                text, filled = named, dict(slots)
                for name, value in zip(names, values, strict=True):
                    text = text.replace("{" + name + "}", number_words(value, self.language), 1)
                    filled[name.rsplit("_", 1)[-1]] = value
                heard[text.lower()] = (text, Meaning(form.intent, filled))

    def _as_written(self, form: Form, elides: Callable[[str], bool]) -> Iterator[tuple[str, dict[str, Any]]]:
        """What may be said besides, "au tour de Hélène", where the language leaves a vowel out before some names."""
        return self._named(form, elides) if self._elides and agrees(form.text) else iter(())

    def _named(
        self, form: Form, elides: Callable[[str], bool] = lambda name: True
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The form with every choice of players and words written in; number slots stay."""
        holes = [name for name in SLOT.findall(form.text) if name in self._named_by]
        for chosen in itertools.product(*(self._named_by[name].items() for name in holes)):
            text = form.text
            for name, (said, _) in zip(holes, chosen, strict=True):
                hole = "{" + name + "}"
                text = agreed(text, hole, said) if self._elides and elides(said) else text
                text = text.replace(hole, said, 1)
            yield text, {**form.fixed, **{name: value for name, (_, value) in zip(holes, chosen, strict=True)}}
