"""Broken scripts of a mastered game: one clear sentence each, with file and line, before anything is played."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from town import town

from narrator import library
from narrator.core.errors import ScriptError
from narrator.library import data_folder, stage

GAME, FRENCH = "clocktower/game.toml", "clocktower/fr.toml"
FAULTS = [
    # (file, what stands there, what is written instead, what the error says)
    (GAME, "private = true\n", 'private = "yes"\n', "“private” is true or false"),
    (GAME, 'whisper = "mj_spared"', 'whisper = "mj_sparred"', "line “mj_sparred” is not written"),
    (GAME, 'steps = [{ whisper = "mj_step" }]', 'steps = [{ whisper = "mj_stop" }]', "line “mj_stop” is not written"),
    (GAME, 'steps = [{ whisper = "mj_hands" }]', "steps = [{ whisper = 3 }]", "a step is a line id"),
    (GAME, 'cue = "gong"', "cue = 3", "a step is a line id"),
    (
        GAME,
        'private = true\ncheck = "may_die"\ndo = "die_tonight"',
        'check = "may_die"\ndo = "die_tonight"',
        "“whisper”",
    ),
    (
        GAME,
        'private = true\ncheck = "may_die"\ndo = "die_tonight"',
        'private = true\nconfirm = "victory"\ncheck = "may_die"\ndo = "die_tonight"',
        "a private move asks nothing back aloud",
    ),
    (GAME, 'limit = "dawn"', 'limit = "noon"', "limit “noon” is not one of the options"),
    (GAME, "{ before = 60, say =", "{ before = 60, sing =", "a warning is"),
    (GAME, 'secret = ["roles", "bluffs"]', 'secret = ["rules"]', "“secret” lists names of options"),
    (GAME, 'show_sheet = "mj_sheet"', "show_sheet = 3", "private_query “show_sheet” must name a line"),
    (GAME, 'show_sheet = "mj_sheet"', 'show_shot = "mj_sheet"', "no sentence for “show_shot”"),
    (GAME, 'show_sheet = "mj_sheet"', 'show_sheet = "mj_shot"', "line “mj_shot” is not written"),
    (GAME, 'on = "dies"', 'on = "dices"', "no sentence for “dices” is written"),
    (
        FRENCH,
        'total = { say = ["[au ]total {n}", "total de {n}"], hear = [] }',
        'total = "total {n}"',
        "only the master may say “total”",
    ),
    (FRENCH, "{votes}.", "{dying}.", "nothing is known as “dying”"),
    (FRENCH, "{sheet:name}.", "{shoot}.", "nothing is known as “shoot”"),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), FAULTS)
def test_a_fault_is_told_with_its_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, said: str
) -> None:
    folder = tmp_path / "scripts"
    shutil.copytree(data_folder("scripts"), folder)
    monkeypatch.setattr(library, "data_folder", lambda kind: folder)
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{file} no longer holds {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        stage(town(7))
    assert said in caught.value.message
    assert Path(caught.value.file) in (path, folder / FRENCH)
    assert "\n" not in caught.value.message
    assert caught.value.line
