"""Who is in town and what they are: characters entered or changed by key, travellers that come and go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from town import MORE, Evening, homebrew, town

from narrator.core.errors import RuleError
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.square import export_square
from narrator.stage.journal import Journal


def scripted(players: int = 8, **options: object) -> Evening:
    """A script was brought along, but nobody has a character yet: the bag goes round first."""
    return Evening(Setting("clocktower", "fr", MORE[:players], "", {**homebrew(), **options}))


# ---- characters


def test_characters_are_entered_once_the_bag_has_gone_round() -> None:
    evening = scripted()
    assert evening.whispered == ["mj_check_eyes", "mj_step_free"]
    heard = len(evening.public)
    evening.all("mj> Alice est la boulangère", "mj> Bob devient Noyeur", "mj> Chloé est pilleur d'épaves")
    assert evening.public[heard:] == []  # nobody hears of it
    assert evening.hint == "C’est noté\u00a0: Chloé est désormais Pilleur d’épaves."
    assert evening.private_sheet() == (
        "sheet_minions",
        "sheet_demon",
        "Alice (Boulangère)",
        "Chloé (Pilleur d’épaves)",
        "sheet_dawn",
    )
    assert evening.private["became"] == {"Alice": "boulangere", "Bob": "noyeur", "Chloé": "pilleur"}
    evening.all("mj> suivant")
    assert "Réveillez les Sbires (Chloé)" in evening.hint
    evening.all("mj> suivant")
    assert "Réveillez Bob" in evening.hint


def test_a_character_that_changes_leads_the_next_night_and_the_reveal() -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    evening.to_night()
    evening.all("mj> Gaëlle devient noyeur")
    assert "Gaëlle (Noyeur)" in evening.private_sheet()
    assert "Gaëlle (Gardien du phare)" not in evening.private_sheet()
    evening.all("mj> le mal gagne")
    while evening.phase != "over":
        evening.all("mj> suivant")
    assert "Gaëlle\u00a0: Noyeur." in [text for line, text in evening.spoken if line == "revealed"]


def test_the_simple_rule_knows_the_new_demon() -> None:
    evening = Evening(town(8, roles=True))
    evening.all("mj> Hugo devient noyeur")
    evening.night("Bob")
    evening.to_night()
    evening.all("mj> Alice meurt")  # the first Demon
    while evening.phase == "night":
        evening.all("mj> suivant")
    assert "l’emporterait" not in evening.hint
    evening.all("mj> la partie continue", "mj> Hugo meurt")
    assert "le Bien l’emporterait" in evening.hint


def test_a_change_can_be_undone_privately_only() -> None:
    evening = Evening(town(8, roles=True))
    evening.all("mj> Hugo devient noyeur")
    assert not evening.say("annule")
    assert evening.private["became"] == {"Hugo": "noyeur"}
    evening.all("mj> annule")
    assert evening.private["became"] == {}


def test_a_player_who_says_what_they_are_changes_nothing() -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    before = evening.course.state
    assert not evening.say("Hugo devient noyeur")
    assert evening.course.state == before


def test_without_a_script_or_a_name_it_says_what_is_missing() -> None:
    evening = Evening(town(7))
    assert not evening.say("mj> Bob change de rôle")
    assert evening.whispered == ["mj_no_script"]
    evening = scripted()
    assert not evening.say("mj> Bob change de rôle")
    assert "Gardien du phare, Boulangère" in evening.hint


def test_names_do_as_well_as_ids_in_a_table_file() -> None:
    evening = scripted(roles={"Bob": "Gardien du phare", "Emma": "NOYEUR"})
    assert "Bob (Gardien du phare)" in evening.private_sheet()


def test_the_town_square_is_told_of_it(tmp_path: Path) -> None:
    evening = Evening(town(8, roles=True, bluffs=["sonneur"]))
    evening.all("mj> Hugo devient noyeur")
    path = tmp_path / "e.jsonl"
    journal = Journal.begin(evening.production.setting, 1, skip_setup=True, path=path, secret=("roles", "bluffs"))
    for event in evening.log:
        journal.write(event, 0.0)
    square = json.loads(export_square(path, None))
    assert {seat["name"]: seat["role"] for seat in square["players"]}["Hugo"] == "noyeur"
    assert square["bluffs"] == ["sonneur"]
    onto = tmp_path / "square.json"
    bare = [{"name": name, "role": {"id": "sonneur", "image": "x"}} for name in MORE[:8]]
    onto.write_text(json.dumps({"players": bare}), encoding="utf-8")
    roles = {seat["name"]: seat["role"] for seat in json.loads(export_square(path, onto))["players"]}
    assert roles["Hugo"] == "noyeur"
    assert roles["Alice"] == "noyeur"
    assert "bluffs" in square


# ---- travellers


def test_a_traveller_who_arrives_late_takes_the_seat_that_was_kept() -> None:
    evening = scripted(late=["Bob"])
    assert evening.course.state.table.seats == ("Alice", *MORE[2:8])
    evening.night()
    assert "Vous êtes sept en vie" in evening.words
    for sentence in ("Bob nomme Alice", "Alice nomme Bob", "je nomme Bob", "exil de Bob"):
        assert not evening.say(sentence)
        assert evening.words == "Bob n’est pas en ville."
    assert not evening.say("mj> Bob meurt")
    evening.all("mj> Bob arrive", "mj> Bob devient marchande de sel")
    assert evening.state["living"] == list(MORE[:8])
    assert evening.state["travellers"] == ["Bob"]
    evening.all("Bob nomme Alice", "on vote")
    seats = []
    while evening.phase == "seat":
        seats.append(evening.state["seat"])
        evening.all("non")
    assert seats[0] == "Bob"
    evening.all("c'est bon", "fin des nominations")
    assert evening.private_sheet()[0] == "sheet_dusk"
    assert not evening.say("mj> Bob arrive")


def test_a_traveller_who_goes_leaves_no_seat() -> None:
    evening = Evening(town(8, travellers=["Hugo"]))
    evening.night()
    assert not evening.say("mj> Bob s'en va")
    evening.all("mj> Hugo s'en va")
    assert "Hugo reprend la route." in evening.words
    assert evening.state["living"] == list(MORE[:7])
    assert evening.state["travellers"] == []
    assert evening.state["to_pass"] == 4
    assert not evening.say("Hugo aussi")
    evening.all("mj> Hugo arrive")
    assert evening.state["living"] == list(MORE[:8])


def test_late_ones_are_players_of_the_table_beside_five_others() -> None:
    with pytest.raises(RuleError, match="late: “Zoé” is not one of the players"):
        stage(town(7, late=["Zoé"]))
    with pytest.raises(RuleError, match="5 players are needed besides travellers"):
        stage(town(6, late=["Bob"], travellers=["Emma"]))
