"""Faults told in the language of the locale: they are raised in English, and become French where somebody reads them.

Rules. Nobody who raises a fault thinks of languages: faults.fr.toml has a French sentence for every English template,
and a sentence is found again by what does not change in it, the most specific template first. What fills a hole is told
in French too where it is itself a sentence of the file, except between quotation marks or brackets: those are the
reader's own words. What a tool says (ffmpeg, fpdf2, asyncio) and the file does not know is a detail in brackets, and is
quoted there: the sentence around it tells in French what failed. Whatever is not in the file stays English; telling of
a fault never fails.
"""

from __future__ import annotations

import logging
import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from narrator.core.errors import ScriptError
from narrator.words import locale_language

FILE = Path(__file__).with_name("faults.fr.toml")
HOLE = "{}"
NUMBERED = re.compile(r"\{(\d+)\}")  # a hole in French
_OPENS = ("“", "«\u00a0", '"', "'", "[", ".", "/", "=")  # before a hole whose text is the reader's own
_PLACED = re.compile(r"((?:[A-Za-z]:)?[^:“”'\"]*[./\\][^:“”'\"]*(?::\d+)?: )(.+)", re.DOTALL)  # "t.toml:3: …"
_AND = "; "
_ENGLISH = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")  # a few words: what a tool or a library says, and nobody translated


@dataclass(frozen=True)
class Sentence:
    """One template in both languages. `english` has {}, `french` {0}, {1} …"""

    english: str
    french: str

    @property
    def fixed(self) -> list[str]:
        """The text around the holes: one piece more than there are holes."""
        return self.english.split(HOLE)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("(.*?)".join(map(re.escape, self.fixed)), re.DOTALL)

    def fill(self, text: str) -> str | None:
        """`text` in French; None if it is not this sentence."""
        if not all(piece in text for piece in self.fixed):  # most are not, and need no pattern
            return None
        if not (found := self._pattern.fullmatch(text)):
            return None
        before = self.fixed
        holes = [hole if before[n].endswith(_OPENS) else _french(hole) for n, hole in enumerate(found.groups())]
        for n, hole in enumerate(found.groups()):
            if holes[n] == hole and before[n].endswith("(") and before[n + 1].startswith(")") and _ENGLISH.search(hole):
                holes[n] = f"«\u00a0{hole}\u00a0»"
        return NUMBERED.sub(lambda number: holes[int(number[1])], self.french)


@cache
def sentences() -> tuple[Sentence, ...]:
    """All there are, those with the most text of their own first; none from a damaged installation."""
    try:
        tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    every = [Sentence(english, french) for table in tables.values() for english, french in table.items()]
    return tuple(sorted(every, key=lambda one: -len("".join(one.fixed))))


def told(fault: Exception | str) -> str:
    """What a fault says, with its file and line, in the language of the locale (French or English)."""
    text = str(fault)
    if locale_language() != "fr":
        return text
    if isinstance(fault, ScriptError):
        return text.removesuffix(fault.message) + _french(fault.message)
    return _french(text)


def _french(text: str) -> str:
    return _whole(text) or _joined(text) or text


def _whole(text: str) -> str | None:
    """One sentence; it may stand behind the file (and the line) that it is about."""
    place, rest = found.groups() if (found := _PLACED.fullmatch(text)) else ("", text)
    for one in sentences():
        if (french := one.fill(text)) is not None:
            return french
        if place and (french := one.fill(rest)) is not None:
            return place + french
    return None


def _joined(text: str) -> str | None:
    """Two sentences in one: “did you mean …?; known are: …”."""
    parts = [_whole(part) for part in text.split(_AND)]
    if len(parts) < 2 or None in parts:
        return None
    joined = ""
    for part in filter(None, parts):
        joined += f" {part[0].upper()}{part[1:]}" if joined.endswith("?") else f"\u202f; {part}" if joined else part
    return joined


class _Told(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the library's name
        return told(record.getMessage())


def tell_warnings() -> None:
    """What is logged for want of anything better to do with it (a device that comes back, say) is told like a fault."""
    if logging.lastResort:
        logging.lastResort.setFormatter(_Told())
