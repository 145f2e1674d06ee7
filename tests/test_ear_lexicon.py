"""How sentences sound: liaisons, names nobody knows, what people leave out, corrections."""

from __future__ import annotations

import ctypes

import pytest

from narrator.core.errors import ModelError
from narrator.ear import espeak, models
from narrator.ear.lexicon import PAUSE, Lexicon

MODEL = models.load("fr")
LEXICON = Lexicon("fr")


def shown(lexicon: Lexicon, sentence: str) -> str:
    """The spelling as text: (x) may be left out, | is a place for a pause."""
    symbols = ["|", *MODEL.phones]
    return " ".join(f"({symbols[-o]})" if o < 0 else symbols[o] for o in lexicon.spell(sentence))


@pytest.mark.parametrize(
    ("sentence", "sounds"),
    [
        ("je propose chloé", "ʒ (ə) | p ʁ o p ɔ z (ə) | k l ɔ e"),
        ("quatre oui trois non", "k a t (ʁ) (ə) | w i | t ʁ w a | n ɔ̃"),
        ("deux enfants", "d ø z | ɑ̃ f ɑ̃"),  # liaison
        ("conte pacifiste", "k ɔ̃ t (ə) | p a s i f i s t (ə)"),
        ("gwenaël", "ɡ w n a ɛ l"),
        ("annule", "a n y l (ə)"),
        ("Bob", "b ɔ b"),
    ],
)
def test_spelling(sentence: str, sounds: str):
    assert shown(LEXICON, sentence) == sounds


def test_variants_are_few_plain_and_begin_with_the_usual_one():
    symbols = ["", *MODEL.phones]
    variants = [" ".join(symbols[o] for o in row) for row in LEXICON.pronounce("je propose")]
    assert variants == ["ʒ ə p ʁ o p ɔ z", "ʒ p ʁ o p ɔ z", "ʒ ə p ʁ o p ɔ z ə"]
    for sentence in ("le petit quatre", "je me le demande", "oui"):
        rows = LEXICON.pronounce(sentence)
        assert 1 <= len(rows) <= 4
        assert len(set(rows)) == len(rows)
        assert all(o > PAUSE for row in rows for o in row)


def test_hesitations_are_the_fillers_and_bare_vowels():
    symbols = ["|", *MODEL.phones]
    said = {" ".join(symbols[abs(o)] for o in row) for row in LEXICON.hesitations(["bon", "alors", "euh"])}
    assert said >= {"b ɔ̃", "a l ɔ ʁ", "œ", "ø", "ə"}
    assert LEXICON.hesitations([]) == ()


def test_case_does_not_matter():
    assert LEXICON.spell("JE NOMME BOB") == LEXICON.spell("je nomme Bob")


def test_a_table_corrects_how_its_names_are_said():
    lexicon = Lexicon("fr", {"Siobhan": "chi-vaune", "Zoé": "zo-é"})
    assert lexicon.spell("je nomme siobhan") == LEXICON.spell("je nomme chivaune")
    assert lexicon.spell("Siobhan vote") == LEXICON.spell("chivaune vote")
    assert lexicon.spell("je nomme Zoé") == LEXICON.spell("je nomme zoé")
    assert lexicon.spell("siobhanette") == LEXICON.spell("siobhanette")  # whole words only


def test_every_symbol_espeak_gives_in_french_is_known():
    text = "Un vieux whisky et cinq œufs, Guy ; l'agneau mange où ? Huit bœufs, deux fils, la campagne, parfum, voyage."
    symbols = {p for word in espeak.phonemes(text, "fr") for p in word}
    unknown = {p for p in symbols if not LEXICON.outputs(p)}
    assert {p.strip("ˈˌ(engbfr)-") for p in unknown} <= {""}


def test_what_has_no_sound_is_refused_in_one_sentence():
    with pytest.raises(ModelError, match=r"no sound is known for '…'.*\[says\]"):
        LEXICON.spell("…")


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> None:
        raise OSError(name)

    espeak.library.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(ctypes, "CDLL", missing)
        with pytest.raises(ModelError, match="apt install libespeak-ng1"):
            Lexicon("fr").spell("bonjour")
    assert Lexicon("fr").spell("bonjour")


def test_an_unknown_espeak_voice_is_one_sentence():
    with pytest.raises(ModelError, match="no voice 'klingonese'"):
        espeak.phonemes("bonjour", "klingonese")
