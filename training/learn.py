"""One round of training over shards: cross-entropy, and the margin by which the narrator judges (sequence.py).

Some layers are frozen or not; a round goes on where it was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from narrator.ear.models import SILENCE
from training.align import IGNORED
from training.body import DIM, Body
from training.network import PRIOR_FLOOR, PRIOR_SCALE, Ear, load, save
from training.sequence import Margin

_BATCH = 24  # utterances
_SAVED = 50  # steps
_WHOLE = 0.2  # of the batches have all the silence around what is said, the others little of it: a third less work
_AROUND = 3, 14  # frames of it that they keep


@dataclass(frozen=True, slots=True)
class Round:
    """`epochs` over the shards; `tune`: the layers under the head move too; `margin`: the weight of that loss."""

    epochs: float
    tune: bool
    head_rate: float
    layer_rate: float = 0.0
    margin: float = 0.0

    def times(self, longer: float) -> Round:
        """The same, so many times as long."""
        return replace(self, epochs=self.epochs * longer)


@dataclass(frozen=True, slots=True)
class Utterance:
    x: NDArray[np.float16]
    y: NDArray[np.int8]

    def said(self) -> tuple[int, int]:
        """From which frame to which; all of it where nobody speaks."""
        loud = np.flatnonzero(self.y != SILENCE)
        return (int(loud[0]), int(loud[-1]) + 1) if len(loud) else (0, len(self.y))

    def trimmed(self, r: Random) -> Utterance:
        """With little silence around what is said."""
        begin, end = self.said()
        begin, end = max(0, begin - r.randint(*_AROUND)), end + r.randint(*_AROUND)
        return Utterance(self.x[begin:end], self.y[begin:end])


def read(shards: Sequence[Path]) -> list[Utterance]:
    """All utterances of the shards; their features (1.5 KB a frame of 30 ms) are read when they are asked for."""
    found = []
    for file in shards:
        x = np.load(file.with_suffix(".npy"), mmap_mode="r")
        with np.load(file) as shard:
            y, ends = shard["y"], np.cumsum(shard["lengths"])
        starts = ends - np.diff(np.concatenate([[0], ends]))
        found += [Utterance(x[a:b], y[a:b]) for a, b in zip(starts, ends, strict=True)]
    return found


def train(
    plan: Round,
    data: Sequence[Utterance],
    talk: NDArray[np.float64],
    start: Path | None,
    file: Path,
    tell: Callable[[int, int, float], None],
) -> None:
    """Writes the trained model to `file`; `start` is one to begin with. `tell(step, steps, loss)` now and then.

    `talk`: what each output costs after each other one (talk.py).
    """
    torch.manual_seed(0)
    outputs = len(talk)
    counts = sum(np.bincount(u.y[u.y != IGNORED], minlength=outputs) for u in data[::7])
    prior = counts / np.sum(counts)
    margin = Margin(talk, -PRIOR_SCALE * np.log(prior + PRIOR_FLOOR))
    body = Body()
    ear = load(start, body)[0] if start else Ear(body, outputs)
    steps = max(1, int(plan.epochs * len(data) / _BATCH))
    ear.layers.requires_grad_(plan.tune)
    groups = [{"params": ear.head.parameters()}] + ([{"params": ear.layers.parameters()}] if plan.tune else [])
    optimizer = torch.optim.AdamW(groups, lr=plan.head_rate, weight_decay=1e-3)
    rates = [plan.head_rate, plan.layer_rate][: len(groups)]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=steps + 1, pct_start=0.15)
    half_way = file.with_suffix(".going")
    first = _resume(half_way, ear, optimizer, schedule)
    ear.train()
    mean = 0.0
    for step, batch in enumerate(_batches(data, steps, first), first):
        x, y = _tensors(batch)
        scores = ear(x)
        loss = torch.nn.functional.cross_entropy(scores, y, label_smoothing=0.05, ignore_index=IGNORED)
        if plan.margin:
            loss = loss + plan.margin * margin(scores.view(*x.shape[:2], -1), [u.y.astype(np.int64) for u in batch])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(ear.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        mean = loss.item() if not mean else 0.98 * mean + 0.02 * loss.item()
        tell(step + 1, steps, mean)
        if step % _SAVED == _SAVED - 1:
            torch.save([step + 1, ear.state_dict(), optimizer.state_dict(), schedule.state_dict()], half_way)
    save(ear, prior, file)
    half_way.unlink(missing_ok=True)


def _resume(
    half_way: Path, ear: Ear, optimizer: torch.optim.Optimizer, schedule: torch.optim.lr_scheduler.LRScheduler
) -> int:
    if not half_way.is_file():
        return 0
    step, *states = torch.load(half_way, weights_only=False)
    for part, state in zip((ear, optimizer, schedule), states, strict=True):
        part.load_state_dict(state)
    return int(step)


def _batches(data: Sequence[Utterance], steps: int, first: int) -> Iterator[list[Utterance]]:
    """Batches of like lengths in an order by chance, the same every time; the first ones are skipped."""
    r, queue = Random(0), []
    lengths = [end - begin for begin, end in (u.said() for u in data)]
    for step in range(steps):
        if not queue:
            order = sorted(range(len(data)), key=lambda i: lengths[i] / 6 + r.random() * 3)
            queue = [order[i : i + _BATCH] for i in range(0, len(order), _BATCH)]
            r.shuffle(queue)
        picked, seed = queue.pop(), r.random()
        if step >= first:
            chance = Random(seed)
            yield [data[i] if seed < _WHOLE else data[i].trimmed(chance) for i in picked]


def _tensors(rows: Sequence[Utterance]) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(u.y) for u in rows)
    x, y = np.zeros((len(rows), longest, DIM), np.float32), np.full((len(rows), longest), IGNORED, np.int64)
    for i, u in enumerate(rows):
        x[i, : len(u.y)], x[i, len(u.y) :], y[i, : len(u.y)] = u.x, u.x[-1], u.y
    return torch.tensor(x), torch.tensor(y).flatten()
