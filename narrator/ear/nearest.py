"""A word that a model does not know, as the nearest-sounding row of words that it does know.

espeak-ng says both sides. A row covers the phones of the word from left to right; every word of it costs a little, a
phone that is exchanged for a near one (see `_NEAR`) less than one that is left out or added. The words are looked up by
their phones, with up to two such changes, so that half a million of them take no longer than a few.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from narrator.ear import espeak

_MARKS = re.compile(r"\([a-z-]+\)|[ˈˌː\-‿̆ʲʰ\d˞]")
_NEAR = (
    ("e", "ɛ", "ɪ"),
    ("o", "ɔ", "əʊ", "oʊ", "ɒ", "ʌ"),
    ("ø", "œ", "ə", "ɐ", "ɜ", "ʌ", "ɯ"),
    ("a", "ɑ", "ɐ", "æ"),
    ("ɛ̃", "œ̃", "ɑ̃", "ɔ̃"),
    ("i", "y", "j", "ɪ"),
    ("u", "w", "ʊ", "ɯ"),
    ("p", "b"),
    ("t", "d"),
    ("k", "ɡ", "q"),
    ("f", "v"),
    ("s", "z", "θ", "ð"),
    ("ʃ", "ʒ", "tʃ", "dʒ", "tɕ", "ɕ"),
    ("m", "n", "ɲ", "ŋ"),
    ("l", "ʁ", "ɹ", "r", "ɾ"),
)
_WORD, _EXCHANGED, _DROPPED = 0.3, 0.5, 1.0
FAREST = 0.34  # cost a phone of the word; a row that costs more does not sound like it
LONGEST = 9  # phones of a word that is looked up

Phones = tuple[str, ...]


def sound(text: str, voice: str) -> Phones:
    """The phones of a text, without stress, length and word boundaries."""
    plain = (_MARKS.sub("", phone) for word in espeak.phonemes(text, voice) for phone in word)
    return tuple(phone for phone in plain if phone)


class Nearest:
    """All that a model can say. `voice` is espeak-ng's for its words, `said_by` for those that are looked for.

    Saying half a million words takes half a minute, once: the sounds are kept in `cache`, a file, if one is given.
    """

    def __init__(self, words: Iterable[str], voice: str, cache: Path | None = None, said_by: str | None = None) -> None:
        self._said_by = said_by or voice
        self._words = _read(cache) if cache else {}
        if not self._words:
            for word in words:
                if word.isupper() or len(word) > 2 * LONGEST:  # nobody knows how a model says "XOR"
                    continue
                if (phones := sound(word, voice)) and len(phones) <= LONGEST:
                    self._words.setdefault(phones, word)
            if cache:
                _write(cache, self._words)

    def row(self, word: str) -> tuple[str, ...]:
        """The words whose sound is nearest; empty if nothing is near."""
        phones = sound(word, self._said_by)
        best: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
        for end in range(1, len(phones) + 1):
            ways: list[tuple[float, tuple[str, ...]]] = [(float("inf"), ())]
            for begin in range(max(0, end - LONGEST), end):
                before, words = best[begin]
                if before < float("inf") and (found := self._nearest(phones[begin:end])):
                    ways.append((before + _WORD + found[0], (*words, found[1])))
            best.append(min(ways, key=lambda way: way[0]))
        cost, words = best[-1]
        return words if words and cost - _WORD <= FAREST * len(phones) else ()

    def _nearest(self, phones: Phones) -> tuple[float, str] | None:
        if phones in self._words:
            return 0.0, self._words[phones]
        changed: dict[Phones, float] = {phones: 0.0}
        for _ in range(2 if len(phones) > 2 else 1):
            for row, cost in list(changed.items()):
                for other, more in _changes(row):
                    changed[other] = min(changed.get(other, 9.0), cost + more)
        found = [(cost, self._words[row]) for row, cost in changed.items() if row in self._words]
        return min(found, default=None)


def _read(cache: Path) -> dict[Phones, str]:
    try:
        rows = (line.split("\t") for line in cache.read_text(encoding="utf-8").splitlines())
        return {tuple(phones.split()): word for word, phones in rows}
    except (OSError, ValueError):
        return {}


def _write(cache: Path, words: Mapping[Phones, str]) -> None:
    """Whole or not at all; without room it is made again next time."""
    new = cache.with_suffix(".new")
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        new.write_text("".join(f"{word}\t{' '.join(phones)}\n" for phones, word in words.items()), encoding="utf-8")
        os.replace(new, cache)
    except OSError:
        new.unlink(missing_ok=True)


def _changes(phones: Phones) -> Iterator[tuple[Phones, float]]:
    for at, phone in enumerate(phones):
        for other in _near(phone):
            yield (*phones[:at], other, *phones[at + 1 :]), _EXCHANGED
        if len(phones) > 1:
            yield phones[:at] + phones[at + 1 :], _DROPPED


@lru_cache
def _near(phone: str) -> tuple[str, ...]:
    return tuple({other for group in _NEAR if phone in group for other in group} - {phone})
