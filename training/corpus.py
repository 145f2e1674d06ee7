"""Training data on disk: shards of utterances, each a .npy of layer-5 features and a .npz of labels and lengths.

A shard is a Job (what, seed, how many); it is written once and found again, so work that was stopped goes on.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from training import abroad, align, espeak, guard, quiet, recordings, sounds, throats, voices
from training.body import CENTRE, FRAME, Body, mfcc
from training.language import LANGUAGES, labels, lexicon, sentence, voice
from training.network import Hearer

Example = tuple[NDArray[np.float64], NDArray[np.int64] | Callable[[int], NDArray[np.int64]]]
_QUIET = 0.06  # of synthetic utterances are nobody speaking
_TALKERS = 40  # recent utterances that may talk in the background
_WORST = 0.04  # of a speaker's recordings are taken for misread and left aside
_SPEEDS = (0.78, 0.86, 0.93, 1.0, 1.0, 1.0, 1.08, 1.16, 1.26)
_DEAR = {"kokoro": 4}  # copies of what takes long to be spoken
_THROATS = 0.6  # of the copies of what people and voices said are by another throat
_FILED = 0.2  # of all copies of it are files: what was said begins and ends with its own noise
_PITCHED = -1.3  # mean log probability under which a sentence was not aligned well: something else is said


@dataclass(frozen=True, slots=True)
class Places:
    """Where recordings are and where work is kept."""

    work: Path
    people: Path
    prompts: Path


@dataclass(frozen=True, slots=True)
class Job:
    """`kind`: "espeak", a voice of voices.py, "speaker:NAME", "abroad:LANGUAGE NAME"; `model` aligns (not espeak)."""

    language: str
    kind: str
    seed: int
    count: int  # utterances, or copies of a speaker's recordings
    model: Path | None = None

    def file(self, work: Path) -> Path:
        name = "-".join((re.sub("[: ]", "-", self.kind), self.model.stem if self.model else "exact", str(self.seed)))
        return work / self.language / "shards" / f"{name}-{self.count}.npz"


def make(jobs: Sequence[Job], places: Places, processes: int, tell: Callable[[int, int], None]) -> list[Path]:
    """The shards of these jobs, made if they are not there; `tell(done, all)` after each."""
    missing = [job for job in jobs if not job.file(places.work).is_file()]
    done = len(jobs) - len(missing)
    tell(done, len(jobs))
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in pool.imap_unordered(_shard, [(job, places) for job in missing]):
            done += 1
            tell(done, len(jobs))
    return [job.file(places.work) for job in jobs]


def _shard(given: tuple[Job, Places]) -> None:
    job, places = given
    torch.set_num_threads(1)
    torch.manual_seed(job.seed)
    body = Body()
    features, found = [], []
    for samples, truth in _examples(job, places, body):
        x = body(mfcc(samples)).half().numpy()
        features.append(x)
        found.append((truth(len(x)) if callable(truth) else truth).astype(np.int8))
    file = job.file(places.work)
    file.parent.mkdir(parents=True, exist_ok=True)
    np.save(file.with_suffix(".npy"), np.concatenate(features))
    half_done = file.with_suffix(f".{os.getpid()}.tmp")
    with half_done.open("wb") as sink:
        np.savez(sink, y=np.concatenate(found), lengths=np.array([len(x) for x in features]))
    half_done.rename(file)


def _examples(job: Job, places: Places, body: Body) -> Iterator[Example]:
    seed = [job.seed, *job.kind.encode()]
    r, rng = Random(f"{job.seed} {job.kind}"), np.random.default_rng(seed)
    if job.kind == "espeak":
        yield from _espeak(job, r, rng)
        return
    assert job.model is not None
    listen = Hearer(job.model, body).scores
    group, _, name = job.kind.partition(":")
    if group in ("speaker", "abroad"):
        if group == "speaker":
            clips = _speaker(job, places, listen)
        else:
            clips = abroad.clips(job.language, name, places.people, places.prompts, listen)
        chosen: Iterable[align.Clip] = clips
        copies = job.count
    else:
        chosen, copies = _voice(job, places, r, listen), _DEAR.get(group, 1)
    others: list[NDArray[np.float64]] = []
    for clip in chosen:
        voice = throats.Voice(clip.samples)
        for _ in range(copies):
            yield _copy(clip, voice, r, rng, others)


def _espeak(job: Job, r: Random, rng: np.random.Generator) -> Iterator[Example]:
    language = LANGUAGES[job.language]
    others: list[NDArray[np.float64]] = []
    for _ in range(job.count):
        if r.random() < _QUIET:
            yield quiet.scene(rng), lambda frames: np.zeros(frames, np.int64)
            continue
        said = espeak.say(
            sentence(language, r), voice(language, r), r.randint(105, 235), r.randint(15, 90), r.randint(25, 90)
        )
        if len(said.samples) < 2000:
            continue
        speed = r.choice(_SPEEDS)
        x, before = _framed(_sped(said.samples, speed), r, rng)
        phonemes = [(before / 16000 + second / speed, phoneme) for second, phoneme in said.phonemes]
        others[:] = [*others, x][-_TALKERS:]
        yield (
            sounds.dirty(x, rng, others),
            lambda n, p=phonemes: np.array(  # type: ignore[misc]
                labels(job.language, p, (np.arange(n) * FRAME + CENTRE).tolist())
            ),
        )


def _speaker(job: Job, places: Places, listen: align.Listen) -> list[align.Clip]:
    name = guard.speaker(job.kind.partition(":")[2])
    said = recordings.speakers(job.language, places.people, places.prompts)[name]
    clips = []
    for recording in guard.trained(said):
        samples = recordings.decode(recording.file)
        if recordings.usable(samples):
            spellings = [lexicon(job.language).spell(way) for way in recording.ways if way.strip(" .")]
            clips.append(align.clip(samples, spellings, listen))
    worst = max(_PITCHED, sorted(c.score for c in clips)[int(len(clips) * _WORST)])
    return [c for c in clips if c.score > worst]


def _voice(job: Job, places: Places, r: Random, listen: align.Listen) -> Iterator[align.Clip]:
    language = LANGUAGES[job.language]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(job.count):
            text = sentence(language, r)
            samples = voices.say(job.kind, text, r, Path(folder), places.prompts)
            if not recordings.usable(samples):
                continue
            clip = align.clip(samples, [lexicon(job.language).spell(text)], listen)
            if clip.score > _PITCHED:
                yield clip


def _copy(
    clip: align.Clip, said_by: throats.Voice, r: Random, rng: np.random.Generator, others: list[NDArray[np.float64]]
) -> Example:
    """The clip at another speed (and pitch), somewhere else, with its labels."""
    speed = r.choice(_SPEEDS)
    said = said_by.another(rng, speed) if r.random() < _THROATS else clip.samples
    said = _sped(said, speed)
    filed = r.random() < _FILED
    x, before = (said, 0) if filed else _framed(said, r, rng)
    others[:] = [*others, x][-_TALKERS:]
    x = sounds.dirty(x, rng, others)
    if filed:
        x, before = _padded(x, r, rng)
    return x, lambda frames: align.moved(clip.labels, frames, before, speed)


def _padded(x: NDArray[np.float64], r: Random, rng: np.random.Generator) -> tuple[NDArray[np.float64], int]:
    """What was cut out of a recording, with its own noise, between silences -> samples, and how many come before."""
    before, after = (int(16000 * r.uniform(0.1, top)) for top in (0.9, 1.3))
    hiss = rng.standard_normal(before + len(x) + after) * 10 ** r.uniform(-1, 1.6)
    return np.rint(np.pad(x, (before, after)) + hiss), before


def _sped(x: NDArray[np.floating], speed: float) -> NDArray[np.float64]:
    return np.interp(np.arange(int(len(x) / speed)) * speed, np.arange(len(x)), x)


def _framed(x: NDArray[np.float64], r: Random, rng: np.random.Generator) -> tuple[NDArray[np.float64], int]:
    """Silence before and after, in which there may be breaths and clicks -> samples, and how many come before."""
    loud = np.abs(x).max()
    before, after = (quiet.events(int(16000 * r.uniform(0.05, top)), rng, 0.3) for top in (0.9, 1.3))
    level = loud * 10 ** r.uniform(-2.2, -0.3)
    return np.concatenate([before * level, x, after * level]), len(before)
