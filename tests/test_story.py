"""The page of an evening: told from its journal, whole, public, and true to what the table said."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.golden import GOLDEN, typed
from narrator.conductor import Conductor
from narrator.core.errors import NarratorError
from narrator.core.events import Heard
from narrator.core.states import Past
from narrator.library import stage
from narrator.ports import Caught
from narrator.stage.journal import Journal, read_course, read_journal, unfinished
from narrator.stage.scripted import SilentMouth, prompt
from narrator.stage.tables import read_table
from narrator.story.command import write_story
from narrator.story.telling import Happened, tell
from narrator.story.words import page_word


def played(golden: str, folder: Path, said: list[str] | None = None) -> Path:
    """The journal of a golden evening, or of other sentences at its table."""
    setting = read_table(GOLDEN / f"{golden}.toml")
    production = stage(setting)
    journal = Journal.begin(setting, 3, skip_setup=False, path=folder / "evening.jsonl")
    prompter = prompt(production, io.StringIO("\n".join(said or typed(golden))))
    prompter.conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (), journal, 3)
    prompter.conductor.run(production.game.opening())
    return journal.path


def rows(journal: Path) -> list[dict[str, str]]:
    """The deeds as the CSV tells them."""
    out = journal.with_suffix(".csv")
    write_story(journal, [out])
    return list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))


def told(journal: Path, **wishes: bool) -> tuple[str, dict[str, object]]:
    """The page and the JSON."""
    outs = [journal.with_suffix(ending) for ending in (".html", ".json")]
    write_story(journal, outs, **wishes)
    return outs[0].read_text(encoding="utf-8"), json.loads(outs[1].read_text(encoding="utf-8"))


def test_every_vote_and_tale_of_a_sultan_is_told_as_it_was_called_out(tmp_path: Path) -> None:
    found = rows(played("sultan.fr", tmp_path))
    votes = [(row["people"], row["counts"], row["outcome"]) for row in found if row["kind"] == "vote"]
    assert votes[:4] == [
        ("Emma;Inès", "yes=7;no=2", "accepted"),
        ("Farid;Chloé", "yes=4;no=5", "refused"),
        ("Gaëlle;Alice", "yes=3;no=6", "refused"),
        ("Hugo;Chloé", "yes=2;no=7", "refused"),
    ]
    for _, counts, outcome in votes:
        yes, no = map(int, re.findall(r"\d+", counts))
        assert (yes > no) == (outcome == "accepted")
    tales = [row["outcome"] for row in found if row["kind"] == "tale"]
    assert (tales.count("pacifist"), tales.count("interventionist")) == (6, 4)
    assert [row["people"] for row in found if row["kind"] == "tale"][1] == ""  # the slave read it


def test_an_undone_vote_is_no_deed_but_is_listed_among_the_doubts(tmp_path: Path) -> None:
    course = typed("sultan.fr")
    vote = next(i for i, text in enumerate(course) if "oui" in text and "non" in text and i > 20)
    before = rows(played("sultan.fr", tmp_path, course[:vote]))
    assert rows(played("sultan.fr", tmp_path, course[: vote + 1]))[len(before) :]
    journal = played("sultan.fr", tmp_path, [*course[: vote + 1], "annule"])
    assert rows(journal) == before
    _, data = told(journal)
    assert "undone" in [entry["kind"] for entry in data["entries"]]  # type: ignore[attr-defined, index]


@pytest.mark.parametrize(
    ("golden", "decided", "undo", "told_as"),
    [
        ("bourreau.fr", "au tour d'Emma", "annule", "au tour d’Emma"),
        ("bourreau.en", "I execute Ben", "undo", "I execute Ben"),
        ("sultan.fr", "je propose Inès", "annule", "je propose Inès"),
        ("sultan.en", "three yes, three no", "undo", "three yes three no"),
    ],
)
def test_what_was_undone_is_told_in_the_words_of_the_table(
    golden: str, decided: str, undo: str, told_as: str, tmp_path: Path
) -> None:
    course = typed(golden)
    page, data = told(played(golden, tmp_path, [*course[: course.index(decided) + 1], undo]))
    undone = [entry["text"] for entry in data["entries"] if entry["kind"] == "undone"]  # type: ignore[attr-defined, index]
    assert undone == [told_as]
    assert told_as in html.unescape(page)


def test_an_undo_aloud_tells_of_the_tables_decision_and_not_of_what_the_master_entered_since(tmp_path: Path) -> None:
    course = typed("clocktower-5.fr")
    course = [*course[: course.index("Emma nomme Emma") + 1], "mj> Bob compte double", "annule"]
    page, data = told(played("clocktower-5.fr", tmp_path, course))
    undone = [entry["text"] for entry in data["entries"] if entry["kind"] == "undone"]  # type: ignore[attr-defined, index]
    assert undone == ["moi Emma je nomme Emma"]
    assert "Bob compte" not in page
    _, data = told(played("clocktower-5.fr", tmp_path / "his", [*course[:-1], "mj> annule"]), secrets=True)
    undone = [entry["text"] for entry in data["entries"] if entry["kind"] == "undone"]  # type: ignore[attr-defined, index]
    assert undone == ["Bob compte double"]


@pytest.mark.parametrize(("language", "words"), [("fr", "une phrase que le jeu"), ("en", "a sentence that the game")])
def test_a_decision_whose_sentence_is_gone_is_told_in_words_too(language: str, words: str) -> None:
    production = stage(read_table(GOLDEN / f"sultan.{language}.toml"))
    then, now = production.game.opening(), production.game.opening()
    undone = replace(now, past=Past(then.state, "old_vote", None))
    game = SimpleNamespace(
        script=production.game.script,
        opening=lambda skip: undone,
        receive=lambda evening, event: (replace(evening, past=None), []),
    )
    story = tell(replace(production, game=game), [Happened(1.0, Heard("undo"))], skip_setup=False)
    assert next(entry.text for entry in story.doubts).startswith(words)


def test_who_voted_like_whom_is_counted_from_the_hands_of_every_vote(tmp_path: Path) -> None:
    journal = played("clocktower-7.fr", tmp_path)
    page, _ = told(journal)
    votes = [dict(pair.split("=") for pair in r["answers"].split(";")) for r in rows(journal) if r["answers"]]
    both = [vote for vote in votes if {"Alice", "Bob"} <= set(vote)]
    alike = sum(vote["Alice"] == vote["Bob"] for vote in both)
    row = re.search(r'<th scope="row">Alice</th>(.*?)</tr>', page, re.DOTALL)
    assert both
    assert row is not None
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", row[1])
    assert cells[:2] == ["", f"{round(100 * alike / len(both))} %"]


@pytest.mark.parametrize("golden", sorted(p.stem for p in GOLDEN.glob("*.toml")))
def test_every_evening_can_be_told_and_every_death_of_it_is(golden: str, tmp_path: Path) -> None:
    _, data = told(played(golden, tmp_path))
    deeds = [one["deed"] for one in data["deeds"]]  # type: ignore[attr-defined, index]
    dead = set(data["state"].get("dead", ()))  # type: ignore[attr-defined, index]
    gone = {name for deed in deeds for name in deed["people"] if deed["outcome"] != "escaped"}
    assert deeds
    assert dead <= gone
    for deed in deeds:
        assert sum(dict(deed["counts"]).values()) >= 0
        for word in (deed["kind"], deed["outcome"]):
            assert not word or page_word("fr", word) != word or word in ("vote", "justice")


def test_the_page_holds_nothing_from_elsewhere_and_nothing_of_the_masters(tmp_path: Path) -> None:
    journal = played("clocktower-7.fr", tmp_path)
    page, data = told(journal)
    open_page, open_data = told(journal, secrets=True)
    whispers = [e["text"] for e in open_data["entries"] if e["kind"] == "whisper"]  # type: ignore[attr-defined, index]
    spoken = {e["text"] for e in data["entries"]}  # type: ignore[attr-defined, index]
    assert len(whispers) > 20
    assert not spoken.intersection(whispers)
    cells = set(map(html.unescape, re.findall(r"<td>([^<]*)</td>", page)))
    assert spoken - {""} <= cells
    assert not cells.intersection(whispers)
    assert set(whispers) <= set(map(html.unescape, re.findall(r"<td>([^<]*)</td>", open_page)))
    assert not re.search(r"https?://|src=|<script|@import|url\(", page)


def test_names_are_escaped_and_what_was_not_understood_is_counted(tmp_path: Path) -> None:
    setting = read_table(GOLDEN / "sultan.fr.toml")
    production = stage(setting)
    journal = Journal.begin(setting, 1, skip_setup=True, path=tmp_path / "evening.jsonl")
    prompter = prompt(production, io.StringIO("je nomme <b>Bob\n"))
    conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (), journal, 1)
    prompter.conductor = conductor
    conductor.run(production.game.opening(skip_setup=True))
    conductor.handle(Caught(""))
    page, data = told(journal.path)
    assert [entry["kind"] for entry in data["entries"]].count("missed") == 1  # type: ignore[attr-defined, index]
    assert "<b>Bob" not in page
    assert read_journal(journal.path).events == tuple(e for _, e in read_course(journal.path)[1] if e is not None)
    assert unfinished(tmp_path) == journal.path  # a note is no end


def test_an_evening_that_was_broken_off_is_told_as_far_as_it_went(tmp_path: Path) -> None:
    page, data = told(played("bourreau.fr", tmp_path, typed("bourreau.fr")[:40]))
    assert data["winners"] == []
    assert "La partie n’est pas finie." in page


@pytest.mark.parametrize(
    ("outs", "why"), [(["story.pdf"], "written as"), (["nowhere/story.html"], "cannot be written")]
)
def test_a_page_that_cannot_be_written_is_one_sentence(tmp_path: Path, outs: list[str], why: str) -> None:
    journal = played("bourreau.fr", tmp_path, typed("bourreau.fr")[:5])
    with pytest.raises(NarratorError, match=why):
        write_story(journal, [tmp_path / out for out in outs])


def test_without_an_evening_there_is_nothing_to_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(NarratorError, match="narrator play"):
        write_story(None, [])
