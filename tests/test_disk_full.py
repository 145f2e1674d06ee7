"""A disk that fills up in the middle of an evening, and has room again: a real small one, a real process.

Where a test may not mount one, the kernel refuses larger files instead (which is tried everywhere besides).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_conductor import TABLE
from test_faults_files import EVENING

from narrator.stage.journal import read_journal
from narrator.stage.tables import write_table

LOST, BACK = "ne peux plus noter la partie", "note de nouveau"
PAGE = 4096  # bytes by which a tmpfs grows


class SmallDisk:
    """A tmpfs of a few pages. Raises OSError or CalledProcessError where it may not be mounted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "narrator", str(folder)], check=True)

    def fill(self, process: subprocess.Popen[str]) -> None:
        with (self.folder / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(PAGE))
            except OSError:
                return

    def free(self, process: subprocess.Popen[str]) -> None:
        (self.folder / "filler").unlink()

    def close(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], check=True)


class SmallFiles:
    """The process may not write a file larger than its journal is now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self, process: subprocess.Popen[str]) -> None:
        size = (self.folder / "j.jsonl").stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size + 150, resource.RLIM_INFINITY))

    def free(self, process: subprocess.Popen[str]) -> None:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def close(self) -> None: ...


@pytest.fixture(params=["a disk", "files"])
def disk(
    request: pytest.FixtureRequest, tmp_path: Path, record_property: Callable[[str, object], None]
) -> Iterator[Any]:
    folder = tmp_path / "small"
    folder.mkdir()
    small: SmallDisk | SmallFiles = SmallFiles(folder)
    if request.param == "a disk":
        with contextlib.suppress(OSError, subprocess.CalledProcessError):  # only root may mount
            small = SmallDisk(folder)
    record_property(f"{request.param} filled up", "tmpfs" if isinstance(small, SmallDisk) else "limit of the kernel")
    yield small
    small.close()


class Playing:
    """`play --typed --fast` on a journal; says() gives what the narrator says to a sentence."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.said, self.asked = process, [], []

    def says(self, sentence: str) -> list[str]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(sentence + "\n")
        self.process.stdin.flush()
        self.asked.append(sentence)
        lines = list(itertools.takewhile(lambda line: not line.startswith("{"), self.process.stdout))
        self.said += lines
        return lines


@contextlib.contextmanager
def playing(folder: Path, journal: Path) -> Iterator[Playing]:
    write_table(TABLE, folder / "t.toml")
    command = [sys.executable, "-m", "narrator", "play", "--typed", "--fast", "--state", "--skip-setup", "--seed", "7"]
    with subprocess.Popen(
        [*command, "--table", str(folder / "t.toml"), "--journal", str(journal)],
        env={**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONUNBUFFERED": "1", "LANG": "fr_FR.UTF-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Playing(process)
            assert process.stdin
            assert process.stdout
            process.stdin.close()  # it leaves when all is on the disk, however slow that is
            process.stdout.read()
            process.wait()
        finally:
            process.kill()


def test_a_disk_that_fills_up_is_told_of_once_and_gets_everything_when_it_has_room(disk: Any, tmp_path: Path) -> None:
    journal, good = disk.folder / "j.jsonl", tmp_path / "good.jsonl"
    sentences = EVENING.splitlines()
    with playing(tmp_path, journal) as play:
        for sentence in sentences[:3]:
            play.says(sentence)
        disk.fill(play.process)
        while not any(LOST in line for line in play.says("où en est-on")):  # its last page is filled
            assert len(play.asked) < 100
        whole = len(read_journal(journal).events)  # to be read, and not cut
        assert journal.read_bytes().endswith(b"\n")
        for sentence in sentences[3:9]:
            play.says(sentence)
        assert len(read_journal(journal).events) == whole
        disk.free(play.process)
        for sentence in sentences[9:12]:
            play.says(sentence)
    assert sum(LOST in line for line in play.said) == sum(BACK in line for line in play.said) == 1
    with playing(tmp_path, good) as undisturbed:
        for sentence in play.asked:
            undisturbed.says(sentence)
    assert [line for line in play.said if LOST not in line and BACK not in line] == undisturbed.said
    assert read_journal(journal).events == read_journal(good).events
    assert len(read_journal(journal).events) > whole + 9
