"""`narrator ears test`: recordings whose names are what was said in them, through an ear, and what it made of them.

"je propose Bob.wav", "je propose Bob (2).m4a", "je_propose_Bob-3.ogg" all say "je propose Bob". Files that begin with
"oov" say something that is none of the sentences, and must give nothing. Anything that ffmpeg reads will do; WAV needs
no ffmpeg.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
import wave
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import ModelError
from narrator.core.spelling import normal
from narrator.ear.choice import silent, table_ear
from narrator.ear.mic import Resampler
from narrator.ear.vad import FRAME, RATE
from narrator.library import data_folder, read_source

SOUNDS = (".wav", ".mp3", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac", ".webm", ".mp4", ".wma", ".aif", ".aiff")
STRANGE = "oov"
_TAKE = re.compile(r"(?:[ _-]*\(\d+\)|[_-]\d+)$")
_ROOM = 0.5  # seconds of quiet put before and after, as a microphone that is always on would hear it
_LEAST, _MOST = 3.0, 60.0  # rms of that quiet: digital silence is a sound that no microphone makes
_BLOCK = 1600


@dataclass
class Outcome:
    """`wrong`: (file, said, heard instead, "" for nothing); `oov_false`: (file, what it was taken for); `silent`:
    sentences of which the ear knows no sound, whose recordings are wrong without being listened to."""

    right: int = 0
    total: int = 0
    wrong: list[tuple[str, str, str]] = field(default_factory=list)
    oov: int = 0
    oov_false: list[tuple[str, str]] = field(default_factory=list)
    silent: frozenset[str] = frozenset()

    def report(self) -> dict[str, Any]:
        """Plain data, as the JSON report holds it."""
        return {
            "right": self.right,
            "total": self.total,
            "wrong": [{"file": f, "said": s, "heard": h} for f, s, h in self.wrong],
            "oov": self.oov,
            "oov_false": [{"file": f, "heard": h} for f, h in self.oov_false],
            "silent": sorted(self.silent),
        }


def sentence_of(file: Path) -> str:
    """What the file's name says; "" for one that must give nothing."""
    stem = unicodedata.normalize("NFC", file.stem)  # a Mac writes marks apart
    return "" if stem.lower().startswith(STRANGE) else " ".join(_TAKE.sub("", stem).replace("_", " ").split())


def try_ear(folder: Path, language: str, sentences: Iterable[str] = (), ear: Path | None = None) -> Outcome:
    """Every recording of a folder, with what people say around a sentence ("euh"), as at a table.

    Raises ModelError if there is none, or the ear cannot be used.
    """
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a folder: give one with recordings, each named by what it says")
    files = sorted(f for f in folder.glob("*") if f.suffix.lower() in SOUNDS)
    if not files:
        raise ModelError(f"{folder} has no recordings ({', '.join(SOUNDS[:5])} …): name each by what it says")
    named = {f: sentence_of(f) for f in files}
    spelt = {normal(s): s for s in (*filter(None, named.values()), *sentences)}  # "Oui.wav" says "oui"
    without_sound = silent(language, spelt.values(), ear)
    possible = [sentence for sentence in spelt.values() if sentence not in without_sound]
    if not possible:
        raise ModelError(f"{folder} names no sentence: give the possible ones with --sentences")
    outcome = Outcome(silent=without_sound)
    hearing = table_ear(language, possible, fillers=table_fillers(language), folder=ear)
    for file, said in named.items():
        if said in without_sound:
            _count(outcome, file.name, said, "")
            continue
        listener, sound = hearing.open(possible), read_sound(file)
        heard = [listener.accept(sound[at : at + _BLOCK]) for at in range(0, len(sound), _BLOCK)]
        texts = [u.text for u in (*heard, listener.finish()) if u and u.text]
        _count(outcome, file.name, said, " / ".join(texts))
    hearing.close()
    return outcome


def table_fillers(language: str) -> list[str]:
    """What people say around a sentence at every table; none in a language that no table is written in."""
    file = data_folder("scripts") / "_table" / f"{language}.toml"
    return list(read_source(file).data.get("fillers", ())) if file.is_file() else []


def _count(outcome: Outcome, file: str, said: str, heard: str) -> None:
    if not said:
        outcome.oov += 1
        if heard:
            outcome.oov_false.append((file, heard))
        return
    outcome.total += 1
    right = normal(heard) == normal(said)
    outcome.right += right
    if not right:
        outcome.wrong.append((file, said, heard))


def read_sound(file: Path) -> NDArray[np.int16]:
    """int16 mono 16 kHz with a little quiet around it. Raises ModelError for what cannot be read."""
    try:
        sound = _wav(file) if file.suffix.lower() == ".wav" else _other(file)
    except (wave.Error, EOFError, ValueError):
        sound = _other(file)
    except OSError as error:
        raise ModelError(f"{file} cannot be read ({error.strerror})") from error
    quiet = np.random.default_rng(0).normal(0, _hiss(sound), (2, round(_ROOM * RATE)))
    heard = np.concatenate([quiet[0], sound, quiet[1]])
    heard[len(quiet[0]) : -len(quiet[1])] += np.random.default_rng(1).normal(0, _LEAST, len(sound))
    room: NDArray[np.int16] = np.clip(heard, -32768, 32767).astype(np.int16)
    return room


def _hiss(sound: NDArray[np.int16]) -> float:
    """The rms of the recording where it is quiet: the room must not begin or end with a step."""
    frames = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    levels = np.sqrt(np.mean((frames - frames.mean(axis=1, keepdims=True)) ** 2, axis=1))
    return float(np.clip(np.quantile(levels, 0.05), _LEAST, _MOST)) if len(levels) else _LEAST


def _wav(file: Path) -> NDArray[np.int16]:
    with wave.open(str(file), "rb") as source:
        if source.getsampwidth() != 2:
            raise ValueError("not 16 bits")
        data = np.frombuffer(source.readframes(source.getnframes()), "<i2").reshape(-1, source.getnchannels())
        mono = data.mean(axis=1).astype(np.int16)
        return mono if source.getframerate() == RATE else Resampler(source.getframerate()).feed(np.pad(mono, (0, 400)))


def _other(file: Path) -> NDArray[np.int16]:
    program = shutil.which("ffmpeg")
    if program is None:
        raise ModelError(f"{file} needs ffmpeg to be read: apt install ffmpeg, or make it a 16-bit WAV")
    command = (
        program,
        "-v",
        "error",
        "-nostdin",
        "-i",
        str(file.resolve()),
        "-ac",
        "1",
        "-ar",
        str(RATE),
        "-f",
        "s16le",
        "-",
    )
    run = subprocess.run(command, capture_output=True, check=False)
    if run.returncode:
        why = run.stderr.decode(errors="replace").strip().splitlines()
        raise ModelError(f"{file} cannot be read ({why[-1] if why else 'ffmpeg failed'})")
    return np.frombuffer(run.stdout[: len(run.stdout) // 2 * 2], "<i2")


def sentences_in(file: Path) -> Iterator[str]:
    """One sentence a line; empty lines and those that begin with # do not count. Raises ModelError."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{file} cannot be read ({error}): write one sentence a line, in UTF-8") from error
    yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
