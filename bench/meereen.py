"""How long La Grande Pyramide takes and how well it is heard, at tables of any size, with a simulated Meereen.

python -m bench.meereen [--seats 19 38] [--seeds 2] [--snr 22] [--typed] [--leisure] [--lang fr]

Times are those of the evening, as the narrator's voice and the table take them: a roll call from the vote's first word
to its count, what was read back and set right included; the rest of a turn is everything else of it.
`--leisure`: every clock (placing, the night, pleas, campaigns) is left to run out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import platform
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.pyramide.people import PyramideTable
from narrator.setup import sample_setting

WANTED = ("placements", "accusations", "seats", "counts")
MORE = ("utterances", "first_try", "wrong_actions", "false_actions")
VOTE = frozenset(("vote_begins", "seat", "hands", "ballots", "readback"))


def evening(
    seats: int, seed: int, snr: float, lang: str, *, typed: bool, leisure: bool
) -> tuple[Counter[str], PyramideTable]:
    """The figures of one evening (`ended` is 1 if it came to its end), and its table."""
    production = stage(sample_setting("pyramide", seats, lang))
    people = PyramideTable(production, seed, leisure=leisure)
    rehearsal = Rehearsal(production, seed, typed=typed, people=people, snr=snr)
    people.now = rehearsal.clock.now
    with contextlib.redirect_stdout(io.StringIO()):
        ending = rehearsal.run()
    figures = rehearsal.figures(ending)
    right = {name: figures[name] for name in figures if name.endswith("_right")}
    return Counter(
        {"ended": int(ending is not None), **{name: figures[name] for name in (*WANTED, *MORE)}, **right}
    ), people


def times(course: Sequence[tuple[float, int, str]]) -> tuple[list[float], list[float]]:
    """Seconds of every roll call, and of the rest of every whole turn. `course`: (when, turn, phase)."""
    calls: list[float] = []
    rest: Counter[int] = Counter()
    for (began, turn, phase), (ended, _, _) in pairwise(course):
        if phase == "vote_begins":
            calls.append(0.0)
        if phase in VOTE:
            calls[-1] += ended - began
        else:
            rest[turn] += ended - began  # type: ignore[assignment]
    whole = {turn for _, turn, phase in course if phase == "turn_ends"}
    return calls, [seconds for turn, seconds in rest.items() if turn in whole]


def told(seconds: Sequence[float]) -> str:
    """“2:04 to 2:31 (5)”."""
    if not seconds:
        return "none"
    low, high = (f"{int(s) // 60}:{int(s) % 60:02d}" for s in (min(seconds), max(seconds)))
    return f"{low} to {high} ({len(seconds)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, nargs="+", default=[19, 38])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--snr", type=float, default=22.0, help="dB of the speech over the noise")
    parser.add_argument("--lang", default="fr")
    parser.add_argument("--typed", action="store_true", help="nobody is heard: only times")
    parser.add_argument("--leisure", action="store_true")
    asked = parser.parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}, {asked.lang}, {asked.snr:.0f} dB")
    for seats in asked.seats:
        total: Counter[str] = Counter()
        calls: list[float] = []
        rests: list[float] = []
        for seed in range(1, asked.seeds + 1):
            figures, people = evening(seats, seed, asked.snr, asked.lang, typed=asked.typed, leisure=asked.leisure)
            total += figures
            called, rest = times(people.course)
            calls += called
            rests += rest
        heard = ", ".join(f"{name} {total[f'{name}_right']}/{total[name]}" for name in WANTED)
        print(
            f"{seats} seats: {total['ended']}/{asked.seeds} ended; roll calls {told(calls)}, "
            f"rest of a turn {told(rests)}; {heard}, "
            f"seats when first read out {total['first_right']}/{total['seats']}, "
            f"{total['first_try']}/{total['utterances']} sentences at the first try, "
            f"{total['wrong_actions']} wrong, {total['false_actions']} uncalled for"
        )


if __name__ == "__main__":
    main()
