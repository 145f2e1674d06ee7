"""The secret deal, and who knows whom, exactly as the text tells it."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, repeat

import pytest
from pyramide_seats import CELLS, PLAN, SMALL, SONS, dealt, pyramid

from narrator.core.errors import RuleError
from narrator.games.pyramide.deal import (
    check,
    deal,
    drawn_role,
    eligible,
    may_replace,
    replaced,
    vacant_cells,
    with_role,
)
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.knowledge import Known, knowledge, knows, news
from narrator.games.pyramide.plan import Plan
from narrator.games.pyramide.ranks import Pyramid, Rank, promoted
from narrator.games.pyramide.roles import SPECIALS, Camp, Deal, Prophecies, Role

SONS_38, SONS_19 = 13 + 1, 7 + 1  # draws of the Sons and of the serpent


def chances(*falls: float) -> chain[float]:
    """A deal of 38 whose Sons come from zeros, then these draws, then no special role any more."""
    return chain(repeat(0.0, SONS_38), falls, repeat(0.999))


@pytest.mark.parametrize(("plan", "sons"), [(PLAN, 13), (SMALL, 7)])
@pytest.mark.parametrize("seed", [0.0, 0.1, 0.37, 0.5, 0.77, 0.999])
def test_the_sons(plan: Plan, sons: int, seed: float) -> None:
    """ "treize … seuls les trois Conseillers initiaux sont au delà de tout soupçon"; "trois d'entre eux sont les
    Lieutenants de la Harpie, chacun possédant sous son autorité trois Sbires"; "forcément d'un Sbire"."""
    town = pyramid(plan=plan)
    made = deal(plan, town, spread(seed))
    check(plan, town, made)
    assert len(set(made.sons)) == sons
    assert not set(made.sons) & set(town.of_rank(Rank.COUNCILLOR))
    assert [len(cell) for cell in made.cells] == [plan.henchmen] * plan.lieutenants
    assert made.serpent in made.henchmen
    assert made.camp(made.serpent) == Camp.QUEEN


def test_everybody_below_the_council_can_be_a_son() -> None:
    town = pyramid()
    harpies = {deal(PLAN, town, spread(seed / 997)).harpy for seed in range(997)}
    assert harpies == set(town.seats) - set(town.of_rank(Rank.COUNCILLOR))


# ---- "(pourcentage de chance d'attribution) / nombre de rôles disponibles"

ROWS = [
    ("(75%) 0-1 Quaithe", Role.QUAITHE, 75, 1, Camp.NONE),
    ("(66%) 0-1 Pyat Pree", Role.PYAT_PREE, 66, 1, Camp.NONE),
    ("(40%) 0-1 Belwas le Fort*", Role.BELWAS, 40, 1, Camp.QUEEN),
    ("(40%) 0-1 Daario Naharys*", Role.DAARIO, 40, 1, Camp.QUEEN),
    ("(33%) 0-2 Courtisane", Role.COURTESAN, 33, 2, None),
    ("(33%) 0-1 Hizdahr zo Loraq", Role.HIZDAHR, 33, 1, Camp.NONE),
]


@pytest.mark.parametrize(("text", "role", "percent", "most", "camp"), ROWS)
def test_the_list_of_special_roles(text: str, role: Role, percent: int, most: int, camp: Camp | None) -> None:
    row = next(special for special in SPECIALS if special.role == role)
    assert (row.percent, row.most, row.camp) == (percent, most, camp)


@pytest.mark.parametrize(("text", "role", "percent", "most", "camp"), ROWS)
def test_how_often_each_is_dealt(text: str, role: Role, percent: int, most: int, camp: Camp | None) -> None:
    town, times = pyramid(), 2000
    held = [list(deal(PLAN, town, spread(seed / times)).specials.values()).count(role) for seed in range(times)]
    assert max(held) <= most
    assert sum(held) / times / most == pytest.approx(percent / 100, abs=0.035)


def test_the_courtesan_is_two_draws() -> None:
    """Neither, one or both, each by its own 33 %."""
    town, times = pyramid(), 2000
    held = [list(deal(PLAN, town, spread(s / times)).specials.values()).count(Role.COURTESAN) for s in range(times)]
    for number, share in ((0, 0.67**2), (1, 2 * 0.33 * 0.67), (2, 0.33**2)):
        assert held.count(number) / times == pytest.approx(share, abs=0.035)


@pytest.mark.parametrize(
    ("draws", "specials"),
    [
        (chances(0.75, 0.66, 0.4, 0.4, 0.33, 0.33, 0.33), []),
        (chances(0.999, 0.999, 0.39, 0.0), [Role.BELWAS]),
        (chances(0.999, 0.659, 0.0), [Role.PYAT_PREE]),
        (chances(*[0.999] * 4, 0.329, 0.0, 0.329, 0.0), [Role.COURTESAN] * 2),
        (chances(*[0.999] * 4, 0.33, 0.329, 0.0), [Role.COURTESAN]),
    ],
)
def test_dice_one_by_one(draws: chain[float], specials: list[Role]) -> None:
    assert list(deal(PLAN, pyramid(), draws).specials.values()) == specials


@pytest.mark.parametrize("role", [special.role for special in SPECIALS])
def test_who_may_hold_a_role(role: Role) -> None:
    """ "(Camp de la reine uniquement)", "n'appartient à aucun camp": no Son; a courtesan may be one."""
    able = eligible(dealt({"B1": Role.DAARIO}), pyramid(dead="B2"), role)
    assert "B1" not in able  # has one
    assert "B2" not in able
    assert {"C1", "M1", "G1", "B3"} <= set(able)
    assert bool(set(able) & set(SONS.sons)) is (role == Role.COURTESAN)


def test_nobody_left_for_a_role() -> None:
    town = pyramid(dead=" ".join(player for player in pyramid().seats if not SONS.is_son(player)))
    assert drawn_role(SONS, town, Role.BELWAS, spread(0.5)) == SONS


# ---- "jusqu'à trois prophéties"


@pytest.mark.parametrize("seed", [n / 50 for n in range(50)])
def test_prophecies(seed: float) -> None:
    town = pyramid()
    made = with_role(SONS, town, "G3", Role.QUAITHE, spread(seed))
    said = made.prophecies
    assert town.ranks[said.glory] == Rank.GRACE  # "Une Grâce tirée au sort"
    assert len({said.life, said.death, "G3"}) == 3
    assert said.glory != "G3"
    assert made.given == (Role.QUAITHE,)


def test_no_prophecies_without_quaithe_and_without_players() -> None:
    assert with_role(SONS, pyramid(), "G3", Role.BELWAS, spread(0.5)).prophecies == Prophecies()
    last = pyramid(dead=" ".join(player for player in pyramid().seats if player not in ("B1", "B2")))
    assert with_role(SONS, last, "B1", Role.QUAITHE, spread(0.5)).prophecies == Prophecies("B2", "", "")


# ---- a deal typed by the game master


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"harpy": "Zo"}, "“Zo”, who is not one of the players"),
        ({"harpy": "B19"}, "“B19” stands twice among the Sons"),
        ({"harpy": "C2"}, "“C2” is one of the first councillors"),
        ({"harpy": ""}, "needs one harpy, lieutenants: 3, henchmen of each .*: 3"),
        ({"lieutenants": ("M5",), "cells": CELLS[:1], "serpent": "B18"}, "one harpy, lieutenants: 3"),
        ({"cells": (("B18", "B17"), *CELLS[1:])}, "there are lieutenants: 3, henchmen: 2, 3, 3"),
        ({"serpent": "M5"}, "the serpent must be one of the henchmen"),
        ({"specials": {"B1": Role.BELWAS, "B2": Role.BELWAS}}, "the role “belwas” is there 2 times, 1 at most"),
        ({"specials": {"B18": Role.QUAITHE}}, "“B18” is a Son of the Harpy and cannot be “quaithe”"),
    ],
)
def test_a_deal_that_cannot_be(changes: dict[str, object], said: str) -> None:
    with pytest.raises(RuleError, match=said):
        check(PLAN, pyramid(), replace(SONS, **changes))


def test_a_deal_that_can_be() -> None:
    check(PLAN, pyramid(), dealt({"B18": Role.COURTESAN, "C1": Role.COURTESAN, "G3": Role.HIZDAHR}))


# ---- camps


@pytest.mark.parametrize(
    ("player", "camp", "loyal"),
    [
        ("B20", Camp.HARPY, False),
        ("M5", Camp.HARPY, False),
        ("B18", Camp.HARPY, False),  # a courtesan among the henchmen
        ("B12", Camp.QUEEN, False),  # the serpent
        ("B1", Camp.NONE, False),  # Quaithe
        ("B2", Camp.QUEEN, True),  # Belwas
        ("B3", Camp.QUEEN, True),  # a courtesan
        ("C1", Camp.QUEEN, True),
    ],
)
def test_camps(player: str, camp: Camp, loyal: bool) -> None:
    made = dealt({"B1": Role.QUAITHE, "B2": Role.BELWAS, "B3": Role.COURTESAN, "B18": Role.COURTESAN})
    assert made.camp(player) == camp
    assert made.loyal(player) is loyal


# ---- who knows whom


def names(known: tuple[Known, ...]) -> dict[str, Role]:
    return {one.player: one.role for one in known}


KNOWING = [
    (
        "Seule la Harpie a connaissance de l'ensemble des identités au sein de son organisation",
        "B20",
        dict.fromkeys(("M5", "G10", "B19"), Role.LIEUTENANT) | dict.fromkeys(sum(CELLS, ()), Role.HENCHMAN),
    ),
    (
        "Un Lieutenant ne connaît l'identité que des Sbires sous son autorité et de la Harpie",
        "G10",
        {"B20": Role.HARPY, "B16": Role.HENCHMAN, "B15": Role.HENCHMAN, "M4": Role.HENCHMAN},
    ),
    ("Un Sbire de la Harpie ne connaît que l'identité de son Lieutenant", "M4", {"G10": Role.LIEUTENANT}),
    ("Le serpent joue donc de la même manière qu'un fils de la Harpie", "B12", {"B19": Role.LIEUTENANT}),
    ("n'est connu que des Conseillers", "C1", {"B12": Role.SERPENT}),
    ("n'est connu que des Conseillers: nobody else", "M1", {}),
    ("special roles know nobody", "G3", {}),
]


@pytest.mark.parametrize(("text", "player", "known"), KNOWING)
def test_who_knows_whom(text: str, player: str, known: dict[str, Role]) -> None:
    assert names(knows(dealt({"G3": Role.QUAITHE}), pyramid(), player)) == known


def test_only_sons_and_councillors_know_anybody() -> None:
    assert set(knowledge(SONS, pyramid())) == {*SONS.sons, "C1", "C2", "C3"}


def test_the_harpy_knows_the_cells() -> None:
    under = {one.player: one.under for one in knows(SONS, pyramid(), "B20") if one.role == Role.HENCHMAN}
    assert under == {p: leader for leader, cell in zip(SONS.lieutenants, CELLS, strict=True) for p in cell}


def test_nobody_is_told_that_a_son_is_the_serpent() -> None:
    for player in SONS.sons:
        assert Role.SERPENT not in names(knows(SONS, pyramid(), player)).values()


def test_a_new_councillor_is_told_the_serpent_and_the_dead_nothing() -> None:
    before = pyramid(dead="C1")
    after = promoted(before, "M2")
    assert news(knowledge(SONS, before), knowledge(SONS, after)) == {"M2": (Known("B12", Role.SERPENT),)}
    assert knows(SONS, before, "C1") == ()


def test_the_serpent_is_not_told_who_the_serpent_is() -> None:
    town = pyramid()
    at_top: Pyramid = replace(town, ranks={**town.ranks, "B12": Rank.COUNCILLOR})
    assert names(knows(SONS, at_top, "B12")) == {"B19": Role.LIEUTENANT}


# ---- "la Harpie choisit parmi les Sbires ceux qui remplaceront d'éventuels morts parmi ses Lieutenants"


@pytest.mark.parametrize(
    ("henchman", "lieutenant", "dead", "fault"),
    [
        ("B18", "M5", "M5", None),
        ("B14", "M5", "M5", None),  # of another cell
        ("B12", "M5", "M5", None),  # the serpent
        ("B18", "M5", "", Fault("not_vacant", "M5")),
        ("B18", "B1", "B1", Fault("not_vacant", "B1")),
        ("B18", "M5", "M5 B18", Fault("dead", "B18")),
        ("B1", "M5", "M5", Fault("no_henchman", "B1")),
        ("B19", "M5", "M5", Fault("no_henchman", "B19")),
        ("B18", "M5", "M5 B20", Fault("no_harpy")),
    ],
)
def test_who_may_follow_a_lieutenant(henchman: str, lieutenant: str, dead: str, fault: Fault | None) -> None:
    assert may_replace(SONS, pyramid(dead=dead), henchman, lieutenant) == fault


def test_a_henchman_leads_the_cell() -> None:
    town = pyramid(dead="M5")
    assert vacant_cells(SONS, town) == ("M5",)
    after = replaced(SONS, "B14", "M5")
    assert vacant_cells(after, town) == ()
    assert after.cells == (("B18", "B17", "G9"), ("B16", "B15", "M4"), ("B13", "B12"))
    told = news(knowledge(SONS, town), knowledge(after, town))
    assert names(told["B14"]) == {"B20": Role.HARPY, **dict.fromkeys(("B18", "B17", "G9"), Role.HENCHMAN)}
    assert all(names(told[player]) == {"B14": Role.LIEUTENANT} for player in ("B18", "B17", "G9"))
    assert not set(told) & {"B13", "B12", "B19", "G10"}


def test_the_deal_is_a_value() -> None:
    assert deal(PLAN, pyramid(), spread(0.3)) == deal(PLAN, pyramid(), spread(0.3)) != Deal()
