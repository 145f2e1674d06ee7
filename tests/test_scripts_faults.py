"""Broken scripts, languages and tables: one clear sentence each, with file and line, before anything is played."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evening import table

from narrator import library
from narrator.core.errors import NarratorError, RuleError, ScriptError
from narrator.core.setting import Setting
from narrator.library import data_folder, stage
from narrator.stage.tables import read_table

GAME, FRENCH, TABLE = "sultan/game.toml", "sultan/fr.toml", "_table/fr.toml"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ScriptError]:
    """Stages a copy of scripts/ in which one piece of text was replaced, and returns the error it must raise."""
    folder = tmp_path / "scripts"
    shutil.copytree(data_folder("scripts"), folder)
    monkeypatch.setattr(library, "data_folder", lambda kind: folder)

    def stage_with(file: str, old: str, new: str, near: bool = True, blamed: str = "") -> ScriptError:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text, f"{file} no longer holds {old!r}"
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(ScriptError) as caught:
            stage(table(7))
        error = caught.value
        assert Path(error.file) == folder / (blamed or file)
        assert "\n" not in error.message
        assert str(error).startswith(f"{error.file}:{error.line}: " if error.line else f"{error.file}: ")
        if error.line and near:
            _assert_near(error.line, (folder / file).read_text(encoding="utf-8"), text.index(old))
        return error

    return stage_with


def _assert_near(line: int, text: str, at: int) -> None:
    """The line of the mistake, or of the entry that holds it."""
    lines = text.splitlines()
    marker = text.count("\n", 0, at) + 1
    header = max((n for n in range(1, marker + 1) if lines[n - 1].startswith("[")), default=1)
    last = marker + text[at:].split("\n[", 1)[0].count("\n")
    assert header <= line <= last, (header, line, last)


GAME_FAULTS = [
    # (what stands there, what is written instead, what the error says)
    ('start = "checklist"', 'start = "checklist', "not valid TOML"),
    ('start = "checklist"', 'start = "checklist"\nstart = "over"', "not valid TOML"),
    ('start = "checklist"', 'strat = "checklist"', "“strat” is not known"),
    ('game = "sultan"\n', "", "“game” is missing"),
    ("players = [5, 10]\n", "", "“players” is missing"),
    ('start = "checklist"\n', "", "“start” is missing"),
    ("players = [5, 10]", "players = 5", "“players” must be a list"),
    ("players = [5, 10]", "players = [10, 5]", "two numbers"),
    ("players = [5, 10]", 'players = ["five", "ten"]', "two numbers"),
    ('rules = "sultan"', 'rules = "sutlan"', "no rules called “sutlan”"),
    ('rules = "sultan"', 'rules = "../sultan"', "no rules called"),
    ('start = "checklist"', 'start = "chekclist"', "“chekclist” is not a phase"),
    ('skip_setup = "first_vizir"', 'skip_setup = "first"', "“first” is not a phase"),
    ('yes = [0, "seats"]', "yes = 10", "needs two bounds"),
    ('yes = [0, "seats"]', 'yes = [0, "chairs"]', "needs two bounds"),
    ('status = "recap"', 'status = "recpa"', "line “recpa” is not written"),
    ('status = "recap"', "status = 3", "must name a line"),
    ('status = "recap"', 'stauts = "recap"', "no sentence for “stauts”"),
    # phases
    ('[[phase]]\nname = "new_turn"', "[[phase]]", "a phase needs a name"),
    ('name = "new_turn"', "name = 3", "must be a name"),
    ('name = "ask_first"', 'nmae = "ask_first"', "“nmae” is not known"),
    ('flow = "checklist"', 'flow = "list"', "flow “list” is not one of"),
    ('flow = "checklist"', "flow = true", "wrong kind"),
    ("remind_after = 60", 'remind_after = "soon"', "wrong kind"),
    ('limit = "discussion"', 'limit = "talk"', "limit “talk” is not one of the options"),
    ('deaf_to = ["count", "count_yes", "count_no"]', 'deaf_to = ["cuont"]', "no move answers “cuont”"),
    ('  "welcome",', '  "wellcome",', "line “wellcome” is not written"),
    ('remind = "remind_checklist"', 'remind = "remind_list"', "line “remind_list” is not written"),
    ('warn = "half_a_minute"', 'warn = "half_a_minuet"', "line “half_a_minuet” is not written"),
    ('steps = ["drawing_first"]', 'steps = "drawing_first"', "wrong kind"),
    ('steps = ["drawing_first"]', "steps = [3]", "a step is a line id"),
    ('steps = ["drawing_first"]', "steps = [{ ask = true }]", "a step is a line id"),
    ('scene = "night"', 'scene = "disco"', "scene “disco” is not one of night, wind"),
    ('scene = "night"\n', "", "“mask” needs a “scene”"),
    ("mask = true", 'mask = "yes"', "“mask” has a value of the wrong kind"),
    ("lead = 2.5", 'lead = "long"', "“lead” has a value of the wrong kind"),
    ("jitter = 0.25", 'jitter = "much"', "“jitter” must be a number"),
    ("jitter = 0.25", "jitter = 1.5", "“jitter” is a share"),
    ("{ pause = [5, 10] }", "{ pause = [10, 5] }", "[least, most]"),
    ("{ pause = [5, 10] }", "{ pause = [5] }", "[least, most]"),
    ('{ say = "close_eyes", pause = 4 }', '{ say = "close_eyes", pause = -4 }', "number of seconds"),
    ('{ say = "close_eyes", pause = 4 }', '{ say = "close_eyes", pause = "long" }', "number of seconds"),
    ('{ say = "close_eyes", pause = 4 }', '{ say = "close_eyes", puase = 4 }', "“puase” is not known"),
    ('when = "has_reserve"', 'when = "has_resreve"', "condition “has_resreve” does not exist"),
    ('when = "has_reserve"', "when = 3", "does not exist"),
    # moves
    ('from = "checklist"', 'form = "checklist"', "“form” is not known"),
    ('on = "done"\nfrom = "checklist"\n', 'from = "checklist"\n', "a move needs “on”"),
    ('on = "propose"\n', 'on = "propsoe"\n', "no sentence for “propsoe”"),
    ('on = "propose"\n', "on = 3\n", "must be a name or a list of names"),
    ('from = ["refused", "vetoed"]', 'from = ["refused", "veoted"]', "“veoted” is not a phase"),
    ('to = "discussion"', 'to = "discusion"', "destination 'discusion' is not a phase"),
    ('to = "discussion"', "to = 3", "is not a phase"),
    (
        'to = [{ phase = "accepted", when = "passed" }, { phase = "refused" }]',
        'to = [{ phase = "accepted", when = "passed" }]',
        "something must always hold",
    ),
    ('when = "passed" }', 'when = "pased" }', "condition “pased” does not exist"),
    ('when = "passed" }', "when = 3 }", "does not exist"),
    ('check = "may_propose"', 'check = "may_propse"', "check “may_propse” does not exist"),
    ('check = "may_propose"', "check = 3", "must be a name"),
    ('do = "propose"', 'do = "prpose"', "do “prpose” does not exist"),
    ('confirm = "confirm_exile"', 'confirm = "confrim_exile"', "line “confrim_exile” is not written"),
    ('confirm = "confirm_exile"', 'confirm = "confirm_exile"\nconfirm_when = "dark"', "“dark” does not exist"),
    ('echo = "proposed"', 'echo = "porposed"', "line “porposed” is not written"),
    ('on = "skip"\nfrom = "checklist"', 'on = "done"\nfrom = "checklist"', "two moves answer “done”"),
]


@pytest.mark.parametrize(("old", "new", "says"), GAME_FAULTS)
def test_broken_game(broken: Callable[..., ScriptError], old: str, new: str, says: str) -> None:
    assert says in broken(GAME, old, new).message


#: Faults that show at another place than where the hand slipped.
FAR_FAULTS = [
    ("deck = [6, 11]\nboards", "dcek = [6, 11]\nboards", "[facts] lacks"),
    ('name = "ask_first"', 'name = "new_turn"', "written twice"),
    (
        'on = "done"\nfrom = "countdown"\nto = "vote"\n',
        'on = "skip"\nfrom = "countdown"\nto = "vote"\n',
        "ends by “done”",
    ),
    (
        'on = "am_lover"\nfrom = "lover"\ndo = "lover_asked"\nto = "lover_name"',
        'on = "am_lover"\nfrom = "lover"\ndo = "lover_asked"\nto = "new_turn"',
        "no move leads to phase “lover_name”",
    ),
]


@pytest.mark.parametrize(("old", "new", "says"), FAR_FAULTS)
def test_broken_game_seen_elsewhere(broken: Callable[..., ScriptError], old: str, new: str, says: str) -> None:
    error = broken(GAME, old, new, near=False)
    assert says in error.message
    assert error.line


LANGUAGE_FAULTS = [
    (FRENCH, 'title = "Au', "title = Au", "not valid TOML"),
    (FRENCH, 'title = "Au', 'ttile = "Au', "“ttile” is not known"),
    (FRENCH, "[names]", "[nmaes]", "“nmaes” is not known"),
    (FRENCH, 'count_is = "{yes} oui, {no} non."', "count_is = 3", "must be a text"),
    (FRENCH, 'count_is = "{yes} oui, {no} non."', 'count_is = " "', "must be a text"),
    (FRENCH, 'count_is = "{yes}', 'count_is = "{yse}', "nothing is known as “yse”"),
    (FRENCH, 'count_is = "{yes}', 'count_is = "{yes:x}', "the form “x” is not one of"),
    (FRENCH, 'count_is = "{yes}', 'count_is = "{yes', "a placeholder is written as"),
    (FRENCH, 'count_is = "{yes}', 'count_is = "{yes?un|[yse]}', "nothing is known as “yse”"),
    (FRENCH, '"je propose {player} comme narratrice"', '"je propose {plyer} comme narratrice"', "no slot “plyer”"),
    (FRENCH, '"je propose {player} comme narratrice"', '"[je propose {player} comme narratrice"', "not a template"),
    (FRENCH, '"je propose {player} comme narratrice"', '""', "a template must be a text"),
    (FRENCH, '"je propose {player} comme narratrice"', "3", "a template must be a text"),
    (FRENCH, "propose = { say =", "propose = { sya =", "give a template"),
    (TABLE, '0 = ["aucun"', 'zero = ["aucun"', "a number is written like"),
    (TABLE, '0 = ["aucun", "aucune", "pas de"]', '0 = "aucun"', "a number is written like"),
    (TABLE, "fillers = [", "fillers = 3 # [", "“fillers” must be a list"),
    (TABLE, 'fillers = ["euh"', "fillers = [3", "“fillers” must be a list of texts"),
    (TABLE, 'undone = "', 'undone = 3 # "', "must be a text"),
]


@pytest.mark.parametrize(("file", "old", "new", "says"), LANGUAGE_FAULTS)
def test_broken_language(broken: Callable[..., ScriptError], file: str, old: str, new: str, says: str) -> None:
    assert says in broken(file, old, new).message


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (FRENCH, 'count_is = "', 'count_si = "', "line “count_is” is not written in"),
        (FRENCH, "call_vote = {", "call_vtoe = {", "no sentence for “call_vote” is written in"),
        (TABLE, 'yes = { say = ["oui"', 'yse = { say = ["oui"', "no sentence for “yes” is written in"),
    ],
)
def test_language_lacks_what_the_game_asks_for(
    broken: Callable[..., ScriptError], file: str, old: str, new: str, says: str
) -> None:
    """The place that asks is pointed at, and the file that lacks it is named."""
    error = broken(file, old, new, near=False, blamed=GAME)
    assert says in error.message
    assert error.message.partition("; did you mean")[0].endswith("fr.toml")
    assert error.line


def test_missing_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "scripts"
    shutil.copytree(data_folder("scripts"), folder)
    monkeypatch.setattr(library, "data_folder", lambda kind: folder)
    (folder / "_table" / "fr.toml").unlink()
    with pytest.raises(ScriptError, match="this file does not exist"):
        stage(table(7))
    (folder / "sultan" / "fr.toml").unlink()
    with pytest.raises(RuleError, match="written in en"):
        stage(table(7))
    (folder / "sultan" / "en.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScriptError, match="cannot be read"):
        stage(table(7, language="en"))


# ---- tables


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "there is no game “chess”; there are: "),
        ({"game": "../sultan"}, "there is no game"),
        ({"language": "xx"}, "is written in"),
        ({"players": ("Alice", "Bob")}, "5 to 10 players, you are 2"),
        ({"players": ()}, "you are 0"),
        ({"first": "Zoé"}, "“Zoé” is not one of the players"),
        ({"options": {"colour": "red"}}, "option “colour” does not exist"),
        ({"options": {"giafar": 1}}, "must be true or false, not 1"),
        ({"options": {"discussion": True}}, "must be like 120"),
        ({"options": {"discussion": "long"}}, "must be like 120"),
        ({"options": {"deck": "6"}}, "two numbers"),
        ({"options": {"roles": 5}}, "must be like"),
        ({"options": {"roles": {"interventionist": "four"}}}, "roles"),
        ({"options": {"roles": {"spy": 1}}}, "roles"),
        ({"options": {"deck": [6.5, 11]}}, "two numbers"),
        ({"options": {"discussion": -5}}, "discussion"),
        ({"options": {"pacifist_board": ["A", 3, "A", "A", "A", "Z"]}}, "not a board card"),
    ],
)
def test_bad_settings(change: dict[str, Any], says: str) -> None:
    setting: Setting = replace(table(7), **change)
    with pytest.raises(NarratorError) as caught:
        stage(setting)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


GOOD = 'game = "sultan"\nlang = "fr"\nplayers = ["Alice", "Bob", "Chloé", "David", "Emma"]\nfirst = "Alice"\n'


def test_the_table_of_the_readme(tmp_path: Path) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    path = tmp_path / "t.toml"
    path.write_text(readme.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    setting = read_table(path)
    assert dict(setting.says) == {"Gaëlle": "gaèl"}
    assert stage(setting).setting.options["giafar"] is True


def test_a_good_table(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(GOOD, encoding="utf-8")
    setting = read_table(path)
    assert setting.players == ("Alice", "Bob", "Chloé", "David", "Emma")
    assert stage(setting).setting.first == "Alice"


@pytest.mark.parametrize(
    ("old", "new", "says", "line"),
    [
        ('game = "sultan"', 'game = "sultan', "not valid TOML", 1),
        ('game = "sultan"\n', "", "does not say which game", 0),
        ('lang = "fr"', "lang = 3", "wrong kind", 2),
        ('lang = "fr"', 'language = "fr"', "“language” is not known", 2),
        ('players = ["Alice",', "players = [3,", "list of names", 3),
        ('players = ["Alice",', 'players = "Alice" # [', "list of names", 3),
        ('"Bob"', '"Alice"', "Alice", 3),
        ('"Bob"', '"alice"', "two players are called", 3),
        ('"Chloé", "David"', '"Chloé", "Chloe"', "Chlo", 3),
        ('"Bob"', '""', "name", 3),
        ('"Bob"', '"' + "B" * 60 + '"', "BBB", 3),
        ('first = "Alice"', "first = []", "wrong kind", 4),
        ('first = "Alice"', 'first = "Alice"\noptions = 3', "wrong kind", 5),
        ('first = "Alice"', 'first = "Alice"\n[says]\nChloé = "clo-é"', 'not valid TOML: write "Chloé" with', 6),
        ('first = "Alice"', 'first = "Alice"\n[says]\nÉlise = "é-lise"', 'not valid TOML: write "Élise" with', 6),
        ('first = "Alice"', 'first = "Alice"\n[says]\nJean Paul = "x"', 'write "Jean Paul" with its quotes', 6),
        ('first = "Alice"', "first = = 3", "not valid TOML: Invalid value", 4),
    ],
)
def test_bad_table_files(tmp_path: Path, old: str, new: str, says: str, line: int) -> None:
    path = tmp_path / "t.toml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        read_table(path)
    assert says in caught.value.message
    assert (caught.value.file, caught.value.line) == (str(path), line)
