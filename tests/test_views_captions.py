"""Captions: what is drawn at any size, and how the terminal is used and given back."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from evening import table
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from showing import Showing
from terminal import Terminal
from town import town

from narrator.core.layout import surroundings
from narrator.core.setting import Setting
from narrator.stage.tables import write_table
from narrator.views.bigtext import big_line, font, wrapped
from narrator.views.grid import THEMES, Grid
from narrator.views.picture import picture
from narrator.views.snapshot import Mark, Said, Seat, Snapshot, Timer

SULTAN = Showing(table(7))
WORDS = surroundings(SULTAN.desk.production.layout)
SULTAN.say("je propose Chloé")
DISCUSSION = SULTAN.now
VOTE = SULTAN.say("4 oui, 3 non")


def drawn(snapshot: Snapshot, width: int, height: int) -> str:
    return "\n".join(picture(snapshot, WORDS, width, height).lines())


# ---- what is drawn


def test_a_large_screen_shows_everything() -> None:
    text = drawn(DISCUSSION, 180, 50)
    assert "▄▄▄▄" in text  # the sentence, in letters of blocks
    for part in (
        "Au chevet du Sultan · Discussion",
        "♛ Grande Vizir",
        "◇ Proposée",
        "Contes pacifistes  0 / 6",
        "Pioche",
    ):
        assert part in text
    for name in SULTAN.desk.production.setting.players:
        assert all(row in text for row in big_line(name, font("5x8")))
    assert text.count("█") > 150  # the ring


def test_names_are_plain_where_large_ones_leave_no_room_for_the_clock() -> None:
    text = drawn(DISCUSSION, 120, 40)
    assert all(name in text for name in SULTAN.desk.production.setting.players)
    assert text.count("█") > 60


def test_a_small_screen_still_shows_the_sentence_the_seats_and_the_clock() -> None:
    text = drawn(DISCUSSION, 60, 18)
    assert "Discutez-en. Quand vous serez prêtes, dites" in text
    assert "2:00" in text
    for name in SULTAN.desk.production.setting.players:
        assert name in text
    assert "◇" in text


def test_signs_and_words_do_not_need_a_colour() -> None:
    """Each mark has its sign on the screen, whatever the size allows besides."""
    marks = ("♛", "▸", "⊘", "✝", "✓")
    seats = tuple(Seat(f"Nom{n}", (Mark("note", sign, "mot"),)) for n, sign in enumerate(marks))
    for width, height in ((180, 50), (80, 24), (50, 14), (30, 12)):
        text = drawn(Snapshot(1, "fr", "T", said=Said("Bonsoir."), seats=seats), width, height)
        assert [sign for sign in marks if sign not in text] == []


def test_the_vote_has_words_and_numbers() -> None:
    text = drawn(VOTE, 80, 24)
    assert "Vote, Chloé" in text
    assert "✓ 4 oui   ✗ 3 non" in text


def test_the_night_is_nearly_empty() -> None:
    show = Showing(town(7))
    assert show.now.dark
    text = drawn(show.now, 160, 45)
    assert "☾" in text
    assert "Alice" not in text


def test_what_is_left_of_the_time_is_a_shape() -> None:
    def blocks(left: float) -> int:
        snapshot = Snapshot(1, "fr", "T", said=Said("Bonsoir."), seats=DISCUSSION.seats, timer=Timer(120, left, True))
        return sum(drawn(snapshot, 160, 45).count(block) for block in "█▀▄")

    assert blocks(120) > blocks(60) + 40 > blocks(1) + 80


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.integers(1, 260), st.integers(1, 80), st.integers(0, 20), st.text(max_size=300), st.booleans())
def test_no_size_and_no_text_breaks_it(width: int, height: int, count: int, sentence: str, clock: bool) -> None:
    seats = tuple(Seat(f"Joueuse{n}", (Mark("out", "✝", "parmi les morts"),) * (n % 3)) for n in range(count))
    timer = Timer(60, 30, True) if clock else None
    grid = picture(Snapshot(1, "fr", "T", said=Said(sentence), seats=seats, timer=timer), WORDS, width, height)
    assert (grid.width, grid.height) == (width, height)
    assert all(cell_len(line) <= width for line in grid.lines())
    assert len(grid.lines()) == height


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_has_every_style(theme: str) -> None:
    used = {"strong", "soft", "mark", "warn", "bar", "big", "paper"}
    assert used <= set(THEMES[theme])
    assert picture(DISCUSSION, WORDS, 120, 40).rich(theme).plain.count("\n") == 39


def test_large_letters_have_every_letter_of_both_languages() -> None:
    letters = "abcdefghijklmnopqrstuvwxyzàâäçéèêëîïôöùûüÿœæABCÀÂÇÉÈÊËÎÏÔÙÛŒÆ0123456789?!.,;:«»“”‘’-–—…()'/"
    for name in ("6x10", "5x8"):
        unknown = [letter for letter in letters if letter not in font(name).glyphs]
        assert unknown == []


def test_large_lines_have_the_width_that_was_measured() -> None:
    for name in ("6x10", "5x8"):
        for scale in (1, 2):
            letters = font(name, scale)
            rows = big_line("Élise, où es-tu ?", letters)
            assert len(rows) == letters.rows
            assert max(map(len, rows)) <= letters.columns("Élise, où es-tu ?")


def test_lines_are_wrapped_between_words_and_never_at_a_hard_space() -> None:
    assert wrapped("un deux trois", 7) == ["un deux", "trois"]
    assert wrapped("dites «\u00a0on vote\u00a0»", 9) == ["dites", "«\u00a0on", "vote\u00a0»"]
    assert wrapped("anticonstitutionnellement", 10) == ["anticonsti", "tutionnell", "ement"]


def test_half_pixels_meet() -> None:
    grid = Grid(1, 1)
    grid.dot(0, 0)
    assert grid.lines() == ["▀"]
    grid.dot(0, 1)
    assert grid.lines() == ["█"]


# ---- the terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    setting = tmp_path / "t.toml"
    write_table(Setting("sultan", "fr", ("Alice", "Bob", "Chloé", "David", "Emma"), "Alice"), setting)
    played = ("play", "--typed", "--captions", "--skip-setup", "--table", str(setting))
    terminal = Terminal(*played, folder=tmp_path)
    yield terminal
    terminal.end()


def test_an_evening_on_a_terminal(terminal: Terminal) -> None:
    """Typed into, made smaller, themed, left by Ctrl-C: and the terminal is as before."""
    terminal.wait_for("· Proposition", "♛ Grande Vizir")
    terminal.type("je propose Chlo")
    terminal.wait_for("› je propose Chlo")
    terminal.type("é\r")
    terminal.wait_for("· Discussion", "◇ Proposée")
    terminal.resize(80, 24)
    screen = terminal.wait_for("Contes pacifistes ○○○○○○ 0 / 6")
    assert "Discutez-en." in screen
    terminal.type("\x1bOR")  # F3
    terminal.type("3 oui, 2 non\r")
    terminal.wait_for("· Les contes")
    terminal.type("\x03")
    assert terminal.wait_for_end() == 0
    assert terminal.raw.count(b"\x1b[?1049h") == terminal.raw.count(b"\x1b[?1049l") == 1
    assert b"\x1b[?25h" in terminal.raw[terminal.raw.rindex(b"\x1b[?1049h") :]
    assert b"--resume" in terminal.raw[terminal.raw.rindex(b"\x1b[?1049l") :]  # said where it stays
    assert b"4m \x1b" not in terminal.raw  # no space inside « » is underlined


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(terminal: Terminal, number: int) -> None:
    terminal.wait_for("· Proposition")
    os.kill(terminal.pid, number)
    assert terminal.wait_for_end() == 0
    assert terminal.raw.count(b"\x1b[?1049l") == 1


def test_a_theme_that_is_none_is_told_before_the_evening_begins(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(table(5), setting)
    chosen = ("--theme", "pink", "--table", str(setting))
    terminal = Terminal("play", "--typed", "--captions", *chosen, folder=tmp_path)
    try:
        assert terminal.wait_for_end() == 1
        assert b"auto, dark, light" in terminal.raw
    finally:
        terminal.end()


def test_colours_are_used_where_the_theme_says_so(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(table(5), setting)
    chosen = ("--theme", "light", "--skip-setup", "--table", str(setting))
    terminal = Terminal("play", "--typed", "--captions", *chosen, folder=tmp_path)
    try:
        terminal.wait_for("· Proposition", "♛ Grande Vizir")
        row = next(n for n, line in enumerate(terminal.screen.display) if "Grande Vizir" in line)
        assert terminal.screen.buffer[row][0].bg != "default"
        terminal.type("\x03")
        terminal.wait_for_end()
    finally:
        terminal.end()


BROKEN = """
import narrator.views.captions as captions
from narrator.cli import main

def broken(*_):
    raise RuntimeError("no ink")

captions.picture = broken
main()
"""


def test_a_picture_that_cannot_be_drawn_is_at_least_its_sentence(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(table(5), setting)
    played = ("play", "--typed", "--captions", "--skip-setup", "--table", str(setting))
    terminal = Terminal(*played, folder=tmp_path, program=("-c", BROKEN))
    try:
        terminal.wait_for("qui proposes-tu comme Narratrice")
        terminal.type("je propose Chloé\r")
        terminal.wait_for("Discutez-en.")
        terminal.type("\x03")
        assert terminal.wait_for_end() == 0
        assert terminal.raw.count(b"\x1b[?1049l") == 1
        assert terminal.raw.count(b"no ink") == 1  # told once, behind the picture
        assert terminal.raw.index(b"no ink") > terminal.raw.index(b"\x1b[?1049l")
    finally:
        terminal.end()


def test_captions_of_a_game_with_a_master_need_a_page_for_him(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(town(7), setting)
    terminal = Terminal("play", "--typed", "--captions", "--table", str(setting), folder=tmp_path)
    try:
        assert terminal.wait_for_end() == 1
        assert b"--web" in terminal.raw
        assert b"\x1b[?1049h" not in terminal.raw
    finally:
        terminal.end()


def test_what_the_master_types_and_is_told_is_not_on_the_screen(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(town(7), setting)
    played = ("play", "--typed", "--captions", "--web", "0", "--skip-setup", "--table", str(setting))
    terminal = Terminal(*played, folder=tmp_path)
    try:
        terminal.wait_for("http://127.0.0.1:")
        terminal.type("\r")  # he has opened his page
        terminal.wait_for("☾")
        begun = len(terminal.raw)
        terminal.type("Bob meurt")
        terminal.wait_for("› *********")
        terminal.type("\rsuivant\r")
        terminal.wait_for("☾")
        terminal.type("\x03")
        terminal.wait_for_end()
        shown = terminal.raw[begun:]
        assert b"Bob" not in shown
        assert b"[mj]" not in shown
    finally:
        terminal.end()
