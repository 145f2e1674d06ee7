"""The powers of Au chevet du Sultan, each led step by step (§7b, §8b). RULINGS = docs/RULINGS.md."""

from __future__ import annotations

import pytest
from evening import NAMES, Evening, table
from test_sultan_rules import refused


def uncovered(letter: str, players: int = 7, second: str = "A", **options: object) -> Evening:
    """Alice governs with David and covers `letter`; `second` lies under the next pacifist tale."""
    evening = Evening(table(players, pacifist_board=f"{letter}{second}AAAZ", **options))
    evening.govern("David", "pacifiste")
    return evening


# ---- all of them


@pytest.mark.parametrize("letter", "BCFNPXY0")
def test_power_is_named_and_must_be_used(letter: str) -> None:
    """§7b: at once, by the Grande Vizir; nothing else goes on before."""
    evening = uncovered(letter)
    assert evening.state["power"] == letter
    assert "uncovers" in evening.lines
    assert not evening.say("je propose Emma")
    assert not evening.say("passe")
    assert evening.state["turn"] == 1
    evening.use_power()
    assert evening.state["power"] is None
    assert (evening.phase, evening.state["turn"]) == ("proposal", 2)


@pytest.mark.parametrize("letter", "AZ12")
def test_places_without_power(letter: str) -> None:
    """RULINGS: A, Z, 1 and 2 carry none."""
    evening = uncovered(letter)
    assert evening.state["power"] is None
    assert evening.phase == "proposal"


@pytest.mark.parametrize("letter", "BCFNPXY0")
def test_slave_uses_no_power(letter: str) -> None:
    """§7b: except when the tale was read automatically."""
    evening = Evening(table(7, pacifist_board=f"{letter}AAAAZ"))
    for _ in range(3):
        evening.refuse(evening.eligible()[0])
    evening.all("conte pacifiste")
    assert evening.state["power"] is None
    assert "uncovers" not in evening.lines
    assert evening.phase == "proposal"


@pytest.mark.parametrize("letter", "BCFNPXY0")
def test_power_of_the_other_board(letter: str) -> None:
    """§8a, §9: powers may lie on the interventionist board too; they are used the same way."""
    evening = Evening(table(7, interventionist_board=f"{letter}1112"))
    evening.govern("David", "interventionniste")
    assert evening.state["power"] == letter
    evening.use_power()
    assert evening.state["turn"] == 2


# ---- B


def test_b_step_by_step() -> None:
    """§7b, B: whom, which card says what, handed over unseen, looked at, given back, “c'est fait”."""
    evening = uncovered("B")
    assert evening.lines[-2:] == ["uncovers", "b_choose"]
    evening.all("je choisis Emma")
    assert evening.lines == ["b_chosen", "b_cards", "b_give", "b_look", "say_done"]
    assert "Giafar et l’Amoureuse aussi" in evening.words  # RULINGS: remind all of what is shown
    assert evening.phase == "b_look"
    evening.all("c'est fait")
    assert evening.phase == "proposal"


def test_b_not_herself() -> None:
    """RULINGS."""
    refused(uncovered("B"), "je choisis Alice", "refuse_look_self")


def test_b_not_twice() -> None:
    """§7b: once a game for each target, whoever asks."""
    evening = uncovered("B", second="B")
    evening.all("je choisis Emma", "c'est fait")
    evening.govern("Chloé", "pacifiste")
    refused(evening, "je choisis Emma", "refuse_seen")
    evening.all("je choisis Alice")


def test_b_not_exiled() -> None:
    """RULINGS."""
    evening = uncovered("B")
    evening.all("Emma est en exil")
    refused(evening, "je choisis Emma", "refuse_target_exiled")


# ---- C


def vizirs(evening: Evening, turns: int) -> list[str]:
    """Who holds the sign, turn after turn of refused and slave-read governments."""
    seen = []
    for _ in range(turns):
        seen.append(evening.state["grand_vizir"])
        evening.refuse(evening.eligible()[0])
        if evening.phase == "slave":
            evening.all("conte interventionniste")
    return seen


@pytest.mark.parametrize(
    ("chosen", "after"),
    [
        ("Emma", ["Emma", "Bob", "Chloé"]),  # nobody is skipped
        ("David", ["David", "Bob", "Chloé"]),  # the outgoing Narratrice too
        ("Bob", ["Bob", "Bob", "Chloé"]),  # the left neighbour: twice in a row
        ("Gaëlle", ["Gaëlle", "Bob", "Chloé"]),
    ],
)
def test_c_cycle(chosen: str, after: list[str]) -> None:
    """§7b, C: an extra Grande Vizir, then the left of the one who used the power."""
    evening = uncovered("C")
    evening.all(f"je choisis {chosen}")
    assert evening.lines == ["c_hand", "c_after"]
    evening.all("c'est fait")
    assert vizirs(evening, 3) == after


def test_c_not_herself_nor_exiled() -> None:
    """§7b: any player other than herself; RULINGS: nobody exiled."""
    evening = uncovered("C")
    refused(evening, "je choisis Alice", "refuse_vizir_self")
    evening.all("Emma est en exil")
    refused(evening, "je choisis Emma", "refuse_target_exiled")


def test_c_goes_on_by_itself() -> None:
    """The sign is handed on: time passes, or the new Grande Vizir just proposes."""
    evening = uncovered("C")
    evening.all("je choisis Emma")
    evening.elapse("time_up")
    assert evening.state["grand_vizir"] == "Emma"
    evening = uncovered("C")
    evening.all("je choisis Emma")
    refused(evening, "je propose Emma", "refuse_self")
    evening.all("je propose Farid")
    assert evening.lines[0] == "proposed_next"
    assert (evening.state["grand_vizir"], evening.state["turn"]) == ("Emma", 2)


def test_c_with_the_users_seat_moved_by_0() -> None:
    """RULINGS: the cycle resumes at the left of the person who used C, where she sits now."""
    evening = uncovered("C", second="0")
    evening.all("je choisis Emma", "c'est fait")
    evening.govern("Chloé", "pacifiste")
    evening.all("j'échange Alice et Farid", "c'est fait")  # Alice now sits between Emma and Gaëlle
    assert vizirs(evening, 2) == ["Gaëlle", "Farid"]


def test_c_with_the_chosen_left_neighbour_moved_by_0() -> None:
    evening = uncovered("C", second="0")
    evening.all("je choisis Bob", "c'est fait")
    evening.govern("Chloé", "pacifiste")
    evening.all("j'échange Alice et Farid", "c'est fait")
    assert vizirs(evening, 2) == ["Gaëlle", "Farid"]


def test_c_names_somebody_who_is_then_exiled() -> None:
    evening = uncovered("C")
    evening.all("je choisis Emma", "Emma est en exil", "c'est fait")
    assert vizirs(evening, 2) == ["Bob", "Chloé"]


# ---- F and N


def test_f_step_by_step() -> None:
    """§7b, F: three from the top, looked at in secret, put back in the same order."""
    evening = uncovered("F")
    assert evening.lines[-5:] == ["uncovers", "f_take", "f_back", "secret_may_lie", "say_done"]
    assert (evening.state["pile"], evening.state["discard"]) == (14, 2)
    evening.all("c'est fait")
    assert (evening.state["pile"], evening.state["discard"]) == (14, 2)


@pytest.mark.parametrize("pile", [3, 4, 5, 6])
def test_f_does_not_shuffle_above_two(pile: int) -> None:
    """§7b, F; RULINGS: never at three."""
    evening = Evening(table(7, pacifist_board="AFAAAZ"))
    evening.govern("David", "pacifiste")
    evening.accept("Chloé")
    evening.all(f"la pioche a {pile + 3} contes", "conte pacifiste")
    assert evening.phase == "power_f"
    assert "reshuffle" not in evening.lines
    assert evening.state["pile"] == pile


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_f_shuffles_first(pile: int) -> None:
    """§7b, F: two or fewer in the pile: the discard is shuffled in before."""
    evening = Evening(table(7, pacifist_board="AFAAAZ"))
    evening.govern("David", "pacifiste")
    evening.accept("Chloé")
    evening.all(f"la pioche a {pile + 3} contes", "conte pacifiste")
    assert evening.lines.index("uncovers") < evening.lines.index("reshuffle") < evening.lines.index("f_take")
    assert (evening.state["pile"], evening.state["discard"]) == (15, 0)
    evening.all("c'est fait")
    assert "reshuffle" not in evening.lines


@pytest.mark.parametrize("pile", [0, 1, 2, 3])
def test_n_never_shuffles(pile: int) -> None:
    """§8b, N; RULINGS: it looks at what there is."""
    evening = Evening(table(7, pacifist_board="ANAAAZ"))
    evening.govern("David", "pacifiste")
    evening.accept("Chloé")
    evening.all(f"la pioche a {pile + 3} contes", "conte pacifiste")
    assert evening.lines[-5:] == ["uncovers", "n_take", "n_back", "secret_may_lie", "say_done"]
    assert (evening.state["pile"], evening.state["discard"]) == (pile, 15 - pile)
    evening.all("c'est fait")
    assert ("reshuffle" in evening.lines) is (pile <= 2)  # the next turn's own


# ---- P


def test_p_adds_a_tale() -> None:
    """§8b, P: one of the two additional tales, anywhere but on top."""
    evening = uncovered("P")
    assert evening.lines[-4:] == ["uncovers", "p_take", "p_place", "say_done"]
    assert evening.state["pile"] == 14
    evening.all("c'est fait")
    assert evening.state["pile"] == 15


def test_p_onto_an_empty_pile() -> None:
    """RULINGS: the tale is laid down."""
    evening = Evening(table(7, pacifist_board="APAAAZ"))
    evening.govern("David", "pacifiste")
    evening.accept("Chloé")
    evening.all("la pioche a trois contes", "conte pacifiste")
    assert evening.lines[-2:] == ["p_lay_down", "say_done"]
    evening.all("c'est fait")
    assert (evening.state["pile"], evening.state["discard"]) == (16, 0)  # then the turn begins with a shuffle


# ---- 0


def test_0_swaps_two_seats() -> None:
    """§8b, 0: two other players; the cycle follows the persons where they sit (RULINGS)."""
    evening = uncovered("0")
    evening.all("j'échange Bob et Emma")
    assert evening.lines == ["swapped", "swap_move", "say_done"]
    assert "Alice, Emma, Chloé, David, Bob, Farid et Gaëlle" in evening.words
    evening.all("c'est fait")
    assert vizirs(evening, 4) == ["Emma", "Chloé", "David", "Bob"]


def test_0_not_herself_nor_the_same_twice() -> None:
    evening = uncovered("0")
    refused(evening, "j'échange Alice et Bob", "refuse_swap_self")
    refused(evening, "j'échange Bob et Alice", "refuse_swap_self")
    refused(evening, "j'échange Bob et Bob", "refuse_swap_same")


def test_0_may_move_an_exiled_players_seat() -> None:
    """RULINGS."""
    evening = uncovered("0")
    evening.all("Bob est en exil", "j'échange Bob et Gaëlle", "c'est fait")
    assert evening.state["grand_vizir"] == "Gaëlle"


def test_0_goes_on_when_the_next_vizir_proposes() -> None:
    evening = uncovered("0")
    evening.all("j'échange Bob et Emma", "je propose Chloé")
    assert (evening.state["grand_vizir"], evening.state["turn"]) == ("Emma", 2)


# ---- X and Y


@pytest.mark.parametrize("letter", "XY")
def test_exile_step_by_step(letter: str) -> None:
    """§7b, X and Y: whom, asked back once, Dinarzade or not, then out."""
    evening = uncovered(letter)
    evening.all("j'exile Emma")
    assert evening.lines == ["confirm_exile"]
    assert evening.state["exiled"] == []
    evening.all("oui")
    assert evening.lines == ["exiled_are_you_dinarzade"]
    assert "ne dis rien d’autre de ton camp" in evening.words
    evening.all("non")
    assert evening.lines[0] == "exile_stands"
    assert evening.state["exiled"] == ["Emma"]
    assert evening.state["voters"] == 6
    refused(evening, "je propose Emma", "refuse_exiled")


@pytest.mark.parametrize("answer", ["non", "annule"])
def test_exile_is_not_confirmed(answer: str) -> None:
    evening = uncovered("X")
    before = evening.course
    evening.all("j'exile Emma", answer)
    assert evening.course == before


def test_another_name_instead_of_the_confirmation() -> None:
    evening = uncovered("X")
    evening.all("j'exile Emma", "j'exile Farid", "oui", "non")
    assert evening.state["exiled"] == ["Farid"]


def test_queries_leave_the_confirmation_open() -> None:
    evening = uncovered("X")
    evening.all("j'exile Emma", "combien de contes", "oui", "non")
    assert evening.state["exiled"] == ["Emma"]


def test_exile_of_oneself() -> None:
    """RULINGS: allowed, after a confirmation; the round goes on at her left."""
    evening = uncovered("X")
    evening.all("j'exile Alice", "oui", "non")
    assert evening.state["exiled"] == ["Alice"]
    assert evening.state["grand_vizir"] == "Bob"


def test_exile_of_the_narratrice() -> None:
    evening = uncovered("X")
    evening.all("j'exile David", "oui", "non")
    assert evening.state["exiled"] == ["David"]


def test_nobody_is_exiled_twice() -> None:
    evening = uncovered("X", second="Y")
    evening.all("j'exile Emma", "oui", "non")
    evening.govern("Chloé", "pacifiste")
    refused(evening, "j'exile Emma", "refuse_target_exiled")


def test_exiled_dinarzade_ends_the_game() -> None:
    """§4, §7b: the interventionists win; a full sentence, confirmed once (RULINGS)."""
    evening = uncovered("X")
    evening.all("j'exile Emma", "oui")
    refused(evening, "oui", "say_dinarzade")
    evening.all("je suis Dinarzade")
    assert evening.state["end"] is None
    evening.all("oui")
    assert evening.state["end"] == {"how": "dinarzade_exiled", "winners": ["interventionist"]}
    assert evening.state["exiled"] == ["Emma"]
    assert evening.phase == "over"


def test_the_exiled_are_passed_over_by_the_sign() -> None:
    evening = uncovered("X")
    evening.all("j'exile Bob", "oui", "non")
    assert vizirs(evening, 6) == [NAMES[n] for n in (2, 3, 4, 5, 6, 0)]
