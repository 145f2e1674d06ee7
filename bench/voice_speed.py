"""How fast the voice is, in numbers: python bench/voice_speed.py [language].

Rendering a line cold and from the cache, a worker's start, what a block of the mixer costs with everything
sounding, and the time from play() to the first sample that the mixer hands out. Needs a speech engine, no
sound card.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from narrator.voice.ambience import SCENES, Ambience
from narrator.voice.cache import Studio
from narrator.voice.earcons import earcon
from narrator.voice.mixer import RATE, Mixer
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

LINES = {
    "fr": (
        "Bob ?",
        "Tout le monde ferme les yeux.",
        "Sally a nommé Bob : qui vote pour son exécution ? Levez la main.",
        "La nuit tombe sur le palais. Dinarzade garde les yeux fermés, et les autres se reconnaissent.",
    ),
    "en": (
        "Bob?",
        "Everyone, close your eyes.",
        "Sally nominated Bob: who votes for the execution? Raise your hand.",
        "Night falls on the palace. One keeps her eyes closed, and the others know each other.",
    ),
}
BLOCK = 960


def spent(act: Callable[[], object]) -> float:
    """Milliseconds that `act` takes."""
    start = time.perf_counter()
    act()
    return 1000 * (time.perf_counter() - start)


def row(what: str, times: list[float], note: str = "") -> None:
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    print(f"{what:<44} {statistics.median(times):9.3f} {late:9.3f}   {note}")


def rendering(language: str, folder: Path) -> None:
    profile = load_profile(language)
    row("worker start to ready", [spent(lambda: Synth(profile).engine) for _ in range(5)])
    with Synth(profile) as synth:
        for line in LINES[language]:
            clip = synth.render(line)
            times = [spent(lambda line=line: synth.render(line)) for _ in range(20)]
            row(f"render, {len(line)} characters", times, f"{clip.seconds:.1f} s of speech")
        line = LINES[language][-1]
        fill = Studio(profile, synth, folder)
        fill.clip(line)
        row("cached on disk", [spent(lambda: Studio(profile, synth, folder).clip(line)) for _ in range(20)])
        row("cached in memory", [spent(lambda: fill.clip(line)) for _ in range(200)])
        desk = Mixer(RATE)
        row("resample and queue", [spent(lambda: desk.play(fill.clip(line))) for _ in range(20)])


def mixing() -> None:
    for scene in SCENES:
        mixer = Mixer(RATE)
        mixer.ambience(Ambience(scene, 1, RATE))
        for _ in range(20):
            mixer.play(earcon("gong"))
            mixer.earcon(earcon("gong"))
        row(
            f"mix 20 ms with everything, {scene}",
            [spent(lambda m=mixer: m.render(BLOCK)) for _ in range(1000)],
        )


def first_sample() -> None:
    """Between play() and the clip there is only the block already handed out."""
    mixer = Mixer(RATE)
    clip = earcon("tick")
    mixer.render(BLOCK)
    mixer.play(clip)
    block = mixer.render(BLOCK)
    late = int(np.flatnonzero(block)[0] - np.flatnonzero(clip.samples)[0])
    print(f"{'play() to the first sample in the mixer':<44} {late:9d} samples into the next block of {BLOCK}")


def main() -> None:
    language = sys.argv[1] if len(sys.argv) > 1 else "fr"
    print(f"{'':<44} {'median ms':>9} {'p95 ms':>9}")
    with tempfile.TemporaryDirectory() as folder:
        rendering(language, Path(folder))
    mixing()
    first_sample()


if __name__ == "__main__":
    main()
