"""Golden evenings: one readable transcript per game and language, replayed line by line.

`> ` is a sentence typed at the table, `* ` a draw of chance or time that passed, `= ` the public state after a turn;
"mj> " is what the game master enters and "[mj] " what he alone is told, "(+30s)" is time that passes;
everything else is spoken. NARRATOR_GOLDEN=write rewrites what follows from the sentences; then read the difference.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.golden import GOLDEN, UNSEEN, typed
from narrator.conductor import Conductor
from narrator.core.effects import Manner
from narrator.core.events import Elapsed, Event, Rolled
from narrator.core.phrases import Meaning
from narrator.library import stage
from narrator.stage.scripted import Prompter, SilentMouth
from narrator.stage.tables import read_table

PYRAMIDS = ["pyramide-19.en", "pyramide-38.fr"]
CLOCKTOWERS = [f"clocktower-{seats}.{language}" for seats in (12, 15, 5, 7) for language in ("en", "fr")]
VILLAGES = ["village-12.en", "village-8.fr"]
EVENINGS = sorted(p.stem for p in GOLDEN.glob("*.txt"))


class Scribe:
    """Watches the conductor and keeps its journal, in readable lines."""

    trouble, number = None, 0

    def __init__(self, public_state: Any) -> None:
        self.lines: list[str] = []
        self._public_state, self._turn = public_state, 0

    def write(self, event: Event, at: float) -> None:
        if isinstance(event, Rolled):
            self.lines.append(f"* drawn: {event.what} = {event.value}")
        elif isinstance(event, Elapsed) and event.timer != "step":
            self.lines.append(f"* elapsed: {event.timer}")

    def tick(self, clock: str, left: float, at: float) -> None: ...
    def owed(self, left: int, number: int, at: float) -> None: ...
    def settle(self) -> None: ...
    def close(self) -> None:
        self.lines.append("* closed")

    def spoke(self, text: str, manner: Manner) -> None:
        self.lines.append(text)

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        self.lines.append(f"> {text}")

    def shown(self, facts: Any) -> None: ...
    def whispered(self, text: str) -> None:
        self.lines.append(f"[mj] {text}")

    def told(self, sentences: Iterable[str]) -> Iterator[str]:
        """The sentences, one after the other; what the conductor does not show to the table is written down here."""
        for sentence in sentences:
            if sentence.startswith(UNSEEN):
                self.lines.append(sentence)
            yield sentence

    def settled(self, conductor: Conductor) -> None:
        state = self._public_state(conductor.evening.state)
        turn = state["turn"] if "turn" in state else state["day"]
        if turn != self._turn:
            self._turn = turn
            self.lines.append(f"= turn {turn}: {_summary(state)}")


def _summary(state: Any) -> str:
    """The public facts of each game that are worth a line."""
    if "purses" in state:
        purses = ", ".join(f"{player} {crowns}" for player, crowns in state["purses"].items())
        return f"executioner {state['executioner'] or 'nobody'}, {purses}, treasury {state['treasury']}"
    if "counters" in state:
        roles = ", ".join(f"{player} {role}" for player, role in state["roles"].items())
        living, dead = ", ".join(state["living"]), ", ".join(state["dead"])
        return f"living {living}; dead {dead or 'nobody'}; shown {roles or 'none'}"
    if "offices" in state:
        prestige = ", ".join(f"{player} {points}" for player, points in state["prestige"].items() if points)
        dead = ", ".join(state["dead"]) or "nobody"
        return f"dead {dead}; influence {state['available']}; prestige {prestige or 'none'}"
    if "tokens" in state:
        return (
            f"living {', '.join(state['living'])}; dead {', '.join(state['dead']) or 'nobody'}; "
            f"tokens {', '.join(state['tokens']) or 'none'}; to pass {state['to_pass']}"
        )
    boards = state["boards"]
    return (
        f"boards {boards['interventionist']}/{boards['pacifist']}, "
        f"pile {state['pile']}, discard {state['discard']}, counter {state['counter']}, "
        f"barred {', '.join(state['barred']) or 'nobody'}, voters {state['voters']}"
    )


def replayed(path: Path) -> str:
    """The transcript that the file's own sentences lead to."""
    production = stage(read_table(path.with_suffix(".toml")))
    scribe = Scribe(production.rules_module.public_state)
    prompter = Prompter(production, scribe.told(typed(path.stem)), io.StringIO(), state=False)
    mouth = SilentMouth(prompter.clock)
    conductor = Conductor(production, prompter.clock, mouth, None, (scribe,), scribe, 7)  # type: ignore[arg-type]
    prompter.conductor = conductor
    conductor.run(production.game.opening())
    return "\n".join(scribe.lines) + "\n"


def test_there_is_an_evening_in_every_language() -> None:
    assert ["bourreau.en", "bourreau.fr", *CLOCKTOWERS, *PYRAMIDS, "sultan.en", "sultan.fr", *VILLAGES] == EVENINGS


@pytest.mark.parametrize("evening", EVENINGS)
def test_the_evening_goes_as_it_is_written(evening: str) -> None:
    path = GOLDEN / f"{evening}.txt"
    now = replayed(path)
    if os.environ.get("NARRATOR_GOLDEN") == "write":
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8")
