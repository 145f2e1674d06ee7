"""Table files: what cannot be played is told with the line that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.errors import ScriptError
from narrator.stage.tables import read_table, staged

SULTAN = 'version = 1\ngame = "sultan"\nlang = "fr"\nplayers = ["Ana", "Bob", "Chloé", "Dan", "Ema"]\n'
PYRAMIDE = 'version = 1\ngame = "pyramide"\nlang = "fr"\nplayers = ["Ana", "Bob", "Cat", "Dan", "Ema", "Flo", "Guy"]\n'


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (SULTAN + '[options]\ngiafar = "oui"\n', 6, "must be true or false, not 'oui'"),
        (SULTAN + '[options]\nlover_patience = 1\npacifist_board = "A,B"\n', 7, "pacifist_board"),
        (SULTAN + 'first = "Zoé"\n', 5, "first"),
        (SULTAN.replace('"fr"', '"de"'), 3, "lang “de”"),
        (SULTAN + 'pace = "slow"\n', 5, "pace “slow”"),
        (SULTAN + "[says]\nAna = 3\n", 6, "[says] must give “Ana” a word"),
        (SULTAN.replace(', "Chloé", "Dan", "Ema"', ""), 4, "is for 5 to 10 players"),
        (PYRAMIDE + '[options]\nvote = "mail"\n', 6, "vote “mail”"),
        (PYRAMIDE + '[options]\nvote = "eye"\nbeat = 99\n', 7, "beat"),
        (PYRAMIDE + "[options]\nnumbers = { councillors = 2 }\n", 6, "which makes 8"),
        (PYRAMIDE + '[options.roles]\nAna = "belwas"\nBob = "harpie"\n', 7, "'harpie'"),
        (PYRAMIDE + '[options.roles]\nBob = "harpy"\n', 5, "there are lieutenants: 0, henchmen: 0"),
        (PYRAMIDE + '[options.offices]\nseneschal = "Ana"\n', 6, "“Ana” cannot hold the office"),
        (PYRAMIDE + "[options.points]\nwinner = 3\n", 6, "“winner”"),
    ],
)
def test_what_cannot_be_played_is_told_with_its_line(text: str, line: int, told: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as fault:
        staged(read_table(path), path)
    assert told in str(fault.value)
    assert str(fault.value).startswith(f"{path}:{line}: ")
