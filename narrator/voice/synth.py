"""Text to Clip through one worker process that owns pyttsx3 (see worker.py), with a watchdog.

Rules. One request at a time; an answer that is late means a hung engine: the worker is killed, a new one
started and the line tried once more, then DeviceError. Nothing the worker prints can be taken for an
answer.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from narrator.core.errors import DeviceError
from narrator.voice.clip import Clip
from narrator.voice.engine import Engine
from narrator.voice.profile import Profile
from narrator.voice.spoken import Clause

__all__ = ["Clip", "Synth"]

PATIENCE = 4.0
START_LIMIT = 10.0  # seconds for an engine to load on a slow, busy machine
_INSTALL = "install espeak-ng (Debian: apt install espeak-ng; elsewhere the system's own voices serve)"


def answer_limit(characters: int) -> float:
    """Seconds after which a silent worker is held to be hung, and another one started: ten times what a line takes.

    Less than two for any line of a game (of up to 600 characters). A machine so busy that this is too short gets
    PATIENCE times as long for the second try.
    """
    return max(min(1.0 + 0.003 * characters, 1.8), 0.003 * characters)


class _DeadError(Exception):
    """The worker ended or does not answer."""


class _Worker:
    """One process and the thread that reads its answers."""

    def __init__(self, script: str, arguments: tuple[str, ...] = (), start_limit: float = START_LIMIT) -> None:
        self._start_limit = start_limit
        # -P: the script's folder must not come before the standard library (it holds a profile.py).
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name(script)), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._answers: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, name="voice-answers", daemon=True).start()
        self.engine = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._answers.put(_fields(line))
        self._process.stdout.close()
        self._answers.put(None)

    def ready(self) -> None:
        """Waits for the engine. Raises DeviceError if there is none."""
        if self.engine:
            return
        answer: dict[str, Any] = {}
        while "ready" not in answer:
            answer = self._next(self._start_limit)
            if answer.get("kind") == "engine":
                raise DeviceError(
                    f"no speech engine can be loaded ({answer['error']}): {answer.get('advice', _INSTALL)}"
                )
        self.engine = answer["ready"]

    def ask(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise _DeadError("it ended") from error
        end = time.monotonic() + limit
        while True:
            answer = self._next(end - time.monotonic())
            if answer.get("id") == request["id"] and ("files" in answer or "error" in answer):
                return answer

    def _next(self, limit: float) -> dict[str, Any]:
        try:
            answer = self._answers.get(timeout=max(0.001, limit))
        except queue.Empty:
            raise _DeadError("it does not answer") from None
        if answer is None:
            raise _DeadError("it ended")
        return answer

    def kill(self) -> None:
        """Ends the process at once, hung or not."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()  # our end of its output is closed by the thread that reads it


def _fields(line: str) -> dict[str, Any]:
    """An answer; nothing when something else was printed before the worker had its own descriptor."""
    try:
        fields = json.loads(line)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


class Synth(Engine):
    """The voice of one profile. Thread-safe; starts its worker at once, so that the first line does
    not wait.
    """

    script = "worker.py"
    start_limit = START_LIMIT

    def __init__(self, profile: Profile, *arguments: str) -> None:
        """`arguments`: for the worker, where another kind of voice has its own."""
        super().__init__(profile)
        self._arguments = arguments
        self._numbers = itertools.count(1)
        self._closed = False
        self._folder = tempfile.TemporaryDirectory(prefix="narrator-voice-", ignore_cleanup_errors=True)
        self._engine = ""
        self._worker: _Worker | None = self._started()

    @property
    def pid(self) -> int:
        """Process id of the worker, 0 when none runs."""
        worker = self._worker
        return worker.pid if worker else 0

    @property
    def engine(self) -> str:
        """The engine's name ("espeak", "sapi5", "nsss"). Raises DeviceError when there is none."""
        if not self._engine:
            with self._lock:
                self._engine = self._named()
        return self._engine

    def _named(self) -> str:
        try:
            return self._ready().engine
        except _DeadError as dead:
            self._drop()
            raise DeviceError(f"the speech engine does not start ({dead}): try another voice") from None

    def limit(self, characters: int) -> float:
        """Seconds after which a silent worker is held to be hung."""
        return answer_limit(characters)

    def close(self) -> None:
        """Ends the worker, and with it a line under way. A closed Synth renders no more."""
        self._closed = True
        if (worker := self._worker) is not None:
            worker.kill()
        with self._lock:
            self._drop()
            self._folder.cleanup()

    def _files(self, parts: tuple[Clause, ...], rate: int) -> list[Path]:
        reason = ""
        for patience in (1.0, PATIENCE):
            try:
                return self._asked(parts, rate, patience)
            except _DeadError as dead:
                reason = str(dead)
                self._drop()
        raise DeviceError(f"the speech engine failed twice on one line ({reason}): the line is skipped")

    def _asked(self, parts: tuple[Clause, ...], rate: int, patience: float) -> list[Path]:
        number = next(self._numbers)
        request = {
            "id": number,
            "voices": self.profile.voices,
            "rate": rate,
            "pitch": self.profile.pitch,
            "pieces": [self._piece(part.text) for part in parts],
            "prefix": str(Path(self._folder.name) / str(number)),
        }
        answer = self._ready().ask(request, patience * self.limit(sum(len(part.text) for part in parts)))
        if answer.get("kind") == "voice":
            where = f"{self.profile.source}: " if self.profile.source else ""
            raise DeviceError(f"{where}{answer['error']}; name one of these in voice.toml")
        if "error" in answer:
            raise DeviceError(f"the speech engine refused a line ({answer['error']})")
        return [Path(name) for name in answer["files"]]

    def _piece(self, text: str) -> str:
        """A part as the worker wants it."""
        return text

    def _started(self) -> _Worker:
        return _Worker(self.script, self._arguments, self.start_limit)

    def _ready(self) -> _Worker:
        if self._closed:
            raise DeviceError("the voice was closed")
        if self._worker is None:
            self._worker = self._started()
        try:
            self._worker.ready()
        except DeviceError:
            self._drop()
            raise
        return self._worker

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None
