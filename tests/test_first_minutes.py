"""The first ten minutes, on a real pseudo-terminal: the menu of `narrator` alone, and the questions of the setup."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from soundcard import virtual_sound_card
from terminal import Terminal
from test_cli import TABLE, narrator

from narrator.choices import read_menu
from narrator.core.errors import ScriptError
from narrator.core.script import Source
from narrator.core.setting import Setting
from narrator.core.shapes import check_setup
from narrator.library import game_ids, languages_of, read_game
from narrator.readback import read_back

DOWN, ENTER, CTRL_C, CLEAR, TAB = "\x1b[B", "\r", "\x03", "\x15", "\t"
FRENCH = "fr_FR.UTF-8"
SEVEN = "Alice, Bob, Chloé, David, Emma, Farid, Gaëlle"


def plain(text: str) -> str:
    """Without the blanks that French puts before its marks."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


class Screen(Terminal):
    @property
    def text(self) -> str:
        return plain(super().text)


@contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Screen]:
    one = Screen(*arguments, folder=folder, columns=140, lang=FRENCH)
    try:
        yield one
    finally:
        one.end()


def table_of(folder: Path) -> dict[str, object]:
    return tomllib.loads((folder / "narrator" / "table.toml").read_text(encoding="utf-8"))


def keep_table(folder: Path, text: str = TABLE) -> None:
    (folder / "narrator").mkdir(exist_ok=True)
    (folder / "narrator" / "table.toml").write_text(text, encoding="utf-8")


def interrupt_an_evening(folder: Path) -> Path:
    """An evening in which something was said and nothing ended."""
    keep_table(folder)
    assert narrator("play", "--typed", "--fast", "--skip-setup", folder=folder, text="je propose Bob\n").returncode == 0
    (journal,) = (folder / "narrator" / "evenings").glob("*.jsonl")
    return journal


# ---- narrator alone


def test_alone_without_a_terminal_it_is_the_help(tmp_path: Path) -> None:
    done = narrator(folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "Préparer une table" in done.stdout
    assert "narrator[web]" in done.stdout  # the extras


def test_a_new_machine_offers_a_table_first_and_ctrl_c_leaves(tmp_path: Path) -> None:
    with terminal(tmp_path) as one:
        text = one.wait_for("Que fait-on", "Quitter")
        assert "» Préparer une table" in text
        assert "Reprendre" not in text
        assert "Jouer avec" not in text
        assert "Raconter" not in text
        one.type(CTRL_C)
        assert one.wait_for_end() == 130
        assert "Traceback" not in one.text


def test_leaving_is_the_last_line(tmp_path: Path) -> None:
    with terminal(tmp_path) as one:
        one.wait_for("Quitter")
        one.type("\x1b[A" + ENTER)  # up from the first is the last
        assert one.wait_for_end() == 0


def test_an_unfinished_evening_is_named_and_gone_on_with(tmp_path: Path) -> None:
    journal = interrupt_an_evening(tmp_path)
    year, month, day = journal.stem.split("-")[:3]
    with terminal(tmp_path) as one:
        text = one.wait_for("Que fait-on", "Jouer avec la dernière table")
        resume = next(line for line in text.splitlines() if "Reprendre" in line)
        assert resume.lstrip().startswith("»")
        for told in ("Au chevet du Sultan", f"{day}/{month}/{year}", "Alice, Bob, Chloé et 4 autres"):
            assert told in resume
        one.type(ENTER)
        one.wait_for("Reprise de la partie")
        one.type(CTRL_C)
        one.wait_for("À bientôt")
        one.wait_for_end()
    assert len(list(journal.parent.glob("*.jsonl"))) == 1  # the same evening


def test_a_new_evening_with_the_last_table_does_not_ask_about_the_old_one(tmp_path: Path) -> None:
    journal = interrupt_an_evening(tmp_path)
    with terminal(tmp_path) as one:
        one.wait_for("Jouer avec la dernière table : Au chevet du Sultan")
        one.type(DOWN + ENTER)
        assert "La reprendre" not in one.wait_for("Bonsoir, et bienvenue au palais")
        one.type(CTRL_C)
        one.wait_for("À bientôt")
        one.wait_for_end()
    assert len(list(journal.parent.glob("*.jsonl"))) == 2


def test_what_goes_wrong_leads_back_to_the_menu(tmp_path: Path) -> None:
    journal = interrupt_an_evening(tmp_path)
    journal.write_text(journal.read_text().replace('"sultan"', '"gone"'))
    with terminal(tmp_path) as one:
        text = one.wait_for("Raconter la dernière soirée")
        lines = [line.strip("» ") for line in text.splitlines()]
        at = next(n for n, line in enumerate(lines) if line.startswith("Raconter"))
        first = next(n for n, line in enumerate(lines) if line.startswith("Reprendre"))
        one.type(DOWN * (at - first) + ENTER)
        one.wait_for("il n’y a pas de jeu")
        one.type(CTRL_C)
        assert one.wait_for_end() == 130


# ---- setup


def test_seven_questions_at_most_and_a_table(tmp_path: Path) -> None:
    """Everything answered by hand; every question is counted."""
    with terminal(tmp_path, "setup", "--no-voice") as one:
        one.wait_for("Quel jeu ?", "Au chevet du Sultan, de 5 à 10")
        one.type(ENTER)
        one.wait_for("Dans quelle langue ?", "en français")
        one.type(ENTER)
        one.wait_for("Qui joue ? De 5 à 10")
        one.type("Alice, Bob" + ENTER)
        one.wait_for("vous êtes 2")  # at once, and the question stays
        one.type(", Chloé, David, Emma" + ENTER)
        one.wait_for("première Grande Vizir")
        one.type(DOWN * 2 + ENTER)
        one.wait_for("Quelle configuration ?", "configuration suggérée")
        one.type(DOWN + ENTER)
        one.wait_for("Quels rôles en plus ?")
        one.type(" " + ENTER)
        one.wait_for("Essayer maintenant")
        one.type(DOWN + ENTER)
        one.wait_for("Posez-moi sur la table")
        assert one.wait_for_end() == 0
        asked = [line for line in one.text.splitlines() if line.startswith("? ")]
        assert len(asked) <= 7
        assert (
            "Vous êtes 5 : Alice, Bob, Chloé, David et Emma. Configuration suggérée. Avec : Giafar. Bob commence."
            in " ".join(one.text.split())
        )
    table = table_of(tmp_path)
    assert table["version"] == 1
    assert table["players"] == ["Alice", "Bob", "Chloé", "David", "Emma"]
    assert table["first"] == "Bob"
    assert table["options"] == {"configuration": "suggested", "giafar": True}


def test_what_is_given_is_not_asked(tmp_path: Path) -> None:
    given = ("--game", "village", "--lang", "fr", "--players", SEVEN, "-o", "vote=roll", "-o", "tie=again")
    with terminal(tmp_path, "setup", "--no-voice", *given) as one:
        one.wait_for("Qui vit aussi au village ?")  # nobody begins in Village: the ticks are all that is left
        one.type(ENTER)
        one.wait_for("Essayer maintenant")
        one.type(DOWN + ENTER)
        assert one.wait_for_end() == 0
        assert len([line for line in one.text.splitlines() if line.startswith("? ")]) == 2
    assert table_of(tmp_path)["options"] == {"vote": "roll", "tie": "again"}


def test_yes_asks_nothing_even_on_a_terminal(tmp_path: Path) -> None:
    with terminal(tmp_path, "setup", "--yes", "--no-voice", "--players", SEVEN) as one:
        assert one.wait_for_end() == 0
        assert "?" not in one.text.replace("Un doute sur le son ?", "")
    assert table_of(tmp_path)["players"] == SEVEN.split(", ")
    assert narrator("setup", "--yes", "--no-voice", folder=tmp_path).returncode == 0  # the last table's names


def test_names_are_completed_from_past_tables(tmp_path: Path) -> None:
    assert narrator("setup", "--yes", "--no-voice", "--players", SEVEN, folder=tmp_path).returncode == 0
    other = ("setup", "--yes", "--no-voice", "--players", "Ines, Jules, Karim, Léa, Malik")
    assert narrator(*other, folder=tmp_path).returncode == 0
    with terminal(tmp_path, "setup", "--no-voice", "--game", "sultan", "--lang", "fr", "--first", "") as one:
        one.wait_for("Ines, Jules, Karim, Léa, Malik")  # the last table, ready to be kept
        one.type(CLEAR + "Gae")
        one.wait_for("Gaëlle")  # from the table before
        one.type(TAB + ", Bob, Jules, Ines, Karim" + ENTER)
        one.wait_for("Quelle configuration ?")
        one.type(CTRL_C)
        assert one.wait_for_end() == 130
        assert "Gaëlle, Bob, Jules, Ines, Karim" in one.text
    assert table_of(tmp_path)["players"] == ["Ines", "Jules", "Karim", "Léa", "Malik"]  # Ctrl-C wrote nothing


def test_names_that_sound_alike_can_be_told_apart(tmp_path: Path) -> None:
    given = ("--game", "village", "--lang", "fr", "-o", "vote=roll", "-o", "tie=again", "--first", "")
    ticks = ("-o", "with_healer=true", "-o", "with_hunter=true", "-o", "first_blood=false")
    names = ("--players", "Noé, Zoé, Bob, Chloé, Alice, Farid")
    with terminal(tmp_path, "setup", "--no-voice", *given, *ticks, *names) as one:
        one.wait_for("Noé et Zoé se ressemblent", "Un surnom pour Zoé", "Garder ces prénoms")
        one.type(ENTER)
        one.wait_for("Quel surnom pour Zoé ?")
        one.type("Bob" + ENTER)
        one.wait_for("deux joueuses s’appellent « Bob »")
        one.type(CLEAR + "Mirabelle" + ENTER)
        one.wait_for("Essayer maintenant")
        one.type(DOWN + ENTER)
        assert one.wait_for_end() == 0
    assert table_of(tmp_path)["players"] == ["Noé", "Mirabelle", "Bob", "Chloé", "Alice", "Farid"]


def test_an_option_that_cannot_be_is_told_where_it_is_ticked(tmp_path: Path) -> None:
    given = (
        "--game",
        "sultan",
        "--lang",
        "fr",
        "--players",
        "Alice, Bob, Farid, David, Mirabelle",
        "--first",
        "",
        "-o",
        "configuration=classic",
    )
    with terminal(tmp_path, "setup", "--no-voice", *given) as one:
        one.wait_for("Quels rôles en plus ?", "Amoureuse")
        one.type(DOWN + " " + ENTER)
        one.wait_for("vous êtes 5")  # it needs seven: refused below the question
        one.type(" " + ENTER)
        one.wait_for("Essayer maintenant")
        one.type(DOWN + ENTER)
        assert one.wait_for_end() == 0
    assert table_of(tmp_path)["options"] == {"configuration": "classic"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "A, B"), "Au chevet du Sultan se joue de 5 à 10 : vous êtes 2."),
        (("--players", SEVEN, "--first", "Zorro"), "« Zorro » ne joue pas à cette table"),
        (("--players", SEVEN, "--says", "Zorro=zoro"), "--says « Zorro=zoro »"),
        (("--players", "A, B, C, D, a"), "deux joueuses s’appellent"),
        (("--players", "Alice, Bob, Chloé, David, Pause"), "« Pause » est aussi une phrase que le narrateur comprend"),
        ((), "qui joue ?"),
        (("--game", "chess", "--players", SEVEN), "chess"),
    ],
)
def test_a_wrong_answer_is_one_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = narrator("setup", "--yes", "--no-voice", *arguments, folder=tmp_path)
    assert done.returncode == 1
    assert said in plain(done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1


def test_says_is_kept(tmp_path: Path) -> None:
    done = narrator("setup", "--yes", "--no-voice", "--players", SEVEN, "--says", "gaelle=gaèl", folder=tmp_path)
    assert done.returncode == 0
    assert table_of(tmp_path)["says"] == {"Gaëlle": "gaèl"}


# ---- table files


def test_an_older_table_is_read_and_told_of_when_it_is_written_anew(tmp_path: Path) -> None:
    keep_table(tmp_path)
    before = (tmp_path / "narrator" / "table.toml").read_text(encoding="utf-8")
    played = narrator("play", "--typed", "--fast", "--skip-setup", folder=tmp_path, text="je propose Bob\n")
    assert "Alice propose Bob" in played.stdout
    assert (tmp_path / "narrator" / "table.toml").read_text(encoding="utf-8") == before
    assert "plus ancienne" not in played.stdout + played.stderr
    assert "d’une version plus ancienne" in narrator("setup", "--yes", "--no-voice", folder=tmp_path).stdout
    assert table_of(tmp_path)["version"] == 1
    assert "plus ancienne" not in narrator("setup", "--yes", "--no-voice", folder=tmp_path).stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("version = 99", ":1: cette table est d’un narrateur plus récent (version 99"),
        ('version = "1"', ":1: « version » est un nombre entier"),
        ("playres = []", "« players » ?"),
        ("options.giafare = true", "« giafar » ?"),
    ],
)
def test_a_table_that_cannot_be_read(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(line + "\n" + TABLE, encoding="utf-8")
    done = narrator("play", "--typed", "--fast", "--table", str(path), folder=tmp_path)
    assert done.returncode == 1
    assert said in plain(done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1


# ---- what a game lets a table choose


@pytest.mark.parametrize(("game", "language"), [(game, lang) for game in game_ids() for lang in languages_of(game)])
def test_every_option_that_is_asked_has_plain_words(game: str, language: str) -> None:
    menu = read_menu(game, language)
    options = read_game(game)[0].data["options"]
    for name, words in menu.ticks.items():
        assert words != name
    for choice in menu.choices:
        assert choice.ask != f"{choice.option} ?"
        assert all(title != value for value, title in choice.values)
        if choice.values:
            assert options[choice.option] in dict(choice.values)
    fixed = 3 + bool(menu.first) + len(menu.choices) + bool(menu.ticks)  # game, language, players, …
    assert fixed <= 7


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        ('moustache = "m"', "[setup] tells of “moustache”"),
        ("giafar = 3", "[setup] needs a text for “giafar”"),
        ('configuration = "which?"', "[setup] needs configuration = { ask"),
    ],
)
def test_wrong_words_for_an_option_have_a_line(setup: str, said: str) -> None:
    source = Source("fr.toml", tomllib.loads(f"[setup]\n{setup}\n"), {("setup",): 1, ("setup", setup.split()[0]): 2})
    with pytest.raises(ScriptError) as fault:
        check_setup(source, read_game("sultan")[0].data["options"])
    assert said in str(fault.value)
    assert fault.value.line == 2


def test_the_table_is_read_back_in_the_language_of_the_game() -> None:
    setting = Setting("bourreau", "en", ("Alice", "Bob", "Cleo", "Dan"), "", {"tokens": True, "fool_pays": False})
    told = read_back(setting, read_menu("bourreau", "en"), "en")
    assert "You are 4: Alice, Bob, Cleo and Dan." in told
    assert "With: five-crown tokens when the Treasury is empty." in told
    assert "Without: a dead Fool gives back a crown, like all the dead." in told


def test_past_names_survive_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from narrator.stage.past_names import keep_names, names_file, past_names

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert past_names() == ()
    keep_names(["Zoé", "Bob"])
    keep_names(["Alice", "Bob"])
    assert past_names() == ("Alice", "Bob", "Zoé")
    evenings = tmp_path / "narrator" / "evenings"
    evenings.mkdir()
    (evenings / "2026-01-02-200000-sultan-1.jsonl").write_text(json.dumps({"players": ["Karim", 3, "\x1b[31m"]}) + "\n")
    (evenings / "2026-01-01-200000-sultan-1.jsonl").write_bytes(b"\xff\xfe nothing")
    assert past_names() == ("Alice", "Bob", "Zoé", "Karim")
    names_file().write_bytes(b"\xff\xff")
    assert past_names() == ("Karim",)


@pytest.mark.sound
def test_the_table_is_read_back_aloud(tmp_path: Path) -> None:
    with virtual_sound_card() as card, card.record() as tape:
        env = {
            **card.env,
            "LANG": FRENCH,
            **{f"XDG_{name}_HOME": str(tmp_path) for name in ("STATE", "CONFIG", "CACHE")},
        }
        env.pop("LC_ALL", None)
        command = [sys.executable, "-m", "narrator", "setup", "--yes", "--players", SEVEN]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
        assert "Rien ne se fait entendre" not in plain(done.stdout)
        loud = np.abs(tape.samples.astype(float)) > 1000
        assert loud.sum() > 3 * card.rate * 0.1  # three seconds of speech at least


def test_the_setup_leads_back_to_the_menu(tmp_path: Path) -> None:
    keep_table(tmp_path)
    with terminal(tmp_path) as one:
        one.wait_for("» Jouer avec la dernière table")
        one.type(DOWN + ENTER)
        for question in (
            "Quel jeu",
            "Dans quelle langue",
            "Qui joue",
            "Grande Vizir",
            "configuration",
            "rôles en plus",
        ):
            one.wait_for(question)
            one.type(ENTER)
        one.wait_for("Essayer maintenant")
        one.type(DOWN + ENTER)
        one.wait_for("Posez-moi sur la table")
        one.wait_for("» Jouer avec la dernière table", "Quitter")
        one.type(CTRL_C)
        assert one.wait_for_end() == 130
    assert table_of(tmp_path)["players"] == SEVEN.split(", ")
