"""How a word is written for espeak-ng, so that it is read in the language of the table.

- Some words of one language it reads as another's: "Arthur", "Mathilde", "Rémy" as if they were English. Patterns of
  habits.toml change such a word step by step until it is read as ours ("artur"); the other reading is for those who are
  called so abroad.
- Letters that it does not know it names ("Ngọc": "n, g, letter one e c d, c"): then the word goes without its marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from narrator.ear import espeak

LETTERS = re.compile(r"[^\W\d_]+")
_UNMARKED = str.maketrans({"đ": "d", "ð": "d", "þ": "th", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
_NAMED = 3  # phones more than without its marks, and espeak-ng has said the name of a letter


class Reader:
    """`voice`: espeak-ng's; `respelt`: see habits.py."""

    def __init__(self, voice: str, respelt: Sequence[tuple[str, str]]) -> None:
        self._voice = voice
        self._respelt = [(re.compile(pattern), letters) for pattern, letters in respelt]
        self._words: dict[str, str] = {}

    def sentence(self, written: str) -> str:
        """The same with all of its words."""
        return LETTERS.sub(lambda m: self.word(m[0]), written)

    def word(self, word: str) -> str:
        """As it is to be given to espeak-ng, lower case for lower case."""
        if word not in self._words:
            self._words[word] = self._as_ours(self._without_named_letters(word))
        return self._words[word]

    def is_respelt(self, word: str) -> bool:
        """True if espeak-ng would read the word itself as one of another language, and `word` does not."""
        return self.word(word) != word and espeak.is_foreign(word, self._voice)

    def _without_named_letters(self, word: str) -> str:
        bare = unmarked(word)
        if bare == word:
            return word
        marked, plain = (sum(map(len, espeak.phonemes(w, self._voice))) for w in (word, bare))
        return bare if marked >= plain + _NAMED else word

    def _as_ours(self, word: str) -> str:
        if not espeak.is_foreign(word, self._voice):
            return word
        written = word
        for pattern, letters in self._respelt:
            changed = pattern.sub(letters, written)
            if changed != written and not espeak.is_foreign(changed, self._voice):
                return changed
            written = changed
        return word


def unmarked(word: str) -> str:
    """Without marks on its letters."""
    parts = unicodedata.normalize("NFKD", word.translate(_UNMARKED))
    return "".join(c for c in parts if not unicodedata.combining(c))
