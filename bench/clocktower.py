"""How well a village is heard: nominations, and single seats' votes before and after the names are read back.

python -m bench.clocktower [--snr 15] [--seeds 3] [--seats 5 7 9 12 15]
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections import Counter

from narrator.library import stage
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting

WANTED = ("nominations", "nominations_right", "seats", "first_right", "seats_right", "counts", "counts_right")
MORE = ("utterances", "first_try", "wrong_actions", "false_actions")


def evening(seats: int, seed: int, snr: float | None) -> Counter[str]:
    """The figures of one evening; `ended` is 1 if it came to its end."""
    rehearsal = Rehearsal(stage(sample_setting("clocktower", seats)), seed, typed=False, snr=snr)
    with contextlib.redirect_stdout(io.StringIO()):
        ending = rehearsal.run()
    figures = rehearsal.figures(ending)
    return Counter({"ended": int(ending is not None), **{name: figures[name] for name in (*WANTED, *MORE)}})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snr", type=float, help="dB of the speech over the noise (default: that of each seed's room)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seats", type=int, nargs="+", default=[5, 7, 9, 12, 15])
    asked = parser.parse_args()
    for seats in asked.seats:
        total: Counter[str] = Counter()
        for seed in range(1, asked.seeds + 1):
            total += evening(seats, seed, asked.snr)
        print(
            f"{seats} seats: {total['ended']}/{asked.seeds} ended, "
            f"nominations {total['nominations_right']}/{total['nominations']}, "
            f"seats {total['first_right']}/{total['seats']} when read back, {total['seats_right']} when counted, "
            f"counts {total['counts_right']}/{total['counts']}, "
            f"{total['first_try']}/{total['utterances']} sentences at the first try, "
            f"{total['wrong_actions']} wrong, {total['false_actions']} uncalled for"
        )


if __name__ == "__main__":
    main()
