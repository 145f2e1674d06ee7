"""python -m training.build fr|en: makes voices/<language>/ear from packages and recordings, see training/README.md.

Stages, each kept in the work folder and not done twice:
1. espeak-ng speaks, with the time of every phoneme;
2. a first model: the head alone, on that;
3. it aligns people and the voices that give no times;
4. a second model: layers 6 to 12 too, on all of it;
5. that one aligns again, better, more and other copies, and many speakers: a neural voice that has as many as one
   likes, and people of other languages;
6. the third model: on all that the second one aligned, and more of espeak-ng, longer;
7. the last model: on the same with half of espeak-ng, for people do not speak like it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from training import abroad, export, guard, learn, recordings, talk, voices
from training.corpus import Job, Places, make
from training.language import HERE, LANGUAGES

_SHARD = 500  # utterances
_FIRST, _SPEAK, _LATE = 12, 60, 30  # shards of espeak-ng: of the first two models, the third, the last
_VOICED = {"pico": 3, "flite": 1, "piper": 1}  # shards of 250 utterances of each of their voices, in a round
_KOKORO = 6  # shards of 250 utterances of the neural voice, for the last two models
_COPIES = 3, 6  # of people's recordings, for the second model and for the last two
_ABROAD = 1  # copies of those of people who speak other languages, for the last two models
_HEAD = learn.Round(1.2, tune=False, head_rate=2e-3)
_TUNE = learn.Round(1.1, tune=True, head_rate=1e-3, layer_rate=5e-4)
_THIRD = learn.Round(2.0, tune=True, head_rate=1e-3, layer_rate=5e-4, margin=1.0)
_LAST = learn.Round(1.5, tune=True, head_rate=1e-3, layer_rate=5e-4, margin=1.0)
Show = Callable[[str], Callable[..., None]]


@dataclass(frozen=True, slots=True)
class Build:
    """One language: where, how many processes, how many times as long the last two rounds, how to show progress."""

    language: str
    places: Places
    processes: int
    longer: float
    show: Show
    mbrola: bool = False

    def run(self, out: Path) -> None:
        """Everything. Raises OSError, HeldOutError, CalledProcessError."""
        costs = talk.costs(self.language, self.places.prompts)
        speech = self._make("espeak-ng", self._espeak(range(_FIRST)))
        first = self._train("first model", _HEAD, speech, None, costs)
        aligned = self._make("alignment", self._aligned(first, 0))
        second = self._train("second model", _TUNE, [*speech, *aligned], first, costs)
        speech += self._make("more espeak-ng", self._espeak(range(_FIRST, _SPEAK)))
        aligned = self._make("alignment again", self._aligned(second, 1))
        aligned += self._make("many speakers", self._many(second))
        third = self._train("third model", _THIRD.times(self.longer), [*speech, *aligned], second, costs)
        late = [*speech[:_LATE], *aligned]
        model = self._train("last model", _LAST.times(self.longer), late, third, costs)
        export.export(self.language, model, out)
        talk.write(self.language, costs, out / "talk.txt")

    def _espeak(self, shards: range) -> list[Job]:
        return [Job(self.language, "espeak", shard + 1, _SHARD) for shard in shards]

    def _many(self, by: Path) -> list[Job]:
        """Jobs of the neural voice and of people abroad."""
        kokoro = [Job(self.language, f"kokoro:{self.language}", shard, _SHARD // 2, by) for shard in range(_KOKORO)]
        names = abroad.speakers(self.language, self.places.people, self.places.prompts)
        return kokoro + [Job(self.language, f"abroad:{name}", 0, _ABROAD, by) for name in names]

    def _make(self, title: str, jobs: Sequence[Job]) -> list[Path]:
        return make(jobs, self.places, self.processes, self.show(title))

    def _train(
        self, title: str, plan: learn.Round, shards: Sequence[Path], start: Path | None, costs: NDArray[np.float64]
    ) -> Path:
        file = self.places.work / self.language / f"{title.replace(' ', '-')}.pt"
        if not file.is_file():
            learn.train(plan, learn.read(shards), costs, start, file, self.show(title))
        return file

    def _aligned(self, by: Path, again: int) -> list[Job]:
        """Jobs of the speakers and voices that may be trained on."""
        jobs = []
        for name in recordings.speakers(self.language, self.places.people, self.places.prompts):
            if name not in guard.SPEAKERS:
                jobs.append(Job(self.language, f"speaker:{name}", again, _COPIES[again], by))
        language = LANGUAGES[self.language]
        for name in voices.names(language):
            shards = range(100 * again, 100 * again + _VOICED[name.partition(":")[0]])
            jobs += [Job(self.language, name, shard, _SHARD // 2, by) for shard in shards]
        if self.mbrola:
            jobs += [Job(self.language, name, again, _SHARD // 2, by) for name in voices.mbrola(language)]
        return jobs


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(LANGUAGES))
    parser.add_argument("--people", type=Path, required=True, help="folder of the GCompris recordings")
    parser.add_argument("--prompts", type=Path, required=True, help="folder with Asterisk's unpacked prompts")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="where stages are kept")
    parser.add_argument("--out", type=Path, help="default: voices/<language>/ear")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--longer", type=float, default=1.0, help="times the length of the last two rounds (default: %(default)s)"
    )
    parser.add_argument(
        "--table",
        type=float,
        default=0.2,
        help="share of every set that the finished ear is tried on; 0: none (default: %(default)s)",
    )
    parser.add_argument("--mbrola", action="store_true", help="measure what MBROLA's voices bring; not for shipping")
    args = parser.parse_args()
    out = args.out or HERE.parent / "voices" / args.language / "ear"
    if args.mbrola:
        guard.not_shipped(out)
    torch.set_num_threads(args.processes)
    columns = (
        TextColumn("{task.description:18}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total} {task.fields[loss]}"),
    )
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn()) as progress:

        def show(title: str) -> Callable[..., None]:
            task = progress.add_task(title, total=None, loss="")

            def tell(done: int, total: int, loss: float | None = None) -> None:
                progress.update(task, completed=done, total=total, loss="" if loss is None else f"loss {loss:.3f}")

            return tell

        places = Places(args.work, args.people, args.prompts)
        Build(args.language, places, args.processes, args.longer, show, args.mbrola).run(out)
    if args.table:
        sys.exit(table(args.language, places, out, args.table))


def table(language: str, places: Places, ear: Path, share: float) -> int:
    """Prints how well an ear, made by now, hears that share of every set of docs/EAR.md; the bench's exit status."""
    print(f"{ear}: how well it hears, {share:g} of every set (see docs/EAR.md)", flush=True)
    options = ("--people", places.people.absolute(), "--prompts", places.prompts.absolute(), "--ear", ear.absolute())
    bench = [sys.executable, "-m", "bench.ear", language, "--quick", share, "--no-naive", *options]
    return subprocess.run([str(part) for part in bench], cwd=HERE.parent).returncode


if __name__ == "__main__":
    main()
