"""Assassinations: the text's numbers and modifiers, row by row; what targets and squads learn.

Sons: harpy B20, lieutenants M5 (4), G10 (2), B19; henchmen B12 … B18 (1 each), G9 (2), M4 (4).
"""

from __future__ import annotations

import pytest
from pyramide_seats import MAZE, PITS, PLAZA, SONS, dealt, pyramid

from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.ranks import District, cleared, placed, promoted
from narrator.games.pyramide.roles import Role
from narrator.games.pyramide.squads import Squad, Told, brass_held, refusal, resolve, told, victims

#: Everybody else away, so that brass beasts do not hold the maze: one loyal grace above, no loyal beast.
ALONE = dict.fromkeys(pyramid().seats, PLAZA) | dict.fromkeys(SONS.sons, MAZE)


def squad(text: str) -> Squad:
    """“B18 M5 > C1”."""
    members, target = text.split(">")
    return Squad(tuple(members.split()), target.strip())


def at(target: str, **others: District) -> dict[str, District]:
    """The Sons and their target in the maze, two graces so that one beast does not hold it, `others` where told."""
    return {**ALONE, target: MAZE, "G2": MAZE, "G6": MAZE, **others}


# ---- (text, squad, who stands elsewhere, strength, to exceed, success)

PLAIN = [
    ("10 pour un Conseiller: 4 + 4 + 2 is not enough", "M5 M4 G10 > C1", {}, 10, 10, False),
    ("doit dépasser l'influence de la cible", "M5 M4 G10 B18 > C1", {}, 11, 10, True),
    ("4 pour un Grand Maître", "M5 > M1", {}, 4, 4, False),
    ("4 pour un Grand Maître", "M5 B18 > M1", {}, 5, 4, True),
    ("2 pour une Grâce", "G10 > G3", {}, 2, 2, False),
    ("2 pour une Grâce", "G10 B20 > G3", {}, 3, 2, True),
    ("1 pour une Bête d'Airain", "B18 > B5", {}, 1, 1, False),
    ("1 pour une Bête d'Airain", "B18 B17 > B5", {}, 2, 1, True),
    ("un quartier différent de celui de sa cible: −1", "M5 B18 > M1", {"B18": PITS}, 4, 4, False),
    ("pour chaque Fils", "M5 G10 B18 > M1", {"B18": PITS, "G10": PLAZA}, 5, 4, True),
    ("pour chaque Fils", "M5 G10 B18 > M1", {"B18": PITS, "G10": PLAZA, "M5": PITS}, 4, 4, False),
    ("a Son may fall to Sons", "M5 B18 > M4", {}, 5, 4, True),
    ("the serpent joue de la même manière", "B12 B18 > B5", {}, 2, 1, True),
    ("none of them there", "B18 B17 > B5", {"B18": PITS, "B17": PITS}, 0, 1, False),
]


@pytest.mark.parametrize(("text", "sent", "away", "strength", "needed", "success"), PLAIN)
def test_influence(text: str, sent: str, away: dict[str, District], strength: int, needed: int, success: bool) -> None:
    one = squad(sent)
    town = pyramid(at(one.target, **away))
    (outcome,) = resolve(town, SONS, [one])
    assert (outcome.strength, outcome.needed, outcome.success) == (strength, needed, success)
    assert outcome.away == len(away)
    assert victims(town, [outcome]) == ((one.target,) if success else ())


# ---- "au moins autant de Bêtes d'Airain loyalistes que de joueurs loyalistes dans les étages supérieurs"

HELD = [
    ("as many", "B1", "G3", True),
    ("more", "B1 B2", "G3", True),
    ("fewer", "B1", "G3 M1", False),
    ("a councillor is above, too", "B1", "C1 M1", False),
    ("RULINGS: nobody above, one beast", "B1", "", True),
    ("no beast at all", "", "", False),
    ("Sons among the beasts do not count", "B20 B19 B1", "G3 M1", False),
    ("nor Sons above", "B1", "G3 M5 G9", True),
    ("RULINGS: the serpent counts as a Son", "B12", "G3", False),
    ("RULINGS: the campless do not count", "B2", "G3", False),
    ("nor do the campless above", "B1", "G3 G5", True),
    ("nor the dead", "B1 B3", "G3 G4", False),
]


@pytest.mark.parametrize(("text", "beasts", "above", "held"), HELD)
def test_brass_beasts_hold_a_district(text: str, beasts: str, above: str, held: bool) -> None:
    where = dict.fromkeys(pyramid().seats, PLAZA) | dict.fromkeys((beasts + " " + above).split(), MAZE)
    made = dealt({"B2": Role.QUAITHE if text.startswith("RULINGS: the campless") else Role.BELWAS, "G5": Role.HIZDAHR})
    assert (MAZE in brass_held(pyramid(where, dead="B3"), made)) is held


@pytest.mark.parametrize(("sent", "success"), [("M5 B18 > M1", False), ("M5 G10 > M1", True)])
def test_a_held_district_needs_one_more(sent: str, success: bool) -> None:
    """ "l'influence à atteindre par une escouade est majorée de +1"."""
    (outcome,) = resolve(pyramid(at("M1", B1=MAZE, B2=MAZE, B3=MAZE)), SONS, [squad(sent)])
    assert outcome.bonuses == (("brass", 1),)
    assert (outcome.needed, outcome.success) == (5, success)


# ---- Belwas and Hizdahr

BELWAS = [
    ("par défaut, Belwas se protège lui-même", "", "G3", {"G3": MAZE}, 2),
    ("by default not another", "", "G4", {"G4": MAZE, "G3": MAZE}, 0),
    ("dans le même quartier que lui: +2", "G4", "G4", {"G4": MAZE, "G3": MAZE}, 2),
    ("+1 … dans un quartier différent", "G4", "G4", {"G4": MAZE, "G3": PITS}, 1),
    ("who guards another is not guarded", "G4", "G3", {"G3": MAZE}, 0),
]


@pytest.mark.parametrize(("text", "guarded", "target", "where", "bonus"), BELWAS)
def test_belwas(text: str, guarded: str, target: str, where: dict[str, District], bonus: int) -> None:
    town = pyramid(at("G2", **where))
    (outcome,) = resolve(town, dealt({"G3": Role.BELWAS}), [Squad(("M5",), target)], guarded)
    assert dict(outcome.bonuses).get("belwas", 0) == bonus
    assert outcome.needed == 2 + bonus


def test_a_dead_belwas_guards_nobody() -> None:
    (outcome,) = resolve(pyramid(at("G4"), dead="G3"), dealt({"G3": Role.BELWAS}), [squad("M5 > G4")], "G4")
    assert outcome.bonuses == ()


def test_belwas_guards_to_his_death() -> None:
    """All at once: he falls, and whom he guards is guarded."""
    town = pyramid(at("G4", G3=MAZE))
    outcomes = resolve(town, dealt({"G3": Role.BELWAS}), [squad("M5 > G3"), squad("M4 > G4")], "G4")
    assert [(outcome.needed, outcome.success) for outcome in outcomes] == [(2, True), (4, False)]


HIZDAHR = [
    ("majorée de 2 pour … un joueur qui n'est pas un Conseiller", "M1", 6),
    ("majorée de 2", "G4", 4),
    ("majorée de 2", "B5", 3),
    ("minorée de 2 pour assassiner un Conseiller", "C2", 8),
    ("minorée de 2: himself", "C1", 8),
]


@pytest.mark.parametrize(("text", "target", "needed"), HIZDAHR)
def test_hizdahr_in_the_council(text: str, target: str, needed: int) -> None:
    town = pyramid(at(target))
    (outcome,) = resolve(town, dealt({"C1": Role.HIZDAHR}), [Squad(("M5",), target)])
    assert outcome.needed == needed
    (outcome,) = resolve(town, dealt({"M2": Role.HIZDAHR}), [Squad(("M5",), target)])
    assert outcome.bonuses == ()  # "Si Hizdahr zo Loraq obtient le poste de Conseiller"


def test_hizdahr_elected_and_hizdahr_dead() -> None:
    made = dealt({"M2": Role.HIZDAHR})
    town = promoted(pyramid(at("B5"), dead="C1"), "M2")
    assert resolve(town, made, [squad("M5 > B5")])[0].needed == 3
    assert resolve(pyramid(at("B5"), dead="C1"), dealt({"C1": Role.HIZDAHR}), [squad("M5 > B5")])[0].needed == 1


def test_everything_together() -> None:
    """A great master in a held district, guarded from elsewhere, Hizdahr in the council: 4 + 1 + 1 + 2."""
    town = pyramid(at("M1", B1=MAZE, B2=MAZE, B3=MAZE, G3=PITS, G10=PITS))
    made = dealt({"G3": Role.BELWAS, "C1": Role.HIZDAHR})
    (outcome,) = resolve(town, made, [squad("M5 M4 G10 > M1")], "M1")
    assert dict(outcome.bonuses) == {"brass": 1, "belwas": 1, "hizdahr": 2}
    assert (outcome.strength, outcome.away, outcome.needed, outcome.success) == (9, 1, 8, True)


# ---- what cannot be sent

REFUSED = [
    (" > M1", "", "", Fault("empty")),
    ("B18 > M1", "", "M1", Fault("target_dead", "M1")),
    ("B18 B1 > M1", "", "", Fault("no_son", "B1")),
    ("B18 B17 > M1", "", "B17", Fault("dead", "B17")),
    ("B18 B17 > B17", "", "", Fault("target_inside", "B17")),
    ("B18 B17 B18 > M1", "", "", Fault("twice", "B18")),
    ("B18 B17 > M1", "B16 B17 > M2", "", Fault("twice", "B17")),
    ("B18 B17 > M1", "B16 B15 > M1", "", None),
    ("B20 M5 B12 > C1", "", "", None),
    ("B18 > M1", "", "B20", Fault("no_harpy")),
]


@pytest.mark.parametrize(("sent", "before", "dead", "fault"), REFUSED)
def test_what_cannot_be_sent(sent: str, before: str, dead: str, fault: Fault | None) -> None:
    earlier = [squad(before)] if before else []
    assert refusal(pyramid(dead=dead), SONS, earlier, squad(sent)) == fault


# ---- at once, and what is learnt


def test_all_squads_at_once() -> None:
    """M5 dies in the turn in which he kills."""
    town = pyramid(at("M1", B5=MAZE))
    outcomes = resolve(town, SONS, [squad("M5 B18 > M1"), squad("M4 B17 > M5")])
    assert victims(town, outcomes) == ("M1", "M5")
    assert victims(town, resolve(town, SONS, [squad("M5 B18 > M1"), squad("M4 B17 > M1")])) == ("M1",)


def test_what_a_failure_betrays() -> None:
    """ "leurs identités sont révélées au joueur ciblé", and to each other "quel que soit le résultat"."""
    outcomes = resolve(pyramid(at("M1")), SONS, [squad("B18 B17 > M1")])
    assert told(outcomes) == (
        Told("M1", ("B18", "B17"), target=True),
        Told("B18", ("B17",)),
        Told("B17", ("B18",)),
    )


def test_what_a_success_betrays() -> None:
    outcomes = resolve(pyramid(at("M1")), SONS, [squad("M5 B18 > M1")])
    assert told(outcomes) == (Told("M5", ("B18",)), Told("B18", ("M5",)))


def test_one_alone_learns_nothing() -> None:
    assert told(resolve(pyramid(at("B5")), SONS, [squad("M5 > B5")])) == ()


def test_where_nobody_stands_anything_is_elsewhere() -> None:
    """A district that was never told is another one."""
    town = placed(cleared(pyramid()), "M1", MAZE)
    assert resolve(town, SONS, [squad("B18 > M1")])[0].strength == 0
