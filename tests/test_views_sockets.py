"""A view that was asked for opens what was asked for and nothing else: its own port, on that address; captions none."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from sockets import OFFLINE, internet_sockets, kernel_address, listening
from terminal import Terminal
from test_conductor import TABLE

from narrator.stage.tables import write_table

UNIX = str(socket.AF_UNIX.value)
STREAM = f"__new__ {socket.AF_INET.value} {socket.SOCK_STREAM.value} "  # the one that listens, and each viewer's
PATIENCE = 60.0  # seconds until the address must have been told: the machine is shared


@pytest.fixture
def table(tmp_path: Path) -> str:
    write_table(TABLE, tmp_path / "t.toml")
    return str(tmp_path / "t.toml")


def wishes(told: Path) -> list[str]:
    """What Python was asked for, but for the pairs by which an event loop wakes itself."""
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    return [line for line in lines if line.split()[:2] not in (["__new__", UNIX], ["__new__", "-1"])]


class Served:
    """A real `play --web`, and what it prints."""

    def __init__(self, folder: Path, table: str, *web: str) -> None:
        self.told = folder / "told"
        own = {f"XDG_{name}_HOME": str(folder) for name in ("STATE", "CONFIG")}
        self.process = subprocess.Popen(
            [sys.executable, OFFLINE, "play", "--typed", "--skip-setup", "--table", table, *web],
            env={**os.environ, **own, "SOCKETS_TOLD": str(self.told), "PULSE_SERVER": "unix:/nowhere"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        self.lines.extend(self.process.stdout)

    def url(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if found := re.search(r"http://\S+/", "".join(self.lines)):
                return found[0]
            time.sleep(0.05)
        raise AssertionError("".join(self.lines))


@pytest.mark.parametrize(("web", "host"), [(("--web", "0"), "127.0.0.1"), (("--web", "127.0.0.2:0"), "127.0.0.2")])
def test_a_page_opens_its_own_port_on_the_address_that_was_asked_for_and_nothing_else(
    tmp_path: Path, table: str, web: tuple[str, ...], host: str
) -> None:
    served = Served(tmp_path, table, *web)
    try:
        url = served.url()
        port = int(url.split(":")[2].split("/")[0])
        own = kernel_address(host, port)
        rows = internet_sockets(served.process.pid)
        assert listening(rows) == [own]
        assert len(rows) == 1
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert answer.status == 200
        assert served.process.stdin
        served.process.stdin.write("je propose Chloé\n")
        served.process.stdin.flush()
        with urllib.request.urlopen(url + "style.css", timeout=30) as answer:
            assert answer.status == 200
        rows = internet_sockets(served.process.pid)
        assert listening(rows) == [own]
        assert all(row.split()[2] == own for row in rows)  # what else there is are its viewers
    finally:
        served.process.kill()
        served.process.wait()
    asked = wishes(served.told)
    assert [line for line in asked if not line.startswith(STREAM)] == [f"bind ('{host}', 0)"]  # no call, no look-up


def test_the_watch_sees_a_call(tmp_path: Path) -> None:
    told = tmp_path / "told"
    call = "import runpy, sys; sys.argv = ['offline', '--version']\n"
    call += f"space = runpy.run_path({OFFLINE!r})\nimport socket; sys.addaudithook(space['watch'])\n"
    call += "with socket.socket() as one: one.connect_ex(('127.0.0.1', 9))\nsocket.getaddrinfo('localhost', 80)"
    subprocess.run([sys.executable, "-c", call], env={**os.environ, "SOCKETS_TOLD": str(told)}, check=True)
    assert [line.split()[0] for line in wishes(told)] == ["__new__", "connect", "getaddrinfo"]


def test_captions_on_a_terminal_open_none(tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told"
    monkeypatch.setenv("SOCKETS_TOLD", str(told))
    monkeypatch.setenv("PULSE_SERVER", "unix:/nowhere")
    chosen = ("play", "--typed", "--captions", "--skip-setup", "--table", table)
    terminal = Terminal(*chosen, folder=tmp_path, program=(OFFLINE,))
    try:
        terminal.wait_for("· Proposition", "♛ Grande Vizir")
        terminal.type("je propose Chloé\r")
        terminal.wait_for("· Discussion", "◇ Proposée")
        assert internet_sockets(terminal.pid) == []
    finally:
        terminal.end()
    assert wishes(told) == []
