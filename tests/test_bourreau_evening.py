"""An evening of several games (§5, FAQ), corrections and undo of Le Bourreau. RULINGS = docs/RULINGS.md."""

from __future__ import annotations

from typing import Any

import pytest
from evening import NAMES, Evening
from scaffold import at_scaffold, begun, finish, refused, stroke, total

from narrator.core.events import Heard


def paid(players: int = 5, **options: Any) -> Evening:
    """One game is over: Bob died, everybody else was loyal."""
    evening = at_scaffold(players, **options)
    stroke(evening, "Bob", "hat")
    finish(evening, "L" * (players - 2))
    assert evening.phase == "again"
    return evening


def play_on(evening: Evening, successor: str) -> None:
    """The next game, in which the first prisoner dies and the others are loyal."""
    if evening.phase == "again":
        evening.all(f"{successor} me succède")
    quick_game(evening)


def quick_game(evening: Evening) -> None:
    while evening.phase == "table_setup":
        evening.all("suivant")
    evening.all("passe", "passe")
    while evening.phase == "deal":
        evening.all("suivant")
    evening.all("sans effet", *(f"{name} regarde" for name in evening.state["to_act"]), "sans effet")
    victim = evening.court.prisoners[0]
    stroke(evening, victim, "hat")
    finish(evening, "L" * len(evening.court.living))


# ---- the next game


def test_the_executioner_names_a_successor_who_is_somebody_else() -> None:
    """§5: purses are kept, the card passes on."""
    evening = paid()
    purses = evening.state["purses"]
    assert "who_succeeds" in evening.lines
    refused(evening, "Alice me succède", "not_yourself")
    evening.all("David me succède")
    assert evening.state["executioner"] == "David"
    assert evening.state["former"] == ["Alice"]
    assert evening.state["purses"] == purses
    assert evening.state["turn"] == 2
    assert evening.state["ledger"] == []
    assert evening.state["end"] is None
    assert "setup_money" not in [line for line, _ in evening.spoken]
    assert evening.phase == "table_setup"


def test_a_second_game_adds_up() -> None:
    evening = paid()
    play_on(evening, "David")
    assert evening.state["purses"] == {"Alice": 7, "Bob": 5, "Chloé": 7, "David": 7, "Emma": 5}
    assert total(evening) == 80


def test_everyone_once() -> None:
    """§5: “laisser chacun jouer le rôle du Bourreau une fois”, as a plan."""
    evening = paid(4, everyone_once=True)
    play_on(evening, "Bob")
    refused(evening, "Alice me succède", "was_executioner")
    play_on(evening, "Chloé")
    play_on(evening, "David")
    assert "who_succeeds_all_were" in evening.lines
    evening.all("Alice me succède")
    free = paid(4)
    play_on(free, "Bob")
    free.all("Alice me succède")


# ---- the end of the evening


def test_the_evening_ends_with_a_ranking() -> None:
    evening = paid()
    evening.all("Bob a deux couronnes", "Emma a neuf couronnes", "fin de la soirée")
    assert evening.phase == "over"
    assert evening.state["end"] == {"how": "evening", "winners": ["Emma"]}
    ranks = [text for line, text in evening.spoken if line == "rank_line"]
    assert [text.split("\u00a0:")[0] for text in ranks] == [
        "Première place, avec neuf couronnes",
        "Deuxième place, avec six couronnes",
        "Cinquième place, avec deux couronnes",
    ]
    assert ranks[1].endswith("Alice, Chloé et David.")
    assert [end.winners for end in evening.ends] == [("Emma",)]


def test_ties_win_together() -> None:
    """FAQ."""
    evening = paid()
    evening.all("fin de la soirée")
    assert evening.state["end"]["winners"] == ["Alice", "Chloé", "David", "Emma"]
    assert "winners_are" in evening.lines


def test_in_mid_game_the_end_is_confirmed() -> None:
    evening = at_scaffold()
    evening.all("fin de la soirée")
    assert evening.lines == ["confirm_end"]
    evening.all("non")
    assert evening.phase == "executions"
    evening.all("fin de la soirée", "oui")
    assert evening.phase == "over"
    assert evening.state["ledger"] == []
    assert evening.state["end"]["winners"] == list(NAMES[:5])


def test_the_tie_break() -> None:
    """FAQ: each of the tied is executioner once, then scores are compared."""
    evening = paid(4)
    evening.all("Chloé a sept couronnes", "David a sept couronnes", "fin de la soirée")
    assert evening.state["end"]["winners"] == ["Chloé", "David"]
    evening.all("départage")
    assert evening.state["executioner"] == "Chloé"
    assert evening.state["end"] is None
    quick_game(evening)
    assert evening.state["executioner"] == "David"
    assert "new_executioner" in evening.lines
    # Alone against three: now Alice and Bob die, and Chloé the loyalist gains two
    while evening.phase == "table_setup":
        evening.all("suivant")
    evening.all("passe", "passe")
    while evening.phase == "deal":
        evening.all("suivant")
    evening.all("sans effet", "Alice regarde", "Bob regarde", "Chloé regarde", "sans effet")
    stroke(evening, "Alice", "parasite")
    finish(evening, "LLL")
    assert evening.phase == "over"
    ranks = [text for line, text in evening.spoken if line == "rank_line"][-2:]
    assert "Alice" not in " ".join(ranks)
    assert len(evening.state["end"]["winners"]) in (1, 2)


def test_no_tie_to_break() -> None:
    evening = paid()
    evening.all("Emma a neuf couronnes", "fin de la soirée")
    refused(evening, "départage", "no_tie")
    evening.all("oui")  # somebody agrees


def test_the_end_can_be_taken_back() -> None:
    evening = paid()
    before = evening.course
    evening.all("fin de la soirée", "annule")
    assert evening.course == before


# ---- undo

DECISIONS: list[tuple[Any, list[str]]] = [
    (begun, ["action supplémentaire"]),
    (begun, ["la lanterne"]),
    (begun, ["interrogatoire"]),
    (lambda: at_scaffold(), ["j'exécute Bob"]),
    (lambda: struck("c'est fait"), ["joli chapeau"]),
    (lambda: struck("c'est fait"), ["mannequin"]),
    (lambda: struck("c'est fait"), ["bouclier"]),
    (lambda: struck("c'est fait"), ["mimique"]),
    (lambda: struck("c'est fait", "mimique"), ["grâce royale"]),
    (lambda: struck("c'est fait", "grâce royale"), ["oui"]),
    (lambda: struck("c'est fait", "grâce royale"), ["non"]),
    (lambda: struck("c'est fait", "joli chapeau"), ["non"]),
    (lambda: struck("c'est fait", "joli chapeau"), ["je suis le bouffon"]),
    (lambda: struck("c'est fait", "joli chapeau"), ["je suis la princesse", "oui"]),
    (lambda: struck("joli chapeau", "non"), ["j'arrête"]),
    (lambda: struck("joli chapeau", "non", "j'arrête"), ["Chloé a le parasite"]),
    (lambda: struck("joli chapeau", "non", "j'arrête"), ["au centre"]),
    (lambda: struck("joli chapeau", "non", "j'arrête"), ["personne"]),
    (lambda: struck("joli chapeau", "non", "j'arrête", "personne"), ["je suis loyaliste"]),
    (lambda: struck("joli chapeau", "non", "j'arrête", "personne", *["je suis loyaliste"] * 2), ["je suis saboteur"]),
    (paid, ["David me succède"]),
    (paid, ["fin de la soirée"]),
    (paid, ["Bob a huit couronnes"]),
]


def struck(*sentences: str) -> Evening:
    evening = at_scaffold()
    evening.all("j'exécute Bob", *sentences)
    return evening


@pytest.mark.parametrize(("where", "sentences"), DECISIONS)
def test_undo_restores_the_state_before(where: Any, sentences: list[str]) -> None:
    evening = where()
    before = evening.course
    evening.all(*sentences)
    assert evening.course != before
    evening.all("annule")
    assert evening.lines[0] == "undone"
    assert evening.course == before
    evening.all(*sentences)


def test_undo_says_that_what_was_seen_was_seen() -> None:
    """RULINGS, all games."""
    evening = struck("c'est fait", "joli chapeau")
    evening.all("annule")
    assert "undo_seen" in evening.lines
    evening = begun()
    evening.all("sans effet", "Bob échange", "annule")
    assert "undo_act_swap" in evening.lines


def test_crowns_come_back_with_an_undo() -> None:
    evening = paid()
    evening.all("annule")
    assert set(evening.state["purses"].values()) == {5}
    assert evening.phase == "ask_role"


# ---- corrections


def test_purses_are_set_right() -> None:
    """What a purse gains the treasury gives."""
    evening = paid()
    evening.all("Bob a huit couronnes")
    assert evening.state["purses"]["Bob"] == 8
    assert total(evening) == 80
    refused(evening, "Bob a 70 couronnes", "treasury_too_small")


def test_corrections_by_voice() -> None:
    """Purses where they are told, the other facts outside of table talk; asked back, since anybody may have said it."""
    assert "set_purse" not in struck("c'est fait").floor.hears  # type: ignore[union-attr]
    assert {"set_spared", "is_executioner"} <= set(struck("c'est fait").floor.hears)  # type: ignore[union-attr]
    evening = paid()
    assert evening.floor is not None
    assert {"bob a huit couronnes", "bob a une couronne", "bob n'a aucune couronne"} <= set(
        evening.production.phrases.sentences(evening.floor.hears)
    )
    evening.perform(Heard("set_purse", {"player": "Bob", "n": 0}, said="Bob n’a aucune couronne"))
    assert evening.lines == ["confirm_fact"]
    evening.all("oui")
    assert evening.state["purses"]["Bob"] == 0


def test_who_acted_is_set_right() -> None:
    evening = begun()
    evening.all("sans effet", "Bob a joué", "Chloé échange")
    assert evening.state["acted"] == ["Bob", "Chloé"]
    evening.all("Bob n'a pas joué")
    assert evening.state["to_act"] == ["David", "Emma", "Bob"]
    refused(evening, "David n'a pas joué", "has_not_acted")
    refused(evening, "Chloé a déjà joué", "has_acted")
    refused(evening, "Alice a déjà joué", "not_now")


def test_the_executioner_is_set_right() -> None:
    evening = begun()
    evening.all("le Bourreau est David", "correction le Bourreau est Emma")
    assert evening.state["executioner"] == "Emma"
    assert evening.state["to_act"] == ["Alice", "Bob", "Chloé", "David"]
    evening.all("sans effet", "Alice regarde")
    refused(evening, "correction le Bourreau est Bob", "too_late")


def test_an_execution_is_set_right() -> None:
    evening = struck("joli chapeau", "non")
    evening.all("Bob n'a pas été exécuté")
    assert evening.state["dead"] == []
    refused(evening, "Bob n'a pas été exécuté", "not_executed")
    refused(evening, "j'arrête", "execute_first")


def test_active_cards_are_forgotten() -> None:
    evening = at_scaffold(active_items=["pardon", "hat", "shield", "dummy", "cheese"])
    evening.all("quelles cartes")
    assert "Grâce Royale" in evening.words
    evening.all("oublie les cartes")
    assert evening.state["active"]["items"] == []
    refused(evening, "oublie les cartes", "cards_unknown")


@pytest.mark.parametrize("sentence", ["où en est-on", "combien de couronnes", "qui n'a pas joué", "quelles cartes"])
def test_queries_change_nothing(sentence: str) -> None:
    for evening in (begun(), at_scaffold(), struck("mannequin"), paid()):
        before = evening.course
        evening.all(sentence)
        assert evening.course == before
