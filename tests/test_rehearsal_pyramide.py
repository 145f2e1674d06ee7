"""Meereen rehearsed: whole evenings at every size and way of voting, one by ear, and how long a roll call takes."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from narrator.core.phrases import Meaning
from narrator.ear.alike import alike
from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.pyramide.people import CHATTER, PyramideTable
from narrator.rehearsal.tables import table_for
from narrator.rehearsal.talk import Talk
from narrator.setup import sample_setting

QUIET = 22.0  # dB
JUDGED = ("placements", "accusations", "counts")


def rehearse(
    seats: int,
    seed: int,
    language: str = "fr",
    *,
    haste: int = 3,
    heard: bool = False,
    leisure: bool = False,
    **options: Any,
) -> tuple[dict[str, Any], PyramideTable]:
    """One evening to its end; the table's own books must agree with the narrator's at every turn."""
    production = stage(sample_setting("pyramide", seats, language, **options))
    people = PyramideTable(production, seed, haste, leisure=leisure)
    rehearsal = Rehearsal(production, seed, typed=not heard, people=people, snr=QUIET, silent=not heard)
    people.now = rehearsal.clock.now
    figures = rehearsal.figures(rehearsal.run())
    assert rehearsal.difference == ""
    assert figures["end"] is not None
    return figures, people


def all_right(figures: dict[str, Any], *what: str) -> None:
    for name in (*JUDGED, *what):
        assert figures[name]
        assert figures[f"{name}_right"] == figures[name]


@pytest.mark.parametrize(
    ("seats", "seed", "language", "options"),
    [
        (19, 1, "fr", {}),
        (38, 2, "fr", {}),
        (38, 3, "en", {"return_every_turn": True, "draw_ranks": True}),
        (7, 4, "en", {}),
        (60, 5, "fr", {}),
    ],
)
def test_a_typed_evening_comes_to_its_end(seats: int, seed: int, language: str, options: dict[str, Any]) -> None:
    """Every place, accusation, vote of a seat and count is as it was meant; so is everybody's prestige."""
    figures, _ = rehearse(seats, seed, language, **options)
    all_right(figures, "seats")
    assert figures["wrong_actions"] == figures["false_actions"] == 0


@pytest.mark.parametrize("vote", ["eye", "typed"])
def test_other_ways_of_voting_with_a_deal_that_the_master_types(vote: str) -> None:
    figures, people = rehearse(19, 6, vote=vote, deal="master")
    all_right(figures)
    assert len(people.minds.deal.sons) == 7


def test_both_camps_win_some_evenings() -> None:
    assert {rehearse(19, seed)[0]["end"]["how"] for seed in range(1, 13)} == {"queen_wins", "harpy_wins"}


def test_a_roll_call_of_thirty_eight_is_short_and_a_turn_without_hurry_too() -> None:
    """Under four minutes even if every seat is silent until its beat is over, with two seconds for each name; the rest
    of a turn under ten with every clock run out, a minute and a half more for what is read aloud."""
    _, people = rehearse(38, 1, leisure=True)
    calls: list[float] = []
    rest = {turn: 0.0 for _, turn, phase in people.course if phase == "turn_ends"}
    for (began, turn, phase), (ended, _, _) in pairwise(people.course):
        if phase in ("vote_begins", "seat", "readback"):
            calls += [0.0] if phase == "vote_begins" else []
            calls[-1] += ended - began
        elif turn in rest:
            rest[turn] += ended - began
    beat = stage(sample_setting("pyramide", 38)).game.rules.options["beat"]  # type: ignore[attr-defined]
    assert calls
    assert rest
    assert max(calls) < 38 * beat
    assert 38 * (beat + 2.0) + 30.0 < 4 * 60
    assert max(rest.values()) < 10 * 60 - 90


@pytest.mark.sound
def test_an_evening_by_ear() -> None:
    """Nineteen voices, chatter and late answers included; a ballot that was not heard is set right by the master."""
    figures, _ = rehearse(19, 1, haste=1, heard=True)
    all_right(figures, "seats")
    assert figures["first_right"] >= 0.9 * figures["seats"]
    assert figures["wrong_actions"] <= 2
    assert figures["false_actions"] <= 2


def test_the_sample_of_thirty_eight_has_no_names_that_sound_alike() -> None:
    for language in ("fr", "en"):
        names = sample_setting("pyramide", 38, language).players
        assert len(set(names)) == 38
        assert alike(language, names) == []


def test_a_seed_plays_the_same_evening_again() -> None:
    def course(seed: int) -> list[tuple[float, int, str]]:
        return rehearse(19, seed)[1].course

    assert course(4) == course(4)
    assert course(4) != course(5)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_chatter_is_no_sentence_for_the_narrator(language: str) -> None:
    production = stage(sample_setting("pyramide", 38, language))
    phrases = production.phrases
    talk = Talk(phrases, production.setting.players, random.Random(1), CHATTER)
    for line in talk.lines:
        text = line.replace("{name}", "Bob").replace("{other}", "Emma").replace("{number}", "4")
        assert phrases.parse(text) is None, text
    for shout in talk.shouts:
        assert phrases.parse(shout) is None, shout
    said = {"fr": "je m'abstiens", "en": "I abstain"}[language]
    for hesitation in talk.hesitations:
        assert phrases.parse(f"{hesitation} {said}") == Meaning("abstain", {})


def test_the_table_is_found_by_its_game() -> None:
    assert isinstance(table_for(stage(sample_setting("pyramide", 19)), 1), PyramideTable)
