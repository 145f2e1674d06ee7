"""Files of Blood on the Clocktower that tables bring along: scripts, roles, orders, states of the town square.

- A script is a JSON list: ids, or objects with an id; the object `_meta` gives its name and, in newer scripts, the
  orders of the nights. An id alone must be found in a roles file, which is the table's own (none is shipped).
- A roles file is a list of such objects, or an object with `roles`, `firstNight` and `otherNight` (a night sheet).
- A state of the town square is an object with `players` (name, role, isDead, isVoteless), `bluffs` and `fabled`.
Fields that are not known are kept, null is nothing; what is wrong is refused with file and line. Nothing here plays:
setup writes what was read into the table file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.core.errors import RuleError, ScriptError
from narrator.core.spelling import normal
from narrator.games.clocktower.characters import TRAVELLER, read_character
from narrator.games.clocktower.town import Town

META = "_meta"
_LARGEST = 4_000_000  # bytes
_ORDERS = ("firstNight", "otherNight")
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[\s,]*")
Entry = dict[str, Any]


@dataclass(frozen=True)
class Scroll:
    """A script: its name and its characters, each with everything that was written about it."""

    name: str
    characters: tuple[Entry, ...]


@dataclass(frozen=True)
class Square:
    """A state of the town square. `raw`: all of it, as it was read."""

    players: tuple[str, ...]
    roles: Mapping[str, str]
    dead: tuple[str, ...]
    voteless: tuple[str, ...]
    bluffs: tuple[str, ...]
    raw: Mapping[str, Any] = field(default_factory=dict)


def plain_id(ident: str) -> str:
    """The official files write one id in several ways: "fortune_teller", "fortuneteller". Accents are folded."""
    return "".join(sign for sign in normal(ident) if sign.isalnum())


def read_scroll(path: Path, roles: Sequence[Path] = ()) -> Scroll:
    """A script with its characters filled in from the roles files. Raises ScriptError (file and line)."""
    known, orders = _roles(roles)
    name, characters, seen = path.stem, [], set()
    for line, item in _items(path):
        entry: Entry = {"id": item} if isinstance(item, str) else item
        if not _has_id(entry):
            raise ScriptError("a script lists ids, or objects with an id", str(path), line)
        if entry["id"] == META:
            name, orders = str(entry.get("name") or name), {**orders, **_listed_orders(entry, path, line)}
            continue
        ident = plain_id(entry["id"])
        if ident in seen:
            raise ScriptError(f"“{entry['id']}” is in this script twice", str(path), line)
        seen.add(ident)
        whole = {**known.get(ident, {}), **_told(entry), "id": ident}
        if "team" not in whole:
            raise _unknown(entry["id"], roles, path, line)
        characters.append(_checked(whole, path, line))
    if not characters:
        raise ScriptError("this script has no characters", str(path), 1)
    return Scroll(name, tuple(_ordered(entry, orders) for entry in characters))


def read_square(path: Path, characters: Sequence[Entry]) -> Square:
    """A state of the town square. Raises ScriptError (file and line) for a role that is none of `characters`."""
    raw = _document(path)
    seats = raw.get("players") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(seats, list):
        raise ScriptError("a state of the town square is an object with “players”", str(path), 1)
    known = {entry["id"] for entry in characters}
    names, roles = [], {}
    for seat in seats:
        name = _checked_seat(seat, path)
        names.append(name)
        if role := _role_id(seat.get("role")):
            if role not in known:
                raise ScriptError(
                    f"{name} is “{role}”, who is not in the script: give the right --script",
                    str(path),
                    _line(path, seat),
                )
            roles[name] = role
    dead = tuple(n for n, s in zip(names, seats, strict=True) if s.get("isDead"))
    voteless = tuple(n for n, s in zip(names, seats, strict=True) if s.get("isDead") and _voteless(s))
    bluffs = raw.get("bluffs") or []
    if not isinstance(bluffs, list):
        raise ScriptError("“bluffs” is a list of roles", str(path), 1)
    chosen = tuple(role for one in bluffs if (role := _role_id(one)))
    for bluff in chosen:
        if bluff not in known:
            where = _line(path, {"id": bluff})
            raise ScriptError(f"the bluff “{bluff}” is not in the script: give the right --script", str(path), where)
    return Square(tuple(names), roles, dead, voteless, chosen, raw)


def town_square(town: Town, roles: Mapping[str, str], original: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The state as the town square reads it; what `original` says beyond that is kept as it was."""
    original = original or {}
    before = {s.get("name"): s for s in original.get("players", ()) if isinstance(s, dict)}
    players = []
    for name in town.table.seats:
        dead, seat = not town.alive(name), dict(before.get(name, {"name": name, "id": "", "reminders": []}))
        seat |= {"isDead": dead, "isVoteless": dead and name in town.spent}
        if "voteToken" in seat:
            seat["voteToken"] = not seat["isVoteless"]
        if _role_id(seat.get("role")) != roles.get(name, _role_id(seat.get("role"))) or "role" not in seat:
            seat["role"] = roles.get(name, {})
        players.append(seat)
    return {"bluffs": [], "fabled": [], **original, "players": players}


def bring(script: Path | None, roles: Sequence[Path], square: Path | None) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The files that a table brings along: its players (none without a square) and what the table file keeps.

    Raises ScriptError (file and line).
    """
    scroll = read_scroll(script, roles) if script else None
    if scroll is None and roles:
        known, orders = _roles(roles)
        scroll = Scroll("", tuple(_ordered(entry, orders) for entry in known.values()))
    state = read_square(square, scroll.characters if scroll else ()) if square else None
    return (state.players if state else ()), options_of(scroll, state)


def options_of(scroll: Scroll | None, square: Square | None) -> dict[str, Any]:
    """What a table file keeps of them, as options of the game."""
    characters = scroll.characters if scroll else ()
    options: dict[str, Any] = {"characters": [_without_nothing(entry) for entry in characters]} if scroll else {}
    if square:
        teams = {entry["id"]: read_character(entry).team for entry in characters}
        passing = [name for name, role in square.roles.items() if teams.get(role) == TRAVELLER]
        options |= {"roles": dict(square.roles), "dead": list(square.dead), "voteless": list(square.voteless)}
        options |= {"bluffs": list(square.bluffs), "travellers": passing}
    return {key: value for key, value in options.items() if value}


# ---- pieces


def _roles(paths: Sequence[Path]) -> tuple[dict[str, Entry], dict[str, list[str]]]:
    known: dict[str, Entry] = {}
    orders: dict[str, list[str]] = {}
    for path in paths:
        document = _document(path)
        if isinstance(document, dict):
            orders |= _listed_orders(document, path, 1)
            listed = document.get("roles") or []
            if not isinstance(listed, list):
                raise ScriptError("“roles” lists objects with an id", str(path), 1)
            rows: Iterator[tuple[int, Any]] = ((_line(path, one), one) for one in listed)
        else:
            rows = _items(path)
        for line, entry in rows:
            if not _has_id(entry):
                raise ScriptError("a roles file lists objects with an id", str(path), line)
            if entry["id"] == META:
                orders |= _listed_orders(entry, path, line)
                continue
            whole = {**_told(entry), "id": plain_id(entry["id"])}
            known[whole["id"]] = _checked(whole, path, line)
    return known, orders


def _has_id(entry: Any) -> bool:
    """An id of signs alone ("_-_") is none."""
    ident = entry.get("id") if isinstance(entry, dict) else None
    return isinstance(ident, str) and (ident == META or plain_id(ident) != "")


def _told(entry: Entry) -> Entry:
    """What it says: null says nothing."""
    return {key: value for key, value in entry.items() if value is not None}


def _unknown(ident: str, roles: Sequence[Path], path: Path, line: int) -> ScriptError:
    if roles:
        files = ", ".join(one.name for one in roles)
        return ScriptError(f"“{ident}” is in none of these roles files: {files}", str(path), line)
    return ScriptError(
        f"“{ident}” is an id alone: give the table’s own roles file beside it (--roles)", str(path), line
    )


def _listed_orders(entry: Mapping[str, Any], path: Path, line: int) -> dict[str, list[str]]:
    lists = {key: entry[key] for key in _ORDERS if entry.get(key) is not None}
    for key, ids in lists.items():
        if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
            raise ScriptError(f"“{key}” of the script is a list of ids", str(path), line)
    return {key: [plain_id(one) for one in ids] for key, ids in lists.items()}


def _ordered(entry: Entry, orders: Mapping[str, Sequence[str]]) -> Entry:
    """With its places in the orders of the nights, where the script lists them."""
    for key, ids in orders.items():
        entry = {**entry, key: ids.index(entry["id"]) + 1 if entry["id"] in ids else 0}
    return entry


def _checked(entry: Entry, path: Path, line: int) -> Entry:
    try:
        read_character(entry)
    except RuleError as error:
        raise ScriptError(str(error), str(path), line) from None
    return entry


def _checked_seat(seat: Any, path: Path) -> str:
    """The name of a player of the town square whose fields are what they should be."""
    if not isinstance(seat, dict) or not isinstance(seat.get("name"), str) or not seat["name"].strip():
        raise ScriptError("every player of the town square is an object with a name", str(path), _line(path, seat))
    name, role = " ".join(seat["name"].split()), seat.get("role")
    ident = role.get("id") if isinstance(role, dict) else role
    if not isinstance(ident, str | None):
        raise ScriptError(f"{name}: “role” is an id, or an object with an id", str(path), _line(path, seat))
    for key in ("isDead", "isVoteless", "voteToken"):
        if not isinstance(seat.get(key), bool | None):
            raise ScriptError(f"{name}: “{key}” is true or false", str(path), _line(path, seat))
    return name


def _role_id(role: Any) -> str:
    if isinstance(role, dict):
        role = role.get("id", "")
    return plain_id(role) if isinstance(role, str) else ""


def _voteless(seat: Mapping[str, Any]) -> bool:
    return bool(seat.get("isVoteless")) or seat.get("voteToken") is False


def _without_nothing(value: Any) -> Any:
    """TOML has no null."""
    if isinstance(value, dict):
        return {str(k): _without_nothing(v) for k, v in value.items() if v is not None}
    if isinstance(value, (list, tuple)):
        return [_without_nothing(v) for v in value if v is not None]
    return value


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise ScriptError("this file is too large to be a script", str(path))
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ScriptError("this file does not exist", str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"this file cannot be read ({error})", str(path)) from None


def _document(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise ScriptError(f"this is not valid JSON: {error.msg}", str(path), error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise ScriptError(f"this is not valid JSON ({type(error).__name__})", str(path), 1) from None


def _items(path: Path) -> Iterator[tuple[int, Any]]:
    """Each element of a JSON list with its line (1-based)."""
    document, text = _document(path), _text(path)
    if not isinstance(document, list):
        raise ScriptError("this must be a list: [ … ]", str(path), 1)
    at = text.index("[") + 1
    for _ in document:
        at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        item, end = _DECODER.raw_decode(text, at)
        yield text.count("\n", 0, at) + 1, item
        at = end


def _line(path: Path, item: Any) -> int:
    """Where an object inside a file begins: the line of its name or id, 1 if that cannot be told."""
    for key in ("id", "name"):
        value = item.get(key) if isinstance(item, dict) else None
        if isinstance(value, str) and value and value in (text := _text(path)):
            return text.count("\n", 0, text.index(value)) + 1
    return 1
