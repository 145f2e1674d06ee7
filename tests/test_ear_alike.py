"""Names that sound alike: the setup warns about them and says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from narrator.cli import app
from narrator.ear.alike import alike, unsayable


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Noé", "Zoé"),
        ("Anna", "Hannah"),  # written otherwise, said the same
        ("Léo", "Théo"),
        ("Marie", "Mari"),
        ("Jean", "Jan"),
        ("Emma", "Gemma"),
        ("Bob", "Bobe"),  # a mute vowel makes no difference
        ("Alexandra", "Alexandre"),
    ],
)
def test_names_that_no_ear_can_tell_from_each_other(one: str, other: str):
    assert alike("fr", ["Karim", one, "Sophie", other]) == [(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "Karim"), ("Zoé", "Chloé"), ("Paul", "Jules"), ("Alice", "Inès"), ("Mamadou", "Amadou-Jean")],
)
def test_names_that_can_be_told(one: str, other: str):
    assert alike("fr", [one, other]) == []


def test_english_names_are_compared_as_english_is_said():
    assert alike("en", ["Erin", "Aaron", "Bob"]) == [("Erin", "Aaron")]
    assert alike("en", ["Alice", "Bob"]) == []


def test_a_table_that_says_a_name_otherwise_is_believed():
    assert alike("fr", ["Noé", "Zoé"], {"Zoé": "zézette"}) == []
    assert alike("fr", ["Siobhan", "Yolande"]) == []
    assert alike("fr", ["Siobhan", "Yolande"], {"Siobhan": "yolan"}) == [("Siobhan", "Yolande")]


def test_every_way_to_say_a_name_counts():
    assert alike("fr", ["Siobhan", "Yvonne"]) == [("Siobhan", "Yvonne")]  # "chivonne"
    assert alike("fr", ["Adam", "Alice", "Adama"]) == [("Adam", "Adama")]


def test_what_cannot_be_said_or_heard_warns_of_nothing():
    assert alike("fr", ["李", "Bob"]) == []
    assert alike("xx", ["Bob", "Bob 2"]) == []


def test_names_in_letters_that_nobody_can_read():
    assert unsayable("fr", ["李", "Bob", "Ngọc", "Олег"]) == ["李", "Олег"]
    assert unsayable("fr", ["李", "Bob"], {"李": "li"}) == []
    assert unsayable("xx", ["李"]) == []


def test_the_setup_says_so_and_takes_marks_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for folder in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_XX.UTF-8")
    out = tmp_path / "t.toml"
    players = "Zoe\u0301,Олег,Karim,Alice,Sophie,Bob,Mamadou"
    command = ["setup", "--game", "sultan", "--lang", "fr", "--players", players, "--out", str(out)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "Nobody here can read Олег" in " ".join(result.output.split())
    assert "Zoé" in out.read_text(encoding="utf-8")
    result = CliRunner().invoke(app, [*command, "--says", "Олег=aleg"])
    assert "Nobody here can read" not in result.output


@pytest.mark.parametrize(("language", "advice"), [("fr", "surnom"), ("en", "nickname")])
def test_the_setup_names_them_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, advice: str
):
    for folder in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    players = "Zoé,Noé,Karim,Alice,Sophie,Bob,Mamadou"
    command = ["setup", "--game", "sultan", "--lang", language, "--players", players, "--out", str(tmp_path / "t.toml")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    told = " ".join(result.output.split())
    assert "Zoé et Noé" in told or "Zoé and Noé" in told
    assert advice in told
