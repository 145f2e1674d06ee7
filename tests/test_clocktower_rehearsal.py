"""A village rehearsed by ear: real voices, the real ear, a simulated Storyteller at his keys."""

from __future__ import annotations

import random

import pytest
from town import MORE, town

from narrator.core.phrases import Meaning
from narrator.library import stage
from narrator.rehearsal.clocktower.people import CHATTER
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.people import SimulatedTable
from narrator.rehearsal.tables import table_for
from narrator.rehearsal.talk import Talk, remark
from narrator.setup import sample_setting

QUIET = 22.0  # dB


def rehearse(seats: int, seed: int, language: str = "fr", *, typed: bool, **options: object) -> dict[str, object]:
    rehearsal = Rehearsal(stage(sample_setting("clocktower", seats, language, **options)), seed, typed=typed, snr=QUIET)
    figures = rehearsal.figures(rehearsal.run())
    assert rehearsal.difference == ""
    assert figures["end"] is not None
    return figures


def all_right(figures: dict[str, object]) -> None:
    """Every nomination that was put to the vote, every seat's vote, every count."""
    for what in ("nominations", "seats", "counts"):
        assert figures[what]
        assert figures[f"{what}_right"] == figures[what]


@pytest.mark.sound
@pytest.mark.parametrize(
    ("seats", "seed", "language"), [(5, 1, "fr"), (7, 3, "fr"), (12, 2, "fr"), (15, 5, "fr"), (7, 3, "en")]
)
def test_in_a_quiet_room_every_nomination_and_every_seats_vote_is_right(seats: int, seed: int, language: str) -> None:
    """Chatter, hesitation and late answers included."""
    figures = rehearse(seats, seed, language, typed=False)
    all_right(figures)
    assert figures["false_actions"] <= 1  # type: ignore[operator]


@pytest.mark.sound
@pytest.mark.parametrize(
    ("seats", "language", "options"),
    [
        (5, "en", {}),
        (9, "en", {"travellers": ["Inès"]}),
        (12, "fr", {"vote": "eye", "travellers": ["Léa"]}),
        (15, "fr", {}),
    ],
)
def test_typed_evenings_come_to_an_end_by_ear_and_by_eye(seats: int, language: str, options: dict[str, object]) -> None:
    for seed in (1, 2):
        all_right(rehearse(seats, seed, language, typed=True, **options))


@pytest.mark.sound
def test_a_seed_plays_the_same_evening_again() -> None:
    def timeline(seed: int) -> list[tuple[float, str]]:
        rehearsal = Rehearsal(stage(sample_setting("clocktower", 7)), seed, typed=True)
        rehearsal.run()
        return rehearsal.timeline

    assert timeline(4) == timeline(4)
    assert timeline(4) != timeline(5)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_villages_chatter_is_no_sentence_for_the_narrator(language: str) -> None:
    phrases = stage(town(15, language)).phrases
    talk = Talk(phrases, MORE, random.Random(1), CHATTER)
    for line in talk.lines:
        text = remark(line, "Bob", "Emma", "4")
        assert phrases.parse(text) is None, text
    for shout in talk.shouts:
        assert phrases.parse(shout) is None, shout
    for hesitation in talk.hesitations:
        assert phrases.parse(f"{hesitation} oui" if language == "fr" else f"{hesitation} yes") == Meaning("yes", {})


def test_the_table_is_found_by_its_game() -> None:
    assert isinstance(table_for(stage(sample_setting("sultan")), 1), SimulatedTable)
    assert hasattr(table_for(stage(sample_setting("clocktower")), 1), "at_keys")
