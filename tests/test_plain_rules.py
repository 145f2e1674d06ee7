"""What a data-only game may declare and Village does not use: other votes, counters by hand, choices, conditions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evening import NAMES, Evening
from own_game import own_game, spoilt
from test_village_rules import village

from narrator.core.errors import ScriptError
from narrator.core.script import Source
from narrator.core.setting import Setting
from narrator.games.plain.conditions import holds, read_test
from narrator.games.plain.nouns import read_nouns
from narrator.games.plain.state import Party
from narrator.library import stage

Game = Callable[..., Any]


@pytest.fixture
def rules(tmp_path: Path) -> Game:
    """The rules of a new game in which some texts of its file were changed."""

    def build(*changes: tuple[str, str], seats: int = 6) -> Any:
        game = own_game(tmp_path)
        for old, new in changes:
            spoilt(game, "game.toml", old, new)
        return stage(Setting(str(game), "fr", NAMES[:seats])).game.rules

    return build


def on_trial(rules: Any, accused: str) -> Party:
    party: Party = rules.actions["accuse"](rules.start("votes"), {"player": accused})
    return party


VOTE = "# ---- numbers of our own"


@pytest.mark.parametrize(
    ("vote", "yes", "no", "outcome"),
    [
        ("", 4, 2, "passed"),
        ("", 3, 3, "tied"),
        ("", 2, 4, "failed"),
        ("abstain = true", 2, 1, "passed"),
        ("abstain = true", 0, 0, "tied"),
        ('passes = "majority"\nabstain = true', 3, 1, "tied"),
        ('passes = "majority"\nabstain = true', 4, 0, "passed"),
        ('passes = "majority"\nabstain = true', 2, 0, "failed"),
    ],
)
def test_what_it_takes(rules: Game, vote: str, yes: int, no: int, outcome: str) -> None:
    made = rules((VOTE, f"[vote]\n{vote}\n\n{VOTE}"))
    party = on_trial(made, "Bob")
    assert made.checks["count_fits"](party, {"yes": yes, "no": no}) is None
    party = made.actions["close_vote"](made.actions["count"](party, {"yes": yes, "no": no}), {})
    assert party.trial.outcome == outcome


def test_who_votes(rules: Game) -> None:
    made = rules((VOTE, f"[vote]\naccused_votes = false\ndead_vote = true\n\n{VOTE}"))
    party = made.actions["die"](made.start("votes"), {"player": "Alice"})
    party = made.actions["begin_roll"](made.actions["accuse"](party, {"player": "Bob"}), {})
    assert made.sheet.voters(party) == ("Chloé", "David", "Emma", "Farid", "Alice")
    assert party.trial.seat == "Chloé"
    assert made.checks["may_vote"](party, {"player": "Bob"}).line == "refuse_voter"
    assert made.checks["may_vote"](party, {"player": "Alice"}) is None


def test_accused_twice_a_day_where_the_game_allows_it(rules: Game) -> None:
    for once, refused in (("true", True), ("false", False)):
        made = rules((VOTE, f"[vote]\naccused_once = {once}\n\n{VOTE}"))
        party = made.actions["drop"](on_trial(made, "Bob"), {})
        assert (made.checks["may_accuse"](party, {"player": "Bob"}) is not None) is refused
        for file in Path(made.setting.game).iterdir():
            file.unlink()


def test_counters_move_by_actions_by_moves_and_by_words(rules: Game) -> None:
    made = rules(('zero = ["eliminate"]', 'zero = ["eliminate"]\ndown = ["begin_day"]\nstart = 2'))
    do = made.actions
    party = made.start("talk")
    assert party.counter("quiet") == 2
    party = do["close_day"](party, {})
    assert party.counter("quiet") == 3
    party = do["begin_day"](do["begin_day"](party, {}), {})
    assert party.counter("quiet") == 1
    party = do["down_quiet"](do["down_quiet"](party, {}), {})
    assert party.counter("quiet") == 0
    assert do["up_quiet"](party, {}).counter("quiet") == 1
    party = do["set_quiet"](party, {"n": 7})
    assert made.view(party)["quiet"] == 7
    assert do["zero_quiet"](party, {}).counter("quiet") == 0


def test_a_tally(rules: Game) -> None:
    made = rules()
    party = made.start("votes")
    for player, voices, outcome in (("Bob", 2, "passed"), ("Alice", 2, "tied"), ("Alice", 1, "passed")):
        party = made.actions["tally"](party, {"player": player, "n": voices})
        assert made.actions["close_tally"](party, {}).trial.outcome == outcome
    assert made.view(party)["leaders"] == ("Bob",)
    assert made.conditions["all_tallied"](party) is False
    assert made.actions["close_tally"](made.start("votes"), {}).trial.outcome == "failed"
    assert made.checks["tally_fits"](party, {"player": "Chloé", "n": 4}).line == "count_mismatch"
    assert made.checks["tally_fits"](party, {"player": "Bob", "n": 5}) is None  # said anew, not added


def test_choosing(rules: Game) -> None:
    made = rules()
    party = made.actions["choose"](made.start("talk"), {"player": "Emma"})
    assert made.view(party)["target"] == "Emma"
    assert made.view(made.actions["begin_night"](party, {}))["target"] == ""


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("a = 2", True),
        ("a != 2", False),
        ("a < b and b <= 3", True),
        ("names >= 3", False),
        ("names = 2 and not dark", True),
        ("dark or a > 1", True),
        ("dark and a > 1 or b = 9", False),
        ("b = 9 or not dark and a = 2", True),
    ],
)
def test_conditions(text: str, true: bool) -> None:
    known = {"a": 2, "b": 3, "names": ("x", "y"), "dark": False}
    test = read_test(Source("x", {}, {}), "c", text, ("a", "b", "names"), ("dark",))
    assert holds(test, known) is true


@pytest.mark.parametrize("text", ["", "a", "a = c", "a == 2", "dark = 1", "not", "a + b = 5", "dark and"])
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(ScriptError, match="condition “c”"):
        read_test(Source("x", {}, {}), "c", text, ("a", "b"), ("dark",))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"role": ["wolf"]}, "write every role as a"),
        ({"role": [{"camp": "x", "count": 1}]}, "needs an id"),
        ({"role": [{"id": "wolf", "count": 1}]}, "needs a camp"),
        ({"role": [{"id": "wolf", "camp": "x"}]}, "count is a number"),
        ({"role": [{"id": "wolf", "camp": "x", "count": {"six": 1}}]}, "count is a number"),
        ({"role": [{"id": "wolf", "camp": "x", "count": True}]}, "count is a number"),
        ({"role": [{"id": "wolf", "camp": "x", "count": 1, "option": "moon"}]}, "no true/false option"),
        ({"role": [{"id": "a", "camp": "x", "count": "rest"}, {"id": "b", "camp": "x", "count": "rest"}]}, "only one"),
        ({"vote": {"pases": "more"}}, "did you mean “passes”?"),
        ({"vote": {"passes": "all"}}, "is not one of more, majority"),
        ({"vote": {"abstain": 1}}, "wrong kind"),
        ({"counter": [{"id": "x", "start": "two"}]}, "wrong kind"),
        ({"counter": [{"id": "x"}, {"id": "x"}]}, "written twice"),
        ({"end": [{"id": "x", "winners": ["moon"]}]}, "is no camp of a role"),
        ({"end": [{"id": "x", "when": "moon"}]}, "is no condition of"),
        ({"choices": {"vote": ["a", "b"]}}, "must be one of its choices"),
        ({"choices": {"vote": "a"}, "options": {"vote": "a"}}, "are words"),
        ({"when": {"x": 3}}, "is written as"),
    ],
)
def test_what_cannot_be_declared(data: dict[str, Any], says: str) -> None:
    with pytest.raises(ScriptError, match=says):
        read_nouns(Source("game.toml", data, {}))


def test_only_the_game_s_own_options_are_numbers() -> None:
    evening = Evening(village(8, discussion=90))
    assert "deux minutes" in evening.spoken[-1][1]
    assert evening.timers["time_up"] == 90
