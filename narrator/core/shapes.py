"""The rough shape of a game file and of a language file, checked before anything looks inside them.

What the names in them mean is checked by script.py, lines.py and templates.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.core.hints import not_known
from narrator.core.script import Source

#: What [setup] tells beside options: the question who begins, and the one over what is ticked.
FIRST, EXTRA = "first", "extra"
_Kind = type | tuple[type, ...]
_GAME: Mapping[str, _Kind] = {
    "game": str,
    "rules": str,
    "players": list,
    "start": str,
    "skip_setup": str,
    "options": dict,
    "slots": dict,
    "facts": dict,
    "query": dict,
    "private_query": dict,
    "secret": list,
    "jitter": (int, float),
    "phase": list,
    "move": list,
    "show": dict,
}
_NEEDED = ("game", "players", "start", "phase", "move")
_LANGUAGE: Mapping[str, _Kind] = {
    "title": str,
    "names": dict,
    "lines": dict,
    "sentences": dict,
    "numbers": dict,
    "fillers": list,
    "show": dict,
    "setup": dict,
}
_KINDS: Mapping[_Kind, str] = {str: "a text", list: "a list", dict: "a table", (int, float): "a number"}


def check_game(source: Source, tables: Mapping[str, type] | None = None) -> None:
    """Raises ScriptError (file and line) for a key that is missing, unknown or of the wrong kind.

    `tables`: what the rules of this game let its file declare besides.
    """
    _typed(source, {**_GAME, **(tables or {})})
    for key in _NEEDED:
        if key not in source.data:
            raise source.fault(f"“{key}” is missing")
    seats = source.data["players"]
    if len(seats) != 2 or not all(type(n) is int for n in seats) or not 0 < seats[0] <= seats[1]:
        raise source.fault("“players” must be two numbers, the fewest and the most, such as [5, 10]", "players")
    for kind in ("phase", "move"):
        for n, entry in enumerate(source.data[kind]):
            if not isinstance(entry, dict):
                raise source.fault(f"write every {kind} as a [[{kind}]] of its own", kind)
            for key in ("check", "confirm", "confirm_when", "do", "echo", "whisper", "name", "remind", "warn", "clock"):
                if not isinstance(entry.get(key, ""), str):
                    raise source.fault(f"“{key}” must be a name, not {entry[key]!r}", kind, n, key)
    for kind in ("query", "private_query"):
        for intent, line in source.data.get(kind, {}).items():
            if not isinstance(line, str):
                raise source.fault(f"{kind} “{intent}” must name a line", kind, intent)
    if not all(name in source.data.get("options", {}) for name in source.data.get("secret", [])):
        raise source.fault("“secret” lists names of options", "secret")


def check_language(source: Source) -> None:
    """The same for a language file."""
    _typed(source, _LANGUAGE)
    for number, words in source.data.get("numbers", {}).items():
        if not number.isdigit() or not _texts(words):
            raise source.fault('a number is written like 0 = ["none", "no"]', "numbers", number)
    if not _texts(source.data.get("fillers", [])):
        raise source.fault("“fillers” must be a list of texts", "fillers")


def check_setup(source: Source, options: Mapping[str, Any]) -> None:
    """Raises ScriptError (file and line) where [setup] tells of an option that there is not, or in another shape."""
    for name, told in source.data.get("setup", {}).items():
        if name in (FIRST, EXTRA) or isinstance(options.get(name), bool):
            if not isinstance(told, str):
                raise source.fault(f"[setup] needs a text for “{name}”", "setup", name)
        elif name not in options:
            raise source.fault(f"[setup] tells of “{name}”; {not_known(name, options)}", "setup", name)
        elif not isinstance(told, dict) or not all(isinstance(text, str) for text in told.values()):
            raise source.fault(f'[setup] needs {name} = {{ ask = "…", value = "…" }}', "setup", name)


def _typed(source: Source, kinds: Mapping[str, _Kind]) -> None:
    for key, value in source.data.items():
        if key not in kinds:
            raise source.fault(f"“{key}” is not known here; {not_known(key, kinds)}", key)
        if not isinstance(value, kinds[key]):
            raise source.fault(f"“{key}” must be {_KINDS[kinds[key]]}, not {value!r}", key)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
