"""Setting up Le Bourreau (§1): who is executioner, which cards are active, the repairs. RULINGS = docs/RULINGS.md."""

from __future__ import annotations

from typing import Any

import pytest
from evening import Evening, production, table
from scaffold import SAY, refused

from narrator.core.errors import RuleError

ROLES = ("loyaliste", "loyaliste", "saboteur", "princesse", "bouffon")


def opened(players: int = 5, first: str = "Alice", **options: Any) -> Evening:
    return Evening(table(players, first=first, game="bourreau", **options), skip_setup=False)


def at_items(**options: Any) -> Evening:
    evening = opened(**options)
    while evening.phase == "table_setup":
        evening.all("suivant")
    evening.all(*ROLES)
    assert evening.phase == "items"
    return evening


def tell(evening: Evening, *items: str) -> None:
    evening.all(*(SAY[item] for item in items))


# ---- the table


def test_the_first_game_gives_out_money_and_help() -> None:
    """§1: help cards, two coins and one gem each, at the first game only; the treasury keeps the rest of 80."""
    evening = opened()
    said = [*evening.lines]
    while evening.phase == "table_setup":
        evening.all("suivant")
        said += evening.lines
    assert said == [
        "welcome",
        "setup_help_cards",
        "setup_money",
        "setup_executioner",
        "setup_piles",
        "setup_gallows",
        "setup_active",
        "ask_roles",
    ]
    assert set(evening.state["purses"].values()) == {5}
    assert evening.state["treasury"] == 80 - 25
    assert evening.state["coins"]["Bob"] == {"coins": 2, "gems": 1}


def test_the_executioner_is_named() -> None:
    evening = opened(first="")
    assert evening.phase == "ask_executioner"
    evening.all("le Bourreau est Chloé")
    assert evening.state["executioner"] == "Chloé"
    assert evening.phase == "table_setup"


def test_or_drawn_aloud() -> None:
    evening = Evening(table(5, first="", game="bourreau"), skip_setup=False, draw="David")
    evening.all("tire au sort")
    assert evening.state["executioner"] == "David"
    assert "drawing_executioner" in evening.lines
    skipped = Evening(table(5, first="", game="bourreau"), draw="Emma")
    assert skipped.state["executioner"] == "Emma"
    assert skipped.phase == "gallows"


def test_who_plays() -> None:
    """The house's own: four to eight, as there are eight help cards."""
    for players in (3, 9):
        with pytest.raises(RuleError, match="4 to 8 players"):
            production(table(players, game="bourreau"))
    with pytest.raises(RuleError, match="not one of the players"):
        production(table(5, first="Zoé", game="bourreau"))


# ---- active cards


def test_active_cards_are_heard_one_by_one() -> None:
    evening = at_items()
    assert evening.state["active"]["roles"] == ["loyalist", "loyalist", "saboteur", "princess", "fool"]
    tell(evening, "pardon", "hat", "shield", "dummy", "parasite")
    assert evening.phase == "deal"
    assert evening.state["active"]["items"] == ["pardon", "hat", "shield", "dummy", "parasite"]
    assert "deux Loyalistes" in evening.words
    for _ in range(5):
        evening.all("suivant")
    assert evening.phase == "gallows"
    assert evening.state["to_act"] == ["Bob", "Chloé", "David", "Emma"]


def test_several_of_a_kind_at_once() -> None:
    evening = at_items()
    evening.all("deux grâces royales", "deux boucliers")
    refused(evening, "deux jolis chapeaux", "too_many_cards")
    tell(evening, "hat")
    assert evening.phase == "deal"


def test_the_box_has_only_so_many() -> None:
    evening = at_items()
    tell(evening, "mimic")
    refused(evening, "mimique", "not_so_many")


def test_nobody_need_tell_the_cards() -> None:
    evening = opened()
    while evening.phase == "table_setup":
        evening.all("suivant")
    evening.all("passe", "passe")
    assert evening.state["active"] == {"roles": [], "items": []}
    assert evening.phase == "deal"
    assert evening.lines[0] == "check_cards"  # §1, always: the table then looks after both repairs itself


def test_half_a_list_is_not_dropped_by_a_done() -> None:
    evening = at_items()
    tell(evening, "pardon", "hat")
    refused(evening, "c'est fait", "some_missing")
    assert "trois" in evening.words
    tell(evening, "shield", "dummy", "parasite")
    assert evening.phase == "deal"


def test_a_box_with_other_cards_than_ours() -> None:
    """RULINGS: how many of each is the house's own; a table with another box is not stuck."""
    evening = at_items()
    tell(evening, "mimic", "pardon", "shield", "shield", "parasite", "parasite")
    assert evening.phase == "draw_item"
    refused(evening, "mimique", "not_so_many")
    assert "passe" in evening.words
    refused(evening, "oublie les cartes", "not_now")
    evening.all("passe")
    assert evening.phase == "deal"
    assert evening.state["active"]["items"] == []


def test_the_table_file_may_know_them() -> None:
    items = ["pardon", "hat", "shield", "dummy", "parasite"]
    evening = opened(active_items=items, active_roles=["loyalist", "loyalist", "saboteur", "princess", "fool"])
    for _ in range(6):
        evening.all("suivant")
    assert evening.phase == "deal"
    assert evening.state["active"]["items"] == items


# ---- repairs (§1)


def test_without_a_pardon_the_last_item_becomes_one() -> None:
    evening = at_items()
    tell(evening, "hat", "shield", "dummy", "parasite", "mimic")
    assert evening.lines[-2:] == ["replace_last", "say_done"]
    evening.all("c'est fait")
    assert evening.state["active"]["items"] == ["hat", "shield", "dummy", "parasite", "pardon"]
    assert evening.phase == "deal"


def test_with_nothing_harmless_the_executioner_swaps_until_there_is() -> None:
    """Never the last pardon; checked again after each change."""
    evening = at_items()
    tell(evening, "pardon", "shield", "parasite", "mimic", "shield")
    assert evening.phase == "no_mundane"
    refused(evening, "grâce royale", "keep_last_pardon")
    refused(evening, "fromage", "not_active")
    evening.all("parasite", "grâce royale")
    assert evening.phase == "no_mundane"
    evening.all("grâce royale", "fromage")  # one of two pardons may go
    assert evening.phase == "deal"
    assert evening.state["active"]["items"] == ["shield", "mimic", "shield", "pardon", "cheese"]


def test_both_repairs_follow_one_another() -> None:
    """The replaced card was the only harmless one."""
    evening = at_items()
    tell(evening, "shield", "parasite", "mimic", "shield", "hat")
    evening.all("c'est fait")
    assert evening.phase == "no_mundane"
    evening.all("bouclier", "mannequin")
    assert evening.phase == "deal"
    assert sorted(evening.state["active"]["items"]) == ["dummy", "mimic", "parasite", "pardon", "shield"]


@pytest.mark.parametrize("skip", [True, False])
def test_cards_of_the_table_file_are_repaired_too(skip: bool) -> None:
    items = ["hat", "shield", "dummy", "parasite", "mimic"]
    evening = Evening(table(5, game="bourreau", active_items=items), skip_setup=skip)
    while evening.phase == "table_setup":
        evening.all("suivant")
    if evening.phase == "roles":
        evening.all("passe")
    assert evening.phase == "no_pardon"


@pytest.mark.parametrize(
    ("language", "titles"),
    [
        ("fr", ["Grâce Royale", "joli chapeau", "CALICE D'OR", "Bouclier", "dummy"]),
        ("en", ["Royal Pardon", "pretty hat", "GOLDEN CHALICE", "Shield", "dummy"]),
    ],
)
def test_cards_may_be_given_by_their_titles(language: str, titles: list[str]) -> None:
    made = production(table(5, language=language, game="bourreau", active_items=titles))
    assert made.game.rules.configuration.active_items == ("pardon", "hat", "chalice", "shield", "dummy")


def test_numbers_of_cards_may_be_given_by_their_titles() -> None:
    made = production(table(5, game="bourreau", items={"Parasite": 2}, roles={"bouffon": 0}))
    assert made.game.rules.configuration.items["parasite"] == 2
    assert made.game.rules.configuration.roles["fool"] == 0


# ---- what cannot be


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"active_items": ["pardon", "hat"]}, "5 players need 5 cards, these are 2"),
        ({"active_items": ["pardon", "hat", "hat", "hat", "dummy"]}, "“hat” is there 3 times, the box holds 2"),
        (
            {"active_roles": ["loyalist", "king", "fool", "saboteur", "loyalist"]},
            "“king” is not one of Loyaliste, Saboteur, Princesse, Bouffon",
        ),
        ({"items": {"sword": 1}}, "items: “sword” must be one of"),
        ({"items": {"hat": -1}}, "items: “hat” must be one of"),
        ({"items": {"pardon": 0}}, "the box needs a royal pardon"),
        ({"items": {"hat": 0, "chalice": 0, "cheese": 0, "dummy": 0}}, "the box needs one of hat"),
        ({"roles": {"loyalist": 0, "saboteur": 1}}, "the box holds 3 cards, 5 players need 5"),
    ],
)
def test_impossible_cards(options: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        production(table(5, game="bourreau", **options))
