"""Undo after every kind of decision, corrections by sentence, and the questions that are always answered."""

from __future__ import annotations

import pytest
from evening import Evening, table
from test_sultan_rules import refused

from narrator.core.events import Ordered

PLAIN = {"pacifist_board": "AAAAAZ"}


def board(letters: str, tales: str = "", players: int = 8, **options: object) -> Evening:
    evening = Evening(table(players, pacifist_board=letters, **options))
    evening.read(tales)
    return evening


def power(letter: str) -> Evening:
    evening = board(f"{letter}AAAAZ")
    evening.govern("David", "pacifiste")
    return evening


def in_vote() -> Evening:
    evening = board("AAAAAZ")
    evening.all("je propose Bob", "on vote")
    return evening


def accepted(tales: str = "", **options: object) -> Evening:
    evening = board("AAAAAZ", tales, **options)
    evening.accept(evening.eligible()[0])
    return evening


def asked() -> Evening:
    evening = board("AAAAAZ", "ppp")
    evening.all(f"je propose {evening.eligible()[0]}", "huit oui")
    return evening


def veto() -> Evening:
    evening = accepted("ppppp")
    evening.all("je demande le veto")
    return evening


def slave() -> Evening:
    evening = board("AAAAAZ")
    for _ in range(3):
        evening.refuse(evening.eligible()[0])
    return evening


def exile_answer() -> Evening:
    evening = power("X")
    evening.all("j'exile Emma", "oui")
    return evening


def lover_name() -> Evening:
    evening = board("AAAAAZ", "iiiippppp", amoureuse=True)
    evening.all("je suis l'Amoureuse")
    return evening


def last_tale() -> Evening:
    evening = board("AAAAAZ", "iiii", giafar=True)
    evening.govern(evening.eligible()[0], "interventionniste")
    return evening


def giafar() -> Evening:
    evening = last_tale()
    evening.all("oui")
    return evening


#: (where, what is decided, a line that undoing it must speak); every phase that waits has its row.
DECISIONS = [
    (lambda: Evening(table(8), skip_setup=False), ["suivant"], "recap_checklist"),
    (lambda: Evening(table(8), skip_setup=False), ["passe", "oui"], "recap_checklist"),
    (lambda: board("AAAAAZ"), ["je propose Bob"], "undo_propose"),
    (lambda: board("AAAAAZ"), ["la pioche a huit contes"], "recap"),
    (in_vote, ["huit oui"], "undo_count_yes"),
    (in_vote, ["huit non"], "undo_count_no"),
    (in_vote, ["six oui, deux non"], "undo_count"),
    (in_vote, ["trois oui, cinq non"], "undo_count"),
    (asked, ["non"], "are_you_dinarzade"),
    (asked, ["je suis Dinarzade", "oui"], "are_you_dinarzade"),
    (accepted, ["c'est fait"], "tale_awaited"),
    (accepted, ["conte pacifiste"], "undo_tale"),
    (lambda: accepted("ppppp"), ["je demande le veto"], "tale_awaited"),
    (veto, ["j'accepte le veto"], "undo_veto_accept_veto"),
    (veto, ["oui"], "undo_veto_yes"),
    (veto, ["non"], "veto_asked"),
    (veto, ["conte interventionniste"], "undo_tale"),
    (slave, ["conte pacifiste"], "undo_tale"),
    (lambda: power("B"), ["je choisis Emma"], "undo_choose"),
    (lambda: power("C"), ["je choisis Emma"], "undo_power_c"),
    (lambda: power("F"), ["c'est fait"], "undo_power_f"),
    (lambda: power("N"), ["c'est fait"], "undo_power_n"),
    (lambda: power("P"), ["c'est fait"], "undo_power_p"),
    (lambda: power("0"), ["j'échange Bob et Emma"], "undo_swap"),
    (lambda: power("X"), ["j'exile Emma", "oui"], "undo_exile"),
    (exile_answer, ["non"], "undo_exile_answer"),
    (exile_answer, ["je suis Dinarzade", "oui"], "undo_exile_answer"),
    (lover_name, ["c'est Bob", "oui"], "lover_who"),
    (lover_name, ["non"], "lover_who"),
    (last_tale, ["oui"], "last_tale"),
    (last_tale, ["non"], "last_tale"),
    (last_tale, ["je suis Giafar"], "last_tale"),
    (giafar, ["non"], "are_you_giafar"),
    (giafar, ["je suis Giafar"], "are_you_giafar"),
]


@pytest.mark.parametrize(("where", "sentences", "line"), DECISIONS)
def test_undo_restores_the_state_before(where: object, sentences: list[str], line: str) -> None:
    """RULINGS, all games: it rewinds what the narrator holds, and says what to do with the cards."""
    evening = where()
    before = evening.course
    evening.all(*sentences)
    assert evening.course != before
    evening.all("annule")
    assert evening.lines[0] == "undone"
    assert line in evening.lines
    assert evening.course == before
    evening.all(*sentences)  # and the same can be decided again


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        (lambda: power("X"), "j'exile Emma"),
        (asked, "je suis Dinarzade"),
        (exile_answer, "je suis Dinarzade"),
        (lover_name, "c'est Bob"),
    ],
)
@pytest.mark.parametrize("answer", ["annule", "erreur", "c'est faux", "non"])
def test_undo_while_a_confirmation_is_pending(where: object, sentence: str, answer: str) -> None:
    """It takes the pending sentence back, not the decision before it."""
    evening = where()
    before = evening.course
    evening.all(sentence, answer)
    assert evening.lines[0] == "not_done"
    assert evening.course == before


def test_undo_step_by_step_to_the_start() -> None:
    evening = board("AAAAAZ")
    courses = []
    for sentence in ("je propose Bob", "on vote", "huit oui", "conte pacifiste", "je propose Chloé"):
        courses.append(evening.course)
        evening.all(sentence)
    for course in reversed(courses):
        evening.all("annule")
        assert evening.course == course
    refused(evening, "annule", "nothing_to_undo")


def test_undo_says_that_shuffled_cards_stay_shuffled() -> None:
    evening = board("AAAAAZ", "pipi", players=7)
    evening.govern(evening.eligible()[0], "pacifiste")
    assert "reshuffle" in evening.lines
    evening.all("annule")
    assert "undo_shuffled" in evening.lines
    evening.all("conte interventionniste", "annule")
    assert "undo_shuffled" in evening.lines
    calm = board("AAAAAZ", "p")
    calm.all("annule")
    assert "undo_shuffled" not in calm.lines


def test_a_correction_that_changes_nothing_is_no_decision() -> None:
    evening = board("AAAAAZ")
    before = evening.course
    evening.all("je propose Bob")
    proposed = evening.course
    evening.all("le compteur est à zéro", "la pioche a dix-sept contes")
    assert evening.course == proposed
    evening.all("annule")
    assert evening.course == before


def test_a_bare_no_never_undoes() -> None:
    """RULINGS, all games."""
    evening = board("AAAAAZ")
    evening.all("je propose Bob")
    before = evening.course
    evening.say("non")
    assert evening.course == before


def test_undone_sign_and_seats() -> None:
    evening = power("0")
    evening.all("j'échange Bob et Emma", "annule")
    assert evening.court.table.seats[1] == "Bob"


# ---- corrections


def test_pile_and_discard_are_set_right() -> None:
    """“la pioche a huit contes”: the deck stays whole."""
    evening = board("AAAAAZ", "pp")
    evening.all("la pioche a huit contes")
    assert (evening.state["pile"], evening.state["discard"]) == (8, 7)
    assert evening.lines[0] == "pile_set"
    evening.all("la défausse a quatre contes")
    assert (evening.state["pile"], evening.state["discard"]) == (11, 4)
    evening.all("correction la pioche a douze contes")
    assert (evening.state["pile"], evening.state["discard"]) == (12, 3)


@pytest.mark.parametrize(
    "sentence",
    [
        "la pioche a deux contes",  # a government draws three
        "la pioche a seize contes",
        "la défausse a treize contes",
        "la défausse a vingt contes",
        "le compteur est à trois",
    ],
)
def test_impossible_numbers(sentence: str) -> None:
    line = "counter_range" if "compteur" in sentence else "pile_range" if "pioche" in sentence else "impossible_number"
    refused(board("AAAAAZ", "pp"), sentence, line)


def test_counter_is_set_right() -> None:
    evening = board("AAAAAZ")
    evening.all("le compteur est à deux")
    assert evening.state["counter"] == 2
    evening.refuse("Bob")
    assert evening.phase == "slave"
    refused(evening, "le compteur est à un", "not_now")


@pytest.mark.parametrize(
    ("sentence", "boards", "hidden"),
    [
        ("il y a trois contes pacifistes", (0, 3), 14),
        ("il y a un conte pacifiste lu", (0, 1), 16),
        ("il y a deux contes interventionnistes lus", (2, 2), 13),
    ],
)
def test_boards_are_set_right(sentence: str, boards: tuple[int, int], hidden: int) -> None:
    evening = board("AAAAAZ", "pp")
    evening.all(sentence)
    assert tuple(evening.state["boards"].values()) == boards
    assert evening.state["pile"] + evening.state["discard"] == hidden


@pytest.mark.parametrize("sentence", ["il y a six contes pacifistes", "il y a cinq contes interventionnistes"])
def test_the_last_tale_is_announced_not_set(sentence: str) -> None:
    """RULINGS, all games."""
    refused(board("AAAAAZ", "pp"), sentence, "announce_last_tale")


def test_grand_vizir_is_set_right() -> None:
    evening = board("AAAAAZ")
    evening.all("la Grande Vizir est Emma")
    assert evening.state["grand_vizir"] == "Emma"
    evening.refuse("Bob")
    assert evening.state["grand_vizir"] == "Farid"
    evening.all("je propose Bob")
    refused(evening, "Bob est grande vizir", "vizir_is_narratrice")


def test_exile_is_set_right() -> None:
    evening = board("AAAAAZ")
    evening.all("Emma est exilée")
    assert evening.state["exiled"] == ["Emma"]
    refused(evening, "Emma est en exil", "already_exiled")
    refused(evening, "la Grande Vizir est Emma", "refuse_target_exiled")
    evening.all("Emma n'est plus en exil")
    assert evening.state["exiled"] == []
    refused(evening, "Emma n'est pas exilée", "not_exiled")
    refused(evening, "Alice est en exil", "exile_governs")


def test_three_stay_at_court() -> None:
    evening = board("AAAAAZ", players=5)
    evening.all("Emma est en exil", "David est en exil")
    refused(evening, "Chloé est en exil", "too_few")


def test_last_government_is_set_right() -> None:
    evening = board("AAAAAZ", "p")
    evening.all("le dernier gouvernement était Emma et Farid")
    assert evening.state["barred"] == ["Emma", "Farid"]
    refused(evening, "le dernier gouvernement était Emma et Emma", "refuse_swap_same")
    evening.all("tout le monde est éligible")
    assert evening.state["barred"] == []


def test_seats_are_set_right() -> None:
    evening = board("AAAAAZ")
    evening.all("Bob et Emma ont échangé leurs places")
    assert evening.court.table.seats[1] == "Emma"
    refused(evening, "Bob et Bob ont échangé leurs places", "refuse_swap_same")


def test_nothing_is_set_right_after_the_end() -> None:
    evening = giafar()
    evening.all("non")
    refused(evening, "il y a trois contes pacifistes", "already_over")
    refused(evening, "la Grande Vizir est Bob", "not_now")


# ---- queries


QUERIES = {
    "où en est-on": "Tour trois. Chloé est Grande Vizir. Un conte interventionniste lu, un pacifiste.",
    "qui peut être narratrice": "Peuvent être Narratrices : Alice, David, Emma, Farid, Gaëlle et Hugo.",
    "combien de contes": "Il reste onze contes dans la pioche et quatre dans la défausse.",
}


@pytest.mark.parametrize("sentence", QUERIES)
def test_queries_are_answered_and_change_nothing(sentence: str) -> None:
    evening = board("AAAAAZ", "pi")
    before = evening.course
    evening.all(sentence)
    assert QUERIES[sentence] in evening.words.replace("\u00a0", " ").replace("\u202f", " ")
    assert evening.course == before


@pytest.mark.parametrize(("where", "sentences", "line"), DECISIONS)
def test_queries_are_answered_everywhere(where: object, sentences: list[str], line: str) -> None:
    evening = where()
    before = evening.course
    evening.all(*QUERIES)
    assert evening.course == before


def test_tales_in_hand_are_said() -> None:
    evening = accepted()
    evening.all("combien de contes")
    assert "avec les trois qui sont en main" in evening.words
    assert "dix-sept contes dans la pioche" in evening.words
    assert evening.state["pile"] == 17


def test_a_fifth_tale_set_right_later_counts_as_used() -> None:
    """§8c: l'Amoureuse is invited although the fifth pacifist tale was only counted by a correction."""
    evening = Evening(table(7, amoureuse=True))
    evening.all("il y a cinq contes pacifistes", "il y a quatre contes interventionnistes")
    evening.refuse("Chloé")
    assert evening.phase == "lover"


def test_a_resumed_evening_repeats_nothing_from_before_the_last_pause() -> None:
    """A power cut costs the table at most what was being said: what came before a pause for hands was heard."""
    evening = Evening(table(7))
    evening.accept(evening.eligible()[0])
    assert evening.phase == "draw"
    before = evening.state
    evening.perform(Ordered("resume"))
    assert evening.lines[0] == "resumed"
    assert "draw_three" not in evening.lines
    assert "narratrice_chooses" in evening.lines
    assert evening.state == before


def test_eyes_that_a_power_cut_opened_are_closed_again_from_the_beginning() -> None:
    evening = Evening(table(7), skip_setup=False)
    while evening.floor is not None and not evening.production.game.script.phases[evening.phase].eyes_closed:
        assert evening.say("suivant", at_once=True)
    first = list(evening.lines)
    evening.perform(Ordered("resume"), dwell=False)
    assert evening.lines[0] == "resumed"
    assert [line for line in evening.lines if line in first]
