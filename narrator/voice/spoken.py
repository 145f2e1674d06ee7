"""Typography to speech: what is written for the eye becomes what an engine can say, in clauses with their
pauses.

Rules. Nothing that reaches an engine can be a command: no control character, markup, `[[phoneme]]` or
endless word. Text of any size is cut into clauses of at most MAX_CLAUSE characters. `spoken_form` is
stable: applied to its own result it changes nothing more, unless a respelling is itself respelt.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from narrator.core.lines import BREATH

if TYPE_CHECKING:
    from narrator.voice.profile import Pauses, Profile

MAX_WORD = 40  # letters: nothing speakable is longer, and espeak's word buffer is bounded
MAX_CLAUSE = 240  # characters: espeak reads far beyond the end of long texts as pyttsx3 hands them over

_TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,400}>")
_COMMANDS = re.compile(r"[<>\[\]{}|\\^`~*_#]+")
_QUOTES = re.compile(r"[«»“”„‟\"‹›]")
_APOSTROPHES = re.compile(r"[’‘ʼ′´]")
_DASH = re.compile(r"(?:\s+[-‐‑–—―]+\s+)|\s*[–—―]+\s*")
_ELLIPSIS = re.compile(r"\s*(?:\.{2,}|…)[.…]*")
_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}\b)")
_BEFORE_MARK = re.compile(r"\s+([,;:.!?…])")
_MARKS = re.compile(r"([,;:.!?…])(?:\s*[,;:.!?…])+")
_WORD = re.compile(r"[^\W_]+°?(?:-[^\W_]+)*|&")
_TAKEN = re.compile(rf"(?:\s*{BREATH})+\s*")
_END = re.compile(rf"(?:[,;:.!?…]{BREATH}?|{BREATH})(?=\s|$)")
_INSIDE = frozenset(",;:")  # marks that do not end a sentence
_TITLES = frozenset({"m", "mm", "mr", "mrs", "ms", "mme", "mlle", "dr", "st", "ste"})
_DROPPED = frozenset({"So", "Sk", "Cs", "Co", "Cn", "Cc", "Cf"})


@dataclass(frozen=True)
class Clause:
    """What is said in one breath, and the silence after it (seconds). `goes_on`: its sentence does, after that."""

    text: str
    pause: float
    goes_on: bool = field(default=False, compare=False)


def spoken_form(text: str, profile: Profile) -> str:
    """The text as an engine should read it: one line, plain punctuation, `says` applied. May be empty."""
    text = unicodedata.normalize("NFC", text[:20_000])
    text = _COMMANDS.sub(" ", _TAG.sub(" ", text))
    text = _THOUSANDS.sub("", text)
    text = re.sub(r"(?<![,;:.!?…\s])[^\S\n]*\n\s*", ". ", text.strip()).replace("\n", " ")
    text = "".join(_plain(char) for char in text)
    text = _APOSTROPHES.sub("'", _QUOTES.sub(" ", text))
    text = _ELLIPSIS.sub("… ", text).replace("(", ", ").replace(")", ", ")
    text = re.sub(r"^\W*[-–—―]+\s+", "", text)
    text = _DASH.sub(", ", text)
    text = _WORD.sub(lambda match: _said(match.group(), profile), text)
    return _TAKEN.sub(f"{BREATH} ", _tidy(text)).strip()


def clauses(spoken: str, pauses: Pauses) -> tuple[Clause, ...]:
    """The clauses of a spoken form in order; the last one's pause is zero."""
    found: list[Clause] = []
    start = 0
    for mark in _END.finditer(spoken):
        if mark.group() == "." and _is_title(spoken[start : mark.start()]):
            continue
        goes_on = mark.group() in _INSIDE
        found += _bounded(spoken[start : mark.end()].replace(BREATH, ""), _pause(mark.group(), pauses), goes_on)
        start = mark.end()
    found += _bounded(spoken[start:].replace(BREATH, ""), 0.0)
    if found:
        found[-1] = Clause(found[-1].text, 0.0)
    return tuple(found)


def sentences(parts: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses of each sentence as one, up to MAX_CLAUSE, for engines that make the pauses inside it themselves."""
    whole: list[Clause] = []
    for part in parts:
        if whole and whole[-1].goes_on and len(whole[-1].text) + 1 + len(part.text) <= MAX_CLAUSE:
            part = replace(part, text=f"{whole.pop().text} {part.text}")
        whole.append(part)
    return tuple(whole)


def _plain(char: str) -> str:
    """Any space is a space; controls, pictures and lone surrogates are nothing that can be said."""
    if char.isspace():
        return " "
    if char == BREATH:
        return char
    kind = unicodedata.category(char)
    if kind in _DROPPED and char != "°":
        return "" if kind == "Cf" else " "
    return char


def _said(word: str, profile: Profile) -> str:
    found = profile.says.get(word.lower())
    if found is not None:
        return found
    if "-" in word:
        return "-".join(_said(part, profile) for part in word.split("-"))
    return word[:MAX_WORD]


def _tidy(text: str) -> str:
    text = _BEFORE_MARK.sub(r"\1", re.sub(r"\s+", " ", text))
    text = _MARKS.sub(lambda match: _strongest(match.group()), text)
    text = re.sub(r"([,;:])(?=[^\W\d])", r"\1 ", text)
    return re.sub(r"^[\s,;:.!?…]+", "", text).strip()


def _strongest(marks: str) -> str:
    """Of several marks in a row the one that shapes the sentence."""
    return next(mark for mark in "?!….:;," if mark in marks)


def _is_title(before: str) -> bool:
    words = before.split()
    last = words[-1].rpartition("'")[2].rpartition(".")[2] if words else ""
    return last.lower() in _TITLES or (len(last) == 1 and last.isupper())


def _pause(mark: str, pauses: Pauses) -> float:
    if mark.endswith(BREATH):
        return pauses.breath
    if mark == ",":
        return pauses.comma
    if mark in ";:":
        return pauses.semicolon
    return pauses.ellipsis if mark == "…" else pauses.sentence


def _bounded(text: str, pause: float, goes_on: bool = False) -> list[Clause]:
    """The clause, cut at spaces when it is too long; nothing when there is nothing to say."""
    parts: list[Clause] = []
    words = text.split()
    line = ""
    for word in words:
        word = word[:MAX_CLAUSE]
        if line and len(line) + 1 + len(word) > MAX_CLAUSE:
            parts.append(Clause(line, 0.0, goes_on=True))
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        parts.append(Clause(line, pause, goes_on))
    return [part for part in parts if any(char.isalnum() or char in "%€$£+=&@" for char in part.text)]
