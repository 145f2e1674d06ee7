"""A recorded voice: a folder of lines that a person has spoken, which answers where it knows the very words.

Rules. `pack.toml` keeps the words beside every recording, so a line that was rewritten since is never spoken wrongly.
A line without placeholders is `<line>.wav`. One with placeholders ("{gv}, qui proposes-tu ?") is its fixed parts,
`<line>.1.wav` …, put together with `names/<name>.wav`; a number in words is a name too. A line with forms to choose
from ("{n?Pacifiste, referme|Pacifistes, refermez}") is recorded once for each: `<line>~1.wav`, `<line>~2.wav` … What
the pack lacks, or cannot read, is left to the synthesiser. A file outside the folder is never opened.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tomli_w
from platformdirs import user_data_path

from narrator.core.errors import ScriptError
from narrator.core.script import Source
from narrator.library import read_source
from narrator.voice.clip import Clip, Floats, framed, read_clip, resampled, to_float, to_int16, trimmed

FORMAT = 1
FILE = "pack.toml"
NAMES = "names"
GAP = 0.07  # seconds between two recordings of one line
LARGEST = 50_000_000  # bytes of one recording
VARIANTS = 4  # of one line: more are left to the synthesiser
_HOLE = re.compile(r"\{([a-z_]\w*(?::\w+)?)\}")
_FORMS = re.compile(r"\{[a-z_]\w*(?::\w+)?\?([^{}|]*)\|([^{}|]*)\}")
_PLAIN = re.compile(r"[\w-]+")
_log = logging.getLogger(__name__)


def packs_folder() -> Path:
    """Where this user's packs are kept, one folder each."""
    return user_data_path("narrator", appauthor=False) / "packs"


@dataclass(frozen=True)
class Part:
    """A piece of a line: fixed words, or (`hole`) a name to be put there. `file` is "" where nothing is spoken."""

    text: str
    file: str = ""
    hole: bool = False


def variants_of(line: str, template: str) -> tuple[tuple[Part, ...], ...]:
    """What a line is put together from, once for each of its forms; empty for one with too many.

    `template`: the line as it is written.
    """
    texts = [template]
    while any(_FORMS.search(text) for text in texts):
        texts = [made for text in texts for made in _chosen(text)]
        if len(texts) > VARIANTS:
            return ()
    texts = list(dict.fromkeys(text.replace("{breath}", "") for text in texts))
    if len(texts) == 1:
        return (_parts(line, texts[0]),)
    return tuple(_parts(f"{line}~{number}", text) for number, text in enumerate(texts, 1))


def _chosen(text: str) -> tuple[str, ...]:
    """The text with its first choice made, one way and the other."""
    found = _FORMS.search(text)
    if found is None:
        return (text,)
    forms = (form.replace("[", "{").replace("]", "}") for form in found.groups())
    return tuple(text[: found.start()] + form + text[found.end() :] for form in forms)


def _parts(stem: str, template: str) -> tuple[Part, ...]:
    pieces = _HOLE.split(template)
    if len(pieces) == 1:
        return (Part(template, f"{stem}.wav"),)
    parts: list[Part] = []
    for number, piece in enumerate(pieces):
        if number % 2:
            parts.append(Part(piece, hole=True))
        elif piece:
            spoken = any(char.isalnum() for char in piece)
            parts.append(Part(piece, f"{stem}.{number // 2 + 1}.wav" if spoken else ""))
    return tuple(parts)


def name_file(name: str, taken: Iterable[str] = ()) -> str:
    """A file name for a recorded name: its letters, and a number where two names share them."""
    stem = re.sub(r"[^\w-]+", "-", name.lower()).strip("-") or "name"
    busy = set(taken)
    return next(file for n in range(1, 999) if (file := f"{stem}{'' if n == 1 else f'-{n}'}.wav") not in busy)


def squeezed(text: str) -> str:
    """Spelling as it is compared: spaces of any kind are one, capitals do not count, nothing invisible."""
    return re.sub(r"\s+", " ", text.replace("\u2063", "")).strip().casefold()


class Pack:
    """See the module. Not to be changed while it is read."""

    def __init__(self, folder: Path) -> None:
        """Raises ScriptError (file and line) for a folder that is no pack."""
        source = read_source(folder / FILE)
        self.folder, self.language = folder, str(source.data.get("language", ""))
        if source.data.get("pack") != FORMAT:
            raise source.fault(f"this is not a voice pack: it should begin with pack = {FORMAT}", "pack")
        self.game = str(source.data.get("game", ""))
        self.lines = _table(source, "lines")
        self.names = _table(source, "names")
        for line in self.lines:
            if not _PLAIN.fullmatch(line):
                raise source.fault(f"“{line}” is not the name of a line", "lines", line)
        for name, file in self.names.items():
            if Path(file).name != file or not file.endswith(".wav"):
                raise source.fault(f"the recording of “{name}” must be a .wav file in {NAMES}/", "names", name)
        self._files = {squeezed(name): f"{NAMES}/{file}" for name, file in self.names.items()}
        self._whole: dict[str, str] = dict(self._files)
        self._built: list[tuple[re.Pattern[str], tuple[Part, ...]]] = []
        for line, template in self.lines.items():
            for parts in variants_of(line, template):
                self._learn(parts)
        self._clips: dict[str, Clip | None] = {}

    def clip(self, text: str) -> Clip | None:
        """The recording of exactly these words, whole or put together; None where a piece is missing."""
        wanted = squeezed(text)
        if wanted in self._whole:
            return self._read(self._whole[wanted])
        for pattern, parts in self._built:
            if match := pattern.fullmatch(wanted):
                files = self._files_of(parts, match.groups())
                if files:
                    return self._together(files)
        return None

    def _learn(self, parts: tuple[Part, ...]) -> None:
        if len(parts) == 1 and not parts[0].hole:
            self._whole[squeezed(parts[0].text)] = parts[0].file
        elif parts:
            written = "".join(
                "(.+?)" if part.hole else re.escape(re.sub(r"\s+", " ", part.text).casefold()) for part in parts
            )
            self._built.append((re.compile(written), parts))

    def _files_of(self, parts: tuple[Part, ...], names: tuple[str, ...]) -> list[str]:
        """The recordings in order, none when a name was not recorded."""
        given = iter(names)
        files = [self._files.get(next(given)) if part.hole else part.file for part in parts]
        return [] if None in files else [file for file in files if file]

    def _together(self, files: list[str]) -> Clip | None:
        clips = [self._read(file) for file in files]
        if not clips or any(clip is None for clip in clips):
            return None
        rate = next(clip.rate for clip in clips if clip)
        pieces: list[Floats] = []
        for clip in clips:
            assert clip is not None
            pieces += [trimmed(to_float(resampled(clip, rate).samples)), np.zeros(round(GAP * rate), np.float32)]
        return Clip(to_int16(framed(np.concatenate(pieces[:-1]), rate)), rate)

    def _read(self, file: str) -> Clip | None:
        if file not in self._clips:
            self._clips[file] = self._opened(self.folder / file)
        return self._clips[file]

    def _opened(self, path: Path) -> Clip | None:
        if not path.exists():
            return None  # not recorded yet
        try:
            if not path.resolve().is_relative_to(self.folder.resolve()) or path.stat().st_size > LARGEST:
                raise ValueError("outside of the pack, or too large")
            return read_clip(path)
        except (OSError, ValueError) as error:
            _log.warning("a recording cannot be used, the synthesiser speaks instead: %s (%s)", path, error)
            return None


def _table(source: Source, key: str) -> Mapping[str, str]:
    table = source.data.get(key, {})
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise source.fault(f"[{key}] must be a table of texts", key)
    return dict(table)


def write_index(folder: Path, language: str, game: str, lines: Mapping[str, str], names: Mapping[str, str]) -> None:
    """Writes pack.toml, whole or not at all. Raises ScriptError if the disk refuses."""
    data = {"pack": FORMAT, "language": language, "game": game, "lines": dict(lines), "names": dict(names)}
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(tomli_w.dumps(data), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise ScriptError(f"the pack cannot be written ({error.strerror})", str(path)) from None
