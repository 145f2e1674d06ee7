"""What is heard in the bench: sentences that are legal, and sounds with the one that was said ("" for none).

All of it is kept from training by training/guard.py, which holds the lists.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path
from random import Random
from shutil import which
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.ear import speech
from bench.ear.words import WORDS
from narrator.library import data_folder
from training import guard, kokoro, recordings

T = TypeVar("T")
Said = tuple[str, NDArray[np.int16]]
VARIANTS = sorted(guard.VARIANTS)
_VOTERS = 9
ARMELLE = Path("/usr/share/asterisk/sounds/fr")


@dataclass(frozen=True, slots=True)
class Set:
    """`said` is what must be heard in each sound; `same` makes texts equal that mean the same ("le mexique"); the game
    would refuse the `unlikely` sentences."""

    title: str
    legal: list[str]
    said: list[Said]
    article: str = r"^$"
    unlikely: frozenset[str] = frozenset()

    def meaning(self, text: str) -> str:
        """What texts that say the same have in common: they do not compete."""
        return re.sub(self.article, "", text)

    def same(self, one: str, other: str) -> bool:
        """True if both say the same."""
        return self.meaning(one) == self.meaning(other)


@dataclass(frozen=True, slots=True)
class Sources:
    """Folders of recordings that may be missing; `share`: how much of every set is wanted, evenly, 0 to 1."""

    people: Path | None
    prompts: Path | None
    share: float = 1.0

    def few(self, every: Sequence[T]) -> Sequence[T]:
        """That share of a list, at least one."""
        return every[:: max(1, round(1 / self.share))]


def voices(language: str) -> list[str]:
    """espeak-ng's kept voices."""
    return [f"{accent}+{v}" for v, accent in zip(VARIANTS, cycle(WORDS[language].accents), strict=False)]


def names(language: str, count: int) -> list[str]:
    """Held-out names for a table, fixed."""
    return Random(5).sample(guard.NAMES, count)


def phases(language: str, table: list[str]) -> dict[str, list[str]]:
    """Sentences legal in a phase that proposes, and in one that counts."""
    words = WORDS[language]
    proposing = [f"{verb} {name}" for name in table for verb in words.verbs] + list(words.always)
    counting = [words.count.format(a, b) for a, b in product(words.numbers[:11], repeat=2)] + list(words.always)
    return {"proposing": proposing, "counting": counting}


def players(language: str, snr: float, echo: float, sources: Sources) -> Iterator[Set]:
    """Twelve at a table, every kept voice: 36 sentences each."""
    table = names(language, 12)
    for phase, legal in phases(language, table).items():
        said = _by_all(language, legal, 18, phase, snr, echo, sources)
        yield Set(f"players, {phase}, {snr:.0f} dB, echo {echo} s", legal, said)


def counts(language: str, snr: float, echo: float, sources: Sources) -> Iterator[Set]:
    """Nine vote; every kept voice: nine counts that add up, and as many that do not."""
    words, legal = WORDS[language], phases(language, names(language, 12))["counting"]
    sums = {words.count.format(a, b): i + j for (i, a), (j, b) in product(enumerate(words.numbers[:11]), repeat=2)}
    odd = [text for text, votes in sums.items() if votes != _VOTERS]
    for title, texts in ("add up", sorted(sums.keys() - {*odd})), ("do not add up", odd):
        said = _by_all(language, texts, 9, title, snr, echo, sources)
        yield Set(f"counts that {title}, {snr:.0f} dB, echo {echo} s", legal, said, unlikely=frozenset(odd))


def _by_all(
    language: str, texts: Sequence[str], each: int, seed: str, snr: float, echo: float, sources: Sources
) -> list[Said]:
    """Every kept voice says so many of the texts in a room."""
    r, said = Random(seed), list[Said]()
    for voice in voices(language):
        for text in sources.few(r.sample(texts, each)):
            audio = speech.say(text, voice, r.randint(130, 180), r.randint(35, 65))
            said.append((text, speech.scene(audio, len(said), snr, echo)))
    return said


def named(language: str, sources: Sources) -> Iterator[Set]:
    """The kept first names, twelve at a table, in a room."""
    verb, every = WORDS[language].verbs[0], list(guard.NAMES)
    Random(3).shuffle(every)
    speakers = cycle(voices(language))
    for at in sources.few(range(0, len(every), 12)):
        table = every[at : at + 12]
        legal = [f"{verb} {name}" for name in table] + list(WORDS[language].always)
        said = []
        for text in legal[: len(table)]:
            said.append((text, speech.scene(speech.say(text, next(speakers)), at + len(said), 20, 0.3)))
        yield Set("names", legal, said)


def people(language: str, sources: Sources) -> Iterator[Set]:
    """Speakers nobody trained on, and what was left out of those somebody did."""
    if sources.people is None:
        return
    nowhere = Path("nowhere")
    speakers = recordings.speakers(language, sources.people, sources.prompts or nowhere)
    for name, said in speakers.items():
        kept = sources.few(said if name in guard.SPEAKERS else guard.left_out(said))
        texts = [r.text.lower().strip(" .") for r in kept]
        sounds = [
            (t, speech.scene(speech.decode(r.file), i, 38)) for i, (t, r) in enumerate(zip(texts, kept, strict=True))
        ]
        title = f"{name}, {'unknown to the model' if name in guard.SPEAKERS else 'left-out recordings'}"
        whole = said if name in guard.SPEAKERS else guard.left_out(said)
        legal = [form for r in whole for form in _forms(name, r.text.lower().strip(" ."))]
        yield Set(title, legal, sounds, r"^(le |la |les |un |une |des |l'|the |a |an )")


def _forms(speaker: str, text: str) -> list[str]:
    if speaker != "others":
        return [text]
    return [text, f"l'{text}"] if text[0] in "aeiouéêîôh" else [text, f"le {text}", f"la {text}", f"les {text}"]


def armelle(sources: Sources) -> Iterator[Set]:
    """Digits over a GSM telephone (Debian's asterisk-prompt-fr-armelle)."""
    if not (ARMELLE / "digits/0.gsm").is_file():
        return
    digits = list(WORDS["fr"].numbers[:17])
    few = sources.few(list(enumerate(digits)))
    said = [(d, speech.scene(speech.decode(ARMELLE / f"digits/{i}.gsm"), i, 38)) for i, d in few]
    yield Set("Armelle, digits 0-16, telephone", digits, said)


def neural(language: str, sources: Sources) -> Iterator[Set]:
    """The four speakers of a neural voice that are kept from training, in a room, each with an own accent."""
    if not kokoro.there(sources.prompts):
        return
    table = names(language, 12)
    speakers = [kokoro.kept(language, sources.prompts, name) for name in sorted(guard.KOKORO)]
    for phase, legal in phases(language, table).items():
        texts = sources.few(Random(phase).sample(legal, 48))
        sounds = [kokoro.speak(text, language, who) for text, who in zip(texts, cycle(speakers), strict=False)]
        said = [(t, speech.scene(x, i, 20, 0.3)) for i, (t, x) in enumerate(zip(texts, sounds, strict=True))]
        yield Set(f"neural voices, {phase}, 20 dB, echo 0.3 s", legal, said)


def natural(language: str, sources: Sources) -> Iterator[Set]:
    """A voice cut from a real speaker, kept from training (flite's rms)."""
    if language != "en" or not which("flite"):
        return
    table = names(language, 12)
    for phase, legal in phases(language, table).items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "said.wav"
            texts = sources.few(Random(phase).sample(legal, 45))
            said = [(t, speech.scene(speech.flite(t, "rms", file), i, 25, 0.2)) for i, t in enumerate(texts)]
        yield Set(f"natural voice, {phase}, 25 dB, echo 0.2 s", legal, said)


def talk(language: str, sources: Sources) -> Iterator[Set]:
    """Nothing of it is for the narrator: long texts, single words, a telephone operator, music, knocks."""
    legal = phases(language, names(language, 12))["proposing"]
    lines = [line for line in _lines(language) if not any(s in line.lower() for s in legal)]
    speakers = voices(language)
    read = [speech.say(line, speakers[i % len(speakers)]) for i, line in enumerate(sources.few(lines))]
    yield Set("talk: texts read", legal, [("", speech.scene(x, i, 25, 0.2)) for i, x in enumerate(read)])
    words = sorted({w for line in lines for w in re.findall(r"[^\W\d_]{3,}", line.lower())} - set(legal))
    chosen = Random(1).sample(words, min(400, len(words)))
    alone = [
        ("", speech.scene(speech.say(w, speakers[i % len(speakers)]), i, 25, 0.2))
        for i, w in enumerate(sources.few(chosen))
    ]
    yield Set("talk: single words", legal, alone)
    if language == "fr" and ARMELLE.is_dir():
        files = sources.few(sorted(ARMELLE.glob("*.gsm")))
        yield Set(
            "talk: a telephone operator",
            legal,
            [("", speech.scene(speech.decode(f), i, 38)) for i, f in enumerate(files)],
        )
    rng = np.random.default_rng(0)
    times = range(len(sources.few(range(30))))
    sounds = [speech.music(10, rng) for _ in times] + [speech.bursts(10, rng) for _ in times]
    yield Set("talk: music, knocks, breath", legal, [("", np.clip(x, -32000, 32000).astype(np.int16)) for x in sounds])


def _lines(language: str) -> list[str]:
    found = []
    for script in sorted(data_folder("scripts").glob(f"*/{language}.toml")):
        lines = tomllib.loads(script.read_text(encoding="utf-8")).get("lines", {})
        found += [re.sub(r"\{[^}]*\}|\[[^\]]*\]|[“”«»]", " ", line) for line in lines.values()]
    return [line for line in found if len(line) > 20]
