"""The bench that kills rehearsals: one kill in each game, and the proof that it would see a wrong state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.kills import GAMES, Uncut, figures, one, resumed
from narrator.core.events import Heard


@pytest.fixture(scope="module", params=GAMES)
def uncut(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Uncut:
    return Uncut.played(request.param, 1, tmp_path_factory.mktemp("uncut"))


def test_a_rehearsal_killed_and_resumed_is_in_the_state_of_the_uncut_one(uncut: Uncut, tmp_path: Path) -> None:
    assert uncut.record.closed
    cut = one(tmp_path, 3, uncut)
    assert cut.wrong == ""
    assert 0 < cut.events < len(uncut.record.events)
    assert figures([uncut], [cut])[-1] == ("… in all", "1 of 1")


def test_a_state_of_another_moment_is_seen(uncut: Uncut, tmp_path: Path) -> None:
    """What play comes back with two decisions before is none of the states that are right after them."""
    decisions = [n for n, event in enumerate(uncut.record.events) if isinstance(event, Heard)]
    early, late = decisions[len(decisions) // 2], decisions[len(decisions) // 2 + 2]
    journal = tmp_path / "early.jsonl"
    for suffix in (".jsonl", ".private"):
        if (whole := uncut.record.path.with_suffix(suffix)).exists():
            lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if json.loads(line).get("n", 0) <= early and '"closed"' not in line]
            journal.with_suffix(suffix).write_text("".join(kept), encoding="utf-8")
    state = resumed(journal)
    assert state in uncut.after(early)
    assert state not in uncut.after(late + 1)
