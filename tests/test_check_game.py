"""`narrator check my-game/`: every rule of the lint is provoked once, in a game as `narrator new-game` writes it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import wave
from pathlib import Path

import pytest
from own_game import looked_at, own_game, spoilt

from narrator.core.errors import ScriptError
from narrator.library import data_folder, game_ids, read_source
from narrator.workshop import texts
from narrator.workshop.findings import ERROR, WARNING
from narrator.workshop.lint import look_at
from narrator.workshop.typography import slips


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return own_game(tmp_path)


def test_a_new_game_has_nothing_wrong(game: Path) -> None:
    look = looked_at(game)
    assert look.findings == []
    assert set(look.productions) == {"fr", "en"}


@pytest.mark.parametrize("name", game_ids())
def test_our_own_games_have_no_errors(name: str) -> None:
    assert [str(one) for one in look_at(name).findings if one.level == ERROR] == []


@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("language", ["fr", "en"])
def test_what_our_own_games_show_is_well_set(name: str, language: str) -> None:
    source = read_source(data_folder("scripts") / name / f"{language}.toml")
    assert [str(one) for one in texts.labels_in_doubt(source, language)] == []


def test_village_is_an_example_to_all() -> None:
    assert look_at("village").findings == []


GAME, FRENCH, ENGLISH = "game.toml", "fr.toml", "en.toml"

#: file, what stands there, what is put in its place, the rule, what its message says. The line is where it was.
FAULTS = [
    # unknown keys, each with what was meant
    (GAME, 'flow = "checklist"', 'folw = "checklist"', "script", "“folw” is not known here; did you mean “flow”?"),
    (GAME, "players = [5, 10]", "palyers = [5, 10]", "game", "“palyers” is not known here; did you mean “players”?"),
    (GAME, 'camp = "shadows"', 'camps = "shadows"', "script", "“camps” is not known in [role]; did you mean “camp”?"),
    (GAME, 'up = ["close_day"]', 'upp = ["close_day"]', "script", "did you mean “up”?"),
    (GAME, 'up = ["close_day"]', 'up = ["close_days"]', "script", "did you mean “close_day”?"),
    (GAME, 'do = "close_tally"', 'do = "close_taly"', "script", "did you mean “close_tally”?"),
    (GAME, 'check = "tally_fits"', 'check = "tally_fit"', "script", "did you mean “tally_fits”?"),
    (GAME, 'when = "all_tallied"', 'when = "all_talied"', "script", "did you mean “all_tallied”?"),
    (GAME, '"shadows = 0"', '"shadow_s = 0"', "script", "“shadow_s” is no number; did you mean"),
    (GAME, '"shadows = 0"', '"no_shadows"', "script", "“no_shadows” is no condition"),
    (GAME, '"shadows = 0"', '"shadows =< 0"', "script", "is no comparison"),
    (GAME, 'when = "shadows_rule"', 'when = "shadows_rul"', "script", "did you mean “shadows_rule”?"),
    (GAME, 'winners = ["friends"]', 'winners = ["friend_s"]', "script", "did you mean “friends”?"),
    (GAME, 'count = "rest"', 'count = "most"', "script", "count is a number"),
    (GAME, 'id = "shadow"', 'id = "players"', "script", "“players” is taken"),
    (GAME, 'id = "shadow"', 'id = "Shadow"', "script", "small letters"),
    (GAME, 'id = "friend"', 'id = "shadow"', "script", "written twice"),
    (GAME, "[when]\n", '[when]\nliving = "day = 3"\n', "script", "a name of the narrator’s own"),
    (GAME, 'limit = "talk"', 'limit = "tlak"', "script", "is not one of the options"),
    (GAME, 'to = "point"', 'to = "pointt"', "script", "is not a phase"),
    (GAME, 'on = "no_more"', 'on = "no_moer"', "script", "no sentence for “no_moer”"),
    (GAME, '"deal", "look"]', '"dael", "look"]', "script", "line “dael” is not written"),
    (GAME, 'scene = "night"', 'scene = "nihgt"', "script", "scene “nihgt” is not one of"),
    # the languages
    (FRENCH, "ready = ", "reddy = ", "missing-line", "line “reddy” is missing in “en”"),
    (FRENCH, "no_more = {", "no_mroe = {", "missing-sentence", "sentence “no_mroe” is missing in “en”"),
    (FRENCH, 'friend = "des', 'freind = "des', "missing-name", "name “friend” is missing in “fr”"),
    (FRENCH, 'noted = "{player}', 'noted = "{playr}', "script", "nothing is known as “playr”"),
    (FRENCH, 'role = "shadow"', 'role = "shade"', "script", "role “shade”? did you mean “shadow”?"),
    (FRENCH, "[lines]", "[linse]", "script", "“linse” is not known here; did you mean “lines”?"),
    (FRENCH, 'noted = "{player}, {n:f}."', 'noted = "{player}."', "holes-differ", "otherwise than in “en”: n"),
    (ENGLISH, 'set_right = "Noted."', 'set_right = "Noted !"', "typography", "no space stands before"),
    (FRENCH, "set_right = \"C’est noté.\"", "set_right = \"C'est noté.\"", "typography", "the apostrophe is ’"),
    (FRENCH, "[sentences]", '[setup]\ntalks = "?"\n\n[sentences]', "language", "did you mean “talk”?"),
    (FRENCH, "[sentences]", '[setup]\ntalk = { ask = "?" }\n\n[sentences]', "missing-setup", "missing in “en”"),
    # sentences
    (GAME, "no_shadow_left = ", "half_way = \"day = 3\"\nno_shadow_left = ", "unused-condition", "“half_way”"),
    (GAME, "talk = 180 ", "tea = 3\ntalk = 180 ", "unused-option", "“tea”"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "rule", "says"), FAULTS)
def test_a_fault_is_found_where_it_is(game: Path, file: str, old: str, new: str, rule: str, says: str) -> None:
    line = spoilt(game, file, old, new)
    findings = looked_at(game).findings
    found = [one for one in findings if one.rule == rule and says in one.message]
    assert found, [str(one) for one in findings]
    if rule.startswith("missing-") or "written twice" in says or "is not written" in says or "no sentence" in says:
        assert found[0].line > 0 or rule == "missing-setup"  # there is no such table to point at
    else:
        assert Path(found[0].file) == game / file
        assert abs(found[0].line - line) <= 2, (found[0].line, line)


def test_a_line_that_nobody_says(game: Path) -> None:
    for file in (FRENCH, ENGLISH):
        spoilt(game, file, "[lines]", '[lines]\nlullaby = "La la la."\n')
    found = [one for one in looked_at(game).findings if one.rule == "unused-line"]
    assert [(Path(one.file).name, one.level) for one in found] == [(ENGLISH, WARNING), (FRENCH, WARNING)]


def test_a_hole_that_nothing_fills_in_a_line_that_stands_alone(game: Path) -> None:
    """Every such line is told, not only the first one that loading stumbles over."""
    for line in ("noted", "was"):
        spoilt(game, FRENCH, f'{line} = "', f'{line} = "{{nobody}} ')
    assert [one.rule for one in looked_at(game).findings if one.level == ERROR] == ["script"]
    look = looked_at(game)
    assert "nobody" in look.findings[0].message
    assert "en" in look.productions


def test_a_phase_that_nothing_reaches(game: Path) -> None:
    spoilt(game, GAME, 'to = [{ phase = "ended", when = "decided" }, { phase = "stays" }]', 'to = "talk"')
    assert any("no move leads to phase “stays”" in one.message for one in looked_at(game).findings)


def test_a_phase_that_nothing_leaves(game: Path) -> None:
    spoilt(game, GAME, 'on = ["time_up", "call_vote", "skip"]\nfrom = "talk"', 'on = "call_vote"\nfrom = "cellar"')
    spoilt(game, GAME, 'limit = "talk" ', "remind_after = 30 #")
    spoilt(game, GAME, '[[phase]]\nname = "point"', '[[phase]]\nname = "cellar"\n\n[[phase]]\nname = "point"')
    spoilt(game, GAME, 'from = ["dusk", "stays"]\ndo = "begin_day"\nto = "talk"', 'from = ["dusk", "stays"]\nto = [{ phase = "cellar", when = "dark" }, { phase = "talk" }]')  # fmt: skip  # noqa: E501
    found = {(one.rule, one.message) for one in looked_at(game).findings if one.level == ERROR}
    assert ("no-exit", "nothing leads out of phase “talk”") in found


def test_phases_that_lead_to_no_end(game: Path) -> None:
    spoilt(game, GAME, "final = true", "final = false")
    found = looked_at(game).findings
    assert next(one.rule for one in found if one.level == ERROR) == "no-end"
    game = own_game(game.parent / "other")
    spoilt(game, GAME, 'do = "end_game"\nto = "over"', 'do = "end_game"\nto = [{ phase = "talk", when = "dark" }, { phase = "loop" }]')  # fmt: skip  # noqa: E501
    spoilt(
        game, GAME, '[[phase]]\nname = "over"', '[[phase]]\nname = "loop"\nflow = "auto"\n\n[[phase]]\nname = "over"'
    )
    spoilt(game, GAME, '[[move]]\non = "no"\nfrom = "ended"', '[[move]]\non = "done"\nfrom = "loop"\nto = "loop_two"\n\n[[phase]]\nname = "loop_two"\nflow = "auto"\n\n[[move]]\non = "done"\nfrom = "loop_two"\nto = "loop"\n\n[[move]]\non = "skip"\nfrom = "talk"\nto = "over"\n\n[[move]]\non = "no"\nfrom = "ended"')  # fmt: skip  # noqa: E501
    spoilt(game, GAME, 'on = ["time_up", "call_vote", "skip"]', 'on = ["time_up", "call_vote"]')
    found = looked_at(game).findings
    assert {one.message for one in found if one.rule == "no-end"} == {
        "phase “loop” leads to no end",
        "phase “loop_two” leads to no end",
    }


def test_a_phase_that_only_keys_leave(game: Path) -> None:
    spoilt(game, GAME, 'limit = "talk" ', "remind_after = 30 #")
    spoilt(game, GAME, 'on = ["time_up", "call_vote", "skip"]', 'on = "call_vote"')
    for file in (FRENCH, ENGLISH):
        text = (game / file).read_text(encoding="utf-8")
        start = text.index("hear = [", text.index("call_vote = "))
        (game / file).write_text(text[:start] + "hear = [] }" + text[text.index("\n", start) :], encoding="utf-8")
    found = [one for one in looked_at(game).findings if one.rule == "only-typed"]
    assert ["phase “talk”" in one.message for one in found] == [True]


def test_two_sentences_with_the_same_words(game: Path) -> None:
    spoilt(game, FRENCH, 'say = ["c\'est tout", ', 'say = ["Bob trois voix", "c\'est tout", ')
    found = [one for one in looked_at(game).findings if one.rule == "collision"]
    assert len(found) == 1
    assert found[0].level == ERROR
    assert "“tally”" in found[0].message
    assert "“no_more”" in found[0].message


def test_two_sentences_that_sound_alike(game: Path) -> None:
    spoilt(game, FRENCH, 'hear = ["un des nôtres"]', 'hear = ["une sombre"]')
    spoilt(game, FRENCH, '"un des nôtres"]', '"un des nôtres", "une sombre"]')
    found = [one for one in looked_at(game).findings if one.rule == "sounds-alike"]
    assert [one.message for one in found] == [
        "“une ombre” and “une sombre” sound alike, and phase “card” waits for both"
    ]


def test_a_sentence_that_nothing_answers(game: Path) -> None:
    for file in (FRENCH, ENGLISH):
        spoilt(game, file, "[sentences]", '[sentences]\nsing = { say = ["la la la"] }\n')
    assert [one.rule for one in looked_at(game).findings] == ["unused-sentence"] * 2


def test_a_role_without_a_name(game: Path) -> None:
    for file in (FRENCH, ENGLISH):
        spoilt(game, file, "shadow = ", "# shadow = ")
    assert [one.rule for one in looked_at(game).findings] == ["unnamed-role"] * 2


def test_cards_that_do_not_come_out(game: Path) -> None:
    spoilt(game, GAME, 'count = "rest"', "count = 3")
    found = {one.message for one in looked_at(game).findings if one.rule == "table"}
    assert "with 5 players: 4 roles for 5 players: change [[role]] count in the game’s file" in found


def test_a_language_that_no_table_speaks(game: Path) -> None:
    (game / "it.toml").write_text('title = "Le Ombre"\n', encoding="utf-8")
    assert any("no table speaks “it” yet" in one.message for one in looked_at(game).findings)


def test_a_game_in_no_language(game: Path) -> None:
    for file in (FRENCH, ENGLISH):
        (game / file).unlink()
    assert [one.rule for one in looked_at(game).findings] == ["language"]


def test_no_game_at_all(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="there is no folder of that name"):
        look_at(str(tmp_path / "nothing/"))
    with pytest.raises(ScriptError, match="did you mean “village”"):
        look_at("villag")


def test_a_folder_without_a_game_is_told_however_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    for written in ("mine", "mine/", "./mine"):
        with pytest.raises(ScriptError, match=r"that folder holds no game\.toml"):
            look_at(written)


@pytest.mark.parametrize("folder", ["_plain", "_new"])
def test_what_every_game_of_this_kind_shares_is_complete_and_well_set(folder: str) -> None:
    files = {path.stem: read_source(path) for path in (data_folder("scripts") / folder).glob("*.toml")}
    languages = {name: source for name, source in files.items() if name != "game"}
    assert set(languages) == {"fr", "en"}
    assert list(texts.missing(languages)) == list(texts.holes_differ(languages)) == []
    for language, source in languages.items():
        assert [line for line, text in source.data["lines"].items() if list(slips(text, language))] == []


@pytest.mark.parametrize(
    ("text", "language", "wrong"),
    [
        ("Qui est là\u202f? «\xa0Moi\xa0»\u202f!", "fr", 0),
        ("Qui est là ?", "fr", 1),
        ("« Moi »", "fr", 1),
        ("{dark?Il fait nuit|Il fait jour}.", "fr", 0),
        ("Attends...", "fr", 1),
        ("Is that you ? “Yes”", "en", 1),
        ('"Yes"', "en", 1),
        ("It’s me:  you.", "en", 1),
        ("Chi è?", "it", 0),
    ],
)
def test_typography(text: str, language: str, wrong: int) -> None:
    assert len(list(slips(text, language))) == wrong


# ---- the command


def narrator(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "LC_ALL": "C.UTF-8", "LANG": ""}
    command = [sys.executable, "-m", "narrator", *arguments]
    source = str(Path(__file__).parent.parent)
    environment["PYTHONPATH"] = source
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_command_ends_with_one_where_something_is_wrong(game: Path) -> None:
    good = narrator(game.parent, "check", "my-game/")
    assert good.returncode == 0, good.stderr
    assert "call_vote" not in good.stdout
    assert "let us vote" in good.stdout
    line = spoilt(game, GAME, 'do = "close_tally"', 'do = "close_taly"')
    bad = narrator(game.parent, "check", "my-game/")
    assert bad.returncode == 1
    assert f"my-game/game.toml:{line}: do “close_taly” does not exist" in bad.stdout
    assert "Traceback" not in bad.stderr
    missing = narrator(game.parent, "check", "./no-game")
    assert missing.returncode == 1
    assert "there is no folder of that name" in missing.stderr
    (game.parent / "no-game").mkdir()
    assert "holds no game.toml" in narrator(game.parent, "check", "./no-game").stderr


def test_a_language_that_a_game_does_not_speak_is_told_and_is_no_fault(game: Path) -> None:
    assert looked_at(game).unspoken == ()
    (game / FRENCH).unlink()
    look = looked_at(game)
    assert (look.unspoken, look.findings) == (("fr",), [])
    done = narrator(game.parent, "check", "my-game/", "--strict")
    assert done.returncode == 0
    assert "This game cannot be played in French: write fr.toml if it should be." in done.stdout


def test_a_language_that_the_games_own_texts_are_in_is_missed(tmp_path: Path) -> None:
    folder = tmp_path / "bourreau"
    shutil.copytree(data_folder("scripts") / "bourreau", folder)
    (folder / ENGLISH).unlink()
    found = [one for one in look_at(str(folder)).findings if one.level == ERROR]
    assert [(one.rule, one.file) for one in found] == [("language", str(folder))]
    assert "en.toml is missing, and game.toml has texts in “en”" in found[0].message


def test_a_warning_counts_where_it_is_asked_for(game: Path) -> None:
    spoilt(game, ENGLISH, 'set_right = "Noted."', 'set_right = "Noted..."')
    assert narrator(game.parent, "check", "my-game/").returncode == 0
    assert narrator(game.parent, "check", "my-game/", "--strict").returncode == 1


def test_everything_as_json(game: Path) -> None:
    done = narrator(game.parent, "check", "my-game", "--json")
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert report["languages"] == ["en", "fr"]
    assert report["hears"]["en"]["talk"] == {"ear": "open", "sentences": {"call_vote": ["let us vote"]}}
    assert report["hears"]["fr"]["dusk"]["ear"] == "shut"
    assert report["diagram"].startswith("stateDiagram-v2")
    assert report["rehearsals"] == []
    spoilt(game, GAME, 'check = "tally_fits"', 'check = "tally_fit"')
    report = json.loads(narrator(game.parent, "check", "my-game", "--json").stdout)
    assert report["ok"] is False
    assert {"rule", "level", "message", "file", "line"} == set(report["findings"][0])


@pytest.mark.sound
def test_every_line_is_spoken_and_the_machine_drawn(game: Path) -> None:
    done = narrator(game.parent, "check", "my-game/", "--preview", "wavs", "--draw", "machine.mmd")
    assert done.returncode == 0, done.stderr
    assert (game.parent / "machine.mmd").read_text(encoding="utf-8").startswith("stateDiagram-v2")
    files = sorted((game.parent / "wavs").glob("*.wav"))
    assert {"fr-welcome.wav", "en-welcome.wav", "fr-deal.wav", "fr-deal-2.wav"} <= {file.name for file in files}
    for file in files:
        with wave.open(str(file)) as sound:
            assert sound.getnframes() / sound.getframerate() > 0.2, file


@pytest.mark.sound
def test_it_is_rehearsed_and_a_game_that_does_not_end_is_an_error(game: Path) -> None:
    done = narrator(game.parent, "check", "my-game/", "--rehearse")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Rehearsed (") == 4
    (game / FRENCH).unlink()
    spoilt(game, GAME, '[[move]]\non = "yes"\nfrom = "ended"', '[[move]]\non = "yes"\nfrom = "card"')
    spoilt(game, GAME, 'from = "ended"\ndo = "deny_end"\necho = "goes_on"\nto = "talk"', 'from = "ended"\necho = "goes_on"')  # fmt: skip  # noqa: E501
    done = narrator(game.parent, "check", "my-game/", "--rehearse")
    assert done.returncode == 1
    assert "nothing leads out of phase “ended”" in done.stdout
