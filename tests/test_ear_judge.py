"""What makes a sentence of vosk's scores, by numbers: no sound, no vosk."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

import pytest

from narrator.ear.graph import HALF, HESITATED, UNKNOWN
from narrator.ear.judge import EarSettings, Judge, together

SETTINGS = EarSettings(
    over_filler_once=2.0, over_filler=0.0, over_next=1.0, over_half=0.5, over_hesitation=2.0, doubt=0.0
)
PHONES = {
    "non": (1, 2),
    "on vote": (3, 0, 4, 5, 6),
    "votons": (4, 5, 6, 3),
    "moins fort": (7, 8, 2, 0, 9, 5, 10),
    "on vota": (3, 0, 4, 5, 11),
    "deux non": (13, 14, 0, 1, 2),
    "trois oui deux non": (6, 10, 8, 0, 8, 12, 0, 13, 14, 0, 1, 2),
}
LEGAL = {"s0": "non", "s1": "on vote", "s2": "votons", "s3": "moins fort"}
OTHERS = {"s4": "on vota", "s5": "trois oui deux non", "s6": "deux non"}


def judged(
    scores: Mapping[str, float],
    seconds: float = 0.6,
    halved: tuple[str, ...] = (),
    unlikely: tuple[str, ...] = (),
    settings: EarSettings = SETTINGS,
    **senses: Hashable,
) -> str:
    """The sentence made of vosk's scores; `senses` of texts whose blanks are written as _."""
    judge = Judge(settings, LEGAL, PHONES, lambda s: senses.get(s.replace(" ", "_"), s), halved, OTHERS, unlikely)
    alternatives = [{"text": token, "confidence": score} for token, score in scores.items()]
    return judge({"alternatives": alternatives}, seconds)[0]


@pytest.mark.parametrize(("filler", "heard"), [(97.9, "on vote"), (98.1, "")])
def test_a_sentence_beats_any_sounds(filler: float, heard: str):
    assert judged({"s1": 100, UNKNOWN: filler}) == heard


@pytest.mark.parametrize(("following", "heard"), [(98.9, "on vote"), (99.1, "")])
def test_a_sentence_beats_the_next(following: float, heard: str):
    assert judged({"s1": 100, "s2": following, UNKNOWN: 90}) == heard


@pytest.mark.parametrize(
    ("filler", "following", "heard"),
    [(97.5, 90, "on vote"), (90, 98.5, "on vote"), (97.5, 98.5, ""), (97.0, 98.0, ""), (96.0, 97.0, "on vote")],
)
def test_doubts_add_up(filler: float, following: float, heard: str):
    """With one margin 0.5 over its threshold and another far over it, it is sure; with both so narrow it is not."""
    scores = {"s1": 100, "s2": following, UNKNOWN: filler}
    assert judged(scores, settings=replace(SETTINGS, doubt=2.0)) == heard
    assert judged(scores) == "on vote"


def test_margins_together_are_less_than_the_least_of_them():
    assert together([1.0, 1.0], 2.0) == pytest.approx(1.0 - 2.0 * math.log(2))
    assert together([1.0, 50.0], 2.0) == pytest.approx(1.0)
    assert together([1.0, math.inf, math.inf], 2.0) == pytest.approx(1.0)
    assert together([0.5, 0.7, 9.0], 0.0) == 0.5
    assert together([[1.0, 0.0], [50.0, 0.0]], 2.0) == pytest.approx([1.0, -2.0 * math.log(2)])


@pytest.mark.parametrize(
    ("refused", "taken", "heard"),
    [(100, 98.9, "votons"), (100, 97.5, ""), (100, 95.9, "on vote"), (100, 100, "votons"), (100, 90, "on vote")],
)
def test_what_the_game_would_refuse_must_be_said_clearer(refused: float, taken: float, heard: str):
    scores = {"s1": refused, "s2": taken, UNKNOWN: 90}
    assert judged(scores, unlikely=("on vote",)) == heard


def test_a_sentence_that_would_be_refused_lends_its_score_to_none():
    """What explains the sounds better than the one that is chosen makes it nothing, as ever."""
    scores = {"s1": 100, "s5": 99.9, "s2": 98, UNKNOWN: 90}
    assert judged(scores) == "on vote"
    assert judged(scores, unlikely=("on vote",)) == ""
    short = {"s1": 100, "s0": 98, HESITATED: 97.5, UNKNOWN: 90}
    assert judged(short, unlikely=("on vote",)) == ""
    assert judged({**short, HESITATED: 95.9}, unlikely=("on vote",)) == "non"


def test_what_is_not_among_the_answers_may_be_likely():
    many = {f"x{i}": 98.5 for i in range(SETTINGS.alternatives - 2)}
    assert judged({"s1": 102, UNKNOWN: 90, **many}, unlikely=("on vote",)) == "on vote"  # the last of them is far
    many = {f"x{i}": 98.5 for i in range(SETTINGS.alternatives - 1)}
    assert judged({"s1": 102, **many}, unlikely=("on vote",)) == ""


def test_what_the_game_would_refuse_is_like_the_others_beside_any_sounds_and_its_kind():
    both = ("on vote", "votons")
    assert judged({"s1": 100, UNKNOWN: 97.9}, unlikely=both) == "on vote"
    assert judged({"s1": 100, "s2": 98.9, UNKNOWN: 90}, unlikely=both) == "on vote"
    assert judged({"s1": 100, "s2": 99.1, UNKNOWN: 90}, unlikely=both) == ""


def test_sentences_of_one_meaning_do_not_compete():
    close = {"s1": 100, "s2": 99.9, UNKNOWN: 90}
    assert judged(close) == ""
    assert judged(close, on_vote="vote", votons="vote") == "on vote"
    assert judged({**close, "s3": 99.5}, on_vote="vote", votons="vote") == ""


def test_hesitation_takes_what_is_short_if_it_explains_it_nearly_as_well():
    assert judged({"s0": 100, HESITATED: 98.1, UNKNOWN: 90}) == ""
    assert judged({"s0": 100, HESITATED: 97.9, UNKNOWN: 90}) == "non"
    assert judged({"s3": 100, HESITATED: 103.0, UNKNOWN: 90}) == "moins fort"


def test_a_sentence_of_another_phase_takes_what_it_explains_better():
    assert judged({"s0": 100, "s5": 100.1, UNKNOWN: 90}) == ""
    assert judged({"s0": 100, "s5": 99.9, UNKNOWN: 90}) == "non"


def test_a_sentence_of_another_phase_that_sounds_nearly_the_same_takes_nothing():
    assert judged({"s1": 100, "s4": 105, UNKNOWN: 90}) == "on vote"
    assert judged({"s0": 100, "s6": 101, UNKNOWN: 90}) == ""  # but all of a short one is much


def test_half_of_a_sentence_is_none():
    scores = {"s1": 100, HALF: 99.8, UNKNOWN: 90}
    assert judged(scores, halved=("on vote",)) == ""
    assert judged(scores) == "on vote"


@pytest.mark.parametrize(("seconds", "heard"), [(0.02, ""), (0.6, "on vote"), (3.0, "")])
def test_nobody_says_so_much_in_that_time(seconds: float, heard: str):
    assert judged({"s1": 100, UNKNOWN: 90}, seconds) == heard


def test_what_is_not_among_a_full_list_is_no_better_than_its_last():
    many = {f"x{count}": 99.0 for count in range(SETTINGS.alternatives - 1)}
    assert judged({"s1": 100, **many}) == ""
    assert judged({"s1": 100}) == "on vote"


def test_an_answer_without_any_of_the_sentences_is_nothing():
    assert judged({UNKNOWN: 90, "s5": 100}) == ""
