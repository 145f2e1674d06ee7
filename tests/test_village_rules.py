"""Village, sentence by sentence: cards, night, deaths, accusations, both ways to vote, ends, errors."""

from __future__ import annotations

from typing import Any

import pytest
from evening import Evening
from town import MORE

from narrator.core.errors import RuleError
from narrator.core.setting import Setting
from narrator.library import stage


def village(players: int = 8, language: str = "fr", **options: Any) -> Setting:
    names = (*MORE, "Paula", "Quentin", "Rosa")[:players]
    return Setting("village", language, names, "", options)


def day(players: int = 8, **options: Any) -> Evening:
    """The first day, after a night in which nobody was hunted."""
    evening = Evening(village(players, **options))
    assert evening.phase == "discussion"
    return evening


def condemn(evening: Evening, player: str, role: str) -> None:
    voters = len(evening.state["living"])
    evening.all(f"j'accuse {player}", "on vote", f"{voters} contre 0", role)


# ---- the cards


@pytest.mark.parametrize("players", range(6, 19))
def test_there_is_a_card_for_everybody(players: int) -> None:
    wolves = {6: 1, 7: 1, 8: 2, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 3, 16: 3, 17: 4, 18: 4}[players]
    for extra in range(3):
        options = {"with_healer": extra >= 1, "with_hunter": extra == 2}
        dealt = stage(village(players, **options)).game.rules.sheet.dealt  # type: ignore[attr-defined]
        assert dealt["wolf"] == wolves
        assert dealt["seer"] == 1
        assert dealt["healer"] + dealt["hunter"] == extra
        assert sum(dealt.values()) == players
        assert dealt["villager"] == players - wolves - 1 - extra


@pytest.mark.parametrize("players", [5, 19])
def test_too_few_and_too_many(players: int) -> None:
    with pytest.raises(RuleError, match="6 to 18"):
        stage(Setting("village", "fr", tuple(f"Zoé {n}" for n in range(players))))


def test_an_option_has_its_words() -> None:
    with pytest.raises(RuleError, match="count, roll"):
        stage(village(8, vote="rool"))


def test_setup_names_the_cards() -> None:
    evening = Evening(village(17, with_healer=True, with_hunter=True), skip_setup=False)
    evening.all("suivant", "suivant")
    assert "quatre loups, une voyante, une guérisseuse, un chasseur, et dix villageois" in evening.words
    evening = Evening(village(6), skip_setup=False)
    evening.all("suivant", "suivant")
    assert "un loup, une voyante, et quatre villageois" in evening.words


# ---- the night


def test_the_first_night_only_recognises() -> None:
    evening = Evening(village())
    lines = [line for line, _ in evening.spoken]
    assert lines.index("close_eyes") < lines.index("seer_wakes") < lines.index("wolves_wake") < lines.index("open_eyes")
    assert "wolves_meet" in lines
    assert not {"wolves_hunt", "healer_wakes", "which_slip"} & set(lines)
    assert evening.state["night"] == evening.state["day"] == 1
    blood = Evening(village(first_blood=True, with_healer=True))
    assert blood.phase == "news"
    assert {"wolves_hunt", "healer_wakes"} <= {line for line, _ in blood.spoken}


def test_nothing_is_heard_while_eyes_are_closed() -> None:
    evening = Evening(village())
    assert {floor.hears for floor in evening.floors if floor.phase == "night"} == {()}


def test_a_seer_whose_card_was_shown_is_not_called() -> None:
    evening = day()
    condemn(evening, "Bob", "la voyante")
    assert "seer_wakes" not in evening.lines
    assert "wolves_wake" in evening.lines
    evening = day()
    condemn(evening, "Bob", "passe")  # nobody knows, so everybody is called
    assert "seer_wakes" in evening.lines


def test_the_night_is_the_same_whoever_holds_what() -> None:
    """The narrator knows no card: two tables with other cards hear the same until a card is shown."""
    one, two = (Evening(village()) for _ in range(2))
    assert one.spoken == two.spoken


# ---- deaths


def test_a_death_is_asked_back_and_its_card_shown() -> None:
    evening = day()
    evening.all("on va dormir", "oui")
    assert evening.phase == "news"
    assert evening.say("Chloé est morte")
    assert evening.lines == ["confirm_death"]
    evening.all("oui")
    assert evening.state["dead"] == ["Chloé"]
    assert evening.phase == "role"
    evening.all("une villageoise")
    assert evening.state["roles"] == {"Chloé": "villager"}
    assert evening.phase == "discussion"
    assert evening.state["day"] == 2


def test_nobody_dies_twice() -> None:
    evening = day()
    condemn(evening, "Bob", "un villageois")
    assert not evening.say("Bob est mort")
    assert "Bob" in evening.words
    assert evening.phase == "news"
    evening.all("personne n'est mort")
    assert evening.state["dead"] == ["Bob"]


def test_only_so_many_cards() -> None:
    evening = day()
    condemn(evening, "Bob", "la voyante")
    evening.all("Emma est morte", "oui")
    assert not evening.say("la voyante")
    assert evening.lines[0] == "refuse_role"
    assert not evening.say("le chasseur")  # not in this game
    evening.all("un loup")


def test_the_hunter_takes_somebody_along() -> None:
    evening = day(with_hunter=True)
    condemn(evening, "Bob", "le chasseur")
    assert evening.phase == "hunter"
    assert not evening.say("j'emporte Bob")
    evening.all("j'emporte Emma", "oui", "un villageois")
    assert evening.state["dead"] == ["Bob", "Emma"]
    assert evening.state["night"] == 2  # the day was over
    evening = day(with_hunter=True)
    evening.all("on va dormir", "oui", "Hugo est mort", "oui", "le chasseur", "personne")
    assert evening.phase == "discussion"


# ---- accusations and votes


def test_accusing() -> None:
    evening = day()
    evening.all("j'accuse Bob")
    assert (evening.state["accused"], evening.phase) == ("Bob", "defence")
    evening.all("je retire l'accusation", "j'accuse Bob", "on vote", "2 contre 6")
    assert evening.phase == "accusing"
    assert not evening.say("j'accuse Bob")
    assert "refuse_named" in evening.lines
    evening.all("Chloé accuse David")
    assert evening.state["accuser"] == "Chloé"


def test_the_dead_neither_accuse_nor_are_accused() -> None:
    evening = day()
    condemn(evening, "Bob", "un villageois")
    evening.all("personne n'est mort")
    assert not evening.say("j'accuse Bob")
    assert not evening.say("Bob accuse Emma")
    assert evening.say("Emma accuse Alice")


@pytest.mark.parametrize(
    ("said", "passes"),
    [("5 contre 3", True), ("cinq pour, trois contre", True), ("3 contre 5", False), ("8 contre 0", True)],
)
def test_more_for_than_against_condemns(said: str, passes: bool) -> None:
    evening = day()
    evening.all("j'accuse Bob", "on vote", said)
    assert (evening.state["dead"] == ["Bob"]) is passes
    assert evening.phase == ("role" if passes else "accusing")


@pytest.mark.parametrize("said", ["5 contre 2", "9 contre 0", "5 contre 4", "zéro contre zéro"])
def test_a_count_that_cannot_be(said: str) -> None:
    evening = day()
    evening.all("j'accuse Bob", "on vote")
    assert not evening.say(said)
    assert evening.lines == ["count_mismatch"]
    assert evening.phase == "count"


def test_half_a_count_is_completed() -> None:
    evening = day()
    evening.all("j'accuse Bob", "on vote", "six pour")
    assert evening.phase == "half"
    assert evening.elapse("time_up")
    assert evening.state["dead"] == ["Bob"]
    evening = day()
    evening.all("j'accuse Bob", "on vote", "six contre", "deux pour")
    assert evening.state["dead"] == []
    evening = day()
    evening.all("j'accuse Bob", "on vote", "six contre")
    assert not evening.say("trois pour")


def test_a_tie_spares_or_is_voted_on_again_once() -> None:
    evening = day()
    evening.all("j'accuse Bob", "on vote", "4 contre 4")
    assert evening.phase == "accusing"
    evening = day(tie="again")
    evening.all("j'accuse Bob", "on vote", "4 contre 4")
    assert evening.phase == "count"
    assert "vote_once_more" in evening.lines
    evening.all("4 contre 4")
    assert evening.phase == "accusing"
    assert evening.state["dead"] == []


def test_the_roll_call_goes_round_from_the_left_of_the_accused() -> None:
    evening = day(vote="roll")
    evening.all("j'accuse Gaëlle", "on vote")
    called = []
    for answer in ("oui", "non", "oui", "oui", "oui", "non", "non"):
        called.append(evening.state["seat"])
        evening.all(answer)
    called.append(evening.state["seat"])
    assert evening.elapse("time_up")  # silence is a no
    assert called == ["Hugo", "Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]
    assert evening.state["hands"] == ["Hugo", "Bob", "Chloé", "David"]
    assert evening.phase == "readback"
    assert not evening.say("Zoé aussi")
    evening.all("Gaëlle aussi", "pas Hugo", "Emma aussi", "passe")
    assert evening.state["dead"] == ["Gaëlle"]


# ---- ends


def test_the_village_wins_when_the_last_wolf_is_shown() -> None:
    evening = day(6)
    condemn(evening, "Bob", "un loup")
    assert evening.phase == "ended"
    assert evening.lines == ["was_role", "no_wolf_is_left"]
    evening.all("oui")
    assert evening.state["end"] == {"how": "village", "winners": ["villagers"]}
    assert [end.how for end in evening.ends] == ["village"]


def test_the_wolves_win_when_they_are_as_many() -> None:
    evening = day(6)
    for victim in ("Bob", "Chloé"):
        condemn(evening, victim, "un villageois")
        prey = evening.state["living"][-1]
        evening.all(f"{prey} est mort", "oui", "la voyante" if victim == "Bob" else "un villageois")
    assert evening.phase == "ended"
    assert evening.lines[-1] == "wolves_outnumber"
    evening.all("oui")
    assert evening.state["end"] == {"how": "pack", "winners": ["wolves"]}


def test_an_end_that_is_denied_is_asked_again_after_the_next_death() -> None:
    evening = day(6)
    condemn(evening, "Bob", "un loup")
    evening.all("non")
    assert evening.state["end"] is None
    assert evening.phase == "news"
    evening.all("Alice est morte", "oui", "un villageois")
    assert evening.phase == "ended"
    evening.all("non", "Bob était du village", "j'accuse Chloé", "on vote", "4 contre 0", "passe")
    assert evening.phase == "news"  # nobody announces an end that the cards do not show


def test_an_end_declared_by_the_table_is_asked_back() -> None:
    evening = day()
    evening.all("aux accusations")
    assert evening.say("les loups ont gagné")
    assert evening.lines == ["confirm_pack"]
    assert evening.say("non")
    assert evening.state["end"] is None
    evening.all("le village a gagné", "oui")
    assert evening.state["end"] == {"how": "village", "winners": ["villagers"]}


def test_an_end_that_is_said_again_is_a_yes() -> None:
    evening = day()
    evening.all("aux accusations", "les loups ont gagné")
    assert evening.floor is not None
    assert evening.floor.hears == ("yes", "no", "undo", "declare_pack")
    evening.all("les loups ont gagné")
    assert evening.state["end"] == {"how": "pack", "winners": ["wolves"]}


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_winner_that_was_announced_said_again_is_a_yes(language: str) -> None:
    said = {
        "fr": ("j'accuse Bob", "on vote", "6 contre 0", "un loup", "les loups ont gagné", "le village a gagné"),
        "en": ("I accuse Bob", "let's vote", "6 to 0", "a wolf", "the wolves have won", "the village has won"),
    }[language]
    evening = Evening(village(6, language))
    evening.all(*said[:-2])
    assert evening.phase == "ended"
    evening.all(said[-2])
    assert evening.lines == ["confirm_pack"]  # that was not what was announced
    evening.all("non" if language == "fr" else "no", said[-1])
    assert evening.state["end"] == {"how": "village", "winners": ["villagers"]}


# ---- undo and corrections


def test_undo_takes_back_a_vote_and_a_death() -> None:
    evening = day()
    before = evening.state
    evening.all("j'accuse Bob", "annule")
    assert evening.state == before
    evening.all("j'accuse Bob", "on vote", "5 contre 3", "annule")
    assert (evening.phase, evening.state["dead"]) == ("count", [])
    evening.all("3 contre 5")
    assert evening.phase == "accusing"


def test_what_was_noted_wrongly_is_set_right() -> None:
    evening = day()
    evening.all("correction Chloé est morte")
    assert evening.state["dead"] == ["Chloé"]
    assert not evening.say("correction Chloé est morte")
    evening.all("Chloé était la voyante", "Chloé était du village")
    assert evening.state["roles"] == {"Chloé": "villager"}
    assert not evening.say("Alice était loup")
    evening.all("Chloé est en vie")
    assert (evening.state["dead"], evening.state["roles"]) == ([], {})
    assert not evening.say("Chloé n'est pas morte")


def test_questions() -> None:
    evening = day()
    condemn(evening, "Bob", "un loup")
    for question, answer in (
        ("combien de loups", "un loup"),
        ("qui est mort", "Bob"),
        ("qui est en vie", "Hugo"),
        ("où en est-on", "deuxième jour"),
    ):
        evening.say(question)
        assert answer in evening.words, question
