"""What is not for the narrator, and what is in the middle of it: talk, laughter, music, other phases, half sentences.

Through the real vosk, with the sentences of a real game; voices never trained on, talk written for the bench.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from ear_sound import HELD_OUT, RATE, hear, say, scene
from numpy.typing import NDArray

from bench.ear.chatter import CHATTER
from bench.ear.speech import bursts, music
from narrator.ear.judge import EarSettings
from narrator.ear.recognizer import TableEar
from narrator.library import Production, stage
from narrator.setup import sample_setting

pytestmark = pytest.mark.sound

ALWAYS = ("undo", "skip", "repeat", "pause", "help", "time_left", "slower", "faster", "status", "who_eligible")
PROPOSING, COUNTING = ("propose",), ("count", "count_yes", "count_no")


@pytest.fixture(scope="module")
def production() -> Production:
    return stage(sample_setting("sultan", 7))


@pytest.fixture(scope="module")
def ear(production: Production) -> Iterator[TableEar]:
    phrases = production.phrases
    table = TableEar("fr", phrases.sentences(), fillers=phrases.fillers, meaning=phrases.sense)
    yield table
    table.close()


def heard(ear: TableEar, production: Production, phase: tuple[str, ...], audio: NDArray[np.int16]) -> list[str]:
    """The sentences heard in a phase; commands count in all of them."""
    return [u.text for u in hear(ear.open(production.phrases.sentences((*phase, *ALWAYS))), audio) if u.text]


def test_table_talk_gives_nothing(ear: TableEar, production: Production):
    false = []
    for seed, line in enumerate(CHATTER["fr"]):
        audio = scene(say(line, HELD_OUT[seed % len(HELD_OUT)], 150 + seed % 4 * 10), seed)
        false += [f"{line} > {text}" for text in heard(ear, production, (PROPOSING, COUNTING)[seed % 2], audio)]
    assert len(false) <= 1, false


def close(speech: NDArray[np.float64]) -> NDArray[np.float64]:
    """Without the silence around it."""
    loud = np.flatnonzero(np.abs(speech) > 0.02 * np.abs(speech).max())
    return speech[loud[0] : loud[-1]]


def breath(*parts: NDArray[np.float64], seconds: float) -> NDArray[np.float64]:
    """Parts with so much silence between them."""
    rest = np.zeros(round(seconds * RATE))
    return np.concatenate([piece for part in parts for piece in (close(part), rest)])


def laughter(seed: int, rate: float = 4.5) -> NDArray[np.float64]:
    """Ha, ha, ha: breathy vowels that get lower and softer, as people laugh; 16 kHz."""
    rng = np.random.default_rng(seed)
    parts, pitch = [], rng.uniform(180, 320)
    for count in range(int(rng.integers(5, 9))):
        at = np.arange(round(RATE / rate)) / RATE
        voiced = at > 0.06
        phase = np.cumsum(np.full(len(at), pitch * 0.97**count)) / RATE
        vowel = sum(np.sin(2 * np.pi * k * phase) * np.exp(-((k * pitch - 800) ** 2) / 4e5) for k in range(1, 14))
        breath = rng.standard_normal(len(at)) * np.exp(-at * 12)
        parts.append((vowel * voiced * np.exp(-(at - 0.06) * 9) + 0.4 * breath) * 0.85**count)
    return np.concatenate(parts)


def test_laughter_gives_nothing(ear: TableEar, production: Production):
    sounds = [laughter(seed, 3.5 + seed % 3) for seed in range(12)]
    sounds += [say(text, voice, 170) for voice in HELD_OUT for text in ("ha ha ha ha ha", "hi hi hi", "oh oh oh")]
    false = [heard(ear, production, PROPOSING, scene(sound, seed)) for seed, sound in enumerate(sounds)]
    assert sum(map(len, false)) <= 1, false


def test_music_and_knocks_give_nothing(ear: TableEar, production: Production):
    rng = np.random.default_rng(5)
    for make in (music, bursts):
        sound = np.clip(np.concatenate([make(10, rng) for _ in range(4)]), -32000, 32000).astype(np.int16)
        assert heard(ear, production, COUNTING, sound) == []


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (COUNTING, ("je propose alice", "je propose karim")),
        (PROPOSING, ("quatre oui trois non", "cinq oui deux non", "trois oui")),
        (COUNTING, ("je suis dinarzade", "conte pacifiste")),
    ],
)
def test_sentences_of_another_phase_give_nothing(
    ear: TableEar, production: Production, phase: tuple[str, ...], said: tuple[str, ...]
):
    sounds = [scene(say(text, voice), seed) for seed, voice in enumerate(HELD_OUT) for text in said]
    false = [text for sound in sounds for text in heard(ear, production, phase, sound)]
    assert false == []


@pytest.mark.parametrize(("said", "most"), [("je propose", 0), ("je propose euh", 1), ("propose", 0), ("je", 0)])
def test_half_a_sentence_gives_nothing(ear: TableEar, production: Production, said: str, most: int):
    sounds = [scene(say(said, voice), seed) for seed, voice in enumerate(HELD_OUT)]
    taken = [text for sound in sounds for text in heard(ear, production, PROPOSING, sound)]
    assert len(taken) <= most, taken  # of seven voices: a name that is only breathed is near


def test_a_name_alone_gives_nothing_where_a_verb_is_needed(ear: TableEar, production: Production):
    phrases, names = production.phrases, production.setting.players
    legal = [s for s in phrases.sentences((*PROPOSING, *ALWAYS)) if s not in {name.lower() for name in names}]
    false = []
    for name in names:
        for seed, voice in enumerate(HELD_OUT[:4]):
            false += [(name, u.text) for u in hear(ear.open(legal), scene(say(name, voice), seed)) if u.text]
    assert len(false) <= 1, false


BEFORE = ("mais non attends tu exagères", "regarde comme il rigole", "je ne sais pas trop")
BEHIND = ("enfin je crois que c'est mieux", "il faut bien se décider")


@pytest.mark.parametrize("pause", [0.25, 0.33])
@pytest.mark.parametrize(
    ("phase", "said", "least"),
    [(PROPOSING, "je propose alice", 30), (COUNTING, "quatre oui trois non", 28), (("call_vote",), "on vote", 22)],
)
def test_a_sentence_between_pauses_of_talk_is_heard(
    ear: TableEar, production: Production, phase: tuple[str, ...], said: str, least: int, pause: float
):
    right, wrong = 0, []
    for seed, voice in enumerate(HELD_OUT):
        for before, behind in [*((b, "") for b in BEFORE), *(("", b) for b in BEHIND)]:
            parts = [say(text, voice) for text in (before, said, behind) if text]
            audio = breath(*parts, seconds=pause)
            found = heard(ear, production, phase, scene(audio, seed, echo=0.2))
            right += found == [said]
            wrong += [text for text in found if text != said]
    assert wrong == []
    assert right >= least  # of 35


@pytest.mark.parametrize("said", ["{}, voilà", "alors {}", "euh {}", "du coup {}", "attends, {}", "{} s'il te plaît"])
def test_words_around_a_sentence_are_forgiven(ear: TableEar, production: Production, said: str):
    right = 0
    for seed, voice in enumerate(HELD_OUT):
        for sentence, phase in (("je propose alice", PROPOSING), ("quatre oui trois non", COUNTING)):
            found = heard(ear, production, phase, scene(say(said.format(sentence), voice), seed))
            assert found in ([sentence], []), found
            right += bool(found)
    assert right >= 11  # of 14


def test_a_word_that_is_taken_back_is_not_heard(ear: TableEar, production: Production):
    """ "Oui … enfin non": what is short is not picked out of an utterance."""
    false = []
    for seed, voice in enumerate(HELD_OUT):
        for first, then in (("oui", "enfin non je ne sais plus"), ("non", "attends je réfléchis encore")):
            audio = breath(say(first, voice), say(then, voice), seconds=0.3)
            found = heard(ear, production, ("yes", "no"), scene(audio, seed, echo=0.2))
            false += [(voice, first, found)] if found else []
    assert len(false) <= 1, false


def test_two_sentences_in_one_breath_are_none_unless_one_is_clear(ear: TableEar, production: Production):
    none = 0
    for seed, voice in enumerate(HELD_OUT):
        parts = [say("je propose alice", voice), say("je propose david", voice)]
        found = heard(ear, production, PROPOSING, scene(breath(*parts, seconds=0.3), seed, echo=0.2))
        assert found in ([], ["je propose alice"], ["je propose david"])
        none += not found
    assert none >= 6  # [7 of 7]


def test_who_is_not_at_the_table_is_not_taken_for_somebody(ear: TableEar, production: Production):
    false = []
    for name in ("norbert", "yolande", "marguerite", "wilfried", "estelle"):
        for seed, voice in enumerate(HELD_OUT):
            false += heard(ear, production, PROPOSING, scene(say(f"je propose {name}", voice), seed))
    assert len(false) <= 3, false  # of 35


@pytest.mark.parametrize("grouped", [True, False])
def test_two_ways_to_say_one_thing_do_not_compete(grouped: bool):
    """Anne and Hanna are up to seven apart: one person with two names is heard where eight are asked for, not two."""
    legal = ["je propose anne", "je propose hanna", "je propose bob"]
    ear = TableEar(
        "fr", legal, settings=EarSettings(over_next=8.0), meaning=lambda s: s.replace("hanna", "anne") if grouped else s
    )
    texts = [[u.text for u in hear(ear.open(legal), scene(say("je propose anne", v), 1))] for v in HELD_OUT[:4]]
    ear.close()
    one_of_both = (["je propose anne"], ["je propose hanna"])
    assert sum(heard in one_of_both if grouped else heard == [""] for heard in texts) == 4, texts
