"""Finds and checks the acoustic model of a language: voices/<language>/ear.

vosk ends the whole process on some broken models, so a model is checked here, to the last byte, before vosk sees it.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from narrator.core.errors import ModelError
from narrator.ear import vosk_api
from narrator.library import data_folder

FORMAT = 1
SILENCE = 0  # the model's output for silence
_PLACES = 4  # phones of the model per output: begin, end, inside, alone; all share the output, we use "inside"
_INSIDE = 2
_FILES = ("am/final.mdl", "conf/mfcc.conf", "conf/model.conf", "talk.txt")


@dataclass(frozen=True, slots=True)
class EarModel:
    """What ear.toml says. `phones[i]` is the symbol of output i + 1; `same` maps other symbols to some of them in a
    row ("ɚ" to "ə -ɹ"; "-" marks what may be left out). `mute` is "" where no vowel is always mute.
    """

    folder: Path
    espeak: str
    phones: tuple[str, ...]
    same: Mapping[str, str]
    vowels: frozenset[str]
    mute: str
    mute_ending: str
    liquids: frozenset[str]
    stops: frozenset[str]
    talk: tuple[tuple[float, ...], ...]  # cost of each output after each output in free talk, silence first

    @property
    def transitions(self) -> int:
        """The number of transition ids of the acoustic model; they count from 1."""
        return 2 * (1 + _PLACES * len(self.phones))


def stay(output: int) -> int:
    """The transition id of one more frame (30 ms) in the phone of this output."""
    return 2 * _phone(output) - 1


def enter(output: int) -> int:
    """The transition id of the first frame in the phone of this output."""
    return 2 * _phone(output)


def _phone(output: int) -> int:
    return 1 if output == SILENCE else 2 + _PLACES * (output - 1) + _INSIDE


def has_ear(language: str) -> bool:
    """True if the language can be listened to: its folder holds an acoustic model."""
    return (data_folder("voices") / language / "ear" / "ear.toml").is_file()


def ear_languages() -> tuple[str, ...]:
    """Every language that has an ear of ours."""
    return tuple(sorted(path.parent.parent.name for path in data_folder("voices").glob("*/ear/ear.toml")))


def ear_folder(language: str) -> Path:
    """voices/<language>/ear. Raises ModelError, one sentence, if the language has none."""
    if not has_ear(language):
        name = {"en": "English"}.get(language, f"the language {language!r}")
        raise ModelError(f"{name} is heard from the keyboard until it has an ear of its own")
    return data_folder("voices") / language / "ear"


def load(language: str) -> EarModel:
    """The checked model of a language. Raises ModelError if it is missing, damaged or of another format."""
    return load_folder(ear_folder(language))


@cache
def load_folder(folder: Path) -> EarModel:
    """The checked model in a folder. Raises ModelError."""
    for name in _FILES:
        if not (folder / name).is_file():
            raise ModelError(f"{folder / name} is missing: install narrator again")
    try:
        facts = tomllib.loads((folder / "ear.toml").read_text(encoding="utf-8"))
        digest = hashlib.sha256((folder / "am/final.mdl").read_bytes()).hexdigest()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"the ear in {folder} cannot be read ({error}): install narrator again") from error
    if facts.get("format") != FORMAT:
        raise ModelError(f"{folder / 'ear.toml'} has format {facts.get('format')!r}, this narrator reads {FORMAT}")
    if digest != facts.get("sha256"):
        raise ModelError(f"{folder / 'am/final.mdl'} is damaged or is not the one ear.toml names: install it again")
    return _model(folder, facts)


def _model(folder: Path, facts: Mapping[str, object]) -> EarModel:
    def strings(key: str) -> tuple[str, ...]:
        value = facts.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise ModelError(f"{folder / 'ear.toml'} needs {key!r}, a list of phone symbols")
        return tuple(value)

    def string(key: str) -> str:
        value = facts.get(key)
        if not isinstance(value, str):
            raise ModelError(f"{folder / 'ear.toml'} needs {key!r}, a text")
        return value

    same = facts.get("same", {})
    if not isinstance(same, dict):
        raise ModelError(f"{folder / 'ear.toml'} needs a table [same] of phone symbols")
    return EarModel(
        folder,
        string("espeak"),
        strings("phones"),
        same,
        frozenset(strings("vowels")),
        string("mute"),
        string("mute_ending"),
        frozenset(strings("liquids")),
        frozenset(strings("stops")),
        _talk(folder / "talk.txt", 1 + len(strings("phones"))),
    )


def _talk(file: Path, outputs: int) -> tuple[tuple[float, ...], ...]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        rows = tuple(tuple(map(float, line.split())) for line in lines if not line.startswith("#"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} cannot be read ({error}): install narrator again") from error
    if len(rows) != outputs or any(len(row) != outputs for row in rows):
        raise ModelError(f"{file} does not have {outputs} rows of {outputs} costs: install narrator again")
    return rows


def load_vosk(folder: Path) -> Any:
    """vosk's model of a folder that was checked before. Raises ModelError if vosk refuses it."""
    vosk = vosk_api.load_vosk()
    vosk.SetLogLevel(-1)
    try:
        return vosk.Model(str(folder))
    except Exception as error:  # vosk raises nothing finer
        raise ModelError(f"vosk cannot load the model in {folder.name}: install it again") from error
