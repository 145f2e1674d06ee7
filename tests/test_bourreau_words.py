"""What Le Bourreau says of one, of several and of nobody: numbers, genders and lists agree, in both languages."""

from __future__ import annotations

import pytest
from evening import NAMES, Evening, table
from scaffold import at_scaffold, begun, finish, stroke


def acted(*names: str) -> Evening:
    """A table of five where these have acted, after the first gallows card."""
    evening = begun()
    evening.all("sans effet", *(f"{name} regarde" for name in names))
    return evening


def with_purses(evening: Evening, **purses: int) -> Evening:
    for player, crowns in purses.items():
        evening.all(f"{player} a {crowns} couronnes" if crowns else f"{player} n'a aucune couronne")
    return evening


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def told(evening: Evening, line: str) -> list[str]:
    return [plain(text) for one, text in evening.spoken if one == line]


def words(evening: Evening) -> str:
    return plain(evening.words)


def test_where_everybody_has_acted_nobody_is_left() -> None:
    evening = acted(*NAMES[1:5])
    assert not evening.say("Bob regarde")
    assert "Il reste personne" not in words(evening)
    assert told(evening, "has_acted") == ["Bob a déjà joué."]


def test_one_or_several_still_to_act() -> None:
    for names, left, verb in (((), "Bob, Chloé, David et Emma", "N’ont"), (NAMES[1:4], "Emma", "N’a")):
        evening = acted(*names)
        evening.all("qui n'a pas joué")
        assert words(evening) == f"On attend encore {left}. On peut encore exécuter Bob, Chloé, David ou Emma."
        evening.elapse("remind")
        assert words(evening).startswith(f"{verb} pas encore joué : {left}. ")


def test_nobody_may_be_executed_once_the_axe_is_away() -> None:
    stopped = at_scaffold()
    stroke(stopped, "Bob", "dummy")
    stopped.all("j'arrête", "personne", "qui n'a pas joué")
    everybody = at_scaffold(4)
    for name, item in (("Bob", "dummy"), ("Chloé", "parasite"), ("David", "hat")):
        stroke(everybody, name, item)
    everybody.all("qui n'a pas joué")
    for evening in (stopped, everybody):
        assert words(evening).startswith("Personne n’a plus d’action à faire. Il n’y a plus personne à exécuter.")


def test_one_head_is_one() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("où en est-on")
    assert words(evening).startswith(
        "Partie un. Le Bourreau est Alice. La hache est tombée sur Bob. Parmi les morts : Bob."
    )


def test_one_who_has_not_held_the_axe() -> None:
    evening = at_scaffold(4)
    for successor in ("Bob", "Chloé", ""):
        head = next(p for p in evening.state["to_act"] or evening.court.prisoners)
        stroke(evening, head, "hat")
        finish(evening, "LL")
        if successor:
            evening.all(f"{successor} me succède", *["suivant"] * 4, "passe", "passe")
            while evening.phase == "deal":
                evening.all("suivant")
            evening.all("sans effet", *(f"{p} regarde" for p in evening.state["to_act"]), "sans effet")
    assert told(evening, "who_succeeds")[0].startswith(
        "Alice, qui te succède ? N’ont pas encore tenu la hache : Bob, Ch"
    )
    assert told(evening, "who_succeeds")[-1].startswith("Chloé, qui te succède ? N’a pas encore tenu la hache : David.")


# ---- money


def test_one_crown_is_feminine() -> None:
    evening = with_purses(at_scaffold(4), Alice=1, Bob=19, Chloé=0)
    assert told(evening, "purse_set")[-1] == "Je note : Chloé a zéro couronne, le Trésor en a cinquante-cinq."
    evening.all("combien de couronnes")
    assert words(evening).startswith("Alice une, Bob dix-neuf, Chloé zéro et David cinq.")
    evening.all("Bob a 13 couronnes")
    assert told(evening, "purse_set")[-1] == "Je note : Bob a treize couronnes, le Trésor en a soixante-et-une."


@pytest.mark.parametrize(
    ("purses", "thefts", "paid"),
    [
        ({}, ["une couronne à chacun : Alice, Bob, David et Emma."], []),
        ({"Alice": 0, "Bob": 0, "David": 0}, ["une couronne à Emma."], ["trois couronnes au Bouffon, Chloé."]),
        ({"Alice": 0, "David": 0}, ["une couronne à chacun : Bob et Emma."], ["deux couronnes au Bouffon, Chloé."]),
        ({"Alice": 0, "Bob": 0, "David": 0, "Emma": 0}, [], ["quatre couronnes au Bouffon, Chloé."]),
    ],
)
def test_the_fool_takes_first_then_the_treasury_pays_what_is_lacking(
    purses: dict[str, int], thefts: list[str], paid: list[str]
) -> None:
    """One fixed order, wherever the empty purses sit."""
    evening = with_purses(at_scaffold(), **purses)
    stroke(evening, "Chloé", "hat", "F")
    finish(evening, "LLS")
    assert [text.removeprefix("Le Bouffon, Chloé, prend ") for text in told(evening, "pay_theft")] == thefts
    assert [text.partition(" : ")[2] for text in told(evening, "pay_theft_paid")] == paid
    order = [line for line, _ in evening.spoken if line.startswith("pay_")]
    assert order == ["pay_theft"] * len(thefts) + ["pay_theft_paid"] * len(paid) + ["pay_death"]


def test_a_fool_who_takes_two_takes_what_there_is() -> None:
    evening = with_purses(at_scaffold(cheese_steals=True), Alice=1, Bob=1, David=0)
    stroke(evening, "Bob", "hat")
    finish(evening, "FLS", cheese=True)
    assert [text.removeprefix("Le Bouffon, Chloé, prend ") for text in told(evening, "pay_theft")] == [
        "une couronne à chacun : Alice et Bob.",
        "deux couronnes à Emma.",
    ]
    assert told(evening, "pay_theft_paid") == [
        "Ce qui manque dans les bourses, le Trésor le paie : quatre couronnes au Bouffon, Chloé."
    ]


# ---- cards


def at_cards(language: str = "fr", **options: object) -> Evening:
    """A table of six that tells its roles."""
    evening = Evening(table(6, language=language, game="bourreau", **options), skip_setup=False)
    while evening.phase == "table_setup":
        evening.all("suivant" if language == "fr" else "next")
    return evening


@pytest.mark.parametrize(
    ("language", "said", "cards"),
    [
        ("fr", ["trois bouffons", "trois princesses", "six chapeaux", "passe"], "six Jolis Chapeaux"),
        ("en", ["three fools", "three princesses", "skip", "skip"], "three Fools; three Princesses"),
    ],
)
def test_a_box_may_hold_any_number_of_a_card(language: str, said: list[str], cards: str) -> None:
    """The numbers are the house's own, and a table may change them: each has its name, and can be said."""
    evening = at_cards(
        language, roles={"fool": 3, "princess": 3}, items={"hat": 6}, active_items=["pardon"] + ["hat"] * 5
    )
    evening.all(*said[:2])
    evening.all("quelles cartes" if language == "fr" else "which cards")
    assert "_" not in words(evening)
    assert ("trois Bouffons ; trois Princesses" if language == "fr" else cards) in words(evening)
    assert ("cinq Jolis Chapeaux" if language == "fr" else "five Pretty Hats") in words(evening)


def test_what_the_box_has_not_is_refused_without_a_gender() -> None:
    evening = at_cards()
    for said, most in (("deux princesses", "Il n’y en a pas autant"), ("cinq loyalistes", "Quatre au plus")):
        assert not evening.say(said)
        assert words(evening).startswith(f"{most}, d’après ma boîte. Si la vôtre en a davantage")


def test_a_card_that_is_not_active_has_its_sentence() -> None:
    evening = Evening(table(5, game="bourreau", active_items=["pardon", "shield", "shield", "parasite", "mimic"]))
    assert evening.phase == "no_mundane"
    assert not evening.say("joli chapeau")
    assert words(evening).startswith("Joli Chapeau : il n’y en a pas parmi les objets actifs.")
