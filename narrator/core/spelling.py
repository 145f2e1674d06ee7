"""Two spellings of one sentence are one key; numbers, in words or digits, become values beside it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from narrator.core.lines import number_words

_PUNCTUATION = re.compile(r"[.,;:!?…«»“”\"()]")
HOLE = "#"  # where a number stands in a key
_MOST = 99  # numbers up to here are understood in words


def normal(text: str) -> str:
    """Lower case, no accents or punctuation, hyphens as spaces: two spellings of one sentence are one key."""
    text = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = _PUNCTUATION.sub(" ", text.replace("’", "'").replace("`", "'"))
    return " ".join(re.sub(r"[-‐‑–—]", " ", text).split())


def printed(sentence: str) -> str:
    """As it is shown: what is heard or typed has typewriter apostrophes, as the sentences of a game file do."""
    return sentence.replace("'", "’")


def as_typed(key: str, text: str) -> str:
    """The part of `text` of which `normal` makes this key, with its capitals and accents; else the key itself."""
    ends = [match.end() for match in re.finditer(r"\w+", text)]
    starts = (match.start() for match in re.finditer(r"\b\w", text))
    parts = (text[start:end] for start in starts for end in ends if start < end)
    return next((part for part in parts if normal(part) == key), key)


class Numbers:
    """Finds the numbers of a sentence."""

    def __init__(self, language: str, others: Mapping[int, Sequence[str]]) -> None:
        """`others`: more words for a number, such as "aucun" for 0."""
        self._values = {str(number): number for number in range(_MOST + 1)}
        for number in range(_MOST + 1):
            for form in ("", "f"):
                self._values[normal(number_words(number, language, form))] = number
        for number, words in others.items():
            self._values |= {normal(word): number for word in words}
        longest_first = sorted(self._values, key=len, reverse=True)
        self._pattern = re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")\b")

    def taken_out(self, text: str) -> tuple[str, tuple[int, ...]]:
        """("quatre oui, trois non") -> ("# oui # non", (4, 3))."""
        values: list[int] = []

        def hole(match: re.Match[str]) -> str:
            values.append(self._values[match[0]])
            return HOLE

        return self._pattern.sub(hole, normal(text)), tuple(values)
