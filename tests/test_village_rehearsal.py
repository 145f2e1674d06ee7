"""The simulated table of data-only games plays whole evenings of Village, typed: sizes, both votes, options."""

from __future__ import annotations

import pytest

from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting

EVENINGS = [
    (6, "fr", 1, {}),
    (7, "en", 5, {"tie": "again", "first_blood": True, "with_healer": True}),
    (9, "fr", 4, {"vote": "roll", "tie": "again", "with_hunter": True}),
    (18, "en", 3, {"with_healer": True, "with_hunter": True}),
]


@pytest.mark.sound
@pytest.mark.parametrize(("players", "language", "seed", "options"), EVENINGS)
def test_an_evening_comes_to_its_end(players: int, language: str, seed: int, options: dict[str, object]) -> None:
    rehearsal = Rehearsal(stage(sample_setting("village", players, language, **options)), seed, typed=True)
    ending = rehearsal.run()
    assert ending is not None
    assert ending.how in ("village", "pack")
    assert rehearsal.difference == ""
    figures = rehearsal.figures(ending)
    assert figures["wrong_actions"] == figures["false_actions"] == figures["reasked"] == 0
    cards = rehearsal.people.minds.cards
    state = rehearsal.conductor.evening.state
    assert all(cards[player] == role for player, role in state.roles)
    wolves = [player for player in state.living if cards[player] == "wolf"]
    assert (wolves == []) is (ending.how == "village")
