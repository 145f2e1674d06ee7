"""When an utterance is over: at once where a question is closed, later where people think in mid-sentence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from ear_sound import HELD_OUT, RATE, hear, say, scene
from numpy.typing import NDArray

from narrator.ear.recognizer import TableEar

pytestmark = pytest.mark.sound

NAMES = ("alice", "bob", "chloé", "karim")
ONLY = "encore une minute"  # nothing else begins so
COUNTS = ["quatre oui trois non", "cinq oui deux non", "trois oui", "oui", "non", "annule"]
SENTENCES = [*(f"je propose {name}" for name in NAMES), ONLY, *COUNTS]


@pytest.fixture(scope="module")
def ear() -> Iterator[TableEar]:
    table = TableEar("fr", SENTENCES)
    yield table
    table.close()


def silence_before_the_answer(ear: TableEar, audio: NDArray[np.int16]) -> tuple[str, float]:
    """What was heard, and the seconds from its last sound until it was known."""
    listener = ear.open(SENTENCES)
    for at in range(0, len(audio), 320):
        utterance = listener.accept(audio[at : at + 320])
        if utterance is not None:
            return utterance.text, (at + 320) / RATE - utterance.ended
    raise AssertionError("nothing was heard")


@pytest.mark.parametrize("said", ["oui", "non", "quatre oui trois non", "trois oui", "annule"])
def test_a_closed_question_is_answered_after_less_than_half_a_second(ear: TableEar, said: str):
    waits = [silence_before_the_answer(ear, scene(say(said, voice), i)) for i, voice in enumerate(HELD_OUT)]
    assert [wait for text, wait in waits if text == said and wait > 0.41] == []
    assert sum(text == said for text, _ in waits) >= 5


def test_who_names_somebody_has_more_time(ear: TableEar):
    waits = [silence_before_the_answer(ear, scene(say("je propose bob", v), i)) for i, v in enumerate(HELD_OUT)]
    assert all(0.5 < wait < 0.6 for _, wait in waits), waits


@pytest.mark.parametrize(
    ("begun", "rest"), [("je propose", "alice"), ("encore une", "minute"), ("encore", "une minute")]
)
def test_a_sentence_cut_by_a_breath_is_joined(ear: TableEar, begun: str, rest: str):
    right = 0
    for seed, voice in enumerate(HELD_OUT):
        halves = [_close(say(text, voice)) for text in (begun, rest)]
        audio = np.concatenate([halves[0], np.zeros(round(0.4 * RATE)), halves[1]])
        right += [u.text for u in hear(ear.open(SENTENCES), scene(audio, seed, echo=0))] == [f"{begun} {rest}"]
    assert right >= 6  # of 7


def _close(speech: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the silence around it."""
    loud = np.flatnonzero(np.abs(speech) > 0.02 * np.abs(speech).max())
    return speech[loud[0] : loud[-1]]
