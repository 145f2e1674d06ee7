"""python -m bench.ear fr|en [--people DIR] [--prompts DIR] [--ear DIR] [--only SET …] [--quick SHARE]

The table of docs/EAR.md; `--quick 0.2` hears every fifth sound, to compare models in minutes. Prints, for each set:
right, refused, wrong, and what vosk's usual way has right; for talk, false sentences an hour; then speed, memory, and
how long a table's graph takes.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.ear import sets
from bench.ear.command import arguments, listen_with
from bench.ear.naive import WordEar
from bench.ear.words import WORDS
from narrator.ear.recognizer import Listener, TableEar
from narrator.ear.trial import table_fillers
from training import guard

BLOCK = 800  # samples: 50 ms


@dataclass(slots=True)
class Tally:
    """What came of a set, or of several of one title."""

    right: int = 0
    refused: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    naive: int = 0
    seconds: float = 0.0
    spent: float = 0.0
    waits: list[float] = field(default_factory=list)  # s from the last block of an utterance to its text

    @property
    def all(self) -> int:
        return self.right + self.refused + self.wrong.total()


def heard(listener: Listener, audio: NDArray[np.int16], tally: Tally) -> list[str]:
    """Every sentence heard in a sound."""
    texts = []
    for at in range(0, len(audio), BLOCK):
        began = time.perf_counter()
        utterance = listener.accept(audio[at : at + BLOCK])
        spent = time.perf_counter() - began
        tally.spent += spent
        if utterance:
            tally.waits.append(spent)
            texts.append(utterance.text)
    last = listener.finish()
    return [t for t in [*texts, last.text if last else ""] if t]


def run(language: str, tried: sets.Set, tally: Tally, naive: bool) -> None:
    """Adds a set to a tally."""
    ear = TableEar(language, tried.legal, fillers=table_fillers(language), meaning=tried.meaning)
    words = WordEar(language, tried.legal) if naive else None
    listener = ear.open(tried.legal, tried.unlikely)
    for text, audio in tried.said:
        found = heard(listener, audio, tally)
        tally.seconds += len(audio) / 16000
        if len(found) == 1 and tried.same(found[0], text):
            tally.right += 1
        elif not found:
            tally.refused += 1
        else:
            tally.wrong[f"{text} > {' / '.join(found)}"] += 1
        if words:
            said = words.hear(audio)
            tally.naive += bool(said) if not text else tried.same(said, text.lower())
    ear.close()


def groups(language: str, sources: sets.Sources) -> dict[str, Callable[[], Iterator[sets.Set]]]:
    """All the sets; each is made when it is wanted."""
    return {
        "players": lambda: sets.players(language, 35, 0, sources),
        "room": lambda: sets.players(language, 15, 0.35, sources),
        "counts": lambda: sets.counts(language, 15, 0.35, sources),
        "names": lambda: sets.named(language, sources),
        "people": lambda: sets.people(language, sources),
        "armelle": lambda: sets.armelle(sources) if language == "fr" else iter(()),
        "natural": lambda: sets.natural(language, sources),
        "neural": lambda: sets.neural(language, sources),
        "talk": lambda: sets.talk(language, sources),
    }


def show(title: str, tally: Tally, examples: int) -> None:
    """One line of the table, and some of what went wrong."""
    wrong = tally.wrong.total()
    if title.startswith("talk"):
        hours = tally.seconds / 3600
        print(f"{title}: {wrong} false sentences in {hours * 60:.1f} min, {wrong / hours:.1f} an hour", end="")
        print(f" (naive: {tally.naive / hours:.0f})", flush=True)
    else:
        print(f"{title}: {tally.right}/{tally.all} right, {tally.refused} refused, {wrong} wrong", end="")
        print(f" (naive: {tally.naive} right)", flush=True)
    for what, times in tally.wrong.most_common(examples):
        print(f"    {what}" + (f" x{times}" if times > 1 else ""))


def speed(language: str, tallies: list[Tally]) -> None:
    """Real-time factor, waiting after the end point, time to build, memory."""
    waits = sorted(w for t in tallies for w in t.waits)
    factor = sum(t.spent for t in tallies) / sum(t.seconds for t in tallies)
    p95, median = waits[int(0.95 * len(waits))], statistics.median(waits)
    print(f"real-time factor {factor:.4f}")
    print(f"after the endpoint silence: median {1000 * median:.0f} ms, p95 {1000 * p95:.0f} ms")
    for count, size in ((12, 300), (38, 1500)):
        pairs = product(WORDS[language].verbs, guard.NAMES[:count], guard.NAMES[:count])
        table = [f"{a} {verb} {b}" for verb, a, b in pairs][:size]
        began = time.perf_counter()
        TableEar(language, table).close()
        print(f"{count} names, {size} sentences: heard from after {time.perf_counter() - began:.2f} s")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB (with the bench's sounds)")


def main() -> None:
    """The command."""
    parser = arguments(__doc__)
    parser.add_argument(
        "--only", nargs="*", metavar="SET", help="of players room counts names people armelle natural neural talk"
    )
    parser.add_argument("--no-naive", action="store_true", help="ours alone")
    parser.add_argument("--examples", type=int, default=5, help="errors shown for each set")
    args = parser.parse_args()
    listen_with(args.ear)
    tallies: dict[str, Tally] = {}
    for name, made in groups(args.language, sets.Sources(args.people, args.prompts, args.quick)).items():
        for tried in made() if name in (args.only or name) else ():
            run(args.language, tried, tallies.setdefault(tried.title, Tally()), not args.no_naive)
    for title, tally in tallies.items():
        show(title, tally, args.examples)
    speed(args.language, list(tallies.values()))


if __name__ == "__main__":
    main()
