"""Setting up Au chevet du Sultan: roles, boards, decks, recognition, the first Grande Vizir. § = the game's text."""

from __future__ import annotations

import itertools

import pytest
from evening import Evening, production, table

from narrator.core.errors import RuleError
from narrator.games.sultan.configuration import Configuration


def configuration(players: int, **options: object) -> Configuration:
    return production(table(players, **options)).game.rules.configuration


# §3c: three interventionists, Dinarzade and one pacifist at five, …
CLASSIC_ROLES = {5: (3, 1), 6: (4, 1), 7: (4, 2), 8: (5, 2), 9: (5, 3), 10: (6, 3)}
# §3b: the pacifist board depends on how many play, the interventionist one does not.
CLASSIC_BOARDS = {5: "AAFXYZ", 6: "AAFXYZ", 7: "ABCXYZ", 8: "ABCXYZ", 9: "BBCXYZ", 10: "BBCXYZ"}
# §9: pacifist board, interventionist board, roles without Dinarzade, l'Amoureuse, deck.
SUGGESTED = {
    5: ("AANXYZ", "11112", (3, 1), False, (6, 11)),
    6: ("AAFXYZ", "11112", (4, 1), False, (6, 11)),
    7: ("PBFXYZ", "10112", (4, 2), False, (6, 10)),
    8: ("ABCXYZ", "11112", (5, 2), False, (6, 11)),
    9: ("BBCXYZ", "01112", (5, 2), True, (6, 11)),
    10: ("BFBXYZ", "10112", (6, 3), False, (6, 11)),
}


@pytest.mark.parametrize("players", range(5, 11))
def test_classic_configuration(players: int) -> None:
    """§3b, §3c."""
    c = configuration(players)
    assert (c.interventionists, c.pacifists) == CLASSIC_ROLES[players]
    assert "".join(c.pacifist_board) == CLASSIC_BOARDS[players]
    assert "".join(c.interventionist_board) == "11112"
    assert (c.interventionist_tales, c.pacifist_tales) == (6, 11)
    assert not c.amoureuse
    assert Evening(table(players)).state["pile"] == 17


@pytest.mark.parametrize("players", range(5, 11))
def test_suggested_configuration(players: int) -> None:
    """§9 and RULINGS: “6 – 10” is a deck, “– A” is l'Amoureuse."""
    c = configuration(players, configuration="suggested")
    pacifist, interventionist, roles, lover, deck = SUGGESTED[players]
    assert ("".join(c.pacifist_board), "".join(c.interventionist_board)) == (pacifist, interventionist)
    assert ((c.interventionists, c.pacifists), c.amoureuse) == (roles, lover)
    assert (c.interventionist_tales, c.pacifist_tales) == deck
    assert Evening(table(players, configuration="suggested")).state["pile"] == sum(deck)


@pytest.mark.parametrize(
    ("players", "options", "roles"),
    [
        (7, {"giafar": True}, (3, 2)),
        (7, {"amoureuse": True}, (3, 2)),
        (9, {"amoureuse": True}, (5, 2)),
        (10, {"giafar": True, "amoureuse": True}, (5, 2)),
        (9, {"configuration": "suggested", "giafar": True}, (4, 2)),
        (8, {"roles": {"interventionist": 6, "pacifist": 1}}, (6, 1)),
    ],
)
def test_extra_roles_take_places(players: int, options: dict[str, object], roles: tuple[int, int]) -> None:
    """§8c and RULINGS: Giafar instead of an interventionist, l'Amoureuse instead of the third pacifist."""
    c = configuration(players, **options)
    assert (c.interventionists, c.pacifists) == roles


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        (4, {}, "5 to 10 players"),
        (6, {"amoureuse": True}, "needs 7 players"),
        (7, {"configuration": "house"}, "classic"),
        (5, {"giafar": True, "roles": {"interventionist": 1, "pacifist": 2}}, "may not be fewer"),
        (7, {"roles": {"interventionist": 5}}, "8 roles for 7 players"),
        (7, {"roles": {"interventionist": 6, "pacifist": 0}}, "each camp needs"),
        (9, {"roles": {"interventionist": 7, "pacifist": 1}}, "six Interventionist"),
        (7, {"giafar": True, "roles": {"interventionist": 2, "pacifist": 3}}, "may not be fewer than the pacifists"),
        (7, {"pacifist_board": "AAFXY"}, "needs 6 letters"),
        (7, {"interventionist_board": "111111"}, "needs 5 letters"),
        (7, {"pacifist_board": "AAQXYZ"}, "not a board card"),
        (7, {"pacifist_board": "AAAAZX"}, "never be used"),
        (5, {"pacifist_board": "AXXXYZ"}, "fewer than three"),
        (7, {"pacifist_board": "PPFXYZ"}, "only once"),
        (5, {"pacifist_board": "BBBBBZ"}, "more powers B"),
        (7, {"deck": [9, 11]}, "has 8 interventionist tales"),
        (7, {"deck": [6, 14]}, "has 13 pacifist tales"),
        (7, {"deck": [6, 13], "pacifist_board": "PAFXYZ"}, "has 12 pacifist tales"),
        (7, {"deck": [4, 11]}, "needs 5 of them"),
        (7, {"deck": [6, 5]}, "needs 6 of them"),
        (7, {"deck": [5, 6]}, "run out"),
        (7, {"deck": [6]}, "two numbers"),
        (7, {"deck": ["6", "11"]}, "two numbers"),
        (7, {"veto": True}, "does not exist"),
        (7, {"giafar": "yes"}, "must be true or false"),
        (7, {"discussion": "long"}, "must be like"),
    ],
)
def test_impossible_configurations_say_why(players: int, options: dict[str, object], why: str) -> None:
    """House options (§8a, §9): what cannot be played is refused at setup, in one sentence."""
    with pytest.raises(RuleError, match=why) as caught:
        production(table(players, **options))
    assert "\n" not in str(caught.value)


# ---- the spoken checklist


def checklist(evening: Evening) -> list[str]:
    while evening.phase == "checklist":
        evening.all("suivant")
    return [line for line, _ in evening.spoken]


def test_checklist_waits_after_every_step() -> None:
    """§3: one step at a time; “suivant” goes on, “c'est fait” too, “annule” goes back a step."""
    evening = Evening(table(7), skip_setup=False)
    assert [line for line, _ in evening.spoken] == ["welcome"]
    evening.all("suivant")
    assert evening.lines == ["setup_pacifist_board"]
    assert "A, B, C, X, Y et Z" in evening.words
    evening.all("c'est fait")
    assert evening.lines == ["setup_interventionist_board"]
    evening.all("annule")
    assert evening.lines[-1] == "setup_pacifist_board"
    evening.elapse("remind")
    assert evening.phase == "checklist"


@pytest.mark.parametrize(
    ("setting", "reserve"),
    [(table(7), False), (table(7, configuration="suggested"), True)],
    ids=["classic", "suggested"],
)
def test_checklist_names_everything(setting: object, reserve: bool) -> None:
    """§3b, §3c: boards, powers, deck, roles, votes; the reserve only where power P lies."""
    evening = Evening(setting, skip_setup=False)
    said = checklist(evening)
    wanted = ["welcome", "setup_pacifist_board", "setup_interventionist_board", "setup_powers"]
    wanted += ["setup_other_places", "setup_deck", *(["setup_reserve"] if reserve else [])]
    wanted += ["setup_roles", "setup_votes", "setup_look"]
    assert said[: len(wanted)] == wanted


def test_checklist_may_be_passed() -> None:
    evening = Evening(table(7), skip_setup=False)
    evening.all("passe", "oui")
    assert evening.phase == "proposal"


# ---- recognition

SMALL = ["recognition_begins", "close_eyes", "both_open", "both_close", "all_open"]
LARGE = [
    "recognition_begins",
    "hands_out",
    "close_eyes",
    "pacifists_open",
    "dinarzade_fist",
    "dinarzade_opens_hand",
    "pacifists_close",
    "all_open",
]
LOVER = [*LARGE[:5], "pacifists_close", "lover_opens", "lover_closes", "all_open"]


@pytest.mark.parametrize(
    ("players", "options", "script"),
    [
        *((n, {}, SMALL) for n in (5, 6)),
        *((n, {}, LARGE) for n in (7, 8, 9, 10)),
        (6, {"giafar": True, "roles": {"interventionist": 3}}, SMALL),
        (8, {"giafar": True}, LARGE),
        (7, {"amoureuse": True}, LOVER),
        (9, {"configuration": "suggested"}, LOVER),
        (10, {"amoureuse": True, "giafar": True}, LOVER),
    ],
)
def test_recognition(players: int, options: dict[str, object], script: list[str]) -> None:
    """§3c: five and six, seven to ten; §8c: l'Amoureuse changes it, Giafar changes nothing."""
    evening = Evening(table(players, **options), skip_setup=False)
    said = checklist(evening)
    start = said.index("recognition_begins")
    assert said[start : said.index("all_open") + 1] == script


@pytest.mark.parametrize("players", [5, 7])
def test_closed_eyes_invite_nothing(players: int) -> None:
    """A voice would give its owner away; hands have time after every line."""
    game = production(table(players)).game
    phase = game.script.phases["recognition_small" if players < 7 else "recognition_large"]
    assert phase.eyes_closed
    spoken = [n for n, step in enumerate(phase.steps) if step.say]
    for one, other in itertools.pairwise(spoken):
        assert any(step.pause > 0 for step in phase.steps[one:other])
    evening = Evening(table(players), skip_setup=False)
    checklist(evening)
    floors = [floor for floor in evening.floors if floor.phase.startswith("recognition")]
    assert len(floors) > 1
    assert all(floor.hears == () for floor in floors)
    assert not any({"next", "done"} & set(floor.accepts) for floor in floors)


# ---- the first Grande Vizir


def test_first_vizir_is_asked_at_setup() -> None:
    """RULINGS: asked at setup, or drawn aloud; never the first seat in silence."""
    evening = Evening(table(7, first=""), skip_setup=False)
    checklist(evening)
    assert evening.phase == "ask_first"
    assert evening.state["grand_vizir"] is None
    evening.all("c'est Emma")
    assert evening.state["grand_vizir"] == "Emma"
    assert evening.state["turn"] == 1


def test_first_vizir_is_drawn_aloud() -> None:
    """RULINGS; the draw is an event."""
    asked = Evening(table(7, first=""), skip_setup=False, draw="David")
    checklist(asked)
    asked.all("tire au sort")
    assert "drawing_first" in asked.lines
    assert asked.state["grand_vizir"] == "David"
    skipped = Evening(table(7, first=""), draw="Farid")
    assert "drawing_first" in [line for line, _ in skipped.spoken]
    assert skipped.state["grand_vizir"] == "Farid"


def test_unknown_first_vizir() -> None:
    with pytest.raises(RuleError, match="not one of the players"):
        production(table(7, first="Zoé"))
