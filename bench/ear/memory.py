"""python -m bench.ear.memory fr|en [--opens 5000]: what the ear keeps of the listeners it opened, over thousands.

An evening opens a listener for each question; each hears a sentence here. Prints the process's memory on the way.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.ear import sets, speech
from bench.ear.words import WORDS
from narrator.ear.recognizer import TableEar

BLOCK = 1600
STEPS = 10
WARM = 50  # listeners before the first look: what vosk and Python allocate once


def resident() -> float:
    """Megabytes of this process in memory (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def opened(language: str, opens: int) -> Iterator[tuple[int, float]]:
    """(listeners opened, megabytes) at the start and `STEPS` times on the way."""
    phases = list(sets.phases(language, sets.names(language, 12)).values())
    ear = TableEar(language, {sentence for legal in phases for sentence in legal})
    voice = sets.voices(language)[0]
    sounds = [speech.scene(speech.say(legal[0], voice), 1, 30) for legal in phases]
    for count in range(WARM + opens + 1):
        if count >= WARM and (count - WARM) % max(1, opens // STEPS) == 0:
            yield count - WARM, resident()
        listener = ear.open(phases[count % 2])
        sound = sounds[count % 2] if count % 10 == 0 else sounds[0][: 4 * BLOCK]
        for at in range(0, len(sound), BLOCK):
            listener.accept(sound[at : at + BLOCK])
        listener.finish()
    ear.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(WORDS))
    parser.add_argument("--opens", type=int, default=5000)
    args = parser.parse_args()
    first = None
    for count, megabytes in opened(args.language, args.opens):
        first = megabytes if first is None else first
        print(f"{count} listeners: {megabytes:.1f} MB ({megabytes - first:+.1f})", flush=True)


if __name__ == "__main__":
    main()
