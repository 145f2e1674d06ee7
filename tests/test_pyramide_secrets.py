"""The return of the murdered, questions of special roles, ends and points: each branch with its line of the text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pyramide_seats import SONS, dealt, pyramid

from narrator.core.errors import RuleError
from narrator.games.pyramide.deal import with_role
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.knowledge import Known, knowledge, news
from narrator.games.pyramide.points import (
    Scale,
    Score,
    fulfilled,
    harpy_is_dead,
    points,
    ranking,
    read_scale,
    scores,
    son_elected,
)
from narrator.games.pyramide.ranks import Office, Rank
from narrator.games.pyramide.returning import come_back, gains, joined, joins, may_return, offered, open_roles
from narrator.games.pyramide.roles import SPECIALS, Camp, Prophecies, Role
from narrator.games.pyramide.specials import belongs, exact_role, may_ask, may_guard, revealed

# ---- "chaque joueur loyaliste éliminé … à l'issue de la première phase d'assassinat"

RETURNING = [
    ("loyal and assassinated", "G3 B5", 1, False, ("G3", "B5")),
    ("a Son stays away", "B18 B5", 1, False, ("B5",)),
    ("the serpent too", "B12", 1, False, ()),
    ("and the campless", "B1 B5", 1, False, ("B5",)),
    ("RULINGS: in the first turn", "G3", 2, False, ()),
    ("or, by option, in every one", "G3", 2, True, ("G3",)),
]


@pytest.mark.parametrize(("text", "murdered", "turn", "every_turn", "back"), RETURNING)
def test_who_may_return(text: str, murdered: str, turn: int, every_turn: bool, back: tuple[str, ...]) -> None:
    made = dealt({"B1": Role.QUAITHE})
    names = murdered.split()
    assert may_return(pyramid(dead=murdered), made, names, turn, every_turn) == back
    assert may_return(pyramid(), made, names, turn, every_turn) == ()  # the game master brought them back already


@pytest.mark.parametrize(
    ("text", "die", "percent"),
    [
        ("90% de chance de se voir proposer de réintégrer le jeu", offered, 90),
        ("5% de chance de rejoindre les rangs de la Harpie", joins, 5),
        ("puis 15% de chance d'obtenir un rôle non attribué", gains, 15),
    ],
)
def test_the_dice_of_the_return(text: str, die: Any, percent: int) -> None:
    assert sum(die(n / 100) for n in range(100)) == percent
    assert die(percent / 100 - 1e-9)
    assert not die(percent / 100)


def test_back_as_a_brass_beast_and_nothing_else() -> None:
    """ "réintégrer le jeu en tant que Bête d'Airain": the office, the rank and the former role are gone."""
    made = dealt({"M1": Role.BELWAS})
    town, after = come_back(pyramid(dead="M1", prestige={"M1": 7}), made, "M1")
    assert town.ranks["M1"] == Rank.BEAST
    assert town.vacant_offices == (Office.SENESCHAL,)
    assert town.prestige["M1"] == 7
    assert dict(after.specials) == {}
    assert Role.BELWAS not in open_roles(after, "M1")  # it was assigned


def test_a_returned_son_is_of_the_thinnest_cell() -> None:
    """M5's cell lost one, G10's two: the newcomer is G10's, and both are told."""
    town, made = come_back(pyramid(dead="B18 B16 B15 G3"), SONS, "G3")
    after = joined(town, made, "G3")
    assert after.cells[1] == ("B16", "B15", "M4", "G3")
    assert after.camp("G3") == Camp.HARPY
    told = news(knowledge(made, town), knowledge(after, town))
    assert told == {
        "G3": (Known("G10", Role.LIEUTENANT),),
        "G10": (Known("G3", Role.HENCHMAN),),
        "B20": (Known("G3", Role.HENCHMAN, "G10"),),
    }


def test_a_cell_without_a_lieutenant_comes_last() -> None:
    town, made = come_back(pyramid(dead="G10 B16 B15 G3"), SONS, "G3")
    assert "G3" in joined(town, made, "G3").cells[0]
    town, made = come_back(pyramid(dead="M5 G10 B19 B16 G3"), SONS, "G3")
    assert "G3" in joined(town, made, "G3").cells[1]


@pytest.mark.parametrize(
    ("specials", "player", "roles"),
    [
        ({}, "G3", tuple(special.role for special in SPECIALS)),
        ({"B1": Role.QUAITHE, "B2": Role.COURTESAN}, "G3", (Role.PYAT_PREE, Role.BELWAS, Role.DAARIO, Role.COURTESAN,
                                                            Role.HIZDAHR)),
        ({"B1": Role.COURTESAN, "B2": Role.COURTESAN}, "B18", ()),
        ({}, "B18", (Role.COURTESAN,)),
    ],
)  # fmt: skip
def test_roles_not_assigned(specials: dict[str, Role], player: str, roles: tuple[Role, ...]) -> None:
    """A Son can only be a courtesan besides."""
    assert open_roles(dealt(specials), player) == roles


def test_a_late_quaithe_has_prophecies() -> None:
    town, made = come_back(pyramid(dead="G3 B1"), SONS, "G3")
    after = with_role(made, town, "G3", Role.QUAITHE, spread(0.4))
    assert town.alive(after.prophecies.life)
    assert after.prophecies.glory in town.of_rank(Rank.GRACE)


# ---- "demander au MJ le rôle exact d'un autre joueur"

ANSWERS = [
    ("La Harpie est protégée par un sortilège la désignant comme un sbire", "B20", (Role.HENCHMAN,)),
    ("Lieutenant", "M5", (Role.LIEUTENANT,)),
    ("Sbire", "B18", (Role.HENCHMAN,)),
    ("Le serpent est un rôle au regard des règles", "B12", (Role.SERPENT,)),
    ("a special role", "G3", (Role.DAARIO,)),
    ("a Son who is a courtesan as well", "B17", (Role.HENCHMAN, Role.COURTESAN)),
    ("RULINGS: aucun rôle", "B1", ()),
]


@pytest.mark.parametrize(("text", "player", "roles"), ANSWERS)
def test_the_exact_role(text: str, player: str, roles: tuple[Role, ...]) -> None:
    assert exact_role(dealt({"G3": Role.DAARIO, "B17": Role.COURTESAN}), player) == roles


CAMPS = [
    ("B18", False, True),
    ("B20", False, True),
    ("B12", True, False),  # "appartient au camp de la Reine"
    ("B1", True, False),
    ("G3", False, False),  # Quaithe
]


@pytest.mark.parametrize(("player", "queen", "harpy"), CAMPS)
def test_the_courtesan_s_answer(player: str, queen: bool, harpy: bool) -> None:
    """ "si ce joueur appartient au camp de son choix Loyaliste ou Fils de la Harpie. Le MJ répondra par oui ou non"."""
    made = dealt({"G3": Role.QUAITHE})
    assert (belongs(made, player, Camp.QUEEN), belongs(made, player, Camp.HARPY)) == (queen, harpy)


@pytest.mark.parametrize(("role", "percent"), [(Role.PYAT_PREE, 30), (Role.COURTESAN, 50), (Role.QUAITHE, 0)])
def test_who_is_revealed(role: Role, percent: int) -> None:
    """ "30% de chance d'être révélé en tant que tel à sa cible", "50% … révélée"."""
    assert sum(revealed(role, n / 100) for n in range(100)) == percent


@pytest.mark.parametrize(
    ("asker", "target", "asked", "dead", "fault"),
    [
        ("G3", "B1", (), "", None),
        ("G4", "B1", (), "", None),
        ("G5", "B1", (), "", None),
        ("G3", "B1", (), "B1", None),
        ("G3", "B1", ("G3",), "", Fault("asked", "G3")),  # "A chaque tour"
        ("G3", "B1", ("G4",), "", None),
        ("G3", "G3", (), "", Fault("oneself", "G3")),  # "d'un autre joueur"
        ("G3", "B1", (), "G3", Fault("dead", "G3")),
        ("G6", "B1", (), "", Fault("no_asker", "G6")),
        ("B20", "B1", (), "", Fault("no_asker", "B20")),
    ],
)
def test_one_question_a_turn(asker: str, target: str, asked: tuple[str, ...], dead: str, fault: Fault | None) -> None:
    made = dealt({"G3": Role.QUAITHE, "G4": Role.PYAT_PREE, "G5": Role.COURTESAN, "G6": Role.DAARIO})
    assert may_ask(pyramid(dead=dead), made, asked, asker, target) == fault


@pytest.mark.parametrize(
    ("specials", "dead", "fault"),
    [
        ({"G3": Role.BELWAS}, "", None),
        ({}, "", Fault("no_belwas")),
        ({"G3": Role.BELWAS}, "G3", Fault("dead", "G3")),
        ({"G3": Role.BELWAS}, "B1", Fault("dead", "B1")),
    ],
)
def test_whom_belwas_may_guard(specials: dict[str, Role], dead: str, fault: Fault | None) -> None:
    assert may_guard(pyramid(dead=dead), dealt(specials), "B1") == fault


# ---- "Conditions de Victoire"


@pytest.mark.parametrize(
    ("text", "elected", "son"),
    [
        ("Si un Fils de la Harpie parvient à se faire élire Conseiller", ("M1", "M5"), "M5"),
        ("RULINGS: the serpent elected ends nothing", ("B12",), ""),
        ("a campless councillor ends nothing", ("G3",), ""),
        ("loyal ones", ("M1", "M2"), ""),
    ],
)
def test_a_son_in_the_council(text: str, elected: tuple[str, ...], son: str) -> None:
    assert son_elected(dealt({"G3": Role.HIZDAHR}), elected) == son


def test_the_death_of_the_harpy() -> None:
    """ "Si la Harpie vient à mourir": her lieutenants' deaths end nothing."""
    assert not harpy_is_dead(pyramid(dead="M5 G10 B19"), SONS)
    assert harpy_is_dead(pyramid(dead="B20"), SONS)


# ---- points

SCALE = Scale(winner_alive=10, winner_dead=5, loser_alive=2, loser_dead=0, prophecy=7)
HOLDERS = {"B1": Role.QUAITHE, "B2": Role.PYAT_PREE, "B3": Role.HIZDAHR, "B4": Role.BELWAS, "B18": Role.COURTESAN}
POINTS = [
    ("the winners (house)", "C1", "", Camp.QUEEN, 10),
    ("the winners (house)", "C1", "C1", Camp.QUEEN, 5),
    ("the losers (house)", "C1", "", Camp.HARPY, 2),
    ("the losers (house)", "C1", "C1", Camp.HARPY, 0),
    ("the harpy", "B20", "", Camp.HARPY, 10),
    ("the harpy", "B20", "B20", Camp.QUEEN, 0),
    ("Il triomphera donc en même temps que son camp: the serpent", "B12", "", Camp.QUEEN, 10),
    ("the serpent", "B12", "", Camp.HARPY, 2),
    ("a courtesan among the Sons", "B18", "", Camp.HARPY, 10),
    ("Belwas", "B4", "", Camp.QUEEN, 10),
    ("Il gagne 20 pts si le camp de la Harpie l'emporte et qu'il est toujours en vie", "B2", "", Camp.HARPY, 20),
    ("Pyat Pree, dead", "B2", "B2", Camp.HARPY, 0),
    ("Pyat Pree, the Queen wins", "B2", "", Camp.QUEEN, 0),
    ("Il gagne 10 pts en cas de victoire des loyalistes", "B3", "", Camp.QUEEN, 10),
    ("et 15 points en cas de victoire de la Harpie", "B3", "", Camp.HARPY, 15),
    ("s'il reste en vie jusqu'à la fin du jeu", "B3", "B3", Camp.HARPY, 0),
]


@pytest.mark.parametrize(("text", "player", "dead", "winner", "gained"), POINTS)
def test_points(text: str, player: str, dead: str, winner: Camp, gained: int) -> None:
    assert points(pyramid(dead=dead), dealt(HOLDERS), winner, SCALE, player) == gained


PROPHECIES = [
    ("Vie : … doit survivre jusqu'à la fin de la partie", "", {}, ("life",)),
    ("Vie: did not", "G4", {}, ()),
    ("Mort : … doit être éliminé avant la fin de la partie", "M1", {}, ("life", "death")),
    ("Gloire : une Grâce … doit gravir les échelons", "M1", {"G5": Rank.MASTER}, ("life", "death", "glory")),
    ("Gloire: to the top", "", {"G5": Rank.COUNCILLOR}, ("life", "glory")),
    ("Gloire: a grace killed after her rise rose", "G5", {"G5": Rank.MASTER}, ("life", "glory")),
    ("Gloire: downwards is no rise", "", {"G5": Rank.BEAST}, ("life",)),
]


@pytest.mark.parametrize(("text", "dead", "ranks", "true"), PROPHECIES)
def test_quaithe_s_prophecies(text: str, dead: str, ranks: dict[str, Rank], true: tuple[str, ...]) -> None:
    """ "Quaithe conserve ses points même si elle a été éliminée du jeu", whoever wins."""
    town = pyramid(dead=dead + " B1")
    town = replace(town, ranks={**town.ranks, **ranks})
    made = dealt(HOLDERS, Prophecies("G4", "M1", "G5"))
    assert fulfilled(town, made) == true
    for winner in (Camp.QUEEN, Camp.HARPY):
        assert points(town, made, winner, SCALE, "B1") == 7 * len(true)


def test_no_prophecies_no_points() -> None:
    assert fulfilled(pyramid(), SONS) == ()


def test_points_times_prestige() -> None:
    """ "ces points sont multipliés par le coefficient de prestige": everybody's, in exact tenths."""
    town = pyramid(prestige={"C1": 13, "B3": 7})
    lines = {score.player: score for score in scores(town, dealt(HOLDERS), Camp.QUEEN, SCALE)}
    assert lines["C1"].total == 130  # 13,0
    assert lines["B3"].total == 70  # multiplied like all points (RULINGS)
    assert lines["C2"].total == 0
    assert len(lines) == 38


def test_the_ranking() -> None:
    lines = [Score("a", 10, 5), Score("b", 2, 50), Score("c", 5, 10), Score("d", 1, 1)]
    assert [(place, score.player) for place, score in ranking(lines)] == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]


def test_the_house_s_table_is_data() -> None:
    facts = {"winner_alive": 10, "winner_dead": 5, "loser_alive": 2, "loser_dead": 0, "prophecy": 7}
    assert read_scale(facts) == SCALE
    assert read_scale({**facts, "pyat_pree": 21}).pyat_pree == 21
    with pytest.raises(RuleError, match="“winner” must be one of"):
        read_scale({**facts, "winner": 3})
    with pytest.raises(RuleError, match="“prophecy” must be one of"):
        read_scale({**facts, "prophecy": "many"})
    with pytest.raises(RuleError, match="loser_dead, prophecy must be given"):
        read_scale({"winner_alive": 10, "winner_dead": 5, "loser_alive": 2})
