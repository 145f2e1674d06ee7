"""How fast the ear is: python bench/ear_speed.py

Prints the time to build the ear of a table (names, sentences), the real-time factor of listening, how long after
the end of the last word an answer comes, and the same factor with vosk's usual grammar of words instead of sentences.
"""

from __future__ import annotations

import statistics
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ear_sound import HELD_OUT, RATE, hear, say, scene  # noqa: E402

from bench.ear.naive import WordEar  # noqa: E402
from narrator.ear import models  # noqa: E402
from narrator.ear.graph import sounds, words  # noqa: E402
from narrator.ear.lexicon import Lexicon  # noqa: E402
from narrator.ear.recognizer import TableEar  # noqa: E402

BLOCK = 800
NAMES = [
    "Alice",
    "Bob",
    "Chloé",
    "David",
    "Emma",
    "Fatou",
    "Gwenaël",
    "Hugo",
    "Inès",
    "Jules",
    "Karim",
    "Léa",
    "Mamadou",
    "Noé",
    "Olivia",
    "Paul",
    "Quentin",
    "Rose",
    "Samira",
    "Théo",
    "Ulysse",
    "Victor",
    "William",
    "Xavier",
    "Yasmine",
    "Zoé",
    "Anne",
    "Bruno",
    "Claire",
    "Denis",
    "Erwan",
    "Fanny",
    "Gérard",
    "Hélène",
    "Igor",
    "Jeanne",
    "Kévin",
    "Louis",
]
VERBS = ("je propose", "je nomme", "je choisis", "j'exile", "on exécute", "je vote pour", "je passe la main à")


def sentences(names: list[str], count: int) -> list[str]:
    """As many different sentences as wanted, in the proportions of a game."""
    one = [f"{verb} {name}" for verb, name in product(VERBS, names)]
    two = [f"{a} {verb} {b}" for verb, a, b in product(("nomme", "accuse"), names, names)]
    return [*one, *two][:count]


def building(names: int, count: int) -> None:
    """Time of each part of a table's ear, warm."""
    table = sentences(NAMES[:names], count)
    model = models.load("fr")
    at = [time.perf_counter()]
    lexicon = Lexicon("fr")
    spellings = [lexicon.spell(s) for s in table]
    at.append(time.perf_counter())
    graph = sounds(model, spellings)
    size = len(graph.to_bytes("write")) + len(words(len(table)).to_bytes("read"))
    at.append(time.perf_counter())
    ear = TableEar("fr", table)
    at.append(time.perf_counter())
    ear.open(table)
    at.append(time.perf_counter())
    steps = zip(("lexicon", "graph", "ear", "open"), at, at[1:], strict=False)
    parts = " ".join(f"{name} {b - a:.2f} s" for name, a, b in steps)
    print(f"{names} names, {len(table)} sentences: {parts} (ear: all of it, with vosk's loading); {size >> 10} KiB")
    ear.close()


def listening(count: int) -> None:
    """Real-time factor and latency over spoken sentences, and vosk's own way to compare."""
    table = sentences(NAMES[:12], count)
    said = table[:: max(1, len(table) // 40)]
    audios = [scene(say(text, HELD_OUT[i % len(HELD_OUT)]), i) for i, text in enumerate(said)]
    seconds = sum(map(len, audios)) / RATE
    ear = TableEar("fr", table)
    began = time.perf_counter()
    heard = [[u.text for u in hear(ear.open(table), audio, BLOCK)] for audio in audios]
    spent = time.perf_counter() - began
    right = sum(h == [text] for h, text in zip(heard, said, strict=True))
    print(f"{count} sentences legal: {right}/{len(said)} right, real-time factor {spent / seconds:.4f}")
    print(f"  answer after the endpoint silence of {ear.settings.vad.trailing} s: {latency(ear, table, audios):.1f} ms")
    factor, right = with_words(table, said, audios)
    print(f"  vosk's grammar of words on the same model: {right}/{len(said)} right, factor {factor / seconds:.4f}")


def latency(ear: TableEar, table: list[str], audios: list[np.ndarray]) -> float:
    """Median milliseconds that the block takes in which the utterance ends."""
    spent = []
    for audio in audios:
        listener = ear.open(table)
        for at in range(0, len(audio), BLOCK):
            began = time.perf_counter()
            if listener.accept(audio[at : at + BLOCK]):
                spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)


def with_words(table: list[str], said: list[str], audios: list[np.ndarray]) -> tuple[float, int]:
    """Seconds and number right when a grammar strings words together, with no gate before it."""
    ear = WordEar("fr", table)
    began = time.perf_counter()
    right = sum(ear.hear(audio) == text.lower() for text, audio in zip(said, audios, strict=True))
    return time.perf_counter() - began, right


if __name__ == "__main__":
    building(12, 300)
    building(38, 1500)
    for legal in (40, 200, 300):
        listening(legal)
