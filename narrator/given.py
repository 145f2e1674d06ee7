"""Options as they are typed on a command line ("deck=6,11") -> the values of a game; and the names inside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from narrator.core.errors import NarratorError
from narrator.library import read_game


def read_options(pairs: Sequence[str], game: str) -> dict[str, Any]:
    """["giafar=true", "discussion=90"] as the game's options. Raises NarratorError for what it does not have."""
    known = read_game(game)[0].data.get("options", {})
    options = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise NarratorError(f"option “{pair}”: write name=value; the options of {game} are {', '.join(known)}")
        options[name] = _value(name, text, known[name])
    return options


def _value(name: str, text: str, usual: Any) -> Any:
    if isinstance(usual, bool):
        if text.lower() not in ("true", "false", "oui", "non", "yes", "no"):
            raise NarratorError(f"option “{name}” is true or false, not “{text}”")
        return text.lower() in ("true", "oui", "yes")
    try:
        if isinstance(usual, int):
            return int(text)
        if isinstance(usual, float):
            return float(text)
        if isinstance(usual, list):
            return [
                int(part) if part.strip().isdigit() and name == "deck" else part.strip() for part in text.split(",")
            ]
        if isinstance(usual, dict):
            pairs = (part.split(":") for part in text.split(","))
            return {k.strip(): int(v) if v.strip().isdigit() else v.strip() for k, v in pairs}
    except ValueError:
        pairs_like = ",".join(f"{key}:{value}" for key, value in usual.items()) if isinstance(usual, dict) else ""
        like = (
            (pairs_like or "name:value") if isinstance(usual, dict) else "A,B,C" if isinstance(usual, list) else usual
        )
        raise NarratorError(f"option “{name}” is written as {name}={like}, not “{text}”") from None
    return text


def with_nicknames(options: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Lists of names, with the nicknames that were chosen since."""
    return {
        option: [names.get(name, name) if isinstance(name, str) else name for name in value]
        if isinstance(value, list)
        else value
        for option, value in options.items()
    }
