"""talk.txt: what each phone costs after each other one in talk, from how espeak-ng says a text of the language.

The text is what the narrator's scripts say, what the telephone prompts say, and words of the dictionary.
"""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from narrator.ear.models import SILENCE
from training.language import HERE, LANGUAGES, dictionary, lexicon, model

_WORDS = 6000  # of the dictionary
_PAUSE = 0.25  # chance of a pause between two words
_DEAREST, _SMALL = 15.0, 0.2  # the highest cost; added to every count
_HEAD = """\
# Cost (negative natural logarithm) of each phone after each phone in {} talk: one row a phone before, one
# column a phone after, both in the order of ear.toml with silence first. This is what "something else" sounds like.
"""
_NAMES = {"en": "English", "fr": "French"}


def write(language: str, costs: NDArray[np.float64], file: Path) -> None:
    """Writes the table. Raises OSError."""
    rows = "".join(" ".join(f"{cost:.1f}" for cost in row) + "\n" for row in costs)
    file.write_text(_HEAD.format(_NAMES[language]) + rows, encoding="utf-8")


def costs(language: str, prompts: Path) -> NDArray[np.float64]:
    """outputs x outputs, silence first. Raises OSError."""
    size = 1 + len(model(language).phones)
    counts = np.full((size, size), _SMALL)
    r = Random(0)
    for line in _lines(language, prompts, r):
        before = SILENCE
        for item in lexicon(language).spell(line):
            after = abs(item)
            if after == SILENCE and r.random() > _PAUSE:
                continue
            counts[before, after] += 1
            before = after
        counts[before, SILENCE] += 1
    counts[SILENCE, SILENCE] = 0
    found = np.minimum(-np.log(np.maximum(counts / counts.sum(1, keepdims=True), 1e-9)), _DEAREST)
    found[SILENCE, SILENCE] = 0
    return found


def _lines(language: str, prompts: Path, r: Random) -> Iterator[str]:
    for script in sorted((HERE.parent / "scripts").glob(f"*/{language}.toml")):
        for line in tomllib.loads(script.read_text(encoding="utf-8")).get("lines", {}).values():
            yield from _phrases(re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", line))
    for listing in prompts.rglob(f"core-sounds-{language}.txt.gz"):
        for line in gzip.decompress(listing.read_bytes()).decode("utf-8", "replace").splitlines():
            yield from _phrases(line.partition(":")[2])
    words = dictionary(LANGUAGES[language].code)
    for _ in range(_WORDS // 4):
        yield " ".join(r.sample(words, 4))


def _phrases(text: str) -> Iterator[str]:
    for phrase in re.split(r"[.,;:!?…“”«»|()]", text):
        if len(re.findall(r"[^\W\d_]", phrase)) > 2:
            yield phrase.strip()
