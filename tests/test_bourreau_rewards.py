"""Crowns of Le Bourreau (§3, §4, FAQ): both worked examples and every answer, number by number.

Alice is the executioner; everybody begins with five crowns. RULINGS = docs/RULINGS.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from evening import Evening
from scaffold import at_scaffold, begun, finish, gains, stroke, tell_role, total

from narrator.games.bourreau.configuration import Box
from narrator.games.bourreau.rewards import change

# ---- §3, example 1


def test_example_1_before_the_third_execution() -> None:
    """“Le Bourreau pourrait s'arrêter et gagner 1 Couronne”: the fool's death is worth nothing to him."""
    evening = at_scaffold(6)
    stroke(evening, "Bob", "hat")
    stroke(evening, "Chloé", "chalice", "F")
    finish(evening, "LSS")
    moves = [(m["from"], m["to"], m["crowns"], m["reason"]) for m in evening.state["ledger"]]
    assert ("treasury", "Alice", 1, "executions") in moves
    # the fool takes one from each of five and gives one back as dead (RULINGS); David is paid for Bob
    assert gains(evening) == {"Bob": -2, "Chloé": 4, "Emma": -1, "Farid": -1}


def test_example_1_to_its_end() -> None:
    """A hat, then the fool who steals one from each, then a pardon: the living saboteurs receive three."""
    evening = at_scaffold(6)
    stroke(evening, "Bob", "hat")
    stroke(evening, "Chloé", "chalice", "F")
    stroke(evening, "David", "pardon")
    finish(evening, "SL")  # Emma is the living saboteur, Farid a loyalist
    thefts = {"Alice": -1, "Bob": -1, "Chloé": 5, "David": -1, "Emma": -1, "Farid": -1}
    own = {"Alice": -1, "Bob": -1, "Chloé": -1, "David": -1, "Emma": 3, "Farid": 0}
    assert gains(evening) == {p: thefts[p] + own[p] for p in thefts}
    assert reasons(evening) == ["theft"] * 5 + ["disgrace"] + ["death"] * 3 + ["rebellion"]


# ---- §3, example 2


def test_example_2() -> None:
    """A shield, then a dummy: both lived, one player counts as dead; the saboteur gets nothing."""
    evening = at_scaffold(4)
    stroke(evening, "Bob", "shield")
    stroke(evening, "Chloé", "dummy")
    finish(evening, "LLS")
    assert gains(evening) == {"Alice": 1, "Bob": 1, "Chloé": 1}


# ---- the FAQ and RULINGS, row by row: (what, players, strokes, roles of the living, gains, options)

Rows = list[tuple[str, int, list[tuple[str, ...]], str, dict[str, int], dict[str, Any]]]

ROWS: Rows = [
    ("§3: a dead player loses one, everybody loyal gains one per dead", 5, [("Bob", "hat"), ("Chloé", "chalice")], "LL",
     {"Alice": 2, "Bob": -1, "Chloé": -1, "David": 2, "Emma": 2}, {}),
    ("§3: a pardon; saboteurs three, loyalists nothing, the executioner loses one", 5, [("Bob", "pardon")], "SLS",
     {"Alice": -1, "Bob": -1, "Chloé": 3, "Emma": 3}, {}),
    ("§3: the princess, the same", 5, [("Bob", "hat", "P")], "SLL", {"Alice": -1, "Bob": -1, "Chloé": 3}, {}),
    ("§3: a dead saboteur gains nothing by the rebellion", 5, [("Bob", "hat"), ("Chloé", "pardon")], "LS",
     {"Alice": -1, "Bob": -1, "Chloé": -1, "Emma": 3}, {}),
    ("FAQ: the fool dies with a pardon: he steals first, then saboteurs receive", 5, [("Bob", "pardon", "F")], "SLL",
     {"Alice": -2, "Bob": 3, "Chloé": 2, "David": -1, "Emma": -1}, {}),
    ("FAQ, dummy: a crown to the executioner, and to its loyal owner", 5, [("Bob", "dummy")], "LSLS",
     {"Alice": 1, "Bob": 1, "David": 1}, {}),
    ("FAQ, dummy: the princess lives, and is paid (RULINGS)", 5, [("Bob", "dummy")], "PSLS",
     {"Alice": 1, "Bob": 1, "David": 1}, {}),
    ("FAQ, parasite executed: nothing for anybody", 5, [("Bob", "parasite")], "LSLS", {}, {}),
    ("FAQ, parasite executed: he is paid for the others", 5, [("Bob", "parasite"), ("Chloé", "hat")], "LSL",
     {"Alice": 1, "Bob": 1, "Chloé": -1, "Emma": 1}, {}),
    ("FAQ, cheese: a dead fool is an ordinary player", 5, [("Bob", "cheese", "F")], "LSL",
     {"Alice": 1, "Bob": -1, "Chloé": 1, "Emma": 1}, {}),
    ("RULINGS: an executed fool counts for nobody", 5, [("Bob", "hat", "F")], "LSL",
     {"Alice": -1, "Bob": 3, "Chloé": -1, "David": -1, "Emma": -1}, {}),
    ("RULINGS (o): an executed fool counts for the loyalists", 5, [("Bob", "hat", "F")], "LSL",
     {"Alice": -1, "Bob": 3, "David": -1}, {"fool_counts": True}),
    ("RULINGS (o): a dead fool gives nothing back", 5, [("Bob", "hat", "F")], "LSL",
     {"Alice": -1, "Bob": 4, "Chloé": -1, "David": -1, "Emma": -1}, {"fool_pays": False}),
    ("RULINGS: a living fool without the cheese gets nothing", 5, [("Bob", "hat")], "FLS",
     {"Alice": 1, "Bob": -1, "David": 1}, {}),
    ("RULINGS (o): a princess who is no loyalist", 5, [("Bob", "hat")], "PLS",
     {"Alice": 1, "Bob": -1, "David": 1}, {"princess_is_paid": False}),
    ("FAQ, mimic of a dummy", 5, [("Bob", "mimic", "dummy")], "LSLS", {"Alice": 1, "Bob": 1, "David": 1}, {}),
    ("FAQ, mimic of a pardon", 5, [("Bob", "mimic", "pardon")], "LSL", {"Alice": -1, "Bob": -1, "David": 3}, {}),
    ("FAQ, shield: the chosen one's death counts for the executioner", 5, [("Bob", "shield"), ("Chloé", "hat")], "LSL",
     {"Alice": 1, "Bob": 1, "Chloé": -1, "Emma": 1}, {}),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_row(row: tuple[str, int, list[tuple[str, ...]], str, dict[str, int], dict[str, Any]]) -> None:
    _, players, strokes, living, expected, options = row
    evening = at_scaffold(players, **options)
    for who, item, *more in strokes:
        centre = more[0] if item == "mimic" else ""
        stroke(evening, who, item, more[0] if more and not centre else "", centre=centre)
    if evening.phase == "executions":
        evening.all("j'arrête")
        if evening.phase == "who_parasite":
            evening.all("personne")
    finish(evening, living)
    assert evening.phase == "again"
    assert gains(evening) == expected
    assert total(evening) == 80


# ---- cheese and the living fool (FAQ)


@pytest.mark.parametrize(
    ("cheese", "options", "expected"),
    [
        (True, {}, {"Alice": 1, "Bob": -1, "Chloé": 1, "David": 1}),
        (False, {}, {"Alice": 1, "Bob": -1, "David": 1}),
        (True, {"cheese_steals": True}, {"Alice": -1, "Bob": -3, "Chloé": 8, "David": -1, "Emma": -2}),
        (False, {"cheese_steals": True}, {"Alice": 1, "Bob": -1, "David": 1}),
    ],
)
def test_a_living_fool(cheese: bool, options: dict[str, Any], expected: dict[str, int]) -> None:
    """FAQ: with the cheese paid as a loyalist; by the optional rule he steals two crowns from everybody."""
    evening = at_scaffold(**options)
    stroke(evening, "Bob", "hat")
    finish(evening, "FLS", cheese=cheese)
    assert "has_fool_cheese" in [line for line, _ in evening.spoken]
    assert gains(evening) == expected


def test_the_cheese_is_not_asked_for_once_it_was_shown() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "cheese")
    finish(evening, "FLS")
    assert "has_fool_cheese" not in [line for line, _ in evening.spoken]


def test_an_escaped_fool_has_shown_that_it_was_no_cheese() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "dummy")
    finish(evening, "FLLS")
    assert "has_fool_cheese" not in [line for line, _ in evening.spoken]
    assert gains(evening) == {"Alice": 1, "Chloé": 1, "David": 1}


def test_a_rebellion_pays_saboteurs_and_nobody_else() -> None:
    """RULINGS: everybody else gets nothing for that game, whatever is in the fool's hand."""
    evening = at_scaffold(cheese_steals=True)
    stroke(evening, "Bob", "pardon")
    finish(evening, "FLS")
    assert gains(evening) == {"Alice": -1, "Bob": -1, "Emma": 3}


# ---- the parasite at the end (FAQ)


def test_a_parasite_s_death_counts() -> None:
    """FAQ: “considéré comme un joueur mort … le Bourreau reçoit 1 Couronne pour cette mort”."""
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    finish(evening, "LS", parasite="Chloé")
    assert gains(evening) == {"Alice": 2, "Bob": -1, "Chloé": -1, "David": 2}


def test_a_fool_dead_of_the_parasite_steals_and_counts() -> None:
    """FAQ: he still steals; RULINGS: his death by the parasite counts."""
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "Chloé a le parasite")
    tell_role(evening, "F")
    finish(evening, "LS")
    assert gains(evening) == {"Alice": 1, "Bob": -2, "Chloé": 3, "David": 1, "Emma": -1}


def test_a_princess_dead_of_the_parasite() -> None:
    evening = at_scaffold()
    stroke(evening, "Bob", "hat")
    evening.all("j'arrête", "Chloé a le parasite")
    tell_role(evening, "P")
    finish(evening, "LS")
    assert gains(evening) == {"Alice": -1, "Bob": -1, "Chloé": -1, "Emma": 3}


# ---- empty purses, a small treasury


def with_purses(evening: Evening, **purses: int) -> Evening:
    for player, crowns in purses.items():
        evening.all(f"{player} a {crowns} couronnes")
    return evening


def test_the_fool_steals_from_the_treasury_where_a_purse_is_empty() -> None:
    """FAQ: “Si un Saboteur n'a aucune Couronne, le Bouffon en prend une dans le Trésor”; he still receives three."""
    evening = with_purses(at_scaffold(), Chloé=0)
    stroke(evening, "Bob", "pardon", "F")
    finish(evening, "SLL")
    assert evening.state["purses"] == {"Alice": 3, "Bob": 8, "Chloé": 3, "David": 4, "Emma": 4}
    assert {"from": "treasury", "to": "Bob", "crowns": 1, "reason": "theft"} in evening.state["ledger"]
    assert "pay_theft_paid" in evening.lines
    assert total(evening) == 80


def test_a_purse_never_falls_below_zero() -> None:
    evening = with_purses(at_scaffold(), Alice=0, Bob=0)
    stroke(evening, "Bob", "pardon")
    finish(evening, "LLL")
    assert evening.state["purses"] == {"Alice": 0, "Bob": 0, "Chloé": 5, "David": 5, "Emma": 5}
    assert evening.state["ledger"] == []
    assert "nobody_pays" in evening.lines


def rich(**purses: int) -> Evening:
    """A table of four that holds nearly all of the box."""
    return with_purses(at_scaffold(4), **purses)


def test_a_small_treasury_pays_the_executioner_first_then_from_his_left() -> None:
    """RULINGS; FAQ: what it cannot pay ends the evening at once."""
    evening = with_purses(at_scaffold(5), Bob=60, Chloé=2, David=2, Emma=9)
    assert evening.state["treasury"] == 2
    stroke(evening, "Bob", "hat")
    finish(evening, "LLL")
    # Alice takes one of two, Bob gives one back, Chloé and David are paid, Emma is not
    assert evening.state["purses"] == {"Alice": 6, "Bob": 59, "Chloé": 3, "David": 3, "Emma": 9}
    assert evening.state["treasury"] == 0
    assert evening.phase == "over"
    assert evening.state["end"] == {"how": "treasury", "winners": ["Bob"]}
    assert "treasury_short" in evening.lines


def test_a_treasury_that_is_just_enough_ends_nothing() -> None:
    evening = rich(Bob=60, Chloé=5, David=8)
    stroke(evening, "Bob", "hat")
    finish(evening, "LL")
    assert evening.state["treasury"] == 0
    assert evening.phase == "again"


def test_a_saboteur_is_paid_in_part() -> None:
    evening = rich(Alice=0, Bob=60, Chloé=10, David=9)
    stroke(evening, "Bob", "pardon")
    finish(evening, "SS")
    assert evening.state["purses"] == {"Alice": 0, "Bob": 59, "Chloé": 12, "David": 9}
    assert evening.state["end"]["how"] == "treasury"


def test_the_house_may_lend_tokens() -> None:
    """FAQ: “des jetons d'un autre jeu pour représenter 5 Couronnes”."""
    evening = with_purses(at_scaffold(4, tokens=True), Alice=0, Bob=60, Chloé=10, David=9)
    stroke(evening, "Bob", "pardon")
    finish(evening, "SS")
    assert evening.state["purses"] == {"Alice": 0, "Bob": 59, "Chloé": 13, "David": 12}
    assert [m["crowns"] for m in evening.state["ledger"] if m["from"] == "house"] == [5]
    assert "pay_token" in evening.lines
    assert total(evening) == 85
    assert evening.phase == "again"


# ---- the ledger


def reasons(evening: Evening) -> list[str]:
    return [move["reason"] for move in evening.state["ledger"]]


def test_the_ledger_is_told_line_by_line() -> None:
    evening = at_scaffold(6)
    stroke(evening, "Bob", "hat")
    stroke(evening, "Chloé", "chalice", "F")
    evening.all("j'arrête", "personne", "je suis loyaliste", "je suis saboteur", "je suis loyaliste")
    assert [line for line in evening.lines if line.startswith("pay_")] == [
        "pay_theft",
        "pay_executions",
        "pay_death",
        "pay_loyalty",
    ]
    assert reasons(evening) == ["theft"] * 5 + ["executions"] + ["death"] * 2 + ["loyalty"] * 2


@pytest.mark.parametrize("purses", [(5, 5, 5), (78, 0, 2), (26, 26, 26), (0,) * 8, (10,) * 8, (80,), (1, 2, 77)])
def test_change_can_always_be_made(purses: tuple[int, ...]) -> None:
    """§4: a gem is three crowns, a coin is one; twenty of each are in the box."""
    parts = change(purses, 20)
    assert [coins + 3 * gems for coins, gems in parts] == list(purses)
    assert sum(coins for coins, _ in parts) <= 20
    assert sum(gems for _, gems in parts) <= 20


def test_a_box_of_another_size() -> None:
    box: Box = begun().game.rules.configuration  # type: ignore[attr-defined]
    assert box.crowns == 80
    assert replace(box, coins=5, gems=1).crowns == 8
