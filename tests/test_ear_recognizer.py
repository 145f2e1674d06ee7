"""Whole sentences through the real vosk: voices never trained on, a room, hiss, names nobody knows, talk, silence.

The rates asked for are a little under those measured (in brackets); all is seeded, so they move only with the code.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from ear_sound import HELD_OUT, RATE, hear, recording, say, scene

from narrator.core.errors import ModelError
from narrator.ear.recognizer import TableEar

pytestmark = pytest.mark.sound

NAMES = ("Alice", "Bob", "Chloé", "Gwenaël", "Xyloh", "Zoé", "Karim", "Mamadou", "Yasmine", "Inès")
NUMBERS = ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix")
PROPOSED = [f"{verb} {name}" for name in NAMES for verb in ("je propose", "je nomme", "j'exile", "on exécute")]
COUNTED = [f"{a} oui {b} non" for a, b in product(NUMBERS, NUMBERS)]
ALWAYS = [
    "pause",
    "reprends",
    "répète",
    "annule",
    "aide",
    "où en est-on",
    "combien de temps",
    "encore une minute",
    "passe",
    "plus lentement",
    "plus vite",
    "moins fort",
    "plus fort",
    "oui",
    "non",
    "c'est fait",
    "je suis dinarzade",
    "conte pacifiste",
    "conte interventionniste",
]
SENTENCES = [*PROPOSED, *COUNTED, *ALWAYS]


@pytest.fixture(scope="module")
def ear() -> Iterator[TableEar]:
    table = TableEar("fr", [*SENTENCES, *NUMBERS])
    yield table
    table.close()


def right(
    ear: TableEar,
    legal: list[str],
    said: list[tuple[str, str]],
    unlikely: frozenset[str] = frozenset(),
    **room: float,
) -> tuple[int, list[str]]:
    """How many were heard exactly, and the wrong ones as text."""
    wrong, count = [], 0
    for seed, (sentence, voice) in enumerate(said):
        audio = scene(say(sentence, voice, 140 + seed % 4 * 10, 35 + seed % 5 * 8), seed, **room)
        texts = [u.text for u in hear(ear.open(legal, unlikely), audio)]
        if texts == [sentence]:
            count += 1
        elif any(texts):
            wrong.append(f"{voice}: {sentence} > {texts}")
    return count, wrong


def drawn(sentences: list[str], each: int, seed: int) -> list[tuple[str, str]]:
    choose = random.Random(seed)
    return [(s, voice) for voice in HELD_OUT for s in choose.sample(sentences, each)]


def test_proposals_among_all_that_may_be_said(ear: TableEar):
    count, wrong = right(ear, SENTENCES, drawn(PROPOSED, 8, 1))
    assert count >= 53, wrong  # [55 of 56]
    assert len(wrong) <= 0, wrong


def test_commands_among_all_that_may_be_said(ear: TableEar):
    count, wrong = right(ear, SENTENCES, drawn(ALWAYS, 8, 2))
    assert count >= 54, wrong  # [55 of 56]
    assert len(wrong) <= 0, wrong


def test_counts_among_all_that_may_be_said(ear: TableEar):
    count, wrong = right(ear, SENTENCES, drawn(COUNTED, 8, 3))
    assert count >= 52, wrong  # [54 of 56, two wrong]
    assert len(wrong) <= 2, wrong


def test_names_no_model_knows(ear: TableEar):
    odd = [(f"je propose {name}", voice) for name in ("Xyloh", "Gwenaël", "Mamadou") for voice in HELD_OUT]
    count, wrong = right(ear, PROPOSED, odd)
    assert count >= 19, wrong  # [21 of 21]


def test_in_a_bad_room(ear: TableEar):
    count, wrong = right(ear, PROPOSED, drawn(PROPOSED, 4, 4), hiss=80, echo=0.5)
    assert count >= 24, wrong  # [26 of 28]


def test_of_counts_that_sound_alike_the_one_that_adds_up_is_heard(ear: TableEar):
    """Where nine vote, in a bad room; and who has counted badly is still told so."""
    sums = {f"{a} oui {b} non": i + j for (i, a), (j, b) in product(enumerate(NUMBERS), enumerate(NUMBERS))}
    adds_up = [text for text, votes in sums.items() if votes == 9]
    odd = frozenset(sums) - {*adds_up}
    few = drawn(adds_up, 6, 5)
    before, wrong_before = right(ear, COUNTED, few, hiss=250, echo=0.6)
    count, wrong = right(ear, COUNTED, few, odd, hiss=250, echo=0.6)
    assert before < 36 <= count, wrong  # [32 and 38 of 42]
    assert len(wrong) < len(wrong_before), wrong  # [4 and 1]
    count, wrong = right(ear, COUNTED, drawn(sorted(odd), 6, 6), odd)
    assert count >= 39, wrong  # [41 of 42]


def test_a_person_on_the_telephone_is_rather_refused_than_misheard(ear: TableEar):
    """The weakest point of this ear: one word each, telephone band, GSM; a wrong count would be worse than none."""
    right = 0
    for i, number in enumerate(NUMBERS):
        texts = [u.text for u in hear(ear.open(NUMBERS), scene(recording(f"{i}.wav"), i, echo=0))]
        assert texts in ([number], [""]), number
        right += texts == [number]
    assert right >= 2  # [3 of 11]


TALK = (
    "Moi je pense qu'il ment depuis le début, regarde comme il évite la question",
    "Attends, tu étais où quand la lumière s'est éteinte",
    "De toute façon on ne peut pas savoir tant qu'elle n'a rien montré",
    "Quelqu'un veut encore des chips avant que ça recommence",
    "Alice et Bob se regardent bizarrement depuis tout à l'heure",
    "Je te jure que ce n'est pas moi, demande à Chloé",
    "Il y avait trois contes rouges dans la pioche, donc forcément l'un des deux ment",
    "La dernière fois que nous avons joué, tu avais gagné avec exactement la même histoire",
    "Mais non, si on refuse encore une fois, c'est le hasard qui décide",
    "Passe-moi le verre d'eau qui est derrière toi s'il te plaît",
)


def test_talk_gives_no_sentence(ear: TableEar):
    false = []
    for seed, (text, voice) in enumerate(product(TALK, ("m8", "caleb", "linda"))):
        heard = hear(ear.open(SENTENCES), scene(say(text, voice), seed))
        assert heard, text  # it is heard, as something else
        false += [f"{text} > {u.text}" for u in heard if u.text]
    assert false == []


@pytest.mark.parametrize("name", ["conf-onlyperson", "queue-thankyou", "vm-nobodyavail", "invalid"])
def test_a_person_talking_gives_no_sentence(ear: TableEar, name: str):
    heard = hear(ear.open(SENTENCES), scene(recording(f"{name}.wav"), 1, echo=0))
    assert heard
    assert [u.text for u in heard if u.text] == []


@pytest.mark.parametrize("rms", [0, 2, 20, 80])
def test_silence_of_any_level_gives_nothing(ear: TableEar, rms: float):
    audio = np.random.default_rng(1).normal(0, rms, 20 * RATE).astype(np.int16)
    assert hear(ear.open(SENTENCES), audio) == []


def test_a_room_that_becomes_loud_gives_no_sentence(ear: TableEar):
    rng = np.random.default_rng(1)
    audio = np.concatenate([rng.normal(0, 5, 3 * RATE), rng.normal(0, 500, 10 * RATE)]).astype(np.int16)
    assert not any(u.text for u in hear(ear.open(SENTENCES), audio))


def test_clicks_and_knocks_give_no_sentence(ear: TableEar):
    rng = np.random.default_rng(2)
    audio = rng.normal(0, 10, 30 * RATE)
    for at in range(RATE, 28 * RATE, RATE):
        size = int(rng.integers(80, 2400))
        audio[at : at + size] += rng.normal(0, rng.uniform(500, 9000), size) * np.exp(-6 * np.arange(size) / size)
    assert not any(u.text for u in hear(ear.open(SENTENCES), audio.clip(-32000, 32000).astype(np.int16)))


def test_the_same_whatever_the_blocks_and_the_times_are_right(ear: TableEar):
    speech = say("je propose chloé", "max")
    audio = scene(speech, 5, echo=0)
    whole = [hear(ear.open(["je propose Chloé", "pause"]), audio, block) for block in (1, 37, 1600, len(audio))]
    assert [[u.text for u in heard] for heard in whole] == [["je propose Chloé"]] * 4
    assert whole == [whole[0]] * 4
    (utterance,) = whole[0]
    assert utterance.began == pytest.approx(0.5, abs=0.15)
    assert utterance.ended == pytest.approx(0.5 + len(speech) / RATE, abs=0.35)
    assert 0.5 <= utterance.confidence <= 1


def test_soft_speech_through_a_noise_gate(ear: TableEar):
    """Digital silence before, behind and within."""
    count, wrong = right(ear, SENTENCES, drawn(SENTENCES, 2, 9), rms=150, hiss=0, echo=0)
    assert count >= 13, wrong  # [14 of 14; without a dither a third]


def test_one_sentence_after_another_and_talk_between(ear: TableEar):
    said = ["quatre oui trois non", "j'ai dit quatre parce que tu as levé la main trop tard", "annule", "je nomme Bob"]
    audio = np.concatenate([scene(say(text, "max"), i) for i, text in enumerate(said)])
    assert [u.text for u in hear(ear.open(SENTENCES), audio)] == [said[0], "", said[2], said[3]]


def test_the_end_of_the_audio_ends_the_sentence(ear: TableEar):
    audio = scene(say("je nomme Bob", "max"), 1, echo=0)[: -RATE + 1600]
    listener = ear.open(SENTENCES)
    assert listener.accept(audio) is None
    assert listener.speaking
    utterance = listener.finish()
    assert not listener.speaking
    assert utterance is not None
    assert utterance.text == "je nomme Bob"


def test_only_what_is_legal_now_is_heard(ear: TableEar):
    audio = scene(say("je nomme Bob", "max"), 1)
    assert [u.text for u in hear(ear.open(["je nomme Bob"]), audio)] == ["je nomme Bob"]
    assert [u.text for u in hear(ear.open(ALWAYS), audio)] == [""]
    assert [u.text for u in hear(ear.open([]), audio)] == [""]


def test_what_the_table_never_said_it_would_hear_is_refused(ear: TableEar):
    with pytest.raises(ModelError, match="'je mange Bob' is not among the sentences"):
        ear.open(["je mange Bob"])


def test_two_ways_to_write_one_sound_are_one_sentence():
    table = TableEar("fr", ["je nomme Anna", "je nomme Hannah", "je nomme Bob"])
    audio = scene(say("je nomme Anna", "max"), 1)
    heard = hear(table.open(["je nomme Anna", "je nomme Hannah", "je nomme Bob"]), audio)
    assert [u.text for u in heard] in (["je nomme Anna"], ["je nomme Hannah"])
    table.close()
    with pytest.raises(ModelError, match="was closed"):
        table.open(["je nomme Bob"])
