"""The scaffold of Le Bourreau (§3, FAQ): who dies, who escapes, when the game ends. RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import pytest
from scaffold import SAY, at_scaffold, begun, gains, refused, stroke, tell_role

# ---- who may be executed


def test_at_least_one_execution() -> None:
    """§3: the executioner must execute one prisoner at least, then may stop at any time."""
    evening = at_scaffold()
    assert "must_execute" in evening.lines
    refused(evening, "j'arrête", "execute_first")
    stroke(evening, "Bob", "hat")
    assert "more_or_stop" in evening.lines
    evening.all("j'arrête")


def test_an_escape_is_an_execution_too() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "parasite")
    evening.all("j'arrête")


def test_who_cannot_be_executed() -> None:
    """§3: not the executioner, not the dead, not a survivor (“il s'est échappé”)."""
    evening = at_scaffold()
    refused(evening, "j'exécute Alice", "executioner_stays")
    stroke(evening, "Bob", "hat")
    refused(evening, "j'exécute Bob", "already_dead")
    stroke(evening, "Chloé", "dummy")
    refused(evening, "j'exécute Chloé", "has_escaped")


def test_the_gesture_completes_it() -> None:
    """§3: until the gesture nothing is done; another name may still be said, or “annule”."""
    evening = at_scaffold()
    evening.all("j'exécute Bob")
    assert evening.lines == ["executes", "make_gesture"]
    assert evening.state["executed"] == []
    evening.all("j'exécute Chloé")
    assert evening.court.target == "Chloé"
    evening.all("annule", "annule")
    assert evening.phase == "executions"
    evening.all("j'exécute Bob", "c'est fait")
    assert evening.phase == "reveal"


def test_the_item_may_be_named_right_after_the_gesture() -> None:
    evening = at_scaffold()
    evening.all("j'exécute Bob", "joli chapeau", "non")
    assert evening.state["dead"] == ["Bob"]


def test_when_everybody_was_executed_it_is_over() -> None:
    evening = at_scaffold(4)
    for who, item in (("Bob", "hat"), ("Chloé", "hat"), ("David", "chalice")):
        stroke(evening, who, item)
    assert "everyone_executed" in [line for line, _ in evening.spoken]
    assert evening.phase == "again"
    assert gains(evening) == {"Alice": 3, "Bob": -1, "Chloé": -1, "David": -1}


def test_the_dead_keep_silent() -> None:
    """§3; and only a princess or a fool shows the role."""
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", "joli chapeau")
    assert evening.phase == "role_ask"
    refused(evening, "je suis loyaliste", "keep_your_role")
    refused(evening, "oui", "say_which_role")
    evening.all("non")
    assert evening.lines == ["dies", "more_or_stop"]
    assert evening.state["roles"] == {}


def test_the_role_is_not_asked_where_it_cannot_be() -> None:
    evening = at_scaffold(4, active_roles=["loyalist", "loyalist", "saboteur", "saboteur"])
    evening.all("j'exécute Bob", "c'est fait", "joli chapeau")
    assert evening.phase == "executions"


def test_the_executioner_goes_on_without_an_answer() -> None:
    """A dead player who says nothing is neither princess nor fool."""
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", "joli chapeau", "j'exécute Chloé", "calice d'or", "j'arrête")
    assert evening.state["dead"] == ["Bob", "Chloé"]
    refused(evening, "j'exécute David", "not_now")


def test_the_role_may_come_before_the_item() -> None:
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", "je suis le bouffon", "fromage")
    assert evening.state["executions"][0] == {
        "player": "Bob",
        "by": "Alice",
        "item": "cheese",
        "fate": "died",
        "role": "fool",
    }


# ---- every item (FAQ)

FATES = [
    ("hat", "dead"),
    ("chalice", "dead"),  # RULINGS: neither has any effect
    ("cheese", "dead"),
    ("dummy", "survivors"),
    ("shield", "survivors"),
    ("parasite", "survivors"),
]


@pytest.mark.parametrize(("item", "where"), FATES)
@pytest.mark.parametrize("as_mimic", [False, True])
def test_fate_of_an_executed_item(item: str, where: str, as_mimic: bool) -> None:
    """FAQ, item by item; a mimic is the centre item."""
    evening = at_scaffold(6)
    if as_mimic:
        stroke(evening, "Chloé", "mimic", centre=item)
        assert evening.state["centre"] == item
    else:
        stroke(evening, "Chloé", item)
    assert evening.state[where] == ["Chloé"]
    assert evening.state["executed"] == ["Chloé"]
    assert evening.phase == ("shield_strike" if item == "shield" else "executions")


@pytest.mark.parametrize("as_mimic", [False, True])
def test_a_dead_pardon_ends_the_game(as_mimic: bool) -> None:
    """§3; FAQ, mimic: “si la carte centrale est une Grâce Royale … les Saboteurs gagnent”."""
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", SAY["mimic" if as_mimic else "pardon"])
    if as_mimic:
        evening.all("grâce royale")
    assert evening.phase == "pardon_sure"
    assert evening.lines[-1] == "confirm_pardon"
    evening.all("oui")
    tell_role(evening)
    assert evening.state["end"] == {"how": "pardon", "winners": ["saboteur"]}
    assert evening.phase == "ask_role"


@pytest.mark.parametrize("as_mimic", [False, True])
def test_a_pardon_said_again_is_a_yes(as_mimic: bool) -> None:
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", SAY["mimic" if as_mimic else "pardon"])
    if as_mimic:
        evening.all(SAY["pardon"])
    evening.all(SAY["pardon"])
    tell_role(evening)
    assert evening.state["end"] == {"how": "pardon", "winners": ["saboteur"]}


def test_a_misheard_pardon() -> None:
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", "grâce royale", "non")
    assert evening.phase == "reveal"
    evening.all("mannequin")
    assert evening.state["survivors"] == ["Bob"]


def test_a_dead_princess_ends_the_game() -> None:
    """§3; RULINGS, all games: what ends a game is a full sentence, confirmed once."""
    evening = at_scaffold()
    evening.all("j'exécute Bob", "c'est fait", "calice d'or", "je suis la princesse")
    assert evening.lines[-1] == "confirm_princess"
    assert evening.state["end"] is None
    evening.all("oui")
    assert evening.state["end"] == {"how": "princess", "winners": ["saboteur"]}
    assert evening.state["roles"] == {"Bob": "princess"}


@pytest.mark.parametrize("item", ["dummy", "parasite", "shield"])
def test_a_princess_who_survives_ends_nothing(item: str) -> None:
    """FAQ, dummy: “les Saboteurs ne gagnent pas, car la Princesse survit”; a survivor shows no role."""
    evening = at_scaffold(6)
    stroke(evening, "Chloé", item)
    assert evening.state["end"] is None
    assert "princess_or_fool" not in [line for line, _ in evening.spoken]


def test_two_mimics_are_the_centre_item() -> None:
    """RULINGS; the centre is turned over once."""
    evening = at_scaffold(6, items={"mimic": 2})
    stroke(evening, "Bob", "mimic", centre="dummy")
    evening.all("j'exécute Chloé", "c'est fait", "mimique")
    assert evening.phase == "executions"
    assert evening.state["survivors"] == ["Bob", "Chloé"]


def test_a_mimic_of_a_mimic_is_nothing() -> None:
    evening = at_scaffold(6, items={"mimic": 2})
    stroke(evening, "Bob", "mimic", centre="mimic")
    assert evening.state["dead"] == ["Bob"]


# ---- the shield (§3 example 2, FAQ, RULINGS)


def test_the_shield_passes_the_axe_on() -> None:
    """FAQ: its bearer, not the executioner, at once executes the one to the left or right."""
    evening = at_scaffold(6)
    stroke(evening, "Chloé", "shield")
    assert evening.court.by == "Chloé"
    assert "shield_choose" in evening.lines
    refused(evening, "j'exécute Emma", "not_a_neighbour")
    refused(evening, "j'exécute Chloé", "has_escaped")
    refused(evening, "j'arrête", "not_now")
    evening.all("j'exécute Bob", "c'est fait", "joli chapeau", "non")
    assert evening.state["executions"][1]["by"] == "Chloé"
    assert evening.phase == "executions"
    stroke(evening, "Emma", "hat")
    assert evening.state["executions"][2]["by"] == "Alice"


def test_shields_chain() -> None:
    evening = at_scaffold(6)
    stroke(evening, "Chloé", "shield")
    stroke(evening, "David", "shield")
    refused(evening, "j'exécute Chloé", "has_escaped")
    stroke(evening, "Emma", "hat")
    assert [(e["player"], e["by"]) for e in evening.state["executions"]] == [
        ("Chloé", "Alice"),
        ("David", "Chloé"),
        ("Emma", "David"),
    ]


def test_before_the_gesture_a_shield_may_still_choose_between_its_neighbours() -> None:
    evening = at_scaffold(6)
    stroke(evening, "Chloé", "shield")
    evening.all("j'exécute Bob")
    refused(evening, "j'exécute Farid", "not_a_neighbour")
    evening.all("j'exécute David")
    assert (evening.court.by, evening.court.target) == ("Chloé", "David")


def test_a_shield_beside_the_executioner() -> None:
    """RULINGS: the executioner cannot be chosen and is not skipped."""
    evening = at_scaffold()
    stroke(evening, "Bob", "shield")
    refused(evening, "j'exécute Alice", "executioner_stays")
    refused(evening, "j'exécute Emma", "not_a_neighbour")
    stroke(evening, "Chloé", "hat")


def test_a_shield_with_nobody_to_strike() -> None:
    """RULINGS: it is said aloud and nobody dies of it."""
    evening = at_scaffold(4)
    stroke(evening, "Chloé", "hat")
    stroke(evening, "Bob", "shield")
    assert "shield_in_vain" in evening.lines
    assert evening.phase == "executions"
    assert evening.state["survivors"] == ["Bob"]


def test_a_shield_may_skip_by_option() -> None:
    evening = at_scaffold(shield_skips=True)
    stroke(evening, "Chloé", "hat")
    stroke(evening, "Bob", "shield")
    evening.all("j'exécute Emma")
    assert evening.court.target == "Emma"


def test_a_pardon_killed_by_a_shield_ends_the_game() -> None:
    """§3: “par exécution ou à cause d'un objet”."""
    evening = at_scaffold()
    stroke(evening, "Chloé", "shield")
    stroke(evening, "David", "pardon")
    assert evening.state["end"] == {"how": "pardon", "winners": ["saboteur"]}


# ---- the parasite at the end (FAQ)


def test_the_parasite_is_asked_for_whenever_it_may_be_there() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête")
    assert evening.phase == "who_parasite"
    refused(evening, "Bob a le parasite", "has_shown")
    refused(evening, "Alice a le parasite", "executioner_has_no_card")
    evening.all("c'est Chloé")
    assert evening.lines[0] == "parasite_kills"
    assert evening.phase == "role_ask"
    evening.all("non")
    assert evening.state["dead"] == ["Bob", "Chloé"]
    assert evening.state["executed"] == ["Bob"]
    assert evening.phase == "ask_role"


def test_nobody_knows_who_speaks() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête")
    for sentence in ("c'est moi", "j'ai le parasite", "je l'ai"):
        refused(evening, sentence, "say_your_name")
    evening.all("Chloé a le parasite")
    assert evening.court.target == "Chloé"


def test_the_parasite_is_not_asked_for_where_it_is_not_active() -> None:
    evening = at_scaffold(active_items=["pardon", "hat", "hat", "dummy", "shield"])
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête")
    assert evening.phase == "ask_role"


def test_the_parasite_is_not_asked_for_once_it_was_shown() -> None:
    """FAQ: executed before the end, its bearer lives."""
    evening = at_scaffold()
    stroke(evening, "Bob", "parasite")
    evening.all("j'arrête")
    assert evening.phase == "ask_role"
    assert evening.state["survivors"] == ["Bob"]


ACTIVE = ["pardon", "hat", "parasite", "mimic", "shield"]


def test_a_parasite_in_the_centre_takes_the_mimic() -> None:
    """FAQ: “un joueur possédant le Mimique peut malgré tout mourir du Parasite si celui-ci est la carte centrale”."""
    evening = at_scaffold(active_items=ACTIVE)
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "au centre")
    assert evening.phase == "who_mimic"
    evening.all("Emma a le mimique", "non")
    assert evening.state["dead"] == ["Bob", "Emma"]
    assert evening.state["executions"][1] == {
        "player": "Emma",
        "by": "parasite",
        "item": "parasite",
        "fate": "died",
        "role": None,
    }


def test_nobody_has_it_so_it_is_in_the_centre() -> None:
    evening = at_scaffold(active_items=ACTIVE)
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "personne")
    assert evening.state["centre"] == "parasite"
    evening.all("personne")
    assert evening.phase == "ask_role"


def test_an_open_centre_leaves_no_excuse() -> None:
    evening = at_scaffold(active_items=ACTIVE)
    stroke(evening, "Bob", "mimic", centre="hat")
    evening.all("j'arrête")
    refused(evening, "personne", "parasite_is_somewhere")
    refused(evening, "au centre", "centre_is_known")
    evening.all("oublie les cartes", "personne")
    assert evening.phase == "ask_role"


def test_a_mimic_of_the_parasite_executed_before_lives() -> None:
    """FAQ: “ce joueur meurt à cause du Parasite, sauf s'il est exécuté auparavant”."""
    evening = at_scaffold(active_items=ACTIVE)
    stroke(evening, "Bob", "mimic", centre="parasite")
    assert evening.state["survivors"] == ["Bob"]
    evening.all("j'arrête")
    assert evening.phase == "ask_role"


def test_nothing_happens_after_an_immediate_end() -> None:
    """RULINGS: a parasite then kills nobody."""
    evening = at_scaffold()
    stroke(evening, "Bob", "pardon")
    assert evening.phase == "ask_role"
    assert "who_has_parasite" not in [line for line, _ in evening.spoken]


def test_a_princess_dies_of_the_parasite() -> None:
    """FAQ: “les Saboteurs remportent la partie, exactement comme si elle avait été exécutée”."""
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "Chloé a le parasite", "je suis la princesse", "oui")
    assert evening.state["end"] == {"how": "princess", "winners": ["saboteur"]}


# ---- what contradicts the active cards is questioned


def test_an_item_too_many_is_questioned() -> None:
    evening = at_scaffold(active_items=["pardon", "hat", "shield", "dummy", "cheese"])
    stroke(evening, "Bob", "hat")
    evening.all("j'exécute Chloé", "c'est fait", "joli chapeau")
    assert evening.phase == "doubt"
    assert "Joli Chapeau" in evening.words
    evening.all("non")
    assert evening.phase == "reveal"
    evening.all("joli chapeau", "oui")
    assert evening.state["active"]["items"] == []  # what was said of them was wrong
    evening.all("non")
    assert evening.state["dead"] == ["Bob", "Chloé"]


def test_a_centre_that_cannot_be_is_questioned() -> None:
    evening = at_scaffold(active_items=["pardon", "hat", "mimic", "dummy", "cheese"])
    evening.all("j'exécute Bob", "c'est fait", "mimique", "bouclier")
    assert evening.phase == "doubt"
    evening.all("non")
    assert evening.phase == "centre"
    evening.all("mimique", "fromage")  # another word in place of a yes
    assert evening.state["centre"] == "cheese"
    assert evening.phase == "role_ask"


def test_a_dead_role_that_cannot_be() -> None:
    evening = at_scaffold(active_roles=["princess", "loyalist", "loyalist", "saboteur", "saboteur"])
    evening.all("j'exécute Bob", "c'est fait", "joli chapeau")
    refused(evening, "je suis le bouffon", "role_not_active")
    evening.all("oublie les cartes", "je suis le bouffon")
    assert evening.state["roles"] == {"Bob": "fool"}


def test_a_role_too_many_at_the_end_is_questioned() -> None:
    roles = ["saboteur", "loyalist", "loyalist", "princess", "fool"]
    evening = at_scaffold(active_roles=roles)
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "personne", "je suis saboteur", "je suis saboteur")
    assert evening.phase == "doubt_role"
    evening.all("non", "je suis loyaliste", "je suis loyaliste")
    assert evening.state["roles"] == {"Chloé": "saboteur", "David": "loyalist", "Emma": "loyalist"}


def test_a_role_in_doubt_may_be_true() -> None:
    evening = at_scaffold(active_roles=["saboteur", "loyalist", "loyalist", "princess", "fool"])
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "personne", "je suis saboteur", "je suis saboteur", "oui", "je suis le bouffon")
    assert evening.state["active"]["roles"] == []
    assert evening.phase == "ask_cheese"


def test_nothing_is_executed_during_the_actions() -> None:
    evening = begun()
    refused(evening, "j'exécute Bob", "not_now")
    evening.all("sans effet")
    refused(evening, "j'exécute Bob", "not_now")
