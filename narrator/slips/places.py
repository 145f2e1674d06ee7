"""`narrator places`: where an office sends its rank this turn, out of a CSV file, as the sentences to type for it.

One sentence a district, whoever has no district in the file left to the lot: paste them where the game master types.
"""

from __future__ import annotations

from pathlib import Path

from narrator.core.errors import ScriptError
from narrator.core.spelling import normal
from narrator.games.pyramide.ranks import District
from narrator.seats import read_seats
from narrator.stage.tables import read_table, staged, table_path

INTENT = "place_all"


def sentences_of(csv: Path, table: Path | None = None) -> tuple[str, ...]:
    """Raises ScriptError (file and line) for somebody who is not at the table, or a table of another game."""
    path = table_path(table)
    setting = read_table(path)
    seats = read_seats(csv)
    known = {normal(player): player for player in setting.players}
    for name, line in seats.rows:
        if normal(name) not in known:
            raise ScriptError(f"“{name}” is not one of the players", str(csv), line)
    sent = {known[normal(name)]: district for name, district in seats.options.get("districts", {}).items()}
    forms = [form for form in staged(setting, path).phrases.forms if form.intent == INTENT]
    if not forms:
        raise ScriptError("this game has no districts to send anybody to", str(path))
    told = []
    for district in District:
        players = ", ".join(player for player in setting.players if sent.get(player) == district)
        form = next(form for form in forms if form.fixed.get("district") == district)
        if players:
            told.append(form.text.replace("{players}", players))
    return tuple(told)
