"""A rehearsal that somebody looks at: the views are fed, time passes as asked, nothing is printed beside them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from evening import table
from playwright.sync_api import expect, sync_playwright
from terminal import Terminal
from test_web_browser import PATIENT

from bench.pictures import FLAGS, chromium
from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.watched import watched
from narrator.setup import sample_setting
from narrator.stage.tables import write_table
from narrator.views.snapshot import Snapshot
from narrator.views.wishes import Looks


def test_the_views_see_the_whole_evening_at_its_pace(capsys: pytest.CaptureFixture[str]) -> None:
    rehearsal = Rehearsal(stage(sample_setting("sultan", 5)), 2, typed=True, silent=True, quiet=True)
    views = watched(rehearsal, Looks(plain=True), 0)
    shots: list[Snapshot] = []
    assert views.desk is not None
    views.desk.views.append(shots.append)
    waited: list[float] = []
    rehearsal.wait = waited.append
    assert rehearsal.run() is not None
    views.close()
    assert shots[-1].ended
    assert sum(waited) == pytest.approx(rehearsal.clock.now(), abs=30)
    assert min(waited) >= 0
    out = capsys.readouterr().out
    assert "[Discussion]" in out
    assert not re.search(r"^\s+\d+:\d\d ", out, re.MULTILINE)  # not the transcript as well


def test_a_clock_of_a_fast_rehearsal_runs_fast() -> None:
    rehearsal = Rehearsal(stage(sample_setting("sultan", 5)), 2, typed=True, silent=True, quiet=True)
    views = watched(rehearsal, Looks(plain=True), 6)
    assert views.desk is not None
    assert views.desk.rate == 6
    assert rehearsal.wait is None  # plain lines need no waiting


def test_a_rehearsal_on_a_terminal_is_left_by_control_c(tmp_path: Path) -> None:
    terminal = Terminal("rehearse", "sultan", "--typed", "--captions", "--speed", "3", folder=tmp_path)
    try:
        terminal.wait_for("· Mise en place", "Alice")
        terminal.type("\x03")
        assert terminal.wait_for_end() == 130
        assert terminal.raw.count(b"\x1b[?1049l") == 1
    finally:
        terminal.end()


def test_a_real_evening_on_a_real_page(tmp_path: Path) -> None:
    """`narrator play --web`, as it is started at a table: what is typed is seen on a phone."""
    setting = tmp_path / "t.toml"
    write_table(table(5), setting)  # Alice begins: a Grande Vizir that is drawn may be the one who is proposed
    played = ("play", "--typed", "--skip-setup", "--web", "0", "--table", str(setting), "--plain")
    with (
        subprocess.Popen(
            [sys.executable, "-u", "-m", "narrator", *played],
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
        sync_playwright() as playwright,
    ):
        assert process.stdin
        assert process.stdout
        url = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 360, "height": 740})
        page.goto(url)
        expect(page.locator("#phase")).to_have_text("Proposition", timeout=PATIENT)
        process.stdin.write("je propose Chloé\n")
        process.stdin.flush()
        expect(page.locator("#seats li", has_text="Chloé")).to_contain_text("Proposée", timeout=PATIENT)
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
        assert process.wait(60) == 0
        expect(page.locator("#lost")).to_be_visible(timeout=PATIENT)
        browser.close()
