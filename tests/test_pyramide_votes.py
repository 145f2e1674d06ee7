"""Weighted justice, elections and the offices, with the lines of the text."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, repeat

import pytest
from pyramide_seats import PLAN, SMALL, pyramid

from narrator.games.pyramide.ballots import (
    accused_wanted,
    hands_fault,
    hands_tally,
    may_accuse,
    may_vote,
    tally,
    threshold,
    verdict,
)
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.elections import (
    ELECTED,
    Heir,
    Result,
    candidates,
    drawn_graces,
    election,
    heir_of,
    may_be_shavepate,
    vacancies,
)
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.ranks import Office, Pyramid, Rank, promoted

COUNCIL = "C1 C2 C3"

# ---- who is accused

WANTED = [
    ("Les Conseillers doivent chacun proposer un nom", "", False, 3),
    ("Un quatrième accusé est exigé aux Conseillers", "", True, 4),
    ("RULINGS: fewer councillors accuse fewer", "C1", False, 2),
    ("fewer, and one more", "C1", True, 3),
    ("nobody is left to ask", COUNCIL, True, 0),
]


@pytest.mark.parametrize(("text", "dead", "reinforced", "number"), WANTED)
def test_how_many_are_accused(text: str, dead: str, reinforced: bool, number: int) -> None:
    assert accused_wanted(pyramid(dead=dead), reinforced) == number


@pytest.mark.parametrize(
    ("player", "fault"), [("M1", None), ("C1", None), ("B1", Fault("accused", "B1")), ("B2", Fault("dead", "B2"))]
)
def test_who_can_be_accused(player: str, fault: Fault | None) -> None:
    assert may_accuse(pyramid(dead="B2"), ["B1"], player) == fault


@pytest.mark.parametrize(
    ("voter", "choice", "fault"),
    [
        ("B3", "B1", None),
        ("B1", "B1", None),
        ("B3", "", None),
        ("B2", "B1", Fault("dead", "B2")),
        ("B3", "M1", Fault("no_choice", "M1")),
    ],
)
def test_who_can_vote(voter: str, choice: str, fault: Fault | None) -> None:
    """ "Chaque joueur vote alors pour l'un des accusés (ou s'abstient)"."""
    assert may_vote(pyramid(dead="B2"), voter, ["B1"], choice) == fault


# ---- "au moins un tiers des points d'influence disponibles (arrondi à l'inférieur)"


@pytest.mark.parametrize(
    ("available", "divisor", "needed"), [(90, 3, 30), (89, 3, 29), (90, 5, 18), (89, 5, 17), (2, 3, 1), (0, 5, 1)]
)
def test_the_fraction_rounded_down(available: int, divisor: int, needed: int) -> None:
    assert threshold(available, divisor) == needed


def test_votes_weigh_by_rank() -> None:
    votes = {"C1": "B1", "M1": "B1", "G1": "B1", "B1": "B2", "B2": "", "B3": "B1"}
    assert tally(pyramid(dead="B3"), votes) == {"B1": 16, "B2": 1}


VERDICTS = [
    ("exactly a third", {"B1": 30, "B2": 29}, False, "", 30, ("B1",)),
    ("less", {"B1": 29}, False, "", 30, ()),
    ("several can die", {"B1": 30, "B2": 30, "B3": 30}, False, "", 30, ("B1", "B2", "B3")),
    ("rounded down: 89 are left", {"B1": 29}, False, "B9", 29, ("B1",)),
    ("un cinquième des influences disponibles", {"B1": 18, "B2": 17}, True, "", 18, ("B1",)),
    ("rounded down as the third", {"B1": 17}, True, "B9", 17, ("B1",)),
    ("nobody votes", {}, False, "", 30, ()),
]


@pytest.mark.parametrize(("text", "totals", "reinforced", "dead", "needed", "executed"), VERDICTS)
def test_the_verdict(
    text: str, totals: dict[str, int], reinforced: bool, dead: str, needed: int, executed: tuple[str, ...]
) -> None:
    found = verdict(pyramid(dead=dead), PLAN, ["B1", "B2", "B3"], totals, reinforced)
    assert (found.threshold, found.executed) == (needed, executed)
    assert [player for player, _ in found.totals] == ["B1", "B2", "B3"]


def test_without_a_vote_nobody_dies_even_at_the_end() -> None:
    last = pyramid(dead=" ".join(player for player in pyramid().seats if player not in ("B1", "B2")))
    assert verdict(last, PLAN, ["B1"], {}, False).executed == ()
    assert verdict(last, PLAN, ["B1"], {"B1": 1}, False).executed == ("B1",)


def test_a_small_table_has_its_own_third() -> None:
    assert verdict(pyramid(plan=SMALL), SMALL, ["B1"], {}, False).threshold == 51 // 3


def test_raised_hands_by_rank() -> None:
    hands = {"B1": {Rank.COUNCILLOR: 1, Rank.BEAST: 5}, "B2": {Rank.GRACE: 4, Rank.BEAST: 15}}
    assert hands_tally(hands) == {"B1": 15, "B2": 23}
    assert hands_fault(pyramid(), hands) is None
    assert hands_fault(pyramid(dead="B9"), hands) == Fault("too_many_beast")
    assert hands_fault(pyramid(), {"B1": {Rank.COUNCILLOR: 4}}) == Fault("too_many_councillor")


# ---- vacant places

VACANT = [
    ("nobody died", "", (0, 0, 0, 0)),
    ("a councillor", "C1", (1, 0, 0, 0)),
    ("two masters and a grace", "M1 M2 G3", (0, 2, 1, 0)),
    ("Seule la classe des Bêtes d'Airain conserve des places vacantes", "B1 B2 B3", (0, 0, 0, 0)),
    ("not more than there are below", "C1 C2 C3 M1 M2 M3 M4", (1, 4, 0, 0)),
]


@pytest.mark.parametrize(("text", "dead", "free"), VACANT)
def test_vacant_places(text: str, dead: str, free: tuple[int, ...]) -> None:
    assert tuple(vacancies(PLAN, pyramid(dead=dead), rank) for rank in Rank) == free


def test_a_promotion_leaves_a_place() -> None:
    """ "en commençant par celles des Conseillers": each election makes the next one's vacancies."""
    town = promoted(pyramid(dead="C1"), "M3")
    assert vacancies(PLAN, town, Rank.MASTER) == 1
    assert vacancies(PLAN, promoted(town, "G4"), Rank.GRACE) == 1
    assert candidates(town, Rank.MASTER) == town.of_rank(Rank.GRACE)


# ---- "Les joueurs accumulant le plus d'influence"

LAST = repeat(0.999)
ELECTIONS = [
    ("the strongest", {"a": 5, "b": 9, "c": 1}, 1, (), Result(("b",), heir="a")),
    ("two places", {"a": 5, "b": 9, "c": 1}, 2, (), Result(("b", "a"), heir="c")),
    ("the first not elected needs a vote", {"a": 5}, 1, (), Result(("a",))),
    ("a tie is drawn", {"a": 5, "b": 5, "c": 1}, 1, (0.6,), Result(("b",), ("a", "b"), ("b",), "a")),
    (
        "a tie for the last of two places",
        {"a": 9, "b": 5, "c": 5, "d": 5},
        2,
        (0.9, 0.0),
        Result(("a", "d"), ("b", "c", "d"), ("d",), "b", heir_drawn=True),
    ),
    ("a tie of the first not elected", {"a": 9, "b": 5, "c": 5}, 1, (0.5,), Result(("a",), heir="c", heir_drawn=True)),
    ("equals who all have a place are no tie", {"a": 5, "b": 5, "c": 1}, 2, (), Result(("a", "b"), heir="c")),
    (
        "all places are filled, by lot without votes",
        {"c": 3},
        2,
        (0.999,),
        Result(("c", "d"), ("a", "b", "d"), ("d",)),
    ),
    ("as many places as candidates", {"b": 1}, 4, (), Result(("b", "a", "c", "d"))),
]


@pytest.mark.parametrize(("text", "totals", "places", "draws", "result"), ELECTIONS)
def test_an_election(text: str, totals: dict[str, int], places: int, draws: tuple[float, ...], result: Result) -> None:
    assert election(("a", "b", "c", "d"), totals, places, iter(draws)) == result


# ---- offices


def without_office(office: Office, dead: str = "") -> Pyramid:
    town = pyramid(dead=dead)
    return replace(town, offices={one: holder for one, holder in town.offices.items() if one != office})


OFFICES = [
    (
        "Il y a une élection …, et la première Grâce non-élue devient Grâce-Verte",
        Office.GREEN_GRACE,
        Result(("G4",), heir="G7"),
        Heir("G7", "next"),
    ),
    (
        "Il n'y a pas d'élection pour l'accession au poste de Grand Maître, et une Grâce est tirée au sort",
        Office.GREEN_GRACE,
        None,
        Heir("G10", "drawn"),
    ),
    (
        "Il y a une élection …, et le premier Grand Maître non-élu devient Sénéchal",
        Office.SENESCHAL,
        Result(("M4",), heir="M2"),
        Heir("M2", "next"),
    ),
    ("Il n'y a pas d'élection … un Grand Maître est tiré au sort", Office.SENESCHAL, None, Heir("M5", "drawn")),
    ("RULINGS: the first not elected needs a vote", Office.SENESCHAL, Result(("M4",)), Heir("M5", "drawn")),
]


@pytest.mark.parametrize(("text", "office", "result", "heir"), OFFICES)
def test_who_takes_an_office(text: str, office: Office, result: Result | None, heir: Heir) -> None:
    assert heir_of(without_office(office), office, result, LAST) == heir


def test_an_office_that_is_held_and_one_that_nobody_can_hold() -> None:
    assert heir_of(pyramid(), Office.SENESCHAL, Result(("M4",), heir="M2"), LAST) is None
    assert heir_of(pyramid(dead="M1 M2 M3 M4 M5"), Office.SENESCHAL, None, LAST) is None


def test_the_holder_s_death_and_rise_leave_it_vacant() -> None:
    """The seneschal dies, the green grace is elected."""
    assert heir_of(pyramid(dead="M1"), Office.SENESCHAL, None, iter([0.0])) == Heir("M2", "drawn")
    town = promoted(pyramid(dead="M2"), "G1")
    assert heir_of(town, Office.GREEN_GRACE, Result(("G1",), heir="G2"), LAST) == Heir("G2", "next")


def test_each_election_has_its_office() -> None:
    assert dict(ELECTED) == {Rank.COUNCILLOR: Office.SENESCHAL, Rank.MASTER: Office.GREEN_GRACE}


@pytest.mark.parametrize(
    ("player", "fault"), [("B2", None), ("B1", Fault("dead", "B1")), ("G1", Fault("no_beast", "G1"))]
)
def test_the_shavepate_is_a_brass_beast(player: str, fault: Fault | None) -> None:
    """ "Le poste de Crâne Ras, s'il est vacant, est nommé par les Conseillers"."""
    assert may_be_shavepate(pyramid(dead="B1"), player) == fault


# ---- "un tirage au sort parmi les Bêtes d'Airain"


def test_graces_are_drawn_from_the_beasts() -> None:
    town = pyramid(dead="G3 G4 B7")
    drawn = drawn_graces(PLAN, town, chain((0.0, 0.5), LAST))
    assert len(set(drawn)) == 2
    assert set(drawn) <= set(town.of_rank(Rank.BEAST))
    assert drawn[0] == "B1"  # the shavepate too
    chosen = {drawn_graces(PLAN, town, spread(n / 300))[0] for n in range(300)}
    assert chosen == set(town.of_rank(Rank.BEAST))


def test_no_grace_is_drawn_where_none_is_missing() -> None:
    assert drawn_graces(PLAN, pyramid(), LAST) == ()
