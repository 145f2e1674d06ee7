"""`narrator new-game`: writes a small game of somebody's own into a folder: data only, commented, playable at once.

It is made of scripts/_new: a working game in every language, in which the id, the title and the numbers of players are
filled in. Nothing that exists is overwritten.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import questionary

from narrator.core.errors import NarratorError
from narrator.faults import told
from narrator.library import data_folder, game_ids, languages_of
from narrator.words import locale_language, words

FEWEST, MOST = 5, 12  # of the small game, where nothing else is asked for
_NAME = re.compile(r"[^\W_][\w-]{0,39}")
_RANGE = re.compile(r"(\d+) *(?:-|–|to|à|,) *(\d+)")
_BOTH = "fr,en"


@dataclass(frozen=True, slots=True)
class Wish:
    """What was given on the command line; None where it is to be asked."""

    name: str
    title: str | None = None
    players: str | None = None
    language: str | None = None


def new_game(wish: Wish, *, ask: bool, here: Path | None = None) -> Path:
    """Write the game into a new folder of `here` (the current one) and say what is next. Raises NarratorError."""
    ask = ask and sys.stdin.isatty()
    folder = (here or Path()) / wish.name
    ident = _ident(folder.name)
    if folder.exists() and any(folder.iterdir() if folder.is_dir() else [folder]):
        raise NarratorError(f"{folder} is there already: choose another name, or take it away first")
    title = wish.title or _asked("q_title", folder.name.replace("-", " ").capitalize(), ask)
    seats = _seats(wish.players or _asked("q_seats", f"{FEWEST}-{MOST}", ask))
    languages = _languages(wish.language or _asked_language(ask))
    _write(folder, {"@ID@": ident, "@TITLE@": _quoted(title)}, seats, languages)
    print(words("new_written", folder=folder))
    for command in (f"narrator check {folder}/", f"narrator setup --game {folder}/", "narrator play"):
        print(f"    {command}")
    return folder


def _ident(name: str) -> str:
    """The id of a game: its folder's name, which must differ from every game that is here."""
    if not _NAME.fullmatch(name):
        raise NarratorError(f"“{name}” is no name for a game: use up to 40 letters, digits, - or _")
    if name in game_ids():
        raise NarratorError(f"there is a game called “{name}” already: choose another name")
    return name


def name_fault(name: str) -> str:
    """What is wrong with the name of a new game, "" for nothing."""
    try:
        _ident(name)
    except NarratorError as error:
        return told(error)
    return ""


def _asked(question: str, usual: str, ask: bool) -> str:
    if not ask:
        return usual
    return str(questionary.text(words(question), default=usual).unsafe_ask()).strip() or usual


def _asked_language(ask: bool) -> str:
    usual = locale_language()
    if not ask:
        return usual
    return str(questionary.select(words("q_lang"), [*languages_of("_new"), _BOTH], default=usual).unsafe_ask())


def _seats(text: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(text.strip())
    low, high = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 3 <= low <= high <= 20:
        raise NarratorError(f"players “{text}”: write the fewest and the most, from 3 to 20, such as {FEWEST}-{MOST}")
    return low, high


def _languages(text: str) -> tuple[str, ...]:
    languages = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for language in languages:
        if language not in languages_of("_new"):
            raise NarratorError(f"lang “{language}”: a new game is written in {', '.join(languages_of('_new'))}")
    return languages or (locale_language(),)


def _quoted(title: str) -> str:
    """A title fit to stand between the quotes of a TOML text."""
    if not title.isprintable() or len(title) > 80:
        raise NarratorError("the title must be one line of at most 80 letters")
    return title.replace("\\", "\\\\").replace('"', '\\"')


def _write(folder: Path, filled: dict[str, str], seats: tuple[int, int], languages: tuple[str, ...]) -> None:
    template = data_folder("scripts") / "_new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("game", *languages):
            text = (template / f"{name}.toml").read_text(encoding="utf-8")
            for sign, value in filled.items():
                text = text.replace(sign, value)
            if name == "game":
                text = _for_seats(text, *seats)
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    except OSError as error:
        raise NarratorError(f"{folder} cannot be written ({error.strerror})") from None


def _for_seats(text: str, low: int, high: int) -> str:
    """The numbers of players, and a shadow for every four of them: fewer than half at any table."""
    counts = {low: max(low // 4, 1)} | {4 * n: n for n in range(2, high // 4 + 1) if 4 * n > low}
    steps = ", ".join(f"{seats} = {number}" for seats, number in counts.items())
    text = text.replace("players = [5, 12]  ", f"players = [{low}, {high}]  ", 1)
    return re.sub(r"count = \{ 5 = 1.*", f"count = {{ {steps} }}   # from so many players on, so many", text, count=1)
