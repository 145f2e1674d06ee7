"""How people say words where espeak-ng does not tell: habits.toml, by language. Empty for a language without any."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("habits.toml")
_NEVER = re.compile(r"(?!)()")


@dataclass(frozen=True, slots=True)
class Habits:
    """`words`: phones of a word, "-" before what may be left out; `joined`: of one that another follows; `names`: other
    ways to write how a name is said; `respelt`: patterns and letters that make a word read in its own language, one
    after another until it is; `elided`: a vowel was left out behind its first group; `hardened`: what a word without
    its vowel is before one of `voiceless`; `glides`: what a close vowel may be before another vowel and the other way
    round, but for the pairs of `closed`."""

    words: Mapping[str, str] = field(default_factory=dict)
    joined: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    respelt: Sequence[tuple[str, str]] = ()
    elided: re.Pattern[str] = _NEVER
    hardened: Mapping[str, str] = field(default_factory=dict)
    voiceless: frozenset[str] = frozenset()
    glides: Mapping[str, str] = field(default_factory=dict)
    closed: frozenset[tuple[str, str]] = frozenset()


@cache
def habits(language: str) -> Habits:
    """Those of a language."""
    told = tomllib.loads(_FILE.read_text(encoding="utf-8")).get(language, {})
    return Habits(
        told.get("words", {}),
        told.get("joined", {}),
        told.get("names", {}),
        tuple((pattern, letters) for pattern, letters in told.get("respelt", ())),
        re.compile(told["elided"]) if "elided" in told else _NEVER,
        told.get("hardened", {}),
        frozenset(told.get("voiceless", ())),
        told.get("glides", {}),
        frozenset((glide, vowel) for glide, vowel in told.get("closed", ())),
    )
