"""voices/<language>/voice.toml and what typography becomes when it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from narrator.core.errors import ScriptError
from narrator.library import data_folder
from narrator.voice.profile import Profile, load_profile, read_profile, spoken_form
from narrator.voice.spoken import MAX_CLAUSE, MAX_WORD, clauses

FR = load_profile("fr")
LANGUAGES = sorted(path.parent.name for path in data_folder("voices").glob("*/voice.toml"))


def said(text: str, profile: Profile = FR) -> list[tuple[str, float]]:
    return [(clause.text, clause.pause) for clause in clauses(spoken_form(text, profile), profile.pauses)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_sound_profile(language: str) -> None:
    profile = load_profile(language)
    assert profile.language == language
    assert profile.voices
    assert 100 <= profile.rate <= 220
    assert 0 < profile.pauses.comma < profile.pauses.sentence < profile.pauses.ellipsis


def test_french_and_english_are_there() -> None:
    assert {"fr", "en"} <= set(LANGUAGES)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ('voice = "roa/fr"\nrate = "vite"\n', 2, "rate must be a number from 60 to 400, not 'vite'"),
        ('voice = "roa/fr"\nrate = true\n', 2, "rate must be a number"),
        ('voice = "roa/fr"\nvolume = 7\n', 2, "volume must be a number from 0 to 1"),
        ("rate = 150\nvoice = 3\n", 2, "voice must name a voice"),
        ("voice = []\n", 1, "voice must name a voice"),
        ('voice = "a"\n\n[pauses]\ncomma = -1\n', 4, "comma must be a number from 0 to 5"),
        ('voice = "a"\n[pauses]\nrate = 1\n', 3, "rate is not known here"),
        ('voice = "a"\ncolour = 1\n', 2, "colour is not known here"),
        ('voice = "a"\nsays = 1\n', 2, "says must be a table"),
        ('voice = "a"\n[says]\n"ok" = 1\n', 3, "ok must be the text to say"),
        ('voice = "a"\n[says]\n"deux mots" = "x"\n', 3, "deux mots must be one word"),
        (
            'voice = "a"\n# rate = 3\n[pauses]\nsentence = "x"\n[says]\nsentence = "phrase"\n',
            4,
            "sentence must be",
        ),
        ('voice = "a"\nrate = = 3\n', 2, "not valid TOML"),
        ('voice = "a', 1, "not valid TOML"),
    ],
)
def test_a_broken_profile_says_where(tmp_path: Path, text: str, line: int, part: str) -> None:
    path = tmp_path / "voice.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError, match=part) as caught:
        read_profile(path, "fr")
    assert (caught.value.file, caught.value.line) == (str(path), line)


def test_a_missing_language_and_a_path_for_a_language_are_refused() -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        load_profile("xx")
    with pytest.raises(ScriptError, match="not a language code"):
        load_profile("../fr")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "voice.toml").write_bytes(b'voice = "\xff\xfe"')
    with pytest.raises(ScriptError, match="cannot be read"):
        read_profile(tmp_path / "voice.toml", "fr")


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Sally a nommé «\u00a0Bob\u00a0».", "Sally a nommé Bob."),
        ("Qui vote\u202f? Levez la main\u00a0!", "Qui vote? Levez la main!"),
        ("Il reste 1\u202f000 pièces.", "Il reste 1000 pièces."),
        ("La nuit — enfin — tombe.", "La nuit, enfin, tombe."),
        ("— Qui va là ?", "Qui va là?"),
        ("Attendez...", "Attendez…"),
        ("Attendez…. Encore", "Attendez… Encore"),
        ("l’heure d‘Ali", "l'heure d'Ali"),
        ("Bob (le fou) dort", "Bob, le fou, dort"),
        ("Un\nDeux", "Un. Deux"),
        ("Un,\n\nDeux", "Un, Deux"),
        ("C'est vs lui, OK ?", "C'est contre lui, okay?"),
        ("le MJ d'MJ-MJ", "le émji d'émji-émji"),
        ("le n° 4 & co", "le numéro 4 et co"),
        ("Quoi ?!", "Quoi?"),
        ("Marie-Ève, Jean-Noël", "Marie-Ève, Jean-Noël"),
        ("Le Bourreau\u00ad dort\u200b.", "Le Bourreau dort."),
        ("  ", ""),
        ("…", ""),
    ],
)
def test_typography_becomes_speech(written: str, spoken: str) -> None:
    assert spoken_form(written, FR) == spoken
    assert spoken_form(spoken, FR) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("<break time='9s'/>Bob</p>", "Bob"),
        ("[[fəʊ]] Bob", "fəʊ Bob"),
        ("a < b > c", "a b c"),
        ("\x00Bob\x1b[31m\x07", "Bob 31m"),
        ("**Bob** `dort` #1 {x|y}", "Bob dort 1 x y"),
        ("Bob\ud800", "Bob"),
        ("Bob 🎲", "Bob"),
        ("<" * 500, ""),
        ("x" * 5000, "x" * MAX_WORD),
    ],
)
def test_nothing_hostile_reaches_an_engine(written: str, spoken: str) -> None:
    assert spoken_form(written, FR) == spoken


def test_clauses_carry_the_pauses_of_their_marks() -> None:
    p = FR.pauses
    assert said("Un, deux; trois. Quatre… Cinq: six! Sept") == [
        ("Un,", p.comma),
        ("deux;", p.semicolon),
        ("trois.", p.sentence),
        ("Quatre…", p.ellipsis),
        ("Cinq:", p.semicolon),
        ("six!", p.sentence),
        ("Sept", 0.0),
    ]


def test_numbers_titles_and_initials_are_not_cut() -> None:
    assert [text for text, _ in said("M. Dupont a 3,5 pièces à 20:15.")] == ["M. Dupont a 3,5 pièces à 20:15."]


def test_a_text_without_end_is_cut_between_words() -> None:
    words = "mot " * 900
    parts = said(words)
    assert max(len(text) for text, _ in parts) <= MAX_CLAUSE
    assert sum(len(text.split()) for text, _ in parts) == 900
