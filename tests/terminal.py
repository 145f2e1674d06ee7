"""A real terminal for tests: the narrator on a pseudo-terminal, its screen read back by an emulator (pyte)."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pyte

ROOT = Path(__file__).parent.parent
PROGRAM = ("-m", "narrator")
FOREIGN = ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "COLUMNS", "LINES", "COLORTERM", "NO_COLOR", "FORCE_COLOR")
PATIENCE = 90.0  # seconds until what a test waits for must have come: the machine is shared


class Terminal:
    def __init__(
        self,
        *arguments: str,
        folder: Path,
        columns: int = 160,
        rows: int = 45,
        lang: str = "C.UTF-8",
        program: tuple[str, ...] = PROGRAM,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.raw = b""
        self._stream = pyte.ByteStream(self.screen)
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it for what it starts in the background
            for name in FOREIGN:
                os.environ.pop(name, None)
            os.environ.update(TERM="xterm-256color", LANG=lang, XDG_STATE_HOME=str(folder))
            os.environ["XDG_CONFIG_HOME"] = str(folder)
            os.execv(sys.executable, [sys.executable, *program, *arguments])
        self.screen.write_process_input = self.type  # answers when it is asked where its cursor is
        self.resize(columns, rows)
        self.cooked = termios.tcgetattr(self._fd)
        self.status: int | None = None

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def wait_for(self, *texts: str) -> str:
        """Until all of them stand on the screen; returns the whole screen."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if all(text in self.text for text in texts):
                return self.text
            if not self._read():
                break
        raise AssertionError(f"{texts} did not come; there is:\n{self.text}\n{self.raw[-600:]!r}")

    def wait_for_end(self) -> int:
        """The exit status."""
        end = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < end, f"it does not end; there is:\n{self.text}"
        _, status = os.waitpid(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def end(self) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def _read(self) -> bool:
        """Some of what comes; False once the program is gone."""
        ready, _, _ = select.select([self._fd], [], [], 0.2)
        if not ready:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)
