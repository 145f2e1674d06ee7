"""The plain lines: everything that is worth a word, one line each, and not one control sequence."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from evening import table
from showing import Showing
from town import town

from narrator.core.effects import Manner
from narrator.core.layout import surroundings
from narrator.core.phrases import Meaning
from narrator.stage.tables import write_table
from narrator.views.plain import Plain, clock, vote_in_words
from narrator.views.snapshot import Vote


def lines_of(show: Showing, *sentences: str) -> list[str]:
    out = io.StringIO()
    plain = Plain(surroundings(show.desk.production.layout), out)
    show.conductor.watchers = (plain, *show.conductor.watchers)
    show.desk.views.append(plain.show)
    plain.show(show.now)
    show.say(*sentences)
    return out.getvalue().splitlines()


def test_an_evening_in_lines() -> None:
    lines = lines_of(Showing(table(5)), "je propose Chloé", "3 oui, 2 non")
    assert lines[:3] == ["Au chevet du Sultan", "La table\u00a0: Alice, Bob, Chloé, David, Emma", "[Proposition]"]
    assert "Pioche\u00a0: 17" in lines
    assert "Contes pacifistes\u00a0: 0 / 6" in lines
    begun = lines.index("Alice propose Chloé comme Narratrice.")
    assert lines[begun + 2 : begun + 5] == ["[Discussion]", "Chloé\u00a0: Proposée", "Temps\u00a0: 2:00"]
    assert "Vote, Chloé\u00a0: 3 oui, 2 non" in lines


def test_what_was_heard_is_set_like_everything_that_is_read() -> None:
    out = io.StringIO()
    plain = Plain(surroundings(Showing(table(5)).desk.production.layout), out)
    plain.caught("c'est fait", Meaning("done", {}), typed=False)
    assert out.getvalue() == "Entendu\u00a0: c’est fait\n"


def test_what_has_not_changed_is_not_told_again() -> None:
    lines = lines_of(Showing(table(5)), "répète", "où en est-on", "pause", "reprends")
    assert lines.count("[Proposition]") == 1
    assert len([line for line in lines if line.startswith("Pioche")]) == 1
    assert "Pause" in lines


def test_who_is_out_and_who_votes_is_told_once() -> None:
    show = Showing(town(7))
    show.night("Bob")
    lines = lines_of(show, "Alice nomme Chloé", "on vote", "oui")
    assert "Bob\u00a0: Parmi les morts, A encore un vote" in lines
    assert lines.count("David\u00a0: Vote oui") == 1
    assert not [line for line in lines if "répondre" in line]  # the voice has just called the name


def test_no_escape_ever_reaches_the_line() -> None:
    out = io.StringIO()
    plain = Plain({}, out)
    plain.spoke("avant \x1b[31mrouge\x1b[0m\x07 après", Manner.TELL)
    plain.whispered("\x1b]0;titre\x07secret")
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().startswith("avant rouge après\n[mj] ")


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (0.2, "0:01"), (59.9, "1:00"), (125, "2:05"), (-3, "0:00")]
)
def test_a_clock_is_read_as_people_do(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_a_vote_in_words() -> None:
    words = {"vote": "Vote", "yes": "yes", "no": "no", "needed": "needed"}
    assert vote_in_words(Vote(3, 2, about="Bob"), words) == ("Vote, Bob", ["3 yes", "2 no"])
    assert vote_in_words(Vote(3, needed=4), words) == ("Vote", ["3 yes", "needed 4"])


@pytest.mark.parametrize("asked", ["--plain", "--captions"])
def test_a_pipe_gets_plain_lines(asked: str, tmp_path: Path) -> None:
    """Captions that nobody could see are plain lines; neither opens a socket of any kind."""
    setting = tmp_path / "t.toml"
    write_table(table(5), setting)
    offline = str(Path(__file__).parent / "offline.py")
    played = ("play", "--typed", "--skip-setup", "--table", str(setting), asked)
    done = subprocess.run(
        [sys.executable, offline, *played, *(["--fast"] if asked == "--plain" else [])],
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "TERM": "xterm"},
        input="je propose Chloé\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "[Proposition]" in done.stdout
    assert "Alice\u00a0: Grande Vizir" in done.stdout
