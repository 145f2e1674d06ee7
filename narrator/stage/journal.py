"""The evening on disk: one JSON line per event, flushed to the disk before anything is said about it.

The first line tells the table; the last one of a finished evening is {"event": "closed"}. A line cut by a power failure
is dropped. A full or read-only disk never stops a game: what could not be written is written when it can be.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from narrator.core.errors import ScriptError
from narrator.core.events import Event, from_data, to_data
from narrator.core.setting import Setting

VERSION = 1


def evenings_folder() -> Path:
    """Where the journals of this user's evenings are kept."""
    return user_state_path("narrator", appauthor=False) / "evenings"


@dataclass(frozen=True)
class Record:
    """A journal read back."""

    path: Path
    setting: Setting
    seed: int
    skip_setup: bool
    events: tuple[Event, ...]
    closed: bool


class Journal:
    """Appends events to a file. `trouble` is the last error of the disk, None while all is written."""

    def __init__(self, path: Path, head: dict[str, Any] | None) -> None:
        """`head`: the first line of a new journal; None goes on with an existing one."""
        self.path = path
        self.trouble: OSError | None = None
        self._unwritten: list[str] = []
        if head is not None:
            self._add(head)

    @classmethod
    def begin(cls, setting: Setting, seed: int, *, skip_setup: bool, path: Path | None = None) -> Journal:
        """A new journal, in `path` or in the user's folder of evenings."""
        if path is None:
            stamp = time.strftime("%Y-%m-%d-%H%M%S")
            path = evenings_folder() / f"{stamp}-{setting.game}-{os.getpid()}.jsonl"
        head = {
            "narrator": VERSION,
            "game": setting.game,
            "lang": setting.language,
            "players": list(setting.players),
            "first": setting.first,
            "options": dict(setting.options),
            "says": dict(setting.says),
            "seed": seed,
            "skip_setup": skip_setup,
        }
        return cls(path, head)

    def write(self, event: Event, at: float) -> None:
        """Append an event (`at`: seconds since the evening began) and sync it to the disk. Never raises."""
        self._add({"at": round(at, 2), **to_data(event)})

    def close(self) -> None:
        """The evening is over: nothing to resume."""
        self._add({"event": "closed"})

    def _add(self, data: dict[str, Any]) -> None:
        self._unwritten.append(json.dumps(data, ensure_ascii=False))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                start = file.tell()
                try:
                    file.write("".join(line + "\n" for line in self._unwritten))
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    os.truncate(self.path, start)  # half a line must not come before the next one
                    raise
            self._unwritten.clear()
            self.trouble = None
        except OSError as error:
            self.trouble = error


def read_journal(path: Path) -> Record:
    """Raises ScriptError (file and line) if it is missing or not a journal."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise ScriptError(f"this journal cannot be read ({error.strerror})", str(path)) from None
    rows = _rows(path, lines)
    if not rows or rows[0].get("narrator") != VERSION:
        raise ScriptError("this is not a journal of the narrator", str(path), 1)
    head = rows[0]
    try:
        setting = Setting(
            head["game"],
            head["lang"],
            tuple(head["players"]),
            head["first"],
            head["options"],
            head.get("says", {}),
        )
        seed, skip_setup = int(head["seed"]), bool(head["skip_setup"])
    except (KeyError, TypeError, ValueError) as error:
        raise ScriptError(f"the journal's first line does not tell the table ({error})", str(path), 1) from None
    events = []
    for number, row in enumerate(rows[1:], 2):
        if row.get("event") != "closed":
            try:
                events.append(from_data({k: v for k, v in row.items() if k != "at"}))
            except ValueError as error:
                raise ScriptError(f"this event is not one of the narrator's ({error})", str(path), number) from None
    return Record(path, setting, seed, skip_setup, tuple(events), rows[-1].get("event") == "closed")


def _rows(path: Path, lines: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip("\0 "):
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError
            rows.append(row)
        except ValueError:
            if any(rest.strip("\0 ") for rest in lines[number:]):
                raise ScriptError("this line of the journal is damaged", str(path), number) from None
    return rows


def mend(path: Path) -> None:
    """Cut off a last line that a power failure left unfinished, so that the journal can be gone on with."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        with path.open("r+b") as file:
            file.truncate(len(whole))


def unfinished(folder: Path | None = None) -> Path | None:
    """The newest evening that was not finished, if any."""
    for path in sorted((folder or evenings_folder()).glob("*.jsonl"), reverse=True):
        try:
            last = path.read_text(encoding="utf-8", errors="replace").rstrip().rsplit("\n", 1)[-1]
        except OSError:
            continue
        if '"closed"' not in last and '"event"' in last:
            return path
    return None
