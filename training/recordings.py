"""Recordings of people, with what they say, each speaker for itself: GCompris, Asterisk, Tux Paint.

None of them is part of this repository (NOTICE tells their licences). `people` is a folder with the GCompris voices
(fr/, en/ and fr.json, en.json, others.json: file -> text); `prompts` one into which Debian's asterisk-core-sounds-fr,
-fr-g722, -en and -en-g722 (and those of other languages, see abroad.py) and tuxpaint-stamps-default were unpacked.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_ARTICLE = re.compile("^(un |une |le |la |les |des |du |l'|l’|de la |d'|the |a |an )", re.IGNORECASE)
_PROMPTS = {"fr": ("june", "fr_CA_f_June"), "en": ("allison", "en_US_f_Allison")}
_STAMPS = {"fr": ("_desc_fr.ogg", "_fr.ogg"), "en": ("_en_GB.ogg", "_desc.ogg")}  # endings of their names
_MARKS = re.compile(r"""[!?.…"“”„«»]+""")  # nobody says them, and " !" would be a word
_SECONDS = 0.2, 9.0


@dataclass(frozen=True, slots=True)
class Recording:
    """A file and the text said in it; `ways` are the texts it may be."""

    file: Path
    text: str

    @property
    def ways(self) -> tuple[str, ...]:
        """With and without its article: the lists do not always tell."""
        return tuple(dict.fromkeys((self.text, _ARTICLE.sub("", self.text))))


def decode(file: Path) -> NDArray[np.float64]:
    """Samples at 16 kHz, int16 range. Raises CalledProcessError if ffmpeg cannot read the file."""
    if file.suffix == ".ogg":  # ten times faster than starting a program
        return _ogg(file)
    command = ["ffmpeg", "-loglevel", "error", "-i", str(file), "-ar", "16000", "-ac", "1", "-f", "s16le", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(raw, "<i2").astype(np.float64)


def _ogg(file: Path) -> NDArray[np.float64]:
    import soundfile
    from scipy.signal import resample_poly

    samples, rate = soundfile.read(file)
    mono = samples.mean(1) if samples.ndim > 1 else samples
    return np.asarray(resample_poly(mono, 16000, rate) * 32767)


def usable(samples: NDArray[np.float64]) -> bool:
    """Neither empty nor longer than a sentence."""
    return _SECONDS[0] <= len(samples) / 16000 <= _SECONDS[1]


@cache
def speakers(language: str, people: Path, prompts: Path) -> dict[str, list[Recording]]:
    """All the recordings of a language by speaker, in an order that stays."""
    found = _gcompris(language, people)
    name, folder = _PROMPTS[language]
    if said := asterisk(prompts, language, folder):
        found[name] = said
    if said := stamps(prompts, language):
        found["stamps"] = said
    return found


def _gcompris(language: str, people: Path) -> dict[str, list[Recording]]:
    texts: dict[str, str] = json.loads((people / f"{language}.json").read_text(encoding="utf-8"))

    def folder(*names: str) -> list[Recording]:
        files = sorted(f for name in names for f in (people / language / name).glob("*.ogg"))
        return [Recording(f, texts[f.name]) for f in files if f.name in texts]

    if language == "en":
        return {"art4apps": folder("words"), "julia": folder("alphabet", "colors")}
    others: dict[str, str] = json.loads((people / "others.json").read_text(encoding="utf-8"))
    strangers = [Recording(people / "fr" / file, text) for file, text in others.items()]
    return {"zohra": folder("words", "alphabet", "colors"), "others": strangers}


def asterisk(prompts: Path, language: str, folder: str) -> list[Recording]:
    """The prompts of a speaker, in the folder that is named after them."""
    lists = list(prompts.rglob(f"core-sounds-{language}.txt.gz"))
    if not lists:
        return []
    sounds = {
        file.relative_to(home).with_suffix("").as_posix(): file
        for home in sorted(prompts.rglob(folder))
        for file in home.rglob("*.g722")
    }
    found = []
    for line in gzip.decompress(lists[0].read_bytes()).decode("utf-8", "replace").splitlines():
        name, colon, text = line.partition(":")
        text = text.strip()
        file = sounds.get(name.strip())
        if colon and file and text and not re.search(r"[\[\](){}<>\d;]", text):
            found.append(Recording(file, text))
    return found


def stamps(prompts: Path, language: str) -> list[Recording]:
    """What Tux Paint's stamps are called, each recording once.

    The words to frog_desc_fr.ogg stand in frog.txt after "fr.utf8=", or in its first line, which is English.
    """
    found, known = [], set()
    for ending in _STAMPS.get(language, (f"_desc_{language}.ogg", f"_{language}.ogg")):
        for file in sorted(prompts.glob(f"**/stamps/**/*{ending}")):
            names, sound = file.with_name(file.name.removesuffix(ending) + ".txt"), file.read_bytes()
            if not names.is_file() or sound in known:  # has the longer of two endings; one recording, two stamps
                continue
            known.add(sound)
            lines = names.read_text(encoding="utf-8", errors="replace").splitlines()
            mark = f"{language}.utf8="
            own = [line.removeprefix(mark) for line in lines if line.startswith(mark)]
            text = (lines if language == "en" else own)[:1]
            if text and not re.search(r"[\[\](){}<>\d;]", text[0]):
                found.append(Recording(file, " ".join(_MARKS.sub(" ", text[0]).split())))
    return found
