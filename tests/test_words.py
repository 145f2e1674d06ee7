"""What the commands say: the same things in both languages, set as each language is set."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import narrator
from narrator import words as module
from narrator.library import data_folder
from narrator.words import locale_language, words, words_in

ROOT = Path(narrator.__file__).parent
FRENCH, ENGLISH = module._FR, module._EN
CODE = re.compile(r"'[^']*'|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]|[\w/]*:[/\w]\S*")  # commands and holes are no prose


def holes(text: str) -> set[str]:
    return {name.split("?")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things() -> None:
    assert FRENCH.keys() == ENGLISH.keys()
    assert {key for key in FRENCH if holes(FRENCH[key]) != holes(ENGLISH[key])} == set()
    assert {key for key in FRENCH if FRENCH[key].count("\n") != ENGLISH[key].count("\n")} == set()


def test_every_text_is_asked_for_and_every_text_asked_for_is_there() -> None:
    sources = [path for path in sorted(ROOT.rglob("*.py")) if not path.name.endswith("words.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources]
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    made = ("check_", "advice_", "record_", "lang_", "ears_", "voice_")  # with an end that the source puts there
    assert {key for key in FRENCH if key not in texts and not key.startswith(made)} == set()
    asked = {
        node.args[0].value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "words" and node.args
        if isinstance(node.args[0], ast.Constant)
    }
    assert asked - FRENCH.keys() == set()
    assert len(asked) > 100


SLIPS = {
    "fr": (r"\w'\w", r"[^\u202f?!][;?!](?!\w)", r"[^\u00a0\d]:(?=\s|$)", r"«(?!\u00a0)|(?<!\u00a0)»", r"\.\.\.", "“|”"),
    "en": (r"\w'\w", r"\s[:;?!](?=\s|$)", r"[«»]", r"\.\.\."),
}


@pytest.mark.parametrize(("language", "slip"), [(one, slip) for one, slips in SLIPS.items() for slip in slips])
def test_texts_are_well_set(language: str, slip: str) -> None:
    texts = FRENCH if language == "fr" else ENGLISH
    assert {key: text for key, text in texts.items() if re.search(slip, CODE.sub("x", text))} == {}


@pytest.mark.parametrize(
    ("setting", "language"),
    [({"LC_ALL": "fr_FR.UTF-8"}, "fr"), ({"LC_ALL": "", "LANG": "fr_CA"}, "fr"), ({"LC_ALL": "C", "LANG": "fr"}, "en")],
)
def test_the_locale_chooses(monkeypatch: pytest.MonkeyPatch, setting: dict[str, str], language: str) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert locale_language() == "en"
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    assert locale_language() == language
    assert words("check_done") == words_in(language, "check_done")


@pytest.mark.parametrize(
    ("language", "count", "told"),
    [
        *(("fr", 0, "0 point à voir"), ("fr", 1, "1 point à voir"), ("fr", 2, "2 points à voir")),
        *(("en", 0, "0 things to look at"), ("en", 1, "1 thing to look at"), ("en", 2, "2 things to look at")),
    ],
)
def test_words_agree_with_their_number(language: str, count: int, told: str) -> None:
    assert words_in(language, "check_not_done", count=count).startswith(told)


def test_no_text_leaves_the_agreement_to_the_reader() -> None:
    """Nobody reads “point(s)” aloud; what Typer says in English is translated, not written here."""
    folders = (ROOT, data_folder("scripts"), ROOT.parent / "docs")
    files = [path for folder in folders for kind in ("*.toml", "*.md", "*.html") for path in folder.rglob(kind)]
    texts = [*FRENCH.values(), *ENGLISH.values(), *(path.read_text(encoding="utf-8") for path in files)]
    slips = [found[0] for text in texts for found in re.finditer(r"\w+\((s|e|es|ne)\)", text)]
    assert set(slips) <= {"argument(s)", "http(s)"}


def test_who_plays_is_called_by_one_word() -> None:
    """As in the rules of the Sultan, the feminine stands for everybody; the other games' own words are theirs."""
    guides = {path.name: path.read_text(encoding="utf-8") for path in (ROOT.parent / "docs").glob("*.md")}
    faults = {"faults": (ROOT / "faults.fr.toml").read_text(encoding="utf-8")}
    texts = {**FRENCH, **guides, **faults}
    assert [key for key, text in texts.items() if re.search(r"\bjoueurs?\b|\bdeux personnes\b", text)] == []
