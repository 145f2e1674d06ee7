"""The parts of the recipe that need no torch: what is kept from training, alignment, labels, the sentences said."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from narrator.ear.lexicon import PAUSE
from training import abroad, align, guard, kokoro, language, recordings


@pytest.mark.parametrize("voice", ["fr+Hugo", "en-us+f5", "rms"])
def test_kept_voices_cannot_be_trained_on(voice: str) -> None:
    with pytest.raises(guard.HeldOutError, match="kept for tests"):
        guard.voice(voice)


@pytest.mark.parametrize("speaker", ["others", "julia", "armelle"])
def test_kept_speakers_cannot_be_trained_on(speaker: str) -> None:
    with pytest.raises(guard.HeldOutError):
        guard.speaker(speaker)


def test_kept_names_cannot_be_said_in_training() -> None:
    assert len(guard.NAMES) >= 200
    for name in guard.NAMES:
        with pytest.raises(guard.HeldOutError):
            guard.sentence(f"Je nomme {name.upper()}")
    assert guard.sentence("je nomme Pierre") == "je nomme Pierre"


def test_every_thirtieth_recording_is_left_out_and_only_those() -> None:
    recordings = list(range(100))
    assert guard.left_out(recordings) == [0, 30, 60, 90]
    assert sorted(guard.trained(recordings) + guard.left_out(recordings)) == recordings


def test_no_voice_of_the_recipe_is_kept_for_tests() -> None:
    assert not guard.VARIANTS.intersection(language.VARIANTS)
    assert not guard.FLITE.intersection(language.LANGUAGES["en"].flite)


def test_a_speaker_by_chance_is_none_that_is_kept(tmp_path: Path) -> None:
    (tmp_path / "voices").mkdir()
    for number, name in enumerate(["ff_siwis", "af_sky", *sorted(guard.KOKORO)]):
        np.full((510, 256), 10.0**number, np.float32).tofile(tmp_path / "voices" / f"{name}.bin")
    highest = [kokoro.speaker("fr", tmp_path, Random(seed)).max() for seed in range(60)]
    assert max(highest) == 10.0  # the second; the kept ones are a hundred and more
    assert min(highest) == 1.0
    with pytest.raises(KeyError):
        kokoro.style(tmp_path, "ff_nobody")


def phones_of(ear: str, row: tuple[int, ...]) -> str:
    """A spelling of abroad.py to read: phones that are not shared in brackets."""
    phones = ("", *language.model(ear).phones)
    return " ".join(
        "|" if o == PAUSE else phones[o] if o < len(phones) else f"({phones[o - len(phones)]})" for o in row
    )


@pytest.mark.parametrize(
    ("ear", "spoken", "text", "said"),
    [
        ("fr", "es", "un gato", "u (n) | ɡ a t (o)"),  # ŋ; and o is neither o nor ɔ
        ("fr", "ca", "set cotxes", "s ɛ t | k o (t) (ʃ)"),
        ("fr", "it", "ciao", "t ʃ a o"),
        ("en", "fr", "chaussure", "ʃ (ɔ) s (u) (ɹ)"),
        ("fr", "en-us", "thick", "(s) (i) k"),
    ],
)
def test_what_other_languages_share(ear: str, spoken: str, text: str, said: str) -> None:
    assert phones_of(ear, abroad.spelling(ear, spoken, text)).startswith(said)


def test_frames_of_phones_that_are_not_shared_teach_nothing() -> None:
    silence_a_b = np.log(np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.8, 0.1, 0.1]], np.float32))
    _, labels = align.align(abroad.doubled(silence_a_b), [1, 3 + 2])
    assert labels.tolist() == [0, 1, 5, 0]  # 5: sounds like 2 and is not the same


@pytest.mark.parametrize("code", ["fr", "en"])
def test_the_lists_of_sentences_say_no_kept_name(code: str) -> None:
    words = language.LANGUAGES[code].words
    for text in (*words.names, *words.numbers, *words.commands, *words.before, *words.between, *words.after):
        guard.sentence(text)


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_phone_that_the_lexicon_needs_is_an_output(code: str) -> None:
    size = len(language.model(code).phones)
    for text in language.LANGUAGES[code].words.commands:
        assert all(abs(o) <= size for o in language.lexicon(code).spell(text))


def scores(path: list[int], outputs: int = 6) -> align.Scores:
    """Scores of a model that is nearly sure of each frame."""
    found = np.full((len(path), outputs), np.log(0.02), np.float32)
    found[np.arange(len(path)), path] = np.log(0.9)
    return found


def test_alignment_finds_phones_pauses_and_silence_around() -> None:
    path = [0, 0, 1, 1, 2, 0, 0, 3, 3, 0]
    score, labels = align.align(scores(path), [1, 2, PAUSE, 3])
    assert labels.tolist() == path
    assert score == pytest.approx(np.log(0.9))


@pytest.mark.parametrize("path", [[0, 1, 1, 2, 2, 0], [0, 1, 1, 3, 2, 0], [1, 3, 2]])
def test_alignment_skips_what_was_left_out_and_keeps_what_was_said(path: list[int]) -> None:
    assert align.align(scores(path), [1, -3, PAUSE, 2])[1].tolist() == path


def test_alignment_says_what_must_be_said_even_if_nothing_sounds_like_it() -> None:
    _, labels = align.align(scores([0, 0, 0, 0]), [1, 2])
    assert {1, 2} <= set(labels.tolist())


def test_labels_move_with_a_copy_that_is_later_and_faster() -> None:
    labels = np.array([1] * 10 + [2] * 10)
    moved = align.moved(labels, 20, before=4800, speed=2.0)
    assert moved.tolist() == [0] * 10 + [1] * 5 + [2] * 5


def test_a_phoneme_of_two_outputs_is_split_in_the_middle() -> None:
    phones = language.model("en").phones
    found = language.labels("en", [(0.0, "ɑːɹ"), (0.2, "t"), (0.3, "")], [-0.1, 0.05, 0.15, 0.25, 0.35])
    assert [phones[o - 1] if o else "" for o in found] == ["", "ɑ", "ɹ", "t", ""]


def test_sentences_are_the_same_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "dictionary", lambda code: ["table", "maison"])
    said = [
        [language.sentence(language.LANGUAGES["fr"], r) for _ in range(50)] for r in (Random(1), Random(1), Random(2))
    ]
    assert said[0] == said[1] != said[2]


def test_a_stamp_is_called_what_lies_beside_it(tmp_path: Path) -> None:
    stamps = tmp_path / "usr/share/tuxpaint/stamps/animals"
    stamps.mkdir(parents=True)
    (stamps / "frog.txt").write_text("A frog.\nde.utf8=Ein Frosch.\nfr.utf8=Une grenouille !\n", encoding="utf-8")
    (stamps / "coin.txt").write_text("A coin (1 €).\nfr.utf8=Une pièce (1 €).\n", encoding="utf-8")
    for n, name in enumerate(("frog_desc_fr", "frog_desc", "frog_desc_de", "coin_desc_fr", "lost_desc_fr")):
        (stamps / f"{name}.ogg").write_bytes(bytes([n]))
    (stamps / "again_desc_fr.ogg").write_bytes(bytes([0]))  # the same recording for another stamp
    (stamps / "again.txt").write_text("A frog.\nfr.utf8=Une grenouille.\n", encoding="utf-8")
    assert [r.text for r in recordings.stamps(tmp_path, "fr")] == ["Une grenouille"]
    assert [r.text for r in recordings.stamps(tmp_path, "en")] == ["A frog"]


def test_a_model_that_heard_mbrola_is_never_written_where_it_would_be_shipped(tmp_path: Path) -> None:
    guard.not_shipped(tmp_path)
    with pytest.raises(guard.HeldOutError, match="not for shipping"):
        guard.not_shipped(Path(__file__).parent / "../voices/fr/ear")
