"""kill -9 at random moments of an evening, then resume: `python -m bench.kills [kills]`.

The evening is the golden one in French, played from a script. Whatever the moment, the journal must hold the first
events of the uncut evening and nothing else, and `play --resume` must come back with the public state of just these.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from narrator.core.effects import Roll, Wait
from narrator.core.events import Elapsed, Ordered
from narrator.core.game import fold
from narrator.library import stage
from narrator.stage.journal import Record, read_journal

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden" / "sultan.fr"
PLAY = [sys.executable, "-m", "narrator", "play", "--typed", "--fast", "--state", "--seed", "7"]


def sentences() -> str:
    lines = GOLDEN.with_suffix(".fr.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line[2:] for line in lines if line.startswith("> ")) + "\n"


def play(journal: Path, text: str, kill_after: int | None) -> int:
    """Play the script into `journal` until that many lines were printed; how many were."""
    table = str(GOLDEN.with_suffix(".fr.toml"))
    command = [*PLAY, "--table", table, "--journal", str(journal)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as p:
        assert p.stdin
        assert p.stdout
        p.stdin.write(text)
        p.stdin.close()
        lines = 0
        for _ in p.stdout:
            lines += 1
            if lines == kill_after:
                time.sleep(random.uniform(0, 0.005))
                p.kill()
                break
    return lines


def public(record: Record, whole: Record) -> dict[str, object]:
    """The public state of the events, once it is resumed and what passes by itself (a draw, dwell times) has passed."""
    production = stage(record.setting)
    evening = fold(production.game, record.events, record.skip_setup)
    evening, effects = production.game.receive(evening, Ordered("resume"))
    if any(isinstance(effect, Roll) for effect in effects):
        evening, effects = production.game.receive(evening, whole.events[len(record.events)])
    while dwell := next((e for e in effects if isinstance(e, Wait) and e.dwell and not e.extend), None):
        evening, effects = production.game.receive(evening, Elapsed(dwell.timer))
    state: dict[str, object] = production.rules_module.public_state(evening.state)
    return state


def resumed(journal: Path) -> dict[str, object]:
    """The public state that `play --resume` comes back with."""
    command = [*PLAY, "--resume", "--journal", str(journal)]
    done = subprocess.run(command, input="où en est-on\n", capture_output=True, text=True, check=True)
    state: dict[str, object] = json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])
    return {k: v for k, v in state.items() if k not in ("accepted", "reason")}


def one(folder: Path, number: int, whole: Record, lines: int, text: str) -> tuple[bool, int]:
    """Whether all was as it must be, and how many events there were."""
    journal = folder / f"{number}.jsonl"
    play(journal, text, random.Random(number).randint(1, lines))
    record = read_journal(journal)
    same = record.events == whole.events[: len(record.events)]
    if not record.events or record.closed:
        return same, len(record.events)
    wanted = public(record, whole)
    return same and resumed(journal) == wanted, len(record.events)


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    text = sentences()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_STATE_HOME"] = name
        lines = play(folder / "whole.jsonl", text, None)
        whole = read_journal(folder / "whole.jsonl")
        with ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda n: one(folder, n, whole, lines, text), range(kills)))
    cuts = sorted(events for _, events in rows)
    print(f"{platform.machine()}, Python {platform.python_version()}; an evening of {len(whole.events)} events")
    print(f"kill -9 at {kills} random moments")
    print(f"journals cut after {cuts[0]} to {cuts[-1]} events, median {cuts[len(cuts) // 2]}")
    print(f"the same state after resuming: {sum(right for right, _ in rows)} of {kills}")


if __name__ == "__main__":
    main()
