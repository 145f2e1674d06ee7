"""French "de" and "que" before a name: "d’Alice", "qu’Inès", "de Bob", "de Yann".

Before an h both are said ("d’Hugo", "de Hugo"): lines write the first, sentences are heard and understood both ways.
"""

from __future__ import annotations

import re
import unicodedata

_VOWELS = "aeiouœæø"


def elides(name: str) -> bool:
    """Whether a name takes the apostrophe, whatever accent is on it (Óscar, Åsa); a y does before a consonant (Yves)
    and not before a vowel (Yann)."""
    first, second = (unicodedata.normalize("NFD", letter)[:1] for letter in (name[:1].lower(), name[1:2].lower()))
    return first != "" and (first in _VOWELS + "h" or (first == "y" and second not in _VOWELS))


def wavers(name: str) -> bool:
    """Whether people say it both ways: whether an h is mute (Hélène) or not (Hamza) is not to be seen."""
    return name[:1].lower() == "h"


def elided(word: str, name: str) -> str:
    """("que", "Alice") -> "qu’Alice"; ("de", "Bob") -> "de Bob"."""
    return f"{word[:-1]}’{name}" if elides(name) else f"{word} {name}"


def agrees(sentence: str) -> bool:
    """Whether a sentence has a hole behind “de” or “que”."""
    return re.search(r"\b(?:d|qu)(?:e |['’])\{", sentence) is not None


def agreed(sentence: str, hole: str, name: str) -> str:
    """A typed or heard sentence, its `hole` still open, as it is said before this name: "tour de {player}" becomes
    "tour d'{player}" for Alice, and the other way round for Bob."""
    right = r"\1'" if elides(name) else r"\1e "
    return re.sub(rf"\b(d|qu)(?:e |['’])(?={re.escape(hole)})", right, sentence)
