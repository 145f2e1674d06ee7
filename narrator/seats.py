"""Seats of La Grande Pyramide from a CSV file: one player a row, clockwise, as a spreadsheet writes it.

Columns, in any order, in French or English: name (needed), rank, district, office; and for the game master's eyes
role and lieutenant. A cell may be left empty: the narrator draws what nobody chose; without any rank they follow from
the order of the rows. Commas, semicolons or tabs; UTF-8, or the Windows encoding of older spreadsheets.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.core.errors import NarratorError, ScriptError
from narrator.core.spelling import normal
from narrator.games.pyramide.ranks import District, Office, Rank
from narrator.games.pyramide.roles import Role
from narrator.stage.tables import clean_names
from narrator.words import locale_language

LARGEST = 1_000_000  # bytes

#: What may head a column, and stand in it, beside the id itself.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": ("nom", "joueur", "joueuse", "player"),
    "rank": ("rang", "classe"),
    "district": ("quartier",),
    "office": ("poste", "fonction", "charge"),
    "role": ("rôle",),
    "lieutenant": ("lieutenant", "cellule", "cell"),
}
RANKS: Mapping[str, tuple[str, ...]] = {
    Rank.COUNCILLOR: ("conseiller", "conseillère", "conseil", "councilor"),
    Rank.MASTER: ("grand maître", "grande maîtresse", "great master"),
    Rank.GRACE: ("grâce",),
    Rank.BEAST: ("bête d’airain", "bête", "brass beast"),
}
DISTRICTS: Mapping[str, tuple[str, ...]] = {
    District.MAZE: ("dédale", "dédale de mazdhan", "le dédale", "the maze"),
    District.PITS: ("arènes", "les arènes", "the pits", "fighting pits"),
    District.PLAZA: ("plaza centrale", "la plaza", "the plaza"),
}
OFFICES: Mapping[str, tuple[str, ...]] = {
    Office.SHAVEPATE: ("crâne ras", "skahaz"),
    Office.GREEN_GRACE: ("grâce verte", "green grace"),
    Office.SENESCHAL: ("sénéchal", "sénéchale"),
}
ROLES: Mapping[str, tuple[str, ...]] = {
    Role.HARPY: ("harpie", "la harpie"),
    Role.LIEUTENANT: ("lieutenant", "lieutenante"),
    Role.HENCHMAN: ("sbire",),
    Role.SERPENT: ("serpent", "le serpent"),
    Role.QUAITHE: (),
    Role.PYAT_PREE: ("pyat pree", "pyat"),
    Role.BELWAS: ("belwas le fort", "strong belwas"),
    Role.DAARIO: ("daario naharys", "daario naharis"),
    Role.COURTESAN: ("courtisane", "courtisan"),
    Role.HIZDAHR: ("hizdahr zo loraq",),
}
NUMBERS: Mapping[str, str] = {
    Rank.COUNCILLOR: "councillors",
    Rank.MASTER: "masters",
    Rank.GRACE: "graces",
    Rank.BEAST: "beasts",
}
SECRET = ("roles", "cells")  # options that only the game master may see


@dataclass
class Seats:
    """`players` clockwise, and the options of a table that the rows fill (ids, as game.toml writes them).

    `lines`: where each player's row is.
    """

    players: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def secret(self) -> bool:
        return any(name in self.options for name in SECRET)

    def fault(self, path: Path, message: str) -> ScriptError:
        """What the table refuses of this file: at the row of whoever the message names first, else of none."""
        rows = [(message.index(f"“{name}”"), line) for name, line in self.rows if f"“{name}”" in message]
        return ScriptError(message, str(path), min(rows, default=(0, 0))[1])

    @property
    def rows(self) -> Iterator[tuple[str, int]]:
        return zip(self.players, self.lines, strict=True)

    def put(self, option: str, key: str, value: str) -> None:
        self.options.setdefault(option, {})[key] = value


def read_seats(path: Path) -> Seats:
    """The players and options of a CSV file. Raises ScriptError, with file and line, for what makes no sense."""
    rows = _rows(path)
    try:
        line, head = next(rows)
    except StopIteration:
        raise ScriptError(
            "this file is empty: a first row names the columns (name, rank, district, office)", str(path)
        ) from None
    columns = [_word(path, line, cell, COLUMNS, "column") for cell in head if cell]
    if "name" not in columns:
        raise ScriptError("no column is called “name” (or “nom”)", str(path), line)
    if twice := next((column for column in columns if columns.count(column) > 1), ""):
        raise ScriptError(f"two columns are “{twice}”", str(path), line)
    seats = Seats()
    for line, cells in rows:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            raise ScriptError(
                f"this row has {len(cells)} cells, the first one names {len(columns)} columns", str(path), line
            )
        _read_row(path, line, dict(zip(columns, cells, strict=False)), seats)
        seats.lines.append(line)
    _check_names(path, seats)
    ranks = list(seats.options.get("ranks", {}).values())
    if len(ranks) == len(seats.players):
        seats.options["numbers"] = {many: ranks.count(rank) for rank, many in NUMBERS.items()}
    return seats


def _read_row(path: Path, line: int, row: Mapping[str, str], seats: Seats) -> None:
    name = " ".join(row["name"].split())
    try:
        clean_names([name])
    except NarratorError as error:
        raise ScriptError(str(error), str(path), line) from None
    seats.players.append(name)
    if row.get("rank"):
        seats.put("ranks", name, _word(path, line, row["rank"], RANKS, "rank"))
    if row.get("office"):
        office = _word(path, line, row["office"], OFFICES, "office")
        if office in seats.options.get("offices", {}):
            raise ScriptError(f"two players hold the office “{row['office']}”", str(path), line)
        seats.put("offices", office, name)
    if row.get("district"):
        where = _word(path, line, row["district"], DISTRICTS, "district")
        seats.put("districts", name, where)  # where a councillor begins
        if seats.options.get("ranks", {}).get(name) != Rank.COUNCILLOR:
            seats.put("placements", name, where)  # where anybody else stands in the first turn
    if row.get("role"):
        roles = [_word(path, line, part.strip(), ROLES, "role") for part in row["role"].split("+")]
        seats.put("roles", name, "+".join(roles))
    if row.get("lieutenant"):
        seats.put("cells", name, " ".join(row["lieutenant"].split()))


def _check_names(path: Path, seats: Seats) -> None:
    """Names that would be heard as one, and lieutenants who are nobody, are told with their line."""
    known: dict[str, str] = {}
    for name, line in seats.rows:
        if normal(name) in known:
            raise ScriptError(f"two players are called “{name}”: add a letter to one of them", str(path), line)
        known[normal(name)] = name
    cells = seats.options.get("cells", {})
    for name, line in seats.rows:
        if name in cells and normal(cells[name]) not in known:
            raise ScriptError(f"the lieutenant of “{name}”, “{cells[name]}”, has no row", str(path), line)
    if cells:
        seats.options["cells"] = {name: known[normal(leader)] for name, leader in cells.items()}
    if not seats.players:
        raise ScriptError("no player has a row", str(path))


def _word(path: Path, line: int, cell: str, words: Mapping[str, tuple[str, ...]], what: str) -> str:
    """The id that a cell means, however accented or capitalised; what it could be is told in the reader’s words."""
    said = _plain(cell)
    for ident, others in words.items():
        if said in (_plain(ident), *map(_plain, others)):
            return str(ident)
    french = locale_language() == "fr"
    known = ", ".join(others[0] if others and french else ident.replace("_", " ") for ident, others in words.items())
    raise ScriptError(f"“{cell}” is no {what}; there are: {known}", str(path), line)


def _plain(text: str) -> str:
    return normal(text.replace("_", " "))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of every row that is not blank, the first one too."""
    text = _text(path)
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(";,\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        for row in reader:
            cells = [" ".join(cell.split()) for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise ScriptError(f"this is not CSV: {error}", str(path), reader.line_num) from None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise ScriptError(f"this file is larger than {LARGEST // 1_000_000} MB", str(path))
        data = path.read_bytes()
    except OSError as error:
        raise ScriptError(f"this file cannot be read ({error.strerror})", str(path)) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
