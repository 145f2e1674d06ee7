"""What somebody probably meant to write: the known name that is nearest to one that nobody knows."""

from __future__ import annotations

from collections.abc import Collection

from rapidfuzz import fuzz, process

_NEAR = 70  # rapidfuzz score (0..100); “wolfs” and “wolves” have 73


def nearest(name: str, known: Collection[str]) -> str:
    """The known name that `name` resembles most, "" if it resembles none."""
    found = process.extractOne(name, sorted(known), scorer=fuzz.ratio, score_cutoff=_NEAR)
    return found[0] if found else ""


def not_known(name: str, known: Collection[str], listed: bool = True) -> str:
    """The end of a message about a name that nobody knows: what was meant, and (if `listed`) what there is."""
    meant = nearest(name, known)
    guess = f"did you mean “{meant}”?" if meant else ""
    there = f"known are: {', '.join(known)}" if known else "there are none"
    return "; ".join(filter(None, (guess, there if listed or not meant else "")))
