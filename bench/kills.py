"""kill -9 at random moments of rehearsed evenings, then resume: `python -m bench.kills [kills] [games …]`.

A simulated table plays a whole evening of each game at the keyboard, without sound, in a process of its own. Whatever
the moment of its death, the journal must hold the first events of the uncut evening and nothing else, and `play
--resume` must come back with a state of the uncut evening: that of the last event kept, or of one of those that follow
by themselves (draws, dwell times). The master's private state counts like the public one.
"""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from narrator.core.effects import Wait
from narrator.core.events import Elapsed, Event, Ordered, Rolled
from narrator.core.game import fold
from narrator.library import Production, game_ids, stage
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting
from narrator.stage.journal import Journal, Record, read_journal

GAMES = game_ids()
EVENINGS = 4  # of each game, with seeds of their own
RESUME = [*(sys.executable, "-m", "narrator", "play", "--typed", "--fast"), *("--state", "--private", "--resume")]
EVENING = [sys.executable, "-m", "bench.kills", "--evening"]


def evening(game: str, seed: int, journal: Path) -> None:
    """Play it to its end, in this process."""
    production = stage(sample_setting(game))
    rehearsal = Rehearsal(production, seed, typed=True, silent=True)
    secret = production.game.script.secret
    rehearsal.conductor.journal = Journal.begin(production.setting, seed, skip_setup=False, path=journal, secret=secret)
    rehearsal.run()


def play(game: str, seed: int, journal: Path, kill_after: int | None) -> int:
    """Play it in another process, until that many lines were printed; how many were."""
    command = [*EVENING, game, str(seed), str(journal)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = 0
        for _ in process.stdout:
            lines += 1
            if lines == kill_after:
                time.sleep(random.uniform(0, 0.005))
                process.kill()
                break
    return lines


def told(production: Production, state: Any) -> dict[str, Any]:
    """All that `play --state --private` tells of a state, as JSON gives it back."""
    module = production.rules_module
    hidden = getattr(module, "private_state", None)
    data = {**module.public_state(state), "private": hidden(state) if hidden else {}}
    read: dict[str, Any] = json.loads(json.dumps(data))
    return read


@dataclass(frozen=True)
class Uncut:
    """An evening that nobody killed; `lines`: how many it printed."""

    game: str
    seed: int
    lines: int
    production: Production
    record: Record

    @classmethod
    def played(cls, game: str, seed: int, folder: Path) -> Uncut:
        journal = folder / f"{game}.{seed}.jsonl"
        lines = play(game, seed, journal, None)
        record = read_journal(journal)
        return cls(game, seed, lines, stage(record.setting), record)

    def after(self, count: int) -> list[dict[str, Any]]:
        """What is told after so many events, and after each of those that follow by themselves."""
        following = self.record.events[count:]
        alone = next((n for n, event in enumerate(following) if not _by_itself(event)), len(following))
        cuts = [self.record.events[: count + more] for more in range(alone + 1)]
        states = [fold(self.production.game, cut, False).state for cut in cuts]
        return [told(self.production, state) for state in (*states, *self._untouched(count))]

    def _untouched(self, count: int) -> list[Any]:
        """The states where nobody says a word after so many events and the resume, as dwell times pass.

        Somebody who said “four yes” before the kill says “three no” in the uncut evening only.
        """
        game, states = self.production.game, []
        evening, effects = game.receive(fold(game, self.record.events[:count], False), Ordered("resume"))
        while dwell := next((e for e in effects if isinstance(e, Wait) and e.dwell and not e.extend), None):
            evening, effects = game.receive(evening, Elapsed(dwell.timer))
            states.append(evening.state)
        return states


def _by_itself(event: Event) -> bool:
    return isinstance(event, Elapsed | Rolled)


def resumed(journal: Path) -> dict[str, Any]:
    """The state that `play --resume` comes back with."""
    command = [*RESUME, "--journal", str(journal)]
    environment = {**os.environ, "XDG_STATE_HOME": str(journal.parent)}
    done = subprocess.run(command, env=environment, input="où en est-on\n", capture_output=True, text=True, check=True)
    state: dict[str, Any] = json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])
    state["private"].pop("reason", None)
    return {key: value for key, value in state.items() if key not in ("accepted", "reason")}


@dataclass(frozen=True)
class Cut:
    """`wrong`: what was not as it must be; "" if all was."""

    game: str
    events: int
    wrong: str = ""


def one(folder: Path, number: int, uncut: Uncut) -> Cut:
    """Killed at a moment drawn from `number`, and resumed unless the evening was over."""
    journal = folder / f"kill{number}.jsonl"
    play(uncut.game, uncut.seed, journal, random.Random(number).randint(1, uncut.lines))
    record = read_journal(journal)
    cut = Cut(uncut.game, len(record.events))
    if record.events != uncut.record.events[: cut.events]:
        return replace(cut, wrong="other events")
    if not record.events or record.closed:
        return cut
    state = resumed(journal)
    return cut if state in uncut.after(cut.events) else replace(cut, wrong=f"another state: {state}")


def killed(kills: int, games: Sequence[str] = GAMES) -> tuple[list[Uncut], list[Cut]]:
    """Evenings of each game, and as many kills as asked for, shared between them."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        uncut = [Uncut.played(game, seed, folder) for game in games for seed in range(1, EVENINGS + 1)]
        return uncut, list(pool.map(lambda n: one(folder, n, uncut[n % len(uncut)]), range(kills)))


def figures(uncut: list[Uncut], cuts: list[Cut]) -> list[tuple[str, str]]:
    """What was tried, and how often all was as it must be."""
    rows = []
    for game in dict.fromkeys(row.game for row in uncut):
        whole = [len(row.record.events) for row in uncut if row.game == game]
        own = [cut for cut in cuts if cut.game == game]
        at = sorted(cut.events for cut in own)
        places = f"cut after {at[0]} to {at[-1]} events, median {at[len(at) // 2]}" if at else "not cut"
        what = f"kill -9 in {game} ({len(whole)} rehearsals of {min(whole)} to {max(whole)} events, {places})"
        rows.append((f"{what}: resumed in the state of the uncut one", f"{_right(own)} of {len(own)}"))
    return [*rows, ("… in all", f"{_right(cuts)} of {len(cuts)}")]


def _right(cuts: Iterable[Cut]) -> int:
    return sum(not cut.wrong for cut in cuts)


def main() -> None:
    if sys.argv[1:2] == ["--evening"]:
        evening(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
        return
    uncut, cuts = killed(int(sys.argv[1]) if len(sys.argv) > 1 else 200, sys.argv[2:] or GAMES)
    print(f"{platform.machine()}, Python {platform.python_version()}")
    for what, figure in figures(uncut, cuts):
        print(f"{what}: {figure}")
    for cut in cuts:
        if cut.wrong:
            print(f"{cut.game}, after {cut.events} events: {cut.wrong}")
    sys.exit(0 if _right(cuts) == len(cuts) else 1)


if __name__ == "__main__":
    main()
