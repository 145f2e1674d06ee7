"""The evening on disk: one JSON line per event, flushed to the disk before anything is said about it.

The first line tells the table; the last one of a finished evening is {"event": "closed"}. A line cut by a power failure
is dropped. A full, read-only or slow disk never stops a game: what could not be written is written when it can be. A
thread writes, so that a disk that does not answer holds up one event for a moment and no other.

What a game master enters goes to a second file beside the first (".private"), which only its owner can read. One count
("n") runs over both, so that the evening is the two of them in order, whichever was written last before a crash.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import threading
import time
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from narrator.core.errors import ScriptError
from narrator.core.events import Event, Heard, Rolled, from_data, to_data
from narrator.core.setting import Setting

VERSION = 1
SEED = "seed"  # of the evening's draws
PATIENCE = 0.5  # seconds for which what is to be said waits for the disk
SLOW = 3.0  # seconds after which a disk that does not answer is told of
_NOTES = ("clock", "owed")  # that are no part of the story
LARGEST = 64_000_000  # bytes of a journal: an evening's has a few hundred thousand


def private_path(path: Path) -> Path:
    """Where the game master's part of the journal `path` is."""
    return path.with_suffix(".private")


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
    owed: tuple[tuple[int, int], ...] = ()  # notes: after so many events, so many lines were still to be said


class Journal:
    """Appends events to a file. `trouble` is the last error of the disk, None while all is written."""

    def __init__(self, path: Path, head: dict[str, Any] | None) -> None:
        """`head`: the first line of a new journal; None goes on with an existing one."""
        self.path = path
        self.trouble: OSError | None = None
        self._unwritten: dict[bool, list[str]] = {False: [], True: []}
        self._change = threading.Condition()
        self._writing_since = 0.0  # time.monotonic(), 0 when the disk is idle
        self._thread: threading.Thread | None = None
        self._number = 0
        if head is not None:
            with contextlib.suppress(OSError):
                private_path(path).unlink(missing_ok=True)
            self._add(head)
        elif path.exists():
            self._number = max((row.get("n", 0) for row in _all_rows(path)), default=0)

    @property
    def number(self) -> int:
        """Of the last event written, from 1 on."""
        return self._number

    @classmethod
    def begin(
        cls,
        setting: Setting,
        seed: int,
        *,
        skip_setup: bool,
        path: Path | None = None,
        secret: Collection[str] = (),
    ) -> Journal:
        """A new journal, in `path` or in the user's folder of evenings.

        `secret`: options for the private file only; "seed" among them hides the seed, from which secret draws follow.
        """
        if path is None:
            stamp = time.strftime("%Y-%m-%d-%H%M%S")
            path = evenings_folder() / f"{stamp}-{Path(setting.game).name}-{os.getpid()}.jsonl"
        head = {
            "narrator": VERSION,
            "game": setting.game,
            "lang": setting.language,
            "players": list(setting.players),
            "first": setting.first,
            "options": {k: v for k, v in setting.options.items() if k not in secret},
            "says": dict(setting.says),
            "pace": setting.pace,
            "heard": {name: list(rows) for name, rows in setting.heard.items()},
            "seed": 0 if SEED in secret else seed,
            "skip_setup": skip_setup,
        }
        journal = cls(path, head)
        hidden = {k: v for k, v in setting.options.items() if k in secret}
        if hidden or SEED in secret:
            own = {SEED: seed} if SEED in secret else {}
            journal._add({"narrator": VERSION, "options": hidden, **own}, private=True)
        return journal

    def write(self, event: Event, at: float) -> None:
        """Append an event (`at`: seconds since the evening began) and sync it to the disk. Never raises."""
        self._number += 1
        data = {"n": self._number, "at": round(at, 2), **to_data(event)}
        self._add(data, private=isinstance(event, (Heard, Rolled)) and event.private)

    def missed(self, at: float) -> None:
        """Note that somebody said something that was none of the sentences: no event, but a part of the story."""
        self._add({"note": "missed", "at": round(at, 2)})

    def tick(self, clock: str, left: float, at: float) -> None:
        """Note the seconds that are left on a clock of the table's: no event, but where a resumed evening goes on."""
        self._add({"note": "clock", "clock": clock, "left": round(left, 1), "at": round(at, 2)})

    def owed(self, left: int, number: int, at: float) -> None:
        """Note how many lines are still to be said, the last of them about event `number`. Nobody waits for the disk:
        the next line is being said meanwhile, or the ear opens."""
        self._add({"note": "owed", "n": number, "left": left, "at": round(at, 2)}, wait=False)

    def clocks(self) -> dict[str, float]:
        """What was noted last of every clock: name -> seconds left. Empty where the file cannot be read."""
        try:
            notes = [row for row in _rows(self.path) if row.get("note") == "clock"]
            return {str(note["clock"]): float(note["left"]) for note in notes}
        except (ScriptError, LookupError, TypeError, ValueError):
            return {}

    def close(self) -> None:
        """The evening is over: nothing to resume."""
        self._add({"event": "closed"})
        self.settle()

    def settle(self) -> None:
        """Wait until what was written is on the disk, or the disk does not answer."""
        with self._change:
            self._change.wait_for(lambda: not self._writing_since, SLOW)

    def _add(self, data: dict[str, Any], *, private: bool = False, wait: bool = True) -> None:
        line = json.dumps(data, ensure_ascii=False)
        with self._change:
            self._unwritten[private].append(line)
            if not self._writing_since:
                self._writing_since = time.monotonic()
                self._thread = threading.Thread(target=self._write_all, name="journal", daemon=True)
                self._thread.start()
            self._change.wait_for(lambda: not self._writing_since, PATIENCE if wait else 0.0)
            if self._writing_since and time.monotonic() - self._writing_since > SLOW:
                self.trouble = OSError(errno.ETIMEDOUT, "the disk does not answer")

    def _write_all(self) -> None:
        """In a thread of its own: until nothing is left to write, or the disk refuses."""
        retrying, failed = self.trouble is not None, None
        while True:
            with self._change:
                waiting = {channel: list(lines) for channel, lines in self._unwritten.items() if lines}
                if not waiting or failed:
                    self.trouble, self._writing_since = failed, 0.0
                    self._change.notify_all()
                    return
            try:
                for channel, lines in waiting.items():
                    path = private_path(self.path) if channel else self.path
                    if retrying:
                        _mend(path)  # the disk may have taken half a line and kept it
                    _append(path, lines, private=channel)
                    with self._change:
                        del self._unwritten[channel][: len(lines)]
            except OSError as error:
                failed = error


def _append(path: Path, lines: Sequence[str], *, private: bool) -> None:
    """Whole lines or nothing, synced to the disk. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600 if private else 0o666)

    data = "".join(line + "\n" for line in lines).encode("utf-8", "replace")
    # Unbuffered: a buffered file writes the rest of a line that failed once more when it is closed.
    with open(path, "ab", buffering=0, opener=opener) as file:
        start = file.tell()
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                os.truncate(path, start)  # half a line must not come before the next one
            raise


def read_journal(path: Path) -> Record:
    """Both channels, in order. Raises ScriptError (file and line) if it is missing or not a journal."""
    return read_course(path)[0]


def read_course(path: Path) -> tuple[Record, tuple[tuple[float, Event | None], ...]]:
    """The record, and when (seconds since the evening began) what happened; None: something was not understood.

    Raises ScriptError as `read_journal` does.
    """
    rows, hidden = _rows(path), private_path(path)
    secret = _rows(hidden) if hidden.exists() else []
    if not rows or rows[0].get("narrator") != VERSION:
        raise ScriptError("this is not a journal of the narrator", str(path), 1)
    head = rows[0]
    try:
        setting = Setting(
            str(head["game"]),
            str(head["lang"]),
            tuple(map(_name, head["players"])),
            str(head["first"]),
            {**head["options"], **(secret[0].get("options", {}) if secret else {})},
            {str(word): _name(said) for word, said in dict(head.get("says", {})).items()},
            str(head.get("pace", "normal")),
            {str(name): tuple(map(str, rows)) for name, rows in dict(head.get("heard", {})).items()},
        )
        seed = int(secret[0].get(SEED, head["seed"]) if secret else head["seed"])
        skip_setup = bool(head["skip_setup"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ScriptError(f"the journal's first line does not tell the table ({error})", str(path), 1) from None
    numbered = sorted([*_events(path, rows), *_events(hidden, secret)], key=lambda one: one[0])
    events = tuple(event for _, _, event in numbered if event is not None)
    numbers = [number for number, _, event in numbered if event is not None]
    owed = tuple((bisect_right(numbers, number), left) for number, left in _owed(path, rows))
    record = Record(path, setting, seed, skip_setup, events, rows[-1].get("event") == "closed", owed)
    return record, tuple((at, event) for _, at, event in numbered)


def _owed(path: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, int]]:
    """The notes of what was still to be said: the number of the last event that it is about, and how many lines."""
    for number, row in enumerate(rows, 1):
        if row.get("note") == "owed":
            try:
                yield int(row["n"]), max(0, int(row["left"]))
            except (LookupError, TypeError, ValueError, OverflowError) as error:
                raise ScriptError(f"this event is not one of the narrator's ({error})", str(path), number) from None


def _events(path: Path, rows: Sequence[Mapping[str, Any]]) -> list[tuple[int, float, Event | None]]:
    """The events of one file with their numbers and times; what was not understood has the number before it."""
    events: list[tuple[int, float, Event | None]] = []
    last = 0
    for number, row in enumerate(rows, 1):
        if "narrator" not in row and row.get("event") != "closed" and row.get("note") not in _NOTES:
            try:
                at, last = float(row.get("at", 0.0)), int(row.get("n", last if "note" in row else number))
                event = None if "note" in row else from_data({k: v for k, v in row.items() if k != "at"})
                events.append((last, at, event))
            except (TypeError, ValueError, OverflowError) as error:
                raise ScriptError(f"this event is not one of the narrator's ({error})", str(path), number) from None
    return events


def _all_rows(path: Path) -> list[dict[str, Any]]:
    hidden = private_path(path)
    return [*_rows(path), *(_rows(hidden) if hidden.exists() else ())]


def _rows(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line; a last line that is cut is none."""
    lines = _text(path).split("\n")
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip("\0 "):
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError
            rows.append(row)
        except (ValueError, RecursionError):
            if any(rest.strip("\0 ") for rest in lines[number:]):
                raise ScriptError("this line of the journal is damaged", str(path), number) from None
    return rows


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    return value


def _text(path: Path) -> str:
    """What a regular file of a sensible size holds. Raises ScriptError for anything else."""
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            raise ScriptError("this is not a journal of the narrator", str(path))
        return path.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ScriptError(f"this journal cannot be read ({reason})", str(path)) from None


def mend(path: Path) -> None:
    """Cut off a last line that a power failure left unfinished, so that the journal can be gone on with.

    Where the disk refuses, the journal tries again itself.
    """
    for one in (path, private_path(path)):
        with contextlib.suppress(OSError):
            _mend(one)


def _mend(path: Path) -> None:
    data = path.read_bytes() if path.is_file() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        with path.open("r+b") as file:
            file.truncate(len(whole))


def unfinished(folder: Path | None = None) -> Path | None:
    """The newest evening that was not finished, if any; its last line may be one that a power failure cut."""
    for path in sorted((folder or evenings_folder()).glob("*.jsonl"), reverse=True):
        try:
            whole = _text(path).rpartition("\n")[0]
        except ScriptError:
            continue
        last = whole.rstrip().rsplit("\n", 1)[-1]
        if '"closed"' not in last and ('"event"' in last or '"note"' in last):
            return path
    return None
