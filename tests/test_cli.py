"""The commands as a newcomer meets them: help in the locale's language, one clear sentence for every mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from narrator.cli import app

TABLE = 'game = "sultan"\nfirst = "Alice"\nplayers = ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]\n'


def narrator(
    *arguments: str, folder: Path, text: str = "", lang: str = "fr_FR.UTF-8"
) -> subprocess.CompletedProcess[str]:
    folders = {name: str(folder) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    env = {**os.environ, **folders, "LC_ALL": lang, "COLUMNS": "120"}
    command = [sys.executable, "-m", "narrator", *arguments]
    return subprocess.run(command, env=env, input=text, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("lang", "words"), [("fr_FR.UTF-8", "Préparer une table"), ("en_GB.UTF-8", "Prepare a table")])
def test_help_speaks_the_language_of_the_locale(tmp_path: Path, lang: str, words: str) -> None:
    assert words in narrator("--help", folder=tmp_path, lang=lang).stdout
    shown = "Montrer cette aide." if lang.startswith("fr") else "Show this help."
    for command in ("setup", "play", "rehearse", "check", "diagram"):
        done = narrator(command, "--help", folder=tmp_path, lang=lang)
        assert done.returncode == 0
        assert shown in done.stdout
        assert "Show this message" not in done.stdout


def test_every_argument_and_option_of_every_command_is_explained() -> None:
    def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        yield path, command
        for name, one in getattr(command, "commands", {}).items():
            yield from commands(one, f"{path} {name}")

    unexplained = [
        f"{path}: {parameter.name}"
        for path, command in commands(typer.main.get_command(app), "narrator")
        for parameter in command.params
        if not parameter.help
    ]
    assert unexplained == []


@pytest.mark.parametrize(
    ("typed", "french", "english"),
    [
        ("plya", "il n’y a pas de commande « plya » ; vouliez-vous dire 'play'", "No such command 'plya'"),
        ("play --tabel x", "il n’y a pas d’option --tabel", "No such option: --tabel"),
        ("rehearse -n x", "'--players' / '-n' : ", "Invalid value for '--players' / '-n'"),
        ("rehearse --speed -1", "'--speed' : ", "Invalid value for '--speed'"),
        ("rehearse --seed", "il manque une valeur après --seed", "requires an argument"),
        ("new-game", "il manque ", "Missing argument"),
        ("diagram a b", "il y a quelque chose de trop : b", "Got unexpected extra argument"),
        ("voices sing", "il n’y a pas de commande « sing »", "No such command 'sing'"),
    ],
)
def test_a_mistyped_command_is_one_sentence(tmp_path: Path, typed: str, french: str, english: str) -> None:
    for lang, said, more in (("fr_FR.UTF-8", french, "dit tout"), ("en_GB.UTF-8", english, "tells all")):
        done = narrator(*typed.split(), folder=tmp_path, lang=lang)
        sentence, *rest = done.stderr.replace("\u00a0", " ").replace("\u202f", " ").splitlines()
        assert done.returncode == 2
        assert sentence.startswith("narrator: ")
        assert said in sentence
        assert all(more in line for line in rest)
        assert len(rest) <= 1


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('game = "sultan"\nplayers = ["Alice", "Bob"\n', ":2: this is not valid TOML"),
        ('game = "chess"\nplayers = ["A", "B"]\n', "there is no game “chess”"),
        ('players = ["A", "B"]\n', "does not say which game"),
        ('game = "sultan"\nplayers = ["Alice", "Bob"]\n', "for 5 to 10 players, you are 2"),
        ('game = "sultan"\nplayers = ["A", "B", "C", "D", "A"]\n', ":2: two players are called “A”"),
        ('game = "sultan"\nplayers = ["A", "B", "C", "D", "\\u001b[31m"]\n', ":2: the name"),
        ('game = "sultan"\nplayers = ["A", "B", "C", "D", "' + "x" * 5000 + '"]\n', "1 to 30 letters"),
        ('game = "sultan"\nplayers = 3\n', ":2: players must be a list"),
        (TABLE + "[options]\ngiafar = 3\n", "option “giafar” must be true or false"),
        (TABLE + "[options]\nmoustache = true\n", "option “moustache” does not exist"),
        (TABLE + '[options]\nconfiguration = "odd"\n', "configuration “odd” does not exist"),
        (TABLE + "[options]\ndeck = [1, 2]\n", "1 interventionist tales"),
        (TABLE + '[options]\npacifist_board = ["A"]\n', "needs 6 letters"),
        (TABLE.replace('"Alice"\n', '"Zorro"\n'), "first = “Zorro” is not one of the players"),
        (TABLE + "[seats]\nx = 1\n", "“seats” is not known"),
        (TABLE + 'lang = "tlh"\n', "lang"),
    ],
)
def test_a_wrong_table_is_one_clear_sentence(tmp_path: Path, table: str, said: str) -> None:
    """In English, as it is raised; test_faults.py has the French."""
    path = tmp_path / "t.toml"
    path.write_text(table, encoding="utf-8")
    done = narrator("play", "--typed", "--fast", "--table", str(path), folder=tmp_path, lang="en_GB.UTF-8")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_no_table_no_evening_no_game(tmp_path: Path) -> None:
    assert "narrator setup" in narrator("play", "--typed", "--fast", folder=tmp_path).stderr
    assert "aucune soirée interrompue" in narrator("play", "--resume", folder=tmp_path).stderr
    missing = narrator("play", "--table", str(tmp_path / "none.toml"), folder=tmp_path)
    assert "n’existe pas" in missing.stderr
    assert "il n’y a pas de jeu" in narrator("diagram", "chess", folder=tmp_path).stderr
    assert ".svg, .png ou .pdf" in narrator("diagram", "--out", "machine.xyz", folder=tmp_path).stderr
    assert "il faut 1 au moins" in narrator("rehearse", "--players", "0", folder=tmp_path).stderr


@pytest.mark.parametrize("command", [("names", "--player", "Léo"), ("slips", "--out", "x"), ("places", "a.csv")])
def test_who_has_no_table_is_told_how_to_make_one(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = narrator(*command, folder=tmp_path)
    assert "aucune table n’est préparée : lancez « narrator setup »" in done.stderr.replace("\u00a0", " ")
    assert done.returncode != 0


def test_setup_writes_the_table_that_play_takes(tmp_path: Path) -> None:
    done = narrator(
        *("setup", "--yes", "--players", "Noé, Zoé, Bob, Chloé, Alice", "--first", "Bob", "-o", "discussion=60"),
        folder=tmp_path,
    )
    assert done.returncode == 0
    assert "Noé et Zoé" in done.stdout  # they sound alike
    played = narrator("play", "--typed", "--fast", "--skip-setup", folder=tmp_path, text="je propose Alice\n")
    assert "Bob propose Alice comme Narratrice." in played.stdout


def test_the_state_is_one_json_line_after_every_sentence(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(TABLE, encoding="utf-8")
    text = "# un commentaire\nje propose Alice\n(+30s)\nje propose Chloé\n\nblabla\nquatre oui\n"
    done = narrator(
        *("play", "--typed", "--fast", "--skip-setup", "--state", "--table", str(path)), folder=tmp_path, text=text
    )
    states = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [state["accepted"] for state in states] == [False, True, False, True]
    assert "toi-même" in states[0]["reason"]
    assert states[1]["reason"] is None
    assert (states[3]["phase"], states[3]["voters"], states[3]["pile"]) == ("draw", 7, 17)
    assert done.returncode == 0


def test_a_diagram_of_the_live_machine(tmp_path: Path) -> None:
    picture = tmp_path / "sultan.svg"
    done = narrator("diagram", "sultan", "--out", str(picture), folder=tmp_path)
    assert done.stdout.startswith("stateDiagram-v2")
    assert "proposal --> discussion: propose" in done.stdout
    assert picture.read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_a_master_with_nothing_to_type_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    players = '["Alice", "Bob", "Chloé", "David", "Emma", "Farid"]'
    path.write_text(f'version = 1\ngame = "village"\nlang = "fr"\nplayers = {players}\n', encoding="utf-8")
    played = narrator("play", "--typed", "--fast", "--table", str(path), folder=tmp_path, text="aide\nmj> aide\n")
    assert "c’est fait" in played.stdout
    assert "[mj] Il n’y a rien à me dire" in played.stdout
