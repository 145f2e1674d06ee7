"""How sentences sound: liaisons, names nobody knows, what people leave out, corrections."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import pytest

from narrator.core.errors import ModelError
from narrator.ear import espeak, models
from narrator.ear.habits import habits
from narrator.ear.lexicon import PAUSE, Lexicon

MODEL = models.load("fr")
LEXICON = Lexicon("fr")


def shown(lexicon: Lexicon, sentence: str) -> str:
    """The spelling as text: (x) may be left out, | is a place for a pause."""
    return as_text(lexicon.spell(sentence))


def as_text(row: Sequence[int]) -> str:
    symbols = ["|", *MODEL.phones]
    return " ".join(f"({symbols[-o]})" if o < 0 else symbols[o] for o in row)


def others(lexicon: Lexicon, sentence: str) -> list[str]:
    """The other rows, as text."""
    return [as_text(row) for row in lexicon.variants(sentence)]


@pytest.mark.parametrize(
    ("sentence", "sounds"),
    [
        ("je propose chloé", "ʒ (ə) | p ʁ o p ɔ z (ə) | k l ɔ e"),
        ("conte pacifiste", "k ɔ̃ t (ə) | p a s i f i s t (ə)"),
        ("gwenaël", "ɡ w n a ɛ l (ə)"),
        ("annule", "a n y l (ə)"),
        ("Bob", "b ɔ b (ə)"),  # "Bob-euh"
        ("où en est-on", "u | ɑ̃ (n) | ɛ t ɔ̃"),
    ],
)
def test_spelling(sentence: str, sounds: str):
    assert shown(LEXICON, sentence) == sounds


@pytest.mark.parametrize(
    ("sentence", "sounds"),
    [
        ("je nomme bob", "ʒ (ə) | n ɔ m (ə) | b ɔ b (ə)"),
        ("je demande le veto", "ʒ (ə) | d (ə) m ɑ̃ d (ə) | l (ə) | v e t o"),
        ("je m'abstiens", "ʒ (ə) | m a b s t j ɛ̃"),
        ("quatre oui trois non", "k a t (ʁ) (ə) | w i | t ʁ w a (z) | n ɔ̃"),
        ("il reste combien de temps", "i (l) | ʁ ɛ s t (ə) | k ɔ̃ b j ɛ̃ | d (ə) | t ɑ̃"),
    ],
)
def test_what_people_leave_out(sentence: str, sounds: str):
    assert shown(LEXICON, sentence) == sounds


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("j'propose Bob", "je propose Bob"),
        ("j’nomme Bob", "je nomme Bob"),
        ("j'choisis Bob", "je choisis Bob"),
        ("j'demande le veto", "je demande le veto"),
        ("j'm'abstiens", "je m'abstiens"),
        ("j'exile Bob", "j'exile Bob"),  # an elision that is always made
    ],
)
def test_a_dropped_vowel_may_be_written(written: str, usual: str):
    assert LEXICON.spell(written) == LEXICON.spell(usual)


@pytest.mark.parametrize(
    ("sentence", "hard"),
    [
        ("je propose bob", ["ʃ | p ʁ o p ɔ z (ə) | b ɔ b (ə)"]),
        ("je choisis bob", ["ʃ | ʃ w a z i | b ɔ b (ə)"]),
        ("je suis bob", ["ʃ | s y i | b ɔ b (ə)"]),
        ("je nomme bob", []),  # "j'nomme": n has a voice
        ("je demande le veto", []),
    ],
)
def test_je_without_its_vowel_hardens_before_a_hard_sound(sentence: str, hard: list[str]):
    assert others(LEXICON, sentence) == hard


@pytest.mark.parametrize(
    ("sentence", "sounds"),
    [
        ("deux oui six non", "d ø (z) | w i | s i (s) (z) | n ɔ̃"),  # deux_z_oui, "si non", "siz oui"
        ("cinq oui huit non", "s ɛ̃ (k) | w i | y i (t) | n ɔ̃"),
        ("dix oui vingt non", "d i (s) (z) | w i | v ɛ̃ (t) | n ɔ̃"),
        ("huit", "y i t (ə)"),  # alone it is whole
        ("dix", "d i s (ə)"),
        ("deux enfants", "d ø (z) | ɑ̃ f ɑ̃"),
        ("les enfants", "l e (z) | ɑ̃ f ɑ̃"),
        ("c'est anne", "s ɛ (t) | a n (ə)"),
        ("un ami", "ɛ̃ (n) | a m i"),
    ],
)
def test_liaisons_may_be_made_or_not(sentence: str, sounds: str):
    assert shown(LEXICON, sentence) == sounds


def assert_called(name: str, sounds: str) -> None:
    """A name is said so, by itself and in a sentence."""
    assert shown(LEXICON, name) == sounds
    assert shown(LEXICON, f"je nomme {name}") == f"ʒ (ə) | n ɔ m (ə) | {sounds}"


@pytest.mark.parametrize(
    ("name", "sounds"),
    [
        ("J.-B.", "ʒ i b e"),
        ("A. K.", "a | k a"),
        ("Emma 2", "ɛ m a | d ø"),
        ("Bob 12", "b ɔ b | d u z (ə)"),
        ("Tom 2", "t ɔ m | d ø"),
        ("Jean-Baptiste", "ʒ ɑ̃ b a t i s t (ə)"),
    ],
)
def test_initials_and_numbers_in_names_are_said(name: str, sounds: str):
    assert_called(name, sounds)


@pytest.mark.parametrize(
    ("name", "abroad"),
    [("Siobhan", "ʃ i v ɔ n (ə)"), ("John", "d ʒ ɔ n (ə)"), ("Björn", "b j œ ʁ n (ə)"), ("Jason", "d ʒ e z ɔ n (ə)")],
)
def test_a_foreign_name_is_heard_as_it_is_written_and_as_it_is_said_at_home(name: str, abroad: str):
    begin = "ʒ (ə) | n ɔ m (ə) | "
    assert begin + abroad in others(LEXICON, f"je nomme {name}")
    assert shown(LEXICON, f"je nomme {name}") != begin + abroad
    assert others(Lexicon("fr", {name: "zo-é"}), f"je nomme {name}") == []  # the table knows better


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_habit_is_written_in_phones_and_letters_that_are_known(language: str):
    lexicon = Lexicon(language)  # looks up the phones of every word
    for name, ways in habits(language).names.items():
        assert name == name.casefold()
        assert 1 <= len(lexicon.variants(name)) <= len(ways) + 2, name  # with glides, and without


@pytest.mark.parametrize(
    ("sentence", "ways"),
    [
        ("Daniel", ["d a n i ɛ l (ə)"]),
        ("Mathieu", ["m a t i ø"]),
        ("Louane", []),
        ("Uruguay", ["y ʁ y ɡ w ɛ"]),
        ("j'ai bien vu", []),  # always one syllable
        ("trois voix", []),
        ("crier", []),
        ("Noé", []),
    ],
)
def test_a_close_vowel_before_another_is_one_syllable_or_two(sentence: str, ways: list[str]):
    assert others(LEXICON, sentence) == ways


@pytest.mark.parametrize(
    ("name", "sounds"),
    [
        ("Arthur", "a ʁ t y ʁ (ə)"),  # espeak-ng reads them as English: "ɑːθə", "maθɪldə", "aɡeɪð"
        ("Mathilde", "m a t i l d (ə)"),
        ("Agathe", "a ɡ a t (ə)"),
        ("Judith", "ʒ y d i t (ə)"),
        ("Nathan", "n a t ɑ̃"),
        ("Mathis", "m a t i s (ə)"),
        ("Esther", "ɛ s t ɛ ʁ (ə)"),
        ("Rémy", "ʁ e m i"),
        ("William", "w i l j a m (ə)"),
        ("Mohamed", "m o a m ɛ d (ə)"),
        ("Maëlys", "m a ɛ l i s (ə)"),
        ("Marie-Line", "m a ʁ i l i n (ə)"),
        ("Léopold", "l e o p ɔ l d (ə)"),
        ("Frank", "f ʁ ɑ̃ k (ə)"),
    ],
)
def test_a_french_name_is_not_read_as_english(name: str, sounds: str):
    assert_called(name, sounds)


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("Adam", "a d a m (ə)"),
        ("Evan", "e v a n (ə)"),
        ("Kévin", "k e v i n (ə)"),
        ("Enzo", "ɛ n z o"),
        ("Diego", "d j e ɡ o"),
        ("Esteban", "ɛ s t e b a n (ə)"),
        ("Ilyès", "i l j ɛ s (ə)"),
        ("Michaël", "m i k a ɛ l (ə)"),
        ("Zacharie", "z a k a ʁ i"),
        ("Lætitia", "l e t i s j a"),
        ("Yanis", "j a n i s (ə)"),
    ],
)
def test_names_that_are_not_said_as_they_are_written_are_heard(name: str, way: str):
    assert way in [shown(LEXICON, name), *others(LEXICON, name)]


def test_a_name_from_abroad_is_also_heard_in_its_own_language():
    assert shown(LEXICON, "Keira Smith").endswith("| s m i t (ə)")
    assert others(LEXICON, "Smith") == ["s m i s (ə)"]
    assert others(LEXICON, "Arthur") == []  # "ase" is too little to be a name


def test_two_names_from_abroad_in_one_sentence():
    both = others(LEXICON, "j'échange John et Jason")
    assert any("d ʒ ɔ n (ə) | e | d ʒ e z ɔ n" in row for row in both)
    assert any("| ʒ ɔ n | e | d ʒ e z ɔ n" in row for row in both)


@pytest.mark.parametrize(("written", "plain"), [("Ngọc", "Ngoc"), ("Đức", "Duc"), ("Thị", "Thi"), ("Nguyễn", "Nguyen")])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_letters_of_latin_script_that_espeak_would_name_lose_their_marks(written: str, plain: str, language: str):
    lexicon = Lexicon(language)
    assert lexicon.spell(written) == lexicon.spell(plain)
    assert lexicon.variants(written) == lexicon.variants(plain)


def test_an_english_table_does_not_name_marks():
    assert Lexicon("en").spell("Inês") == Lexicon("en").spell("Ines")  # not "in e s circumflex"


def test_letters_and_their_marks_may_come_apart():
    """As file names of a Mac do."""
    assert LEXICON.spell("je nomme Zoe\u0301") == LEXICON.spell("je nomme Zoé")


def test_equal_consonants_that_meet_may_be_one():
    assert "ʒ (ə) | p ʁ o p ɔ | z ɔ e" in others(LEXICON, "je propose Zoé")
    assert others(LEXICON, "je nomme bob") == []


def test_a_diphthong_of_english_is_not_lost():
    assert "ɔ i" in as_text(LEXICON.outputs("ɔɪ"))


def test_letters_that_espeak_would_only_name_are_refused():
    for name in ("李", "Олег"):
        with pytest.raises(ModelError, match=rf"no sound is known for 'je nomme {name}'.*\[says\]"):
            LEXICON.spell(f"je nomme {name}")
        assert Lexicon("fr", {name: "lili"}).spell(f"je nomme {name}") == LEXICON.spell("je nomme lili")


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
    said = {
        " ".join(symbols[o] for o in row if o > 0) or symbols[-row[0]]
        for row in LEXICON.hesitations(["bon", "alors", "euh"])
    }
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
