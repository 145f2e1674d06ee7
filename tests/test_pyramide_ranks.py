"""The pyramid itself: ranks, districts, offices, prestige, and the plans of smaller and larger tables."""

from __future__ import annotations

import pytest
from pyramide_seats import MAZE, PITS, PLAN, PLAZA, pyramid, scaled

from narrator.core.errors import RuleError
from narrator.games.pyramide.draws import happens, pick, sample, spread
from narrator.games.pyramide.plan import Plan, found, read_plan
from narrator.games.pyramide.ranks import (
    Office,
    Rank,
    all_placed,
    appointed,
    cleared,
    drawn_places,
    killed,
    placed,
    prestige_added,
    promoted,
    returned_as_beast,
    rotated,
    to_place,
    unplaced,
)

TABLES = {
    "tables": {
        "38": {"councillors": 3, "masters": 5, "graces": 10, "beasts": 20, "lieutenants": 3, "henchmen": 3},
        "19": {"councillors": 2, "masters": 3, "graces": 5, "beasts": 9, "lieutenants": 2, "henchmen": 2},
    }
}


# ---- "Trois Conseillers, cinq Grands Maîtres, dix Grâces, vingt Bêtes d'Airain"


def test_the_text_s_table() -> None:
    plan = read_plan(38, TABLES)
    assert plan == PLAN
    assert [plan.count(rank) for rank in Rank] == [3, 5, 10, 20]
    assert plan.sons == 13  # "treize revêtent une double identité"
    assert pyramid().available == 3 * 10 + 5 * 4 + 10 * 2 + 20 * 1 == 90


def test_the_house_s_table_of_nineteen() -> None:
    plan = read_plan(19, TABLES)
    assert [plan.count(rank) for rank in Rank] == [2, 3, 5, 9]
    assert plan.sons == 7


def test_a_size_between_two_has_more_beasts() -> None:
    plan = read_plan(24, TABLES)
    assert [plan.count(rank) for rank in Rank] == [2, 3, 5, 14]
    assert plan.sons == 7


def test_a_size_of_the_table_s_own() -> None:
    """Sons and fractions of the next smaller size; the ranks must be said."""
    plan = read_plan(24, TABLES, {"masters": 4, "graces": 7, "beasts": 11})
    assert (plan.councillors, plan.seats, plan.sons) == (2, 24, 7)


@pytest.mark.parametrize(
    ("seats", "numbers", "said"),
    [
        (18, {}, "18 players, but councillors: 2"),
        (38, {"masters": 6}, "makes 39"),
        (38, {"lions": 6}, "“lions” is not one of"),
        (38, {"masters": "five"}, "“masters” must be a whole number, 0 or more"),
        (38, {"masters": True}, "whole number"),
        (38, {"henchmen": 0}, "1 or more"),
        (38, {"henchmen": 12}, "40 Sons of the Harpy do not fit among 35"),
        (38, {"masters": 0, "beasts": 25}, "every rank needs somebody"),
    ],
)
def test_numbers_that_cannot_be(seats: int, numbers: dict[str, object], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        read_plan(seats, TABLES, numbers)


# ---- the start


def test_what_is_not_given_is_drawn() -> None:
    seats = tuple(f"p{n}" for n in range(38))
    drawn = found(PLAN, seats, spread(0.25))
    assert [len(drawn.of_rank(rank)) for rank in Rank] == [3, 5, 10, 20]
    assert {drawn.ranks[drawn.holder(office)] for office in Office} == {Rank.MASTER, Rank.GRACE, Rank.BEAST}
    assert {district for _, district in drawn.council} == {MAZE, PITS, PLAZA}  # one each
    assert found(PLAN, seats, spread(0.25)) == drawn
    assert found(PLAN, seats, spread(0.26)) != drawn


def test_what_is_given_stands() -> None:
    town = pyramid()
    given = found(PLAN, town.seats, spread(0.5), town.ranks, town.offices, {"C2": PLAZA})
    assert given.ranks == town.ranks
    assert dict(given.offices) == dict(town.offices)
    assert dict(given.council)["C2"] == PLAZA
    assert {district for _, district in given.council} == {MAZE, PITS, PLAZA}


@pytest.mark.parametrize(
    ("ranks", "offices", "said"),
    [
        ({"Nobody": Rank.BEAST}, {}, "“Nobody” is not one of the players"),
        ({f"M{n}": Rank.COUNCILLOR for n in range(1, 5)}, {}, "one too many of the rank “councillor”"),
        ({"M1": Rank.MASTER}, {Office.SHAVEPATE: "M1"}, "“M1” cannot hold the office “shavepate”"),
    ],
)
def test_a_start_that_cannot_be(ranks: dict[str, Rank], offices: dict[Office, str], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        found(PLAN, pyramid().seats, spread(0.5), ranks, offices)


# ---- a turn's places


def test_councillors_go_round_clockwise() -> None:
    """ "chaque conseiller passe dans le quartier suivant (sens horaire)"."""
    town = pyramid({"C2": PITS, "C3": PLAZA})
    moved = rotated(town)
    assert [moved.districts[player] for player in ("C1", "C2", "C3")] == [PITS, PLAZA, MAZE]
    assert rotated(rotated(moved)).districts == town.districts


@pytest.mark.parametrize(
    ("office", "rank", "number"),
    [(Office.SENESCHAL, "M", 5), (Office.GREEN_GRACE, "G", 10), (Office.SHAVEPATE, "B", 20)],
)
def test_an_office_places_its_rank(office: Office, rank: str, number: int) -> None:
    assert to_place(pyramid(), office) == tuple(f"{rank}{n}" for n in range(1, number + 1))
    assert to_place(pyramid(dead=f"{rank}2"), office)[:2] == (f"{rank}1", f"{rank}3")


def test_who_is_not_placed_is_drawn() -> None:
    """ "en cas d'absence de répartition, un tirage aléatoire la simulera"."""
    town = placed(cleared(pyramid(dead="B7")), "B3", PLAZA)
    assert set(town.districts) == {"C1", "C2", "C3", "B3"}
    assert len(unplaced(town)) == 38 - 1 - 4
    everywhere = drawn_places(town, spread(0.1))
    assert unplaced(everywhere) == ()
    assert everywhere.districts["B3"] == PLAZA
    assert set(everywhere.districts.values()) == {MAZE, PITS, PLAZA}
    assert "B7" not in everywhere.districts


@pytest.mark.parametrize(("district", "tenths"), [(MAZE, 2), (PITS, 3), (PLAZA, 5)])
def test_prestige_by_district(district: str, tenths: int) -> None:
    """ "+0,2 … dans le Dédale de Mazdhan, +0,3 dans les Arènes, +0,5 sur la Plaza Centrale"."""
    town = pyramid({"B3": district})
    assert prestige_added(prestige_added(town)).prestige["B3"] == 2 * tenths


def test_the_dead_gain_no_prestige() -> None:
    town = prestige_added(killed(pyramid(prestige={"B3": 5}), "B3"))
    assert town.prestige["B3"] == 5
    assert town.prestige["B4"] == 2


def test_prestige_is_exact() -> None:
    town = pyramid({"B1": PITS})
    for _ in range(10):
        town = prestige_added(town)
    assert town.prestige["B1"] == 30  # three, not 2.9999…


# ---- titles


def test_a_promotion_gives_an_office_up() -> None:
    town = promoted(pyramid(), "G1")
    assert town.ranks["G1"] == Rank.MASTER
    assert town.vacant_offices == (Office.GREEN_GRACE,)
    assert appointed(town, Office.GREEN_GRACE, "G2").office_of("G2") == Office.GREEN_GRACE


def test_a_new_councillor_takes_the_place_of_the_one_replaced() -> None:
    """RULINGS. This turn's district, and so its prestige, is still the old one."""
    town = promoted(killed(pyramid({"C2": PITS, "M3": PLAZA}), "C2"), "M3")
    assert prestige_added(town).prestige["M3"] == 5
    moved = rotated(town)
    assert moved.districts["M3"] == PLAZA == PITS.after
    assert [player for player, _ in moved.council] == ["C1", "M3", "C3"]


def test_an_office_dies_with_its_holder() -> None:
    town = pyramid(dead="B1")
    assert town.holder(Office.SHAVEPATE) == ""
    assert town.office_of("B1") is None


def test_who_returns_is_a_beast_and_nowhere() -> None:
    """A councillor comes back at the bottom, and the place in the council is another's."""
    town = returned_as_beast(killed(pyramid({"C1": PITS}), "C1", "M1"), "C1")
    assert town.ranks["C1"] == Rank.BEAST
    assert prestige_added(town).prestige.get("C1") is None
    assert "C1" not in rotated(town).districts
    town = rotated(promoted(town, "M2"))
    assert town.districts["M2"] == PLAZA
    assert returned_as_beast(town, "M1").vacant_offices == (Office.SENESCHAL,)


def test_placing_many_at_once() -> None:
    assert all_placed(pyramid(), {"B1": PLAZA, "B2": PITS}).districts["B2"] == PITS


# ---- chance


def test_one_draw_spreads_evenly() -> None:
    stream = spread(0.5)
    drawn = [next(stream) for _ in range(30_000)]
    assert all(0 <= draw < 1 for draw in drawn)
    thirds = [sum(int(draw * 3) == n for draw in drawn) for n in range(3)]
    assert all(9_600 < third < 10_400 for third in thirds)


def test_drawing_without_putting_back() -> None:
    assert sample("abc", 5, iter((0.0, 0.99, 0.5))) == ("a", "c", "b")
    assert pick("abc", 0.999) == "c"


@pytest.mark.parametrize(("percent", "draw", "falls"), [(90, 0.8999, True), (90, 0.9, False), (5, 0.05, False)])
def test_a_chance_in_a_hundred(percent: int, draw: float, falls: bool) -> None:
    assert happens(percent, draw) is falls


@pytest.mark.parametrize("seats", [10, 19, 25, 38, 100, 200])
def test_scaled_plans_fit(seats: int) -> None:
    plan: Plan = scaled(seats)
    assert plan.seats == seats
    assert plan.sons <= seats - plan.councillors
