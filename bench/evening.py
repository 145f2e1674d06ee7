"""Rehearsed evenings: speed, memory, and what the ear made of them: `python -m bench.evening [seeds] [players]`.

Beside it, the same evenings without voice recognition (typed), to show what listening costs.
"""

from __future__ import annotations

import contextlib
import io
import platform
import resource
import sys
import time

from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting


def rehearse(seed: int, players: int, *, typed: bool) -> dict[str, object]:
    rehearsal = Rehearsal(stage(sample_setting("sultan", players)), seed, typed=typed)
    with contextlib.redirect_stdout(io.StringIO()):
        ending = rehearsal.run()
    return rehearsal.figures(ending)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    print(f"{platform.machine()}, Python {platform.python_version()}, {players} players, seeds 1 to {seeds}")
    rehearse(1, players, typed=True)  # fills the cache of lines
    for typed in (True, False):
        rows, began = [], time.perf_counter()
        for seed in range(1, seeds + 1):
            rows.append(rehearse(seed, players, typed=typed))
        wall = time.perf_counter() - began
        total = {k: sum(row[k] for row in rows) for k in ("audio_seconds", "utterances", "first_try", "reasked")}
        wrong = {k: sum(row[k] for row in rows) for k in ("wrong_actions", "false_actions")}
        print(
            f"{'typed' if typed else 'heard':6}: {total['audio_seconds'] / 60:.0f} min of evening in {wall:.1f} s = "
            f"{total['audio_seconds'] / wall:.0f} × real time; {total['first_try']} of {total['utterances']} at once, "
            f"{total['reasked']} asked again, {wrong['wrong_actions']} wrong, {wrong['false_actions']} uncalled for"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB, of the largest child process {worker:.0f} MB")


if __name__ == "__main__":
    main()
