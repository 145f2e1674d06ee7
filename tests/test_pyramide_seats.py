"""Seats from CSV: what a spreadsheet writes, in French or English, and where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.errors import RuleError, ScriptError
from narrator.core.phrases import Meaning
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.seats import read_seats
from narrator.setup import Answers, prepare_table, sample_setting
from narrator.slips.places import sentences_of
from narrator.stage.tables import read_table, write_table

FRENCH = """Nom;Rang;Quartier;Poste;Rôle;Lieutenant
Xaro;Conseiller;Plaza Centrale;;;
Élodie;Grand Maître;Arènes;Sénéchal;Lieutenante;
Zoé;GRÂCE;;Grâce Verte;Quaithe;
Brïenne;bête d’airain;Dédale;Crâne ras;Sbire + Courtisane;elodie

Tal;Bête;;;Harpie;
Vog;Bête;;;Serpent;Élodie
"""
ENGLISH = """name,rank,office,district
Xaro,councilor,,the plaza
"Tal, the lame",great master,seneschal,pits
"""


def written(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "seats.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_french_spreadsheet(tmp_path: Path, encoding: str, end: str) -> None:
    seats = read_seats(written(tmp_path, FRENCH.replace("\n", end), encoding))
    assert seats.players == ["Xaro", "Élodie", "Zoé", "Brïenne", "Tal", "Vog"]
    assert seats.secret
    assert seats.options == {
        "ranks": {
            "Xaro": "councillor",
            "Élodie": "master",
            "Zoé": "grace",
            "Brïenne": "beast",
            "Tal": "beast",
            "Vog": "beast",
        },
        "numbers": {"councillors": 1, "masters": 1, "graces": 1, "beasts": 3},
        "districts": {"Xaro": "plaza", "Élodie": "pits", "Brïenne": "maze"},
        "placements": {"Élodie": "pits", "Brïenne": "maze"},
        "offices": {"seneschal": "Élodie", "green_grace": "Zoé", "shavepate": "Brïenne"},
        "roles": {
            "Élodie": "lieutenant",
            "Zoé": "quaithe",
            "Brïenne": "henchman+courtesan",
            "Tal": "harpy",
            "Vog": "serpent",
        },
        "cells": {"Brïenne": "Élodie", "Vog": "Élodie"},
    }


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_only_names(tmp_path: Path, separator: str) -> None:
    seats = read_seats(written(tmp_path, f"Nom{separator}rang\nA{separator}\n\nB\n"))
    assert (seats.players, seats.options, seats.secret) == (["A", "B"], {}, False)


FAULTS = [
    ("", 0, "this file is empty"),
    ("rank\nbeast\n", 1, "no column is called “name”"),
    ("nom;nom\n", 1, "two columns are “name”"),
    ("nom;âge\n", 1, "“âge” is no column; there are: "),
    ("nom;rang\nA;lion\n", 2, "“lion” is no rank; there are: "),
    ("nom;quartier\nA;lune\n", 2, "“lune” is no district"),
    ("nom;rang\nA;bête\nB;bête;x\n", 3, "this row has 3 cells, the first one names 2 columns"),
    ("nom;poste\nA;sénéchal\n\nB;sénéchal\n", 4, "two players hold the office “sénéchal”"),
    ("nom;rôle\nA;sbire + lion\n", 2, "“lion” is no role"),
    ("nom;rang\nA;\nÁ;\n", 3, "two players are called “Á”"),
    ("nom;rang\n;bête\n", 2, "must have 1 to 30 letters"),
    ("nom;rang\nA$;bête\n", 2, "has signs that cannot be spoken"),
    ("nom;rôle;lieutenant\nA;sbire;Zo\n", 2, "the lieutenant of “A”, “Zo”, has no row"),
    ('nom;rang\n"A;bête\n', 2, "this is not CSV"),
    ("nom;rang\n", 0, "no player has a row"),
]


@pytest.mark.parametrize(("text", "line", "said"), FAULTS)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ScriptError) as fault:
        read_seats(path)
    assert said in fault.value.message
    assert (fault.value.file, fault.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nom;âge\n", "“âge” is no column; there are: nom, rang, quartier, poste, rôle, lieutenant"),
        ("nom;rang\nA;lion\n", "there are: conseiller, grand maître, grâce, bête d’airain"),
        ("name;age\n", "“age” is no column; there are: name, rank, district, office, role, lieutenant"),
        ("name;rank\nA;lion\n", "there are: councillor, master, grace, beast"),
        ("name;district\nA;moon\n", "there are: maze, pits, plaza"),
        ("name;office\nA;lion\n", "there are: shavepate, green grace, seneschal"),
        ("name;role\nA;lion\n", "there are: harpy, lieutenant, henchman, serpent, quaithe, pyat pree, belwas,"),
    ],
)
def test_a_reader_is_told_words_of_his_language_that_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8" if text.startswith("nom") else "en_GB.UTF-8")
    with pytest.raises(ScriptError) as fault:
        read_seats(written(tmp_path, text))
    assert said in fault.value.message
    head, _, row = text.partition("\n")
    for word in fault.value.message.partition("there are: ")[2].split(", "):
        if row:
            read_seats(written(tmp_path, f"{head}\nA;{word}\n"))


UNSEATED = [
    ("nom;rang;poste\nAda;conseil;crâne ras\n", 2, "“Ada” cannot hold the office “shavepate”"),
    ("nom;rôle\nAda;sbire\n", 2, "cells: whose henchman is “Ada”? write one of the lieutenants"),
    ("nom;rôle\nAda;harpie\n", 0, "roles and cells: this table needs one harpy"),
    ("nom\n", 0, "pyramide is for 7 to 200 players, you are 6"),
]


@pytest.mark.parametrize(("text", "line", "said"), UNSEATED)
def test_what_the_table_refuses_of_a_file_is_told_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, line: int, said: str
) -> None:
    """Also what nobody can see in one row: the file and, where somebody is named, the row."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    others = sample_setting("pyramide", 19).players[: 6 if text == "nom\n" else 19]
    path = written(tmp_path, text + "\n".join(others) + "\n")
    answers = Answers(game="pyramide", language="fr", seats=path)
    with pytest.raises(ScriptError) as fault:
        prepare_table(answers, out=tmp_path / "t.toml", ask=False, voice=False)
    assert said in fault.value.message
    assert (fault.value.file, fault.value.line) == (str(path), line)


def test_what_an_argument_asks_for_is_not_laid_at_the_door_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = written(tmp_path, "nom\n" + "\n".join(sample_setting("pyramide", 19).players) + "\n")
    answers = Answers(game="pyramide", language="fr", seats=path, pace="hasty")
    with pytest.raises(RuleError, match="pace “hasty”"):
        prepare_table(answers, out=tmp_path / "t.toml", ask=False, voice=False)


def test_a_name_with_the_separator_in_it(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="has signs that cannot be spoken"):
        read_seats(written(tmp_path, ENGLISH))
    seats = read_seats(written(tmp_path, ENGLISH.replace(", the", " the")))
    assert seats.players == ["Xaro", "Tal the lame"]
    assert seats.options["offices"] == {"seneschal": "Tal the lame"}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        read_seats(tmp_path / "nowhere.csv")
    with pytest.raises(ScriptError, match="larger than"):
        read_seats(written(tmp_path, "nom\n" + "A" * 1_000_001))


# ---- an office's orders for one turn


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    names = sample_setting("pyramide", 19).players
    write_table(Setting("pyramide", "fr", names), path)
    return path


def test_orders_out_of_a_file_are_understood(tmp_path: Path, table: Path) -> None:
    """One sentence a district, each of which the game takes as it was meant."""
    orders = written(tmp_path, "nom;quartier\nkarim;Plaza\nLEA;Arènes\nMalik;plaza\nNina;\nOscar;dédale\n")
    sentences = sentences_of(orders, table)
    phrases = stage(read_table(table)).phrases
    assert [phrases.parse(sentence, ("place", "place_all")) for sentence in sentences] == [
        Meaning("place", {"player": "Oscar", "district": "maze"}),
        Meaning("place", {"player": "Léa", "district": "pits"}),
        Meaning("place_all", {"players": ["Karim", "Malik"], "district": "plaza"}),
    ]


def test_orders_that_make_no_sense(tmp_path: Path, table: Path) -> None:
    with pytest.raises(ScriptError, match=r"seats.csv:3: “Zo” is not one of the players"):
        sentences_of(written(tmp_path, "nom;quartier\nLéa;plaza\nZo;plaza\n"), table)
    other = tmp_path / "sultan.toml"
    write_table(sample_setting("sultan", 7), other)
    with pytest.raises(ScriptError, match="this game has no districts"):
        sentences_of(written(tmp_path, "nom;quartier\nAlice;plaza\n"), other)
