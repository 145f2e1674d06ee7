"""(line id, public facts, language) -> the sentence to speak.

A line holds placeholders in braces; what follows the name says how it is written:
  {gv}            as it is; a number in words ("quatre", "un virgule deux"), a list of names ("Alice, Bob et Chloé")
  {n:f}           the number in words, feminine ("une")        {n:th}  ordinal ("troisième"), {n:thf} feminine
  {n?conte|contes}  by the number: the first form for 0 or 1 in French, for exactly 1 in English
  {names?…|…}     the same by how many names the list holds;  {x?yes|no} for true and false
  {gv:de} {gv:que}  French elision: "d'Alice", "de Bob"; "qu'Alice", "que Bob"
  {names:or}      a list ended by "ou"        {tale:name}  what the language's [names] table calls an id
  {rows}          lines of their own (`Told`), one after another
  {breath}        nothing that is written: the voice takes a breath there ("Pacifistes, {breath}ouvrez les yeux")
A form chosen by `?` may hold placeholders itself, in square brackets: "{counter?une fois|[counter:f] fois}".

A line whose id begins with "mj_" is never spoken: it goes to the game master's screen; only there may secrets stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from unicode_rbnf import RbnfEngine

from narrator.core.elision import elided
from narrator.core.errors import ScriptError
from narrator.core.script import Source

WHISPERED = "mj_"  # begins the id of a line for the game master's screen
_HOLE = re.compile(r"\{([a-z_]\w*)(?::(\w+))?(?:\?([^{}|]*)\|([^{}|]*))?\}")
_INNER = re.compile(r"\[([a-z_]\w*)(?::(\w+))?\]")
_SENTENCE_START = re.compile(r"^\w|(?<=[.?!] )\w")
_FORMS = ("f", "th", "thf", "de", "que", "or", "name")
BREATH = "\u2063"  # invisible; only `spoken` has it
_AND = {"fr": "et", "en": "and"}
_OR = {"fr": "ou", "en": "or"}
_LIST = {"fr": "\u202f; "}
_NONE = {"fr": "personne", "en": "nobody"}
_RULESET = {
    ("fr", ""): "spellout-cardinal-masculine",
    ("fr", "f"): "spellout-cardinal-feminine",
    ("fr", "th"): "spellout-ordinal-masculine",
    ("fr", "thf"): "spellout-ordinal-feminine",
    ("en", ""): "spellout-cardinal",
    ("en", "f"): "spellout-cardinal",
    ("en", "th"): "spellout-ordinal",
    ("en", "thf"): "spellout-ordinal",
}


@lru_cache(maxsize=2048)
def number_words(number: int, language: str, form: str = "") -> str:
    """A whole number in words: (21, "fr", "f") -> "vingt-et-une". ValueError for a language without words."""
    ruleset = _RULESET.get((language, form))
    words = _engine(language).format_number(number, ruleset_names=[ruleset] if ruleset else None)
    return str(words.text)


@lru_cache(maxsize=2048)
def decimal_words(number: float, language: str) -> str:
    """A number with a fraction: (1.2, "fr") -> "un virgule deux"."""
    ruleset = _RULESET.get((language, ""))
    words = _engine(language).format_number(number, ruleset_names=[ruleset] if ruleset else None)
    return str(words.text)


@lru_cache(maxsize=8)
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that is a line of the language file itself, filled with facts of its own."""

    line: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Lines:
    """The spoken lines of a game in one language, later sources over earlier ones."""

    def __init__(
        self,
        language: str,
        sources: Collection[Source],
        facts: Collection[str] | None = None,
        secrets: Collection[str] = (),
    ) -> None:
        """`facts`: the names that placeholders may use, `secrets`: those that only whispered lines may.

        Raises ScriptError for a placeholder nobody fills.
        """
        self.language = language
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}
        for source in sources:
            self._names |= {str(k): str(v) for k, v in source.data.get("names", {}).items()}
            for line, text in source.data.get("lines", {}).items():
                if not isinstance(text, str) or not text.strip():
                    raise source.fault(f"line “{line}” must be a text", "lines", line)
                whispered = facts is not None and line.startswith(WHISPERED)
                fault = _fault(text, {*(facts or ()), *secrets} if whispered else facts)
                if fault:
                    raise source.fault(f"line “{line}”: {fault}", "lines", line)
                self._texts[line] = text

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(self._texts)

    @property
    def templates(self) -> Mapping[str, str]:
        """Every line as it is written, placeholders and all, in the order of the files."""
        return dict(self._texts)

    def text(self, line: str, facts: Mapping[str, Any]) -> str:
        """The sentence of `line`. Raises ScriptError if the line or one of its facts does not exist."""
        return written(self.spoken(line, facts))

    def spoken(self, line: str, facts: Mapping[str, Any]) -> str:
        """The same for the voice: with the breaths it takes."""
        return _SENTENCE_START.sub(lambda m: m[0].upper(), self._filled(line, facts))

    def _filled(self, line: str, facts: Mapping[str, Any]) -> str:
        facts = {"breath": BREATH, **facts}
        if line not in self._texts:
            raise ScriptError(f"no line “{line}” in the language “{self.language}”")

        def fill(match: re.Match[str]) -> str:
            name, form, one, many = match.groups()
            if name not in facts:
                raise ScriptError(f"line “{line}” ({self.language}): nothing known as “{name}”")
            if one is None:
                return self._written(facts[name], form or "")
            chosen = one if self._is_one(facts[name]) else many
            return _INNER.sub(lambda inner: self._written(facts[inner[1]], inner[2] or ""), chosen)

        text = _HOLE.sub(fill, self._texts[line])
        return re.sub(r"[ \t\n]+", " ", text).strip()  # no-break spaces stay

    def _is_one(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, (tuple, list)):
            value = len(value)
        if isinstance(value, int):
            return value <= 1 if self.language == "fr" else value == 1
        return bool(value)

    def called(self, ident: str) -> str:
        """What the language's [names] table calls an id; the id itself where it says nothing.

        "hat_3" is three of what it calls "hat_many".
        """
        if ident in self._names:
            return self._names[ident]
        one, _, number = ident.rpartition("_")
        many = self._names.get(f"{one}_many")
        return f"{number_words(int(number), self.language)} {many}" if many and number.isdecimal() else ident

    def _written(self, value: Any, form: str) -> str:
        if isinstance(value, bool) or value is None:
            return str(value or "")
        if isinstance(value, int):
            return number_words(value, self.language, form if form in ("f", "th", "thf") else "")
        if isinstance(value, float):
            return decimal_words(value, self.language)
        if isinstance(value, Told):
            return self._filled(value.line, value.facts)
        if isinstance(value, (tuple, list)):
            if value and isinstance(value[0], Told):
                between = _LIST.get(self.language, "; ") if form == "name" else " "
                return between.join(self._written(v, "") for v in value)
            words = [self._written(v, form) for v in value]
            if not words:
                return _NONE.get(self.language, "—")
            if form == "name":  # names of things may hold commas
                return _LIST.get(self.language, "; ").join(words)
            last = (_OR if form == "or" else _AND).get(self.language, "&")
            return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
        text = str(value)
        if form == "name":
            return self.called(text)
        if form in ("de", "que"):
            return elided(form, text)
        return text


def written(spoken: str) -> str:
    """What is shown of a sentence made for the voice."""
    return spoken.replace(BREATH, "")


def _fault(text: str, facts: Collection[str] | None) -> str:
    rest = _HOLE.sub("", text)
    if "{" in rest or "}" in rest:
        return "a placeholder is written as {name}, {name:form} or {name?one|many}"
    for name, form in _placeholders(text):
        if form and form not in _FORMS:
            return f"the form “{form}” is not one of {', '.join(_FORMS)}"
        if facts is not None and name not in facts and name != "breath":
            return f"nothing is known as “{name}”"
    return ""


def _placeholders(text: str) -> Iterator[tuple[str, str]]:
    for name, form, one, many in _HOLE.findall(text):
        yield name, form
        for inner in _INNER.findall(one + many):
            yield inner[0], inner[1]
