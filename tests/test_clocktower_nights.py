"""Nights, dawns, deaths and ends. Guide = the section of the game's guide, RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from town import MORE, ROLES, Evening, homebrew, town

from narrator.core.errors import RuleError
from narrator.core.table import Table
from narrator.games.clocktower.characters import read_character, read_grimoire
from narrator.games.clocktower.fate import permuted
from narrator.games.clocktower.night import sheet
from narrator.games.clocktower.town import Town
from narrator.library import stage


def steps(evening: Evening) -> list[str]:
    """Tonight's sheet as the Storyteller is led through it, dawn last."""
    found = [evening.hint]
    while evening.phase == "night":
        evening.all("mj> suivant")
        found += [evening.hint] if evening.phase == "night" else []
    return found


def led(evening: Evening) -> list[str]:
    return [line for line, _ in evening.whispers if line.startswith("mj_step_")]


# ---- the sheet (Guide, Preparing the night)


def test_the_first_night_of_seven_tells_minions_and_demon() -> None:
    evening = Evening(town(8, roles=True))
    steps(evening)
    kinds = led(evening)
    assert kinds[:2] == ["mj_step_minions", "mj_step_demon"]
    assert kinds[-1] == "mj_step_dawn"
    assert "Rôles absents à montrer" in next(text for line, text in evening.whispers if line == "mj_step_demon")


@pytest.mark.parametrize(("players", "travellers", "count", "told"), [
    (6, 0, False, False),
    (7, 0, False, True),
    (7, 1, False, False),
    (7, 1, True, True),
    (8, 1, False, True),
])  # fmt: skip
def test_the_information_from_seven_players_on(players: int, travellers: int, count: bool, told: bool) -> None:
    """Guide, Preparing the night; RULINGS: travellers do not count, unless the table wants them to."""
    passing = list(MORE[players - travellers : players])
    evening = Evening(town(players, roles=True, travellers=passing, travellers_count=count))
    steps(evening)
    assert ("mj_step_minions" in led(evening)) is told
    assert ("mj_step_dusk" in led(evening)) is bool(travellers)


def test_three_good_characters_not_in_play_or_fewer_said_so() -> None:
    options = {**homebrew(), "roles": dict(zip(MORE, ROLES, strict=False)), "bluffs": []}
    grimoire = read_grimoire(options, MORE)
    assert grimoire.bluffs_for_demon() == ("Sonneur", "Doyenne du quai", "Colporteur de rumeurs")
    few = {**options, "characters": [c for c in options["characters"] if c["id"] in ROLES or c["id"] == "sonneur"]}
    assert read_grimoire(few, MORE).bluffs_for_demon() == ("Sonneur",)
    evening = Evening(town(8, roles=True, characters=few["characters"]))
    evening.all("mj> suivant")
    assert "n’en a pas davantage" in evening.hint


def test_who_is_killed_before_their_turn_leaves_tonights_sheet_at_once() -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    evening.to_night()
    assert "Boulangère" in str(evening.private_sheet())
    evening.all("mj> Chloé meurt")
    assert "Boulangère" not in str(evening.private_sheet())
    evening.all("mj> Chloé ne meurt pas")
    assert "Boulangère" in str(evening.private_sheet())


def test_nothing_on_the_sheet_is_passed_over_unseen() -> None:
    """The one who is awake dies, or another awakes before: "suivant" shows what comes now before it is behind us."""
    evening = Evening(town(8, roles=True))
    evening.night()
    evening.to_night()
    assert "Bob\u00a0: Pilleur" in evening.hint
    evening.all("mj> Bob meurt", "mj> suivant")
    assert "Alice\u00a0: Noyeur" in evening.hint
    evening.all("mj> David meurt", "mj> suivant")
    assert "David\u00a0: Veilleuse" in evening.hint
    evening.all("mj> suivant")
    assert "Chloé\u00a0: Boulangère" in evening.hint
    shown = [text for line, text in evening.whispers if line == "mj_step_role"]
    assert len(shown) == len(set(shown))


def test_the_game_does_not_go_on_once_its_end_was_told() -> None:
    evening = Evening(town(7))
    evening.all("mj> le mal gagne")
    assert not evening.say("mj> la partie continue")
    assert evening.whispered == ["mj_over"]


def test_who_acts_on_their_own_death_acts_that_night_only() -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    evening.to_night()
    assert "Veilleuse" not in str(evening.private_sheet())
    evening.all("mj> David meurt")
    assert "David (Veilleuse des morts)" in evening.private_sheet()
    evening.night()
    evening.to_night()
    assert "Veilleuse" not in str(evening.private_sheet())


def test_the_dead_are_not_woken_and_what_is_done_stays_done() -> None:
    evening = Evening(town(8, roles=True))
    evening.night("Chloé")
    evening.to_night()
    assert "Boulangère" not in str(evening.private_sheet())
    evening.all("mj> suivant", "mj> suivant")
    done = evening.private["done"]
    evening.all("mj> Bob meurt")  # he has acted already
    assert evening.private["done"] == done
    assert evening.phase == "night"


@pytest.mark.parametrize(
    ("text", "wakes", "unseen"),
    [
        ("Wake the Baker. Put them to sleep.", "always", False),
        ("If the Wake Keeper died tonight, wake them.", "if_killed", False),
        ("Si la Veilleuse est morte cette nuit, réveillez-la.", "if_killed", False),
        ("If the bell was rung, somebody might die.", "perhaps", True),
        ("Somebody dies.", "always", True),
        ("", "always", False),
    ],
)
def test_how_a_character_wakes_is_read_from_its_text(text: str, wakes: str, unseen: bool) -> None:
    character = read_character({"id": "x", "otherNight": 3, "otherNightReminder": text})
    assert (character.wakes, character.unseen) == (wakes, unseen)


def test_without_roles_the_storyteller_follows_his_own_sheet() -> None:
    evening = Evening(town(7))
    evening.all("mj> suivant")
    assert evening.phase == "discussion"


def test_orders_of_a_script_are_kept() -> None:
    options: dict[str, Any] = {**homebrew(), "roles": dict(zip(MORE, ROLES, strict=False)), "bluffs": []}
    grimoire = read_grimoire(options, MORE[:8])
    settings = {"travellers_count": False, "travellers_last": False}
    first = sheet(Town("night", table=Table(MORE[:8])), grimoire, settings)
    assert [e.character.id for e in first if e.character] == ["horloger", "gardienduphare", "boulangere", "pilleur"]
    other = sheet(Town("night", table=Table(MORE[:8]), turn=1), grimoire, settings)
    assert [e.character.id for e in other if e.character] == ["pilleur", "noyeur", "boulangere", "gardienduphare"]


# ---- dawn (Guide, Running the night)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_dawn_comes_five_to_ten_seconds_after_the_last_step(share: float) -> None:
    evening = Evening(town(7), draws={"dawn": share})
    evening.all("mj> suivant")
    waits = [wait for kind, wait in evening.public if kind == "wait" and 4 < wait[1] < 10.1 and wait[0] == "time_up"]
    assert waits[0][1] == pytest.approx(5 + 5 * share)


def test_deaths_are_told_at_dawn_in_drawn_order_and_nobody_says_why() -> None:
    evening = Evening(town(7), draws={"order": 0.99})
    evening.all("mj> Bob meurt", "mj> Emma meurt")
    assert evening.state["dead"] == []
    evening.all("mj> suivant")
    assert "ouvrez les yeux. Cette nuit, la mort a emporté Emma et Bob." in evening.words
    assert evening.state["dead"] == ["Emma", "Bob"]


def test_that_nobody_died_is_told_too() -> None:
    evening = Evening(town(7))
    evening.all("mj> suivant")
    assert "Cette nuit, personne n’est mort." in evening.words


@pytest.mark.parametrize("number", range(1, 5))
def test_every_order_of_deaths_is_as_likely(number: int) -> None:
    names, orders = MORE[:number], list(itertools.permutations(MORE[:number]))
    drawn = [permuted(names, (n + 0.5) / len(orders)) for n in range(len(orders))]
    assert sorted(drawn) == sorted(orders)


def test_who_comes_back_to_life_does_so_at_dawn() -> None:
    evening = Evening(town(7))
    evening.night("Bob")
    evening.to_night()
    evening.all("mj> Bob revit")
    assert evening.state["dead"] == ["Bob"]
    evening.all("mj> suivant")
    assert "dawn_risen" in evening.lines
    assert evening.state["dead"] == []
    assert evening.state["tokens"] == []


def test_a_player_shouting_a_death_does_nothing() -> None:
    evening = Evening(town(7))
    evening.night()
    for sentence in ("Bob meurt", "le bien gagne", "main Bob", "total 4", "Bob revit", "la partie continue"):
        before = evening.course
        assert not evening.say(sentence)
        assert evening.course == before


def test_no_sentence_of_the_master_is_ever_listened_for() -> None:
    for language in ("fr", "en"):
        game = Evening(town(7, language)).game
        phrases = Evening(town(7, language)).production.phrases
        assert {"dies", "survives", "revives", "hand", "total", "goes_on", "good_wins", "evil_wins"} <= game.masters_own
        assert phrases.sentences(game.masters_own) == ()
        for phase in game.script.phases.values():
            assert not game.masters_own & set(game.floors[phase.name].accepts)


def test_the_ear_is_shut_all_night() -> None:
    for phase in ("dusk", "night", "dawn_draw", "order_draw", "dawn_wait", "verdict", "verdict_eve"):
        game = Evening(town(7)).game
        assert game.floors[phase].hears == ()


# ---- does the game go on?


def test_the_silence_after_a_death_is_the_same_whatever_is_answered() -> None:
    heard = []
    for answer in (None, "mj> la partie continue", "mj> suivant"):
        evening = Evening(town(7))
        evening.all("mj> Bob meurt", "mj> suivant")
        if answer:
            evening.all(answer)
        else:
            evening.elapse()
        heard.append([text for _, text in evening.spoken])
        assert evening.phase == "discussion"
    assert heard[0] == heard[1] == heard[2]


@pytest.mark.parametrize(("answer", "winner"), [("le bien gagne", "good"), ("le mal gagne", "evil")])
@pytest.mark.parametrize("when", ["verdict", "day", "night"])
def test_the_end_is_announced_only_when_the_storyteller_says_so(answer: str, winner: str, when: str) -> None:
    evening = Evening(town(7))
    if when == "verdict":
        evening.all("mj> Bob meurt", "mj> suivant")
    elif when == "day":
        evening.night()
    evening.all(f"mj> {answer}")
    assert evening.state["end"] == {"how": f"{winner}_wins", "winners": [winner]}
    assert evening.phase == "winners"
    assert ("open_eyes_end" in [line for line, _ in evening.spoken]) is (when == "night")


SUGGESTIONS = [
    # (who dies of five, what the plain rule says)
    (["noyeur"], "good"),
    (["pilleur"], ""),
    (["pilleur", "boulangere", "veilleuse"], "evil"),
    (["noyeur", "pilleur", "boulangere"], "good"),  # both at once: good
]


@pytest.mark.parametrize(("deaths", "says"), SUGGESTIONS)
def test_what_the_plain_rule_would_say(deaths: list[str], says: str) -> None:
    """Guide, The end: whispered, never spoken."""
    evening = Evening(town(5, roles=True))
    names = [MORE[ROLES.index(role)] for role in deaths]
    evening.all(*(f"mj> {name} meurt" for name in names))
    while evening.phase == "night":
        evening.all("mj> suivant")
    word = {"good": "le Bien", "evil": "le Mal", "": ""}[says]
    assert ("Selon la règle simple" in evening.hint) is bool(says)
    assert word in evening.hint
    assert evening.state["end"] is None


def test_travellers_do_not_count_for_the_last_two() -> None:
    for count, said in ((False, True), (True, False)):
        evening = Evening(town(6, roles=True, travellers=["Farid"], travellers_last=count))
        evening.all("mj> Chloé meurt", "mj> David meurt", "mj> Emma meurt")
        while evening.phase == "night":
            evening.all("mj> suivant")
        assert ("le Mal l’emporterait" in evening.hint) is said


def test_the_reveal_goes_seat_by_seat_at_the_masters_key() -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    evening.all("mj> le bien gagne")
    said = []
    while evening.phase != "over":
        evening.all("mj> suivant")
        said.append(evening.words)
    assert said[0] == "Alice\u00a0: Noyeur."
    assert len(said) == 8
    assert evening.ends


# ---- the day's clock


def test_the_discussion_warns_and_then_calls() -> None:
    evening = Evening(town(7))
    evening.night()
    assert evening.timers["time_up"].seconds == 300
    assert evening.timers["warn:60"].seconds == 240
    assert evening.timers["warn:10"].seconds == 290
    evening.elapse("warn:60")
    assert evening.lines == ["one_minute"]
    evening.elapse("warn:10")
    assert evening.lines == ["ten_seconds"]
    evening.elapse()
    assert evening.lines == ["call_nominations"]
    assert ("cue", "gong") in evening.public


def test_two_more_minutes() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("encore deux minutes")
    assert evening.words == "Deux minutes de plus."
    assert evening.timers["time_up"].extend
    assert evening.timers["time_up"].seconds == 120
    evening.all("encore une minute")
    assert evening.timers["time_up"].seconds == 60


def test_a_death_by_day_is_told_at_once_and_asks_the_same_question() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("mj> Bob meurt")
    assert "En plein jour, Bob meurt." in evening.words
    assert evening.phase == "verdict"
    assert "mj_verdict" in evening.whispered
    evening.all("mj> la partie continue")
    assert evening.phase == "discussion"


def test_a_death_in_the_middle_of_a_vote_leaves_the_vote() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("Alice nomme Bob", "on vote", "oui", "mj> Farid meurt")
    assert evening.phase == "seat"
    assert evening.state["vote"] == ["Chloé"]
    assert evening.whispered == ["mj_died"]
    evening.vote()
    assert evening.phase == "verdict"  # the same silence as after every death, once the vote is over
    assert evening.timers["time_up"].seconds == 12
    evening.elapse()
    assert evening.lines == ["discuss_on"]
    evening.nominate("Chloé", "David")
    assert evening.phase == "discussion"  # asked once


def test_a_death_in_the_last_vote_of_a_day_without_execution_is_asked_about_too() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("Alice nomme Bob", "on vote", "mj> Farid meurt")
    while evening.phase == "seat":
        evening.all("non")
    evening.all("fin des nominations")
    assert evening.phase == "verdict_eve"
    evening.all("mj> la partie continue")
    assert evening.phase == "night"


def test_a_second_death_in_the_silence_is_shrouded_too() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("mj> Bob meurt", "mj> Chloé meurt")
    assert evening.whispered == ["mj_died_too"]
    assert "Posez un linceul\u00a0: Chloé." in evening.hint


@pytest.mark.parametrize("interruption", [["mj> Bob meurt", "mj> la partie continue"], ["je nomme Bob", "non"]])
def test_a_discussion_that_is_gone_on_with_does_not_begin_again(interruption: list[str]) -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all(*interruption)
    assert evening.lines[-1] == "discuss_on"
    evening = Evening(town(7))
    evening.all("mj> Bob meurt", "mj> suivant", "mj> Chloé meurt", "mj> la partie continue")
    assert evening.lines[-1] == "discuss"  # it had not begun


def test_a_traveller_cannot_make_the_table_too_small() -> None:
    with pytest.raises(RuleError, match="5 players are needed besides them"):
        stage(town(5, travellers=["Bob"]))


def test_an_undo_at_night_shows_the_entry_that_is_due_again() -> None:
    evening = Evening(town(5, roles=True))
    evening.all("mj> suivant")
    due = evening.whispers[-1]
    evening.all("mj> suivant", "mj> annule")
    assert evening.whispered[-2:] == ["mj_undone", due[0]]
    assert evening.whispers[-1] == due
    evening.all("mj> Bob meurt", "mj> annule")
    assert "Bob meurt" in evening.whispers[-2][1]
    assert evening.whispers[-1] == due
