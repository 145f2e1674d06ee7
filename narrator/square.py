"""`narrator square`: where an evening of Blood on the Clocktower stands, as a file for the town square."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from narrator.core.errors import NarratorError, ScriptError
from narrator.core.game import fold
from narrator.games.clocktower.town import Town
from narrator.grimoire import town_square
from narrator.library import stage
from narrator.stage.journal import read_journal, unfinished
from narrator.words import words


def export_square(journal: Path | None, onto: Path | None) -> str:
    """JSON text of the state that a journal (else the newest unfinished one) comes to.

    Raises NarratorError for a journal of another game, or none.
    """
    path = journal or unfinished()
    if path is None:
        raise NarratorError(words("nothing_to_resume"))
    record = read_journal(path)
    game = stage(record.setting).game
    town = fold(game, record.events, record.skip_setup).state
    if not isinstance(town, Town):
        raise ScriptError("this is not an evening of Blood on the Clocktower", str(path))
    grimoire = game.rules.grimoire_of(town)  # type: ignore[attr-defined]
    square = town_square(town, grimoire.roles, _original(onto) if onto else {"bluffs": list(grimoire.bluffs)})
    return json.dumps(square, ensure_ascii=False, indent=1) + "\n"


def _original(path: Path) -> Mapping[str, Any]:
    try:
        original = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScriptError(f"this state cannot be read ({error})", str(path)) from None
    if not isinstance(original, dict):
        raise ScriptError("a state of the town square is an object", str(path))
    return original
