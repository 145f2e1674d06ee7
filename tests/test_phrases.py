"""Sentences: every form has a test sentence, means what it should, and none steals another's in any phase."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from evening import NAMES, production, table
from town import homebrew

from narrator.core.errors import RuleError
from narrator.core.phrases import Meaning, Phrases
from narrator.core.script import GENERAL
from narrator.core.setting import Setting
from narrator.core.spelling import normal
from narrator.core.templates import SLOT, Form, read_forms
from narrator.library import Production, data_folder, game_ids, languages_of, read_source, stage

SENTENCES = Path(__file__).parent / "sentences"
GAMES = [(game, language) for game in game_ids() for language in languages_of(game)]
FILES = sorted({(folder, language) for game, language in GAMES for folder in ("_table", game)})
PLAYERS = NAMES[:7]


def staged_table(game: str, language: str) -> Production:
    """Seven at a table; a script of characters is brought along where the game can read one."""
    brought = homebrew(language) if game == "clocktower" else {}
    return production(table(7, language=language, game=game, **brought))


def phrases(language: str, game: str = "sultan") -> Phrases:
    return staged_table(game, language).phrases


def written(folder: str, language: str) -> dict[str, dict[str, dict[str, Any]]]:
    """intent -> sentence -> slots, as the test sentences give them."""
    with (SENTENCES / folder / f"{language}.toml").open("rb") as file:
        return tomllib.load(file)


def cases() -> Iterator[tuple[str, str, str, str, dict[str, Any]]]:
    for folder, language in FILES:
        for intent, sentences in written(folder, language).items():
            for sentence, slots in sentences.items():
                yield "sultan" if folder == "_table" else folder, language, intent, sentence, slots


def forms(folder: str, language: str) -> list[Form]:
    source = read_source(data_folder("scripts") / folder / f"{language}.toml")
    slots = {
        name
        for game in game_ids()
        for name in read_source(data_folder("scripts") / game / "game.toml").data.get("slots", {})
    }
    return list(read_forms(source, {"player", "other", "players", "being", *slots}))


def pattern(form: Form) -> re.Pattern[str]:
    """What a sentence of this form looks like once spelling is out of the way."""
    parts = [re.escape(normal(part)) for part in SLOT.split(form.text)]
    names = "|".join(re.escape(normal(player)) for player in PLAYERS)
    parts[1::2] = [f"(?:{names})" if name in ("player", "other") else r"[\w ]+?" for name in SLOT.findall(form.text)]
    return re.compile(" ?".join(part for part in parts if part))


@pytest.mark.parametrize(("game", "language", "intent", "sentence", "slots"), list(cases()))
def test_sentence_means_what_it_should(
    game: str, language: str, intent: str, sentence: str, slots: dict[str, Any]
) -> None:
    assert phrases(language, game).parse(sentence, {intent}) == Meaning(intent, slots)


@pytest.mark.parametrize(("folder", "language"), FILES)
def test_every_form_has_a_test_sentence(folder: str, language: str) -> None:
    sentences = written(folder, language)
    untested = [
        f"{form.intent}: {form.text}"
        for form in forms(folder, language)
        if not any(pattern(form).fullmatch(normal(one)) for one in sentences.get(form.intent, ()))
    ]
    assert untested == []
    assert set(sentences) == {form.intent for form in forms(folder, language)}


def test_every_file_of_test_sentences_has_its_script() -> None:
    assert sorted((p.parent.name, p.stem) for p in SENTENCES.glob("*/*.toml")) == FILES


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_no_phase_confuses_its_sentences(game: str, language: str) -> None:
    """Whatever may be said in a phase means, among all that may be said there, exactly one thing."""
    staged = staged_table(game, language)
    script, known = staged.game.script, staged.phrases
    moves = {on for _, on in script.moves} | {*script.queries, *GENERAL, "yes", "no", "done", "next"}
    commands = known.intents - moves  # the conductor's own: heard in every phase
    tested = written("_table", language) | written(game, language)
    for phase, floor in _floors(staged.game).items():
        accepts = {*floor, *commands}
        for intent in accepts & known.intents:
            for sentence in (*known.sentences((intent,)), *tested.get(intent, ())):
                meaning = known.parse(sentence, accepts)
                assert meaning is not None, (phase, sentence)
                assert meaning.intent == intent, (phase, sentence)
                other = known.parse(sentence, accepts - {intent})
                assert other is None or other.intent not in accepts - {intent}, (phase, sentence)


def _floors(game: Any) -> dict[str, set[str]]:
    """What each phase accepts, and what it accepts while a confirmation is open."""
    floors: dict[str, set[str]] = {}
    for name, phase in game.script.phases.items():
        accepts = set(game.floors[phase.name].accepts)
        floors[name], floors[f"{name}, asked back"] = accepts, {*accepts, "yes", "no"}
    return floors


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_every_intent_of_a_script_can_be_said(game: str, language: str) -> None:
    staged = staged_table(game, language)
    triggers = {on for _, on in staged.game.script.moves if ":" not in on} - {"time_up"}
    assert triggers | set(staged.game.script.queries) | set(GENERAL) <= staged.phrases.intents


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_what_the_ear_listens_for_is_understood(game: str, language: str) -> None:
    """Each sentence of the table's graph parses back to its intent; two names are never the same one."""
    known = phrases(language, game)
    for intent in known.intents:
        for sentence in known.sentences((intent,)):
            meaning = known.parse(sentence, {intent})
            assert meaning is not None, sentence
            assert meaning.intent == intent, sentence
            assert meaning.slots.get("player", 0) != meaning.slots.get("other", 1), sentence
            assert sentence in [shown.lower() for shown in known.sentences_for(meaning)], sentence


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("je propose", "fr"),
        ("je propose Zoé", "fr"),
        ("propose je Chloé", "fr"),
        ("quatre peut-être", "fr"),
        ("conte", "fr"),
        ("j'exile Chloé et Bob", "fr"),
        ("quatre cents oui", "fr"),
        ("", "fr"),
        ("...", "fr"),
        ("I propose", "en"),
        ("four maybe", "en"),
        ("je propose Bob", "en"),
    ],
)
def test_what_no_template_allows_is_no_sentence(sentence: str, language: str) -> None:
    assert phrases(language).parse(sentence) is None


@pytest.mark.parametrize(("player", "turn"), [("Alice", "au tour d'Alice"), ("Bob", "au tour de Bob")])
def test_a_vowel_is_left_out_before_a_name(player: str, turn: str) -> None:
    """It is said and shown so; typed, it is understood however it is written."""
    known = phrases("fr", "bourreau")
    meaning = Meaning("call_turn", {"player": player})
    assert known.sentences_for(meaning)[0] == turn
    for typed in (f"au tour de {player}", f"au tour d'{player}"):
        assert known.parse(typed) == meaning
    assert known.parse(turn.replace("au tour", "interrogatoire")) == Meaning("interrogate", {"player": player})


def test_near_misses_and_examples() -> None:
    known = phrases("fr")
    assert known.near("je proppose chloé", {"propose"})[0] == "je propose Chloé"
    assert known.near("xyzzy", {"propose"}) == ()
    examples = known.examples(("propose", "count", "yes"))
    assert len(examples) == 3
    assert examples[0].startswith("je propose ")


@pytest.mark.parametrize("player", ["Hélène", "Hamza"])
def test_before_an_h_a_vowel_may_stand_or_not(player: str) -> None:
    """Nobody sees whether an h is mute: both are heard, both are understood."""
    known = stage(Setting("bourreau", "fr", (*NAMES[:6], player))).phrases
    meaning, both = Meaning("call_turn", {"player": player}), {f"au tour d'{player}", f"au tour de {player}"}
    assert both <= set(known.sentences_for(meaning))
    assert all(known.parse(typed) == meaning for typed in both)
    assert known.sentences_for(Meaning("call_turn", {"player": "Alice"}))[0] == "au tour d'Alice"
    assert "au tour de Alice" not in known.sentences_for(Meaning("call_turn", {"player": "Alice"}))


def test_examples_name_different_people() -> None:
    known = phrases("fr", "pyramide")
    heard = known.examples(("place", "accuse", "vote"))
    assert len({name for name in PLAYERS if any(name in one for one in heard)}) == 3
    assert known.examples(("succeed", "squad", "ask_role"), heard=False) == (
        "Alice remplace Bob",
        "escouade Chloé, David contre Emma",
        "Farid interroge Gaëlle",
    )
    assert known.examples(("accuse",), possible=lambda one: "Chloé" in one) == ("j'accuse Chloé",)


@pytest.mark.parametrize(
    ("language", "game", "name"),
    [
        *(("fr", "sultan", name) for name in ("Oui", "non", "Annule", "Répète", "Pacifiste", "Narrateur")),
        *(("fr", "bourreau", name) for name in ("Joli Chapeau", "Mannequin")),
        *(("en", "village", name) for name in ("Yes", "Skip", "Nobody", "Well")),
    ],
)
def test_nobody_is_called_as_a_sentence_of_the_game(language: str, game: str, name: str) -> None:
    """Whoever called that name would be obeyed; in another language it is a name like any other."""
    names = (*NAMES[:6], name)
    with pytest.raises(RuleError, match=f"“{name}” is also a sentence"):
        stage(Setting(game, language, names))
    assert stage(Setting("sultan", "en" if language == "fr" else "fr", names)).setting.players == names


def test_names_with_a_letter_more_are_no_sentences() -> None:
    names = (*NAMES[:6], "Pause B")
    assert stage(Setting("clocktower", "fr", names)).phrases.parse("Pause B") == Meaning(
        "is_name", {"player": "Pause B"}
    )
