"""What the voice of a Storyteller says of one, of several and of nobody: numbers, genders and lists agree."""

from __future__ import annotations

import pytest
from evening import production
from town import Evening, homebrew, town

from narrator.understanding import Understanding


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def by_day(players: int = 5, language: str = "fr", **options: object) -> Evening:
    evening = Evening(town(players, language, **options))
    evening.all("mj> suivant" if language == "fr" else "mj> next")
    assert evening.phase == "discussion"
    return evening


def told(evening: Evening, line: str) -> str:
    """The last sentence of this line."""
    return plain([text for one, text in evening.spoken if one == line][-1])


@pytest.mark.parametrize(
    ("language", "yes", "said"),
    [
        ("fr", (), "Personne n’a dit oui."),
        ("fr", ("Bob",), "A dit oui : Bob. Cela fait une voix."),
        ("fr", ("Bob", "Chloé"), "Ont dit oui : Bob et Chloé. Cela fait deux voix."),
        ("en", (), "Nobody said yes."),
        ("en", ("Bob",), "A yes from Bob. That makes one."),
        ("en", ("Bob", "Chloé"), "A yes from Bob and Chloé. That makes two."),
    ],
)
def test_nobody_one_or_several_said_yes(language: str, yes: tuple[str, ...], said: str) -> None:
    evening = by_day(language=language)
    words = ("Bob nomme Alice", "on vote", "oui", "non") if language == "fr" else (
        "Bob nominates Alice", "let's vote", "yes", "no"
    )  # fmt: skip
    evening.all(*words[:2])
    while evening.phase == "seat":
        evening.all(words[2] if evening.state["seat"] in yes else words[3])
    assert evening.phase == "readback"
    assert plain(evening.words).startswith(said)
    evening.all("Emma aussi" if language == "fr" else "Emma too")
    assert "Emma" in evening.words
    assert evening.state["count"] == len(yes) + 1


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("vote", ["ear", "eye"])
def test_an_exile_is_voted_by_all_and_says_so(language: str, vote: str) -> None:
    evening = by_day(7, language, vote=vote, travellers=["Gaëlle"])
    evening.all(*(("exil de Gaëlle", "on vote") if language == "fr" else ("exile Gaëlle", "let's vote")))
    line = f"exile_by_{vote}"
    assert ("Morts ou vifs, tout le monde a sa voix" if language == "fr" else "Living or dead") in told(evening, line)
    assert ("Levez la main" if language == "fr" else "Raise your hand") in told(evening, line) or vote == "ear"


def test_what_is_left_to_the_dead() -> None:
    evening = by_day()
    evening.all("mj> Bob meurt", "mj> la partie continue")
    evening.elapse()
    evening.all("où en est-on")
    assert "Parmi les morts, encore un vote pour Bob." in plain(evening.words)
    evening.all("mj> Bob n'a plus de jeton", "où en est-on")
    assert "personne" not in evening.words
    evening.all("qui a encore un jeton")
    assert plain(evening.words).startswith("Aucun mort n’a de jeton de vote.")


def test_minutes_and_seconds_are_feminine() -> None:
    evening = by_day(discussion=60, defence=21)
    assert told(evening, "discuss").endswith("vous avez une minute.")
    evening.all("Bob nomme Alice")
    assert told(evening, "defend") == "Alice, tu as vingt-et-une secondes pour te défendre."


def test_several_dead_have_a_token_each() -> None:
    evening = Evening(town(7, "en"))
    evening.all("mj> Bob dies", "mj> David dies", "mj> next")
    assert told(evening, "life_token") == (
        "Bob and David, turn your life tokens over, and put a vote token on each. "
        "You may still talk, and vote just once each."
    )


@pytest.mark.parametrize(
    ("language", "sentence", "told"),
    [
        ("fr", "Bob est roi", "Ce script n’a pas de « roi ». Il a : "),
        ("fr", "Bob devient le Roi des Elfes", "Ce script n’a pas de « Roi des Elfes ». Il a : "),
        ("en", "Bob is the king", "This script has no “king”. It has: "),
    ],
)
def test_a_character_that_the_script_does_not_have_is_told_by_name(language: str, sentence: str, told: str) -> None:
    table = production(town(5, language, **homebrew(language)))
    understanding, legal = Understanding(table), ("becomes", "dies", "undo")
    line, facts = understanding.guess_of_masters(sentence, legal)
    text = plain(table.lines.text(line, facts))
    assert text.startswith(told)
    assert len(facts["names"]) == len(set(facts["names"])) == 13
    bare = production(town(5, language))
    line, facts = Understanding(bare).guess_of_masters(sentence, legal)
    assert line == "mj_none_being"
    assert "narrator setup --script" in plain(bare.lines.text(line, facts))
    assert understanding.guess_of_masters("Zoé meurt", legal)[0] != "mj_unknown_being"
