"""Scripts, roles files and states of the town square: read, refused with file and line, written back."""

from __future__ import annotations

import json
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from town import MORE, ROLES, Evening, homebrew, town

from narrator.core.errors import NarratorError, ScriptError
from narrator.core.setting import Setting
from narrator.games.clocktower.characters import TEAMS
from narrator.grimoire import bring, options_of, read_scroll, read_square, town_square
from narrator.library import data_folder, stage
from narrator.setup import Answers, prepare_table
from narrator.square import export_square
from narrator.stage.journal import Journal
from narrator.stage.tables import read_table

OURS = sorted((data_folder("scripts") / "clocktower" / "homebrew").glob("*.json"))
BAKER = {"id": "baker", "name": "Baker", "team": "townsfolk", "firstNight": 3, "otherNight": 0, "reminders": ["Bread"]}
DEMON = {"id": "drowner", "name": "Drowner", "team": "demon", "firstNight": 0, "otherNight": 7, "flavour": "wet"}


def file(folder: Path, data: Any, name: str = "script.json") -> Path:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


# ---- scripts


@pytest.mark.parametrize("path", OURS, ids=lambda p: p.stem)
def test_our_own_script_has_a_dozen_characters_of_every_kind(path: Path) -> None:
    scroll = read_scroll(path)
    assert len(scroll.characters) >= 12
    assert {c["team"] for c in scroll.characters} == {"townsfolk", "outsider", "minion", "demon", "traveller"}


def test_ids_and_objects_with_meta_and_orders(tmp_path: Path) -> None:
    meta = {"id": "_meta", "name": "Wet Feet", "firstNight": ["dusk", "baker", "dawn"], "otherNight": ["drowner"]}
    scroll = read_scroll(file(tmp_path, [meta, BAKER, DEMON]))
    assert scroll.name == "Wet Feet"
    assert [(c["id"], c["firstNight"], c["otherNight"]) for c in scroll.characters] == [
        ("baker", 2, 0),
        ("drowner", 0, 1),
    ]
    assert scroll.characters[1]["flavour"] == "wet"  # what is not known is kept


def test_bare_ids_need_the_tables_own_roles_file(tmp_path: Path) -> None:
    script = file(tmp_path, ["baker", {"id": "Drow_ner"}])
    with pytest.raises(ScriptError, match=r"script\.json:2: “baker” is an id alone: .*--roles"):
        read_scroll(script)
    roles = file(tmp_path, [BAKER, DEMON], "roles.json")
    assert [c["name"] for c in read_scroll(script, [roles]).characters] == ["Baker", "Drowner"]
    sheet = file(tmp_path, {"firstNight": ["drowner", "baker"], "otherNight": ["baker"]}, "night.json")
    assert [c["firstNight"] for c in read_scroll(script, [roles, sheet]).characters] == [2, 1]


@pytest.mark.parametrize("team", [*TEAMS, "traveler"])
def test_every_team_is_known(tmp_path: Path, team: str) -> None:
    assert read_scroll(file(tmp_path, [{**BAKER, "team": team}])).characters[0]["team"] == team


BAD: list[tuple[Any, str]] = [
    ("[", r":1: this is not valid JSON"),
    ('["a",\n "b"', r":2: this is not valid JSON"),
    ("{}", ":1: this must be a list"),
    ("[]", ":1: this script has no characters"),
    ("[3]", ":1: a script lists ids"),
    ([{"name": "Baker"}], ":2: a script lists ids"),
    ([BAKER, BAKER], r":12: “baker” is in this script twice"),
    ([BAKER, {**DEMON, "team": "villain"}], ":12: character “drowner”: team 'villain' is not one of"),
    ([{**BAKER, "firstNight": "soon"}], ":2: character “baker”: “firstNight” must be a number"),
    ([{**BAKER, "firstNight": -1}], "“firstNight” must be a number"),
    ([{**BAKER, "otherNight": True}], "“otherNight” must be a number"),
    ([{**BAKER, "reminders": "Bread"}], "“reminders” must be a list"),
    ([{**BAKER, "otherNightReminder": 3}], "“otherNightReminder” must be a text"),
    ([{**BAKER, "wakes": "sometimes"}], "“wakes” is one of"),
    ([{**BAKER, "name": 5}], ":2: character “baker”: “name” must be a text"),
    ([{**BAKER, "id": "_-_"}], ":2: a script lists ids, or objects with an id"),
    ([{"id": "_meta", "firstNight": "baker"}, BAKER], ":2: “firstNight” of the script is a list of ids"),
    ([{"id": "_meta", "otherNight": [3]}, BAKER], ":2: “otherNight” of the script is a list of ids"),
    ("[" * 100_000, "not valid JSON"),
]


@pytest.mark.parametrize(("data", "said"), BAD)
def test_what_is_wrong_is_refused_with_file_and_line(tmp_path: Path, data: Any, said: str) -> None:
    with pytest.raises(ScriptError, match=said) as error:
        read_scroll(file(tmp_path, data))
    assert "\n" not in str(error.value)
    assert "script.json" in str(error.value)


def test_an_id_that_no_roles_file_knows_is_not_told_to_bring_one(tmp_path: Path) -> None:
    roles = file(tmp_path, [DEMON], "roles.json")
    with pytest.raises(ScriptError, match=r"script\.json:2: “baker” is in none of these roles files"):
        read_scroll(file(tmp_path, ["baker"]), [roles])


def test_ids_of_other_languages_stay_themselves(tmp_path: Path) -> None:
    """Accents are folded, not dropped, and no id becomes nothing."""
    ids = ["Élève_Lune", "lve-lune", "巫女", "Ведьма"]
    read = read_scroll(file(tmp_path, [{**BAKER, "id": one} for one in ids])).characters
    assert [one["id"] for one in read] == ["elevelune", "lvelune", "巫女", "ведьма"]


def test_a_field_that_is_null_is_a_field_that_is_not_there(tmp_path: Path) -> None:
    empty = dict.fromkeys(("name", "firstNight", "otherNight", "reminders", "firstNightReminder", "image"))
    read = read_scroll(file(tmp_path, [{"id": "_meta", "name": None, "firstNight": None}, {**BAKER, **empty}]))
    assert read.name == "script"
    assert read.characters == ({"id": "baker", "team": BAKER["team"]},)


@pytest.mark.parametrize("team", ["Townsfolk", "DEMON", "Traveler"])
def test_a_team_may_have_capitals(tmp_path: Path, team: str) -> None:
    scroll = read_scroll(file(tmp_path, [{**BAKER, "team": team}]))
    bob = {"players": [{"name": "Bob", "role": "baker"}]}
    state = read_square(file(tmp_path, bob, "square.json"), scroll.characters)
    assert options_of(scroll, state).get("travellers", []) == (["Bob"] if team == "Traveler" else [])
    assert stage(town(7, characters=list(scroll.characters))).game


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="does not exist"):
        read_scroll(tmp_path / "none.json")
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScriptError, match="cannot be read"):
        read_scroll(tmp_path / "bad.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["id", "name", "team", "firstNight", "otherNight", "reminders", "players", "role", "bluffs", "_meta", "roles"]
    ), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=400, deadline=None, derandomize=True)
@given(json_values, st.booleans())
def test_no_file_breaks_the_import(data: Any, cut: bool) -> None:
    """Anything at all is either read or refused in one sentence."""
    text = json.dumps(data)
    with tempfile.TemporaryDirectory() as folder:
        path = file(Path(folder), text[: len(text) // 2] if cut else text)
        for read in (
            lambda: read_scroll(path),
            lambda: read_square(path, [BAKER]),
            lambda: read_scroll(path, [path]),
            lambda: stage(town(7, **options_of(read_scroll(path), None))),
        ):
            said = ""
            try:
                read()
            except NarratorError as error:
                said = str(error)
            assert "\n" not in said


# ---- the town square


def square(**changes: Any) -> dict[str, Any]:
    seats = [
        {"name": name, "id": "", "role": role, "reminders": [], "isDead": False, "isVoteless": False, "pronouns": "x"}
        for name, role in zip(MORE, ROLES, strict=False)
    ]
    return {"bluffs": ["sonneur"], "fabled": [{"id": "djinn"}], "edition": {"id": "tb"}, "players": seats, **changes}


def test_a_town_square_gives_seats_roles_deaths_and_bluffs(tmp_path: Path) -> None:
    data = square()
    data["players"][1] |= {"isDead": True, "isVoteless": True}
    data["players"][2] |= {"isDead": True, "voteToken": False, "role": {"id": "Boulangere"}}
    data["players"][3] |= {"isDead": True}
    read = read_square(file(tmp_path, data), homebrew()["characters"])
    assert read.players == MORE[:8]
    assert read.roles["Chloé"] == "boulangere"
    assert read.dead == ("Bob", "Chloé", "David")
    assert read.voteless == ("Bob", "Chloé")
    assert read.bluffs == ("sonneur",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "is an object with “players”"),
        ({"players": 3}, "is an object with “players”"),
        ({"players": [{"role": "x"}]}, "every player of the town square"),
        ({"players": [{"name": "Bob", "role": "nobody"}]}, r":4: Bob is “nobody”, who is not in the script"),
        ({"players": [], "bluffs": "none"}, "“bluffs” is a list"),
        ({"players": [{"name": "Bob"}], "bluffs": ["nobody"]}, "bluff “nobody” is not in the script"),
        ({"players": [{"name": "Bob", "role": 7}]}, "Bob: “role” is an id, or an object with an id"),
        ({"players": [{"name": "Bob", "role": {"id": 7}}]}, "Bob: “role” is an id, or an object with an id"),
        ({"players": [{"name": "Bob", "isDead": "false"}]}, "Bob: “isDead” is true or false"),
        ({"players": [{"name": "Bob", "isDead": True, "isVoteless": 1}]}, "Bob: “isVoteless” is true or false"),
        ({"players": [{"name": "Bob", "isDead": True, "voteToken": "no"}]}, "Bob: “voteToken” is true or false"),
    ],
)
def test_a_wrong_town_square_is_refused(tmp_path: Path, data: Any, said: str) -> None:
    with pytest.raises(ScriptError, match=said):
        read_square(file(tmp_path, data), homebrew()["characters"])


def test_an_empty_square_is_read_as_the_town_square_writes_it(tmp_path: Path) -> None:
    """No character is "", {} or null there, and so is a bluff that nobody chose."""
    seats = [{"name": n, "role": r, "isDead": None} for n, r in zip(MORE, ("", {}, None, {"id": None}), strict=False)]
    data = {"players": seats, "bluffs": ["", {}, None, "sonneur"]}
    read = read_square(file(tmp_path, data), homebrew()["characters"])
    assert (read.roles, read.dead, read.bluffs) == ({}, (), ("sonneur",))


def test_the_state_goes_back_with_everything_else_as_it_was() -> None:
    evening = Evening(town(8, roles=True))
    evening.night("Bob")
    evening.nominate("Alice", "Chloé", "Bob", *MORE[2:6])
    evening.to_night()
    original = square()
    data = town_square(evening.course.state, dict(zip(MORE, ROLES, strict=False)), original)
    assert data["edition"] == original["edition"]
    assert data["fabled"] == original["fabled"]
    seats = {seat["name"]: seat for seat in data["players"]}
    assert (seats["Bob"]["isDead"], seats["Bob"]["isVoteless"]) == (True, True)
    assert (seats["Chloé"]["isDead"], seats["Chloé"]["isVoteless"]) == (True, False)
    assert not seats["Emma"]["isDead"]
    assert seats["Emma"]["pronouns"] == "x"
    assert seats["Emma"]["role"] == "naufrage"


def test_setup_brings_files_in_and_the_square_comes_out_again(tmp_path: Path) -> None:
    brought = file(tmp_path, square(), "square.json")
    out = tmp_path / "table.toml"
    answers = Answers("clocktower", "fr", options=("defence=20",), script=OURS[1], grimoire=brought)
    prepare_table(answers, out=out, ask=False)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    setting = read_table(out)
    assert setting.players == MORE[:8]
    assert setting.options["travellers"] == [] if "travellers" in setting.options else True
    assert setting.options["roles"]["Alice"] == "noyeur"
    evening = Evening(setting)
    evening.night("Bob")
    path = tmp_path / "e.jsonl"
    journal = Journal.begin(setting, 1, skip_setup=True, path=path, secret=("roles", "bluffs"))
    for event in evening.log:
        journal.write(event, 0.0)
    written = json.loads(export_square(path, brought))
    assert [s["isDead"] for s in written["players"]] == [False, True, *[False] * 6]
    again = read_square(file(tmp_path, written, "again.json"), homebrew()["characters"])
    assert again.dead == ("Bob",)


def test_roles_are_refused_by_name(tmp_path: Path) -> None:
    for options, said in (
        ({"roles": {"Zoé": "noyeur"}}, "“Zoé” is not one of the players"),
        ({"roles": {"Bob": "king"}}, "“king” \\(for Bob\\) is not a character of the script"),
        ({"bluffs": ["king"]}, "bluffs: “king”"),
        ({"travellers": ["Zoé"]}, "travellers: “Zoé”"),
        ({"vote": "telepathy"}, "choose “ear” or “eye”"),
        ({"beat": 0.2}, "beat is the seconds"),
        ({"dead": ["Zoé"]}, "dead, voteless: “Zoé”"),
    ):
        with pytest.raises(NarratorError, match=said):
            stage(Setting("clocktower", "fr", MORE[:7], "", {**homebrew(), **options}))


def test_characters_are_given_by_name_on_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "table.toml"
    names = ", ".join(MORE[:7])
    options = ("roles=Alice:Noyeur,Bob:gardien du phare",)
    prepare_table(Answers("clocktower", "fr", names, options=options, script=OURS[1]), out=out, ask=False)
    assert "Bob (Gardien du phare)" in Evening(read_table(out)).private_sheet()
    with pytest.raises(NarratorError, match="is written as roles=name:value, not “Alice”"):
        prepare_table(Answers("clocktower", "fr", names, options=("roles=Alice",)), out=out, ask=False)


def test_a_game_that_has_begun_is_gone_on_with() -> None:
    evening = Evening(town(8, dead=["Bob", "Emma"], voteless=["Emma"]))
    assert evening.state["dead"] == ["Bob", "Emma"]
    assert evening.state["tokens"] == ["Bob"]


def test_files_are_all_optional() -> None:
    assert bring(None, (), None) == ((), {})
