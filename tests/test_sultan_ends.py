"""How an evening of Au chevet du Sultan ends (§4), Giafar and l'Amoureuse (§8c). RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import pytest
from evening import Evening, table
from test_sultan_rules import refused

from narrator.core.events import Heard

PLAIN = {"pacifist_board": "AAAAAZ"}


def played(tales: str, players: int = 7, **options: object) -> Evening:
    evening = Evening(table(players, **{**PLAIN, **options}))
    evening.read(tales)
    return evening


def slave_reads(evening: Evening, tale: str) -> None:
    for _ in range(3 - evening.state["counter"]):
        evening.refuse(evening.eligible()[0])
    evening.all(f"conte {tale}")


# ---- the four ends


@pytest.mark.parametrize(
    ("before", "tale", "camp"),
    [
        ("iiii", "interventionniste", "interventionist"),
        ("ppppp", "pacifiste", "pacifist"),
        ("iiiippppp", "interventionniste", "interventionist"),
        ("pppppiiii", "pacifiste", "pacifist"),
    ],
)
@pytest.mark.parametrize("by_slave", [False, True])
def test_last_tale(before: str, tale: str, camp: str, by_slave: bool) -> None:
    """§4: five interventionist tales, or six pacifist ones, whoever reads the last."""
    evening = played(before)
    if by_slave:
        slave_reads(evening, tale)
    else:
        evening.govern(evening.eligible()[0], tale)
    assert evening.phase == "last_tale"
    assert "last_tale" in evening.lines
    evening.all("oui")
    assert evening.state["end"] == {"how": f"{camp}_tales", "winners": [camp]}
    assert evening.phase == "over"
    assert [end.how for end in evening.ends] == [f"{camp}_tales"]
    assert evening.lines[-3:] == ["game_over", "victory", "farewell"]


@pytest.mark.parametrize("by_slave", [False, True])
def test_last_tale_was_misheard(by_slave: bool) -> None:
    """“C'est bien ça ?” Non: the tale is not counted and its colour asked again."""
    evening = played("iiii")
    if by_slave:
        slave_reads(evening, "interventionniste")
    else:
        evening.govern(evening.eligible()[0], "interventionniste")
    evening.all("non")
    assert evening.state["end"] is None
    assert evening.state["boards"] == {"interventionist": 4, "pacifist": 0}
    assert evening.phase == ("slave" if by_slave else "choice")
    evening.all("conte pacifiste")
    assert evening.state["boards"] == {"interventionist": 4, "pacifist": 1}
    assert evening.state["barred"] == [] if by_slave else len(evening.state["barred"]) == 2


@pytest.mark.parametrize("again", ["conte interventionniste", "les interventionnistes ont gagné"])
def test_the_last_tale_or_its_winner_said_again_is_a_yes(again: str) -> None:
    evening = played("iiii")
    evening.govern(evening.eligible()[0], "interventionniste")
    assert not evening.say("les pacifistes ont gagné")
    assert evening.lines == ["tale_contradicts"]
    evening.all(again)
    assert evening.state["end"] == {"how": "interventionist_tales", "winners": ["interventionist"]}


def test_dinarzade_said_again_is_a_yes() -> None:
    evening = played("ppp")
    evening.all(f"je propose {evening.eligible()[0]}", "sept oui", "je suis Dinarzade", "je suis Dinarzade")
    assert evening.state["end"] == {"how": "dinarzade_narratrice", "winners": ["pacifist"]}


def test_a_name_heard_again_may_be_misheard_again() -> None:
    """Typed it is a yes; by the microphone it is asked back once more."""
    exile = Heard("exile", {"player": "Emma"}, said="j'exile emma")
    evening = Evening(table(7, pacifist_board="XAAAAZ"))
    evening.govern("David", "pacifiste")
    for _ in range(2):
        evening.perform(exile)
        assert evening.lines == ["confirm_exile"]
    evening.all("j'exile Emma")
    assert evening.phase == "exile_answer"


def test_dinarzade_accepted_as_narratrice() -> None:
    """§4, §5: three pacifist tales already read, and the court accepts Dinarzade."""
    evening = played("ppp")
    evening.all(f"je propose {evening.eligible()[0]}", "sept oui", "je suis Dinarzade", "oui")
    assert evening.state["end"] == {"how": "dinarzade_narratrice", "winners": ["pacifist"]}
    assert evening.phase == "over"


def test_nothing_happens_after_the_end() -> None:
    evening = played("iiii")
    evening.govern(evening.eligible()[0], "interventionniste")
    evening.all("oui")
    for sentence in ("je propose Bob", "conte pacifiste", "sept oui", "j'exile Bob", "je suis Dinarzade"):
        before = evening.state
        assert not evening.say(sentence)
        assert evening.state == before
    evening.all("annule")  # but the last decision can be undone
    assert evening.phase == "last_tale"


# ---- Giafar (§8c; RULINGS: at every end, the responsible Grande Vizir, never the slave, beside the camp)


def end_by_tales(evening: Evening) -> None:
    evening.read("iiii")
    evening.govern(evening.eligible()[0], "interventionniste")
    evening.all("oui")


def end_by_pacifist_tales(evening: Evening) -> None:
    evening.read("ppppp")
    evening.govern(evening.eligible()[0], "pacifiste")
    evening.all("oui")


def end_by_narratrice(evening: Evening) -> None:
    evening.read("ppp")
    evening.all(f"je propose {evening.eligible()[0]}", "sept oui", "je suis Dinarzade", "oui")


def end_by_narratrice_after_the_slave(evening: Evening) -> None:
    evening.read("pp")
    slave_reads(evening, "pacifiste")
    evening.all(f"je propose {evening.eligible()[0]}", "sept oui", "je suis Dinarzade", "oui")


def end_by_exile(evening: Evening) -> None:
    evening.govern(evening.eligible()[0], "interventionniste")
    evening.all("j'exile Farid", "oui", "je suis Dinarzade", "oui")


ENDS = [
    (end_by_tales, {}, "interventionist"),
    (end_by_pacifist_tales, {}, "pacifist"),
    (end_by_narratrice, {}, "pacifist"),
    (end_by_narratrice_after_the_slave, {}, "pacifist"),
    (end_by_exile, {"interventionist_board": "X1112"}, "interventionist"),
]


@pytest.mark.parametrize(("end", "options", "camp"), ENDS)
@pytest.mark.parametrize("is_giafar", [True, False])
def test_giafar_is_asked_at_every_end(end: object, options: dict, camp: str, is_giafar: bool) -> None:
    evening = Evening(table(7, giafar=True, **PLAIN, **options))
    end(evening)
    assert evening.phase == "giafar"
    assert evening.lines[-1] == "are_you_giafar"
    assert evening.state["grand_vizir"] in evening.words
    refused(evening, "oui", "say_giafar")
    evening.all("je suis Giafar" if is_giafar else "non")
    assert evening.state["end"]["winners"] == [camp, *(["giafar"] if is_giafar else [])]
    assert evening.phase == "over"
    assert ("Giafar" in evening.words) is is_giafar


@pytest.mark.parametrize(("end", "options", "camp"), ENDS)
def test_no_giafar_no_question(end: object, options: dict, camp: str) -> None:
    evening = Evening(table(7, **PLAIN, **options))
    end(evening)
    assert evening.phase == "over"
    assert evening.state["end"]["winners"] == [camp]


@pytest.mark.parametrize(("before", "tale"), [("iiii", "interventionniste"), ("ppppp", "pacifiste")])
def test_giafar_is_not_asked_after_the_slave(before: str, tale: str) -> None:
    evening = played(before, giafar=True)
    slave_reads(evening, tale)
    refused(evening, "je suis Giafar", "no_giafar")
    evening.all("oui")
    assert evening.phase == "over"
    assert len(evening.state["end"]["winners"]) == 1


def test_giafar_may_speak_up_at_the_last_tale() -> None:
    evening = played("iiii", giafar=True)
    evening.govern(evening.eligible()[0], "interventionniste")
    evening.all("je suis Giafar")
    assert evening.state["end"]["winners"] == ["interventionist", "giafar"]


@pytest.mark.parametrize("giafar", [True, False])
@pytest.mark.parametrize("tales", ["iiiipppp", "iiippppp", "iiiippppp"])
def test_hand_over_at_four_and_five(giafar: bool, tales: str) -> None:
    """§8c, RULINGS: spoken to whoever is Grande Vizir, at 4 and 5 only, with Giafar in the game only."""
    evening = played(tales, giafar=giafar)
    due = giafar and tales == "iiiippppp"
    evening.accept(evening.eligible()[0])
    assert ("draw_and_hand_over" in evening.lines) is due
    assert ("draw_three" in evening.lines) is not due
    assert ("narratrice_keeps_one" in evening.lines) is due


# ---- l'Amoureuse (§8c, RULINGS)


def invited(evening: Evening) -> bool:
    return evening.phase == "lover"


@pytest.mark.parametrize(
    ("tales", "due"),
    [("iiiipppp", False), ("iiippppp", False), ("iiiippppp", True), ("pppppiiii", True), ("pipipipip", True)],
)
def test_lover_is_invited_when_due(tales: str, due: bool) -> None:
    """§8c: four interventionist tales, five pacifist ones."""
    assert invited(played(tales, amoureuse=True)) is due
    assert not invited(played(tales, amoureuse=False))


def test_lover_waits_for_the_power_of_the_fifth() -> None:
    """§8c: “le pouvoir du 5è a déjà été exécuté”."""
    evening = Evening(table(8, amoureuse=True, pacifist_board="AAAAYZ"))
    evening.read("iiiipppp")
    evening.govern(evening.eligible()[0], "pacifiste")
    assert evening.phase == "power_x"
    evening.all("j'exile Gaëlle", "oui", "non")
    assert invited(evening)


def test_lover_is_invited_whether_exiled_or_not() -> None:
    """RULINGS: so that the invitation tells nothing; an exiled Amoureuse has lost."""
    evening = Evening(table(8, amoureuse=True, pacifist_board="AAAXAZ"))
    evening.read("iiiippp")
    evening.govern(evening.eligible()[0], "pacifiste")
    evening.all("j'exile Gaëlle", "oui", "non")
    evening.read("p")
    assert invited(evening)
    evening.all("je suis l'Amoureuse")
    refused(evening, "c'est Gaëlle", "refuse_lover_exiled")
    evening.all("non")
    assert evening.phase == "proposal"
    assert evening.state["departed"] == []


def test_fifth_read_by_the_slave_never_had_its_power() -> None:
    """RULINGS."""
    evening = played("iiiipppp", amoureuse=True)
    slave_reads(evening, "pacifiste")
    assert evening.phase == "proposal"


def test_fourth_interventionist_read_by_the_slave_does() -> None:
    evening = played("iiippppp", amoureuse=True)
    slave_reads(evening, "interventionniste")
    assert invited(evening)


def test_lover_departs_and_wins_beside_the_camp() -> None:
    """§8c: she no longer votes nor governs, the game goes on, and she has won whatever follows."""
    evening = played("iiiippppp", amoureuse=True)
    evening.all("je suis l'Amoureuse")
    assert evening.lines == ["lover_who"]
    evening.all("c'est Gaëlle")
    assert evening.lines == ["confirm_lover"]
    assert evening.state["departed"] == []
    evening.all("oui")
    assert "pas un mot sur Dinarzade" in evening.words
    assert evening.state["departed"] == ["Gaëlle"]
    assert evening.state["voters"] == 6
    refused(evening, "je propose Gaëlle", "refuse_departed")
    evening.all(f"je propose {evening.eligible()[0]}")
    refused(evening, "sept oui", "count_mismatch")
    evening.all("six oui", "non", "conte pacifiste", "oui")
    assert evening.state["end"] == {"how": "pacifist_tales", "winners": ["pacifist", "amoureuse"]}


def test_the_sign_passes_the_departed() -> None:
    evening = played("iiiippppp", amoureuse=True)
    left = evening.court.table.left_of(evening.state["grand_vizir"])
    after = evening.court.table.left_of(left)
    evening.all(f"{left} est l'Amoureuse", "oui")
    assert evening.state["grand_vizir"] == after


@pytest.mark.parametrize("sentence", ["suivant", "passe", "c'est fait", "non", ""])
def test_lover_stays_silent(sentence: str) -> None:
    """The invitation passes by itself, and is made once."""
    evening = played("iiiippppp", amoureuse=True)
    if sentence:
        evening.all(sentence)
    else:
        assert evening.timers["time_up"] == 20
        evening.elapse("time_up")
    assert evening.phase == "proposal"
    evening.refuse(evening.eligible()[0])
    assert evening.phase == "proposal"


def test_the_table_goes_on_instead_of_waiting() -> None:
    evening = played("iiiippppp", amoureuse=True)
    turn = evening.state["turn"]
    vizir = evening.court.table.left_of(evening.state["grand_vizir"])
    barred = evening.state["barred"]
    name = next(p for p in evening.court.table.seats if p not in (vizir, *barred))
    evening.all(f"je propose {name}")
    assert (evening.state["turn"], evening.state["grand_vizir"]) == (turn + 1, vizir)


def test_the_table_cannot_go_on_past_the_invitation() -> None:
    """A power 0 or C that is still under way does not let a proposal skip it."""
    evening = Evening(table(8, amoureuse=True, pacifist_board="AAAA0Z"))
    evening.read("iiiipppp")
    evening.govern(evening.eligible()[0], "pacifiste")
    others = evening.court.table.without((evening.state["grand_vizir"],))
    evening.all(f"j'échange {others[0]} et {others[1]}")
    assert not evening.say(f"je propose {others[4]}")
    evening.all("c'est fait")
    assert invited(evening)
