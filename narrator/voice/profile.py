"""How a language speaks: voices/<language>/voice.toml, read once into a frozen Profile.

Rules. Every fault of the file is a ScriptError with file and line. Times are seconds, rates words per
minute. Whether the engine has the voice is only known to the engine: the synthesiser's worker checks it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from narrator.core.errors import ScriptError
from narrator.core.setting import Setting
from narrator.library import data_folder, toml_fault
from narrator.voice.spoken import spoken_form

__all__ = ["Pauses", "Profile", "load_profile", "read_profile", "spoken_form", "table_profile"]

_LANGUAGE = re.compile(r"[a-z]{2,3}([-_][a-zA-Z0-9]+)*")


@dataclass(frozen=True)
class Pauses:
    """Silence after a comma, a semicolon or colon, a sentence, an ellipsis; a breath between a name and what is
    asked of it; seconds.
    """

    comma: float = 0.16
    semicolon: float = 0.30
    sentence: float = 0.42
    ellipsis: float = 0.60
    breath: float = 0.55


@dataclass(frozen=True)
class Profile:
    """One way of speaking.

    `voices`: ids as pyttsx3 names them ("roa/fr", "roa/fr+f4") or languages ("fr"); the first that the engine
    has is used. `rate`: words per minute. `pitch`: 0..100 or None. `volume`: 0..1. `says`: lower-case word ->
    respelling.
    """

    language: str
    voices: tuple[str, ...]
    rate: int = 160
    volume: float = 0.9
    pitch: int | None = None
    pauses: Pauses = field(default_factory=Pauses)
    says: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    source: str = ""


def load_profile(language: str) -> Profile:
    """The profile of a language ("fr"). Raises ScriptError if it is missing or wrong."""
    if not _LANGUAGE.fullmatch(language):
        raise ScriptError(f"{language!r} is not a language code: give one such as fr or en")
    return read_profile(data_folder("voices") / language / "voice.toml", language)


def table_profile(setting: Setting) -> Profile:
    """The profile of a table's language, with its players' names as they are said. Raises ScriptError."""
    profile = load_profile(setting.language)
    return replace(profile, says={**profile.says, **{name.lower(): said for name, said in setting.says.items()}})


def read_profile(path: Path, language: str) -> Profile:
    """A profile from any voice.toml. Raises ScriptError with file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"this voice cannot be read ({error}): restore the file", str(path)) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why, at = toml_fault(error, text)
        raise ScriptError(f"this is not valid TOML: {why}", str(path), at) from error
    return _Reader(path, text).profile(data, language)


class _Reader:
    """Checks plain data field by field; knows where each key stands so that a fault has a line."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._lines = path, text.splitlines()

    def profile(self, data: dict[str, object], language: str) -> Profile:
        self._known(data, {"voice", "rate", "volume", "pitch", "pauses", "says"})
        pitch = None if "pitch" not in data else round(self._number(data, "pitch", 0, 100))
        return Profile(
            language=language,
            voices=self._voices(data),
            rate=round(self._number(data, "rate", 60, 400, 160)),
            volume=self._number(data, "volume", 0, 1, 0.9),
            pitch=pitch,
            pauses=self._pauses(self._table(data, "pauses")),
            says=self._says(self._table(data, "says")),
            source=str(self._path),
        )

    def _voices(self, data: dict[str, object]) -> tuple[str, ...]:
        value = data.get("voice")
        names = [value] if isinstance(value, str) else value
        if not (isinstance(names, list) and names and all(isinstance(n, str) and n.strip() for n in names)):
            raise self._fault('voice must name a voice, or a list of voices, such as ["roa/fr", "fr"]', "voice")
        return tuple(str(n).strip() for n in names)

    def _pauses(self, table: dict[str, object]) -> Pauses:
        names = tuple(Pauses.__dataclass_fields__)
        self._known(table, set(names), "pauses")
        return Pauses(**{n: self._number(table, n, 0, 5, getattr(Pauses(), n), "pauses") for n in names})

    def _says(self, table: dict[str, object]) -> Mapping[str, str]:
        for word, said in table.items():
            if not isinstance(said, str):
                raise self._fault(f"{word} must be the text to say instead", word, "says")
            if not word.strip() or len(word.split()) > 1:
                raise self._fault(f"{word} must be one word", word, "says")
        return MappingProxyType({word.lower(): str(said) for word, said in table.items()})

    def _table(self, data: dict[str, object], key: str) -> dict[str, object]:
        value = data.get(key, {})
        if not isinstance(value, dict):
            raise self._fault(f"{key} must be a table: write [{key}]", key)
        return value

    def _number(
        self,
        data: dict[str, object],
        key: str,
        low: float,
        high: float,
        default: float = 0,
        section: str = "",
    ) -> float:
        value = data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self._fault(f"{key} must be a number from {low} to {high}, not {value!r}", key, section)
        return float(value)

    def _known(self, data: dict[str, object], names: set[str], section: str = "") -> None:
        for key in data:
            if key not in names:
                raise self._fault(f"{key} is not known here: use {', '.join(sorted(names))}", key, section)

    def _fault(self, message: str, key: str, section: str = "") -> ScriptError:
        return ScriptError(message, str(self._path), self._line(key, section))

    def _line(self, key: str, section: str) -> int:
        here = ""
        matches = re.compile(rf"""\s*(\[\s*)?["']?{re.escape(key)}["']?\s*[=\]]""").match
        for number, line in enumerate(self._lines, 1):
            header = re.match(r"\s*\[\s*([\w-]+)\s*\]", line)
            here = header.group(1) if header else here
            if matches(line) and (here == section or (header and here == key and not section)):
                return number
        return 1
