"""Names that sound alike: the setup warns about them, since no ear can tell what mouths do not."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from narrator.core.errors import DeviceError, ModelError
from narrator.ear.lexicon import Lexicon, must
from narrator.ear.models import has_ear

ALIKE = 0.3  # share of phones that differ, of the longer name; "Noé"/"Zoé" 0.33, "Alice"/"Alicia" 0.4


def alike(language: str, names: Sequence[str], says: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """Pairs of names that can be said so that at most one phone differs, or hardly any. Empty where nothing can tell.

    `says`: how the table says some of them.
    """
    if not has_ear(language):
        return []
    try:
        lexicon = Lexicon(language, says)
        ways = {name: [lexicon.spell(name.lower()), *lexicon.variants(name.lower())] for name in names}
    except (DeviceError, ModelError):
        return []
    heard = {name: [must(way) for way in said] for name, said in ways.items()}
    return [
        (one, other)
        for one, other in itertools.combinations(names, 2)
        if any(_near(*pair) for pair in itertools.product(heard[one], heard[other]))
    ]


def unsayable(language: str, names: Sequence[str], says: Mapping[str, str] | None = None) -> list[str]:
    """Names in letters whose sound nobody knows ("李" at a French table). Empty where nothing can tell."""
    if not has_ear(language):
        return []
    try:
        lexicon = Lexicon(language, says)
        lexicon.spell("a")
    except (DeviceError, ModelError):
        return []
    return [name for name in names if not lexicon.sounds(name.lower())]


def _near(one: Sequence[int], other: Sequence[int]) -> bool:
    distance = Levenshtein.distance(one, other)
    return distance <= 1 or distance / max(len(one), len(other), 1) <= ALIKE
