"""Table files: who plays what tonight, as readable TOML. setup writes them, play and rehearse read them.

A file tells its `version`; one without is of version 0, from before there were any. Older ones are brought up to date
in memory, step by step, and stay on the disk as they are until something writes the table anew; newer ones are refused.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import tomli_w
from platformdirs import user_config_path

from narrator.core.errors import NarratorError, RuleError, ScriptError
from narrator.core.hints import not_known
from narrator.core.script import Source
from narrator.core.setting import Setting
from narrator.core.spelling import normal
from narrator.library import Production, is_path, read_game, read_source, stage
from narrator.words import words

VERSION = 1  # of the table files that are written
_KEYS = ("version", "game", "lang", "players", "first", "options", "says", "pace", "heard")
_Data = dict[str, Any]
#: _STEPS[n] makes version n + 1 of what version n says. From 0 to 1 only the number came.
_STEPS: tuple[Callable[[_Data], _Data], ...] = (lambda data: data,)
_HEARD_FORMAT = 1  # of [heard]: name -> phones of the ear, spaces between them
LONGEST_NAME = 30  # letters


def last_table() -> Path:
    """Where setup leaves the table that play takes by default."""
    return user_config_path("narrator", appauthor=False) / "table.toml"


def table_path(asked: Path | None) -> Path:
    """The table that is asked for, else the one that setup left. Raises NarratorError if there is none."""
    path = asked or last_table()
    if asked is None and not path.exists():
        raise NarratorError(words("no_table"))
    return path


def read_table(path: Path) -> Setting:
    """Raises ScriptError (file and line) for a table that cannot be read or makes no sense."""
    source = read_source(path)
    source = Source(source.file, _up_to_date(source), source.lines)
    data = source.data
    for key in data:
        if key not in _KEYS:
            raise source.fault(f"“{key}” is not known in a table; {not_known(key, _KEYS)}", key)
    for key, kind in (("game", str), ("lang", str), ("first", str), ("options", dict), ("says", dict), ("pace", str)):
        if not isinstance(data.get(key, kind()), kind):
            raise source.fault(f"“{key}” has a value of the wrong kind", key)
    if "game" not in data:
        raise source.fault('the table does not say which game: add game = "sultan"')
    players = _players(source, data.get("players"))
    for name, said in data.get("says", {}).items():
        if not isinstance(said, str) or not said.strip():
            raise source.fault(f'[says] must give “{name}” a word, as it is read: "gaèl"', "says", name)
    game = _game(path, data["game"])
    _check_options(source, game)
    return Setting(
        game,
        data.get("lang", "fr"),
        players,
        data.get("first", ""),
        data.get("options", {}),
        data.get("says", {}),
        data.get("pace", "normal"),
        _heard(source, players, data.get("heard", {})),
    )


def staged(setting: Setting, path: Path) -> Production:
    """All that this table's game needs. Raises ScriptError, with the line of the table file `path` that asks for what
    cannot be played, as far as the fault names what it is about."""
    try:
        return stage(setting)
    except RuleError as error:
        raise ScriptError(str(error), str(path), _line_about(str(error), path)) from None


def _line_about(fault: str, path: Path) -> int:
    """The line of the name or value that a fault tells of first, an option before anything else; 0 for none."""
    try:
        source = read_source(path)
    except NarratorError:
        return 0
    options = source.data.get("options", {})
    for option, value in options.items():
        for entry, chosen in value.items() if isinstance(value, dict) else ():
            if any(quoted in fault for quoted in (f"“{entry}”", f"“{chosen}”", repr(chosen))):
                return source.line("options", option, entry)
    keys = [("options", name) for name in options] + [(name,) for name in source.data if name != "options"]
    found = [(re.search(rf"(?<!\w){re.escape(key[-1])}(?!\w)", fault), key) for key in keys]
    told = [(key[0] != "options", match.start(), key) for match, key in found if match]
    return source.line(*min(told)[2]) if told else 0


def _up_to_date(source: Source) -> _Data:
    """What the file says, as this version says it."""
    version = source.data.get("version", 0)
    if type(version) is not int or version < 0:
        raise source.fault(f"“version” is a whole number, such as {VERSION}", "version")
    if version > VERSION:
        raise source.fault(words("table_newer", version=version, known=VERSION), "version")
    data = dict(source.data)
    for step in _STEPS[version:]:
        data = step(data)
    return data


def _check_options(source: Source, game: str) -> None:
    """Only here a line can be told; whether their values make sense is asked when the game is staged."""
    try:
        known = read_game(game)[0].data.get("options", {})
    except ScriptError as error:
        if error.file:
            raise
        raise source.fault(str(error), "game") from None
    for name in source.data.get("options", {}):
        if name not in known:
            raise source.fault(f"option “{name}” does not exist; {not_known(name, known)}", "options", name)


def _game(path: Path, game: str) -> str:
    """A game given by its folder is looked for beside the table file."""
    return str((path.resolve().parent / game).resolve()) if is_path(game) else game


def _heard(source: Source, players: tuple[str, ...], table: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(table, dict):
        raise source.fault("“heard” has a value of the wrong kind", "heard")
    if table and table.get("_format") != _HEARD_FORMAT:
        raise source.fault(f"[heard] has another format than {_HEARD_FORMAT}: teach the names again", "heard")
    heard = {}
    for name, rows in table.items():
        if name == "_format":
            continue
        if name not in players:
            raise source.fault(f"[heard] tells of “{name}”, who does not play here", "heard", name)
        if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row.split() for row in rows):
            raise source.fault(f'[heard] must give “{name}” a list of phones, such as ["z o e"]', "heard", name)
        heard[name] = tuple(" ".join(row.split()) for row in rows)
    return heard


def _players(source: Source, players: Any) -> tuple[str, ...]:
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise source.fault('players must be a list of names, clockwise: ["Alice", "Bob", …]', "players")
    try:
        return clean_names(players)
    except NarratorError as error:
        raise source.fault(str(error), "players") from None


def clean_names(names: list[str]) -> tuple[str, ...]:
    """Names fit to be spoken, heard and shown. Raises NarratorError in one sentence for one that is not."""
    cleaned = tuple(" ".join(unicodedata.normalize("NFC", name).split()) for name in names)  # a Mac keeps marks apart
    for name in cleaned:
        shown = name[:LONGEST_NAME].encode("unicode_escape").decode() if not name.isprintable() else name[:LONGEST_NAME]
        if not name or len(name) > LONGEST_NAME:
            raise NarratorError(words("name_length", name=shown, most=LONGEST_NAME))
        if not any(c.isalpha() for c in name) or not all(c.isalpha() or c in " '’-.·" or c.isdigit() for c in name):
            raise NarratorError(words("name_signs", name=shown))
    spelt = [normal(name) for name in cleaned]  # “Chloé” and “Chloe” would be heard as one
    for name in cleaned:
        if spelt.count(normal(name)) > 1:
            raise NarratorError(words("name_twice", name=name))
    return cleaned


def write_table(setting: Setting, path: Path, *, secret: bool = False) -> str:
    """Write a table file that read_table() reads back, whole or not at all. NarratorError if the disk refuses.

    `secret`: it holds what only the game master may see, and nobody but its owner can read it.
    Returns the sentence for the user if a file of an older version was written anew, else "".
    """
    older = _older(path)
    data: _Data = {"version": VERSION, "game": setting.game, "lang": setting.language, "players": list(setting.players)}
    if setting.first:
        data["first"] = setting.first
    if setting.pace != "normal":
        data["pace"] = setting.pace
    heard = {"_format": _HEARD_FORMAT, **setting.heard} if setting.heard else {}
    for key, values in (("options", setting.options), ("says", setting.says), ("heard", heard)):
        if values:
            data[key] = _plain(values)
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_WRONLY | os.O_CREAT, 0o600 if secret else 0o666), "wb") as file:
            file.write(tomli_w.dumps(data).encode("utf-8"))
        os.replace(new, path)
    except OSError as error:
        raise NarratorError(f"{path}: the table cannot be written ({error.strerror})") from None
    return words("table_migrated", path=path, version=VERSION) if older else ""


def _older(path: Path) -> bool:
    """Whether a table of an older version is there. A file that is none is simply replaced."""
    try:
        version = read_source(path).data.get("version", 0)
    except NarratorError:
        return False
    return type(version) is int and version < VERSION


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
