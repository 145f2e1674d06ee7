"""Which output is heard when: Viterbi over a spelling whose phones may be optional, with silence around and between.

Recordings have no phoneme times: a first model, trained on synthetic speech alone, finds them; a better one finds them
better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from narrator.ear.lexicon import PAUSE, must
from narrator.ear.models import SILENCE

Scores = NDArray[np.float32]  # frames x outputs, log probabilities
Listen = Callable[[NDArray[np.float64]], Scores]  # samples at 16 kHz, int16 range -> scores
IGNORED = -100  # the label of a frame that teaches nothing
_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Clip:
    """A recording (16 kHz, int16 range) and the output of each of its frames of 30 ms."""

    samples: NDArray[np.float64]
    labels: NDArray[np.int64]
    score: float  # mean log probability a frame


def align(scores: Scores, spelling: Sequence[int]) -> tuple[float, NDArray[np.int64]]:
    """(mean score, output of each frame); a spelling is one of narrator.ear.lexicon, silence is put around it."""
    states = [PAUSE, *spelling, PAUSE]
    outputs = np.array([SILENCE if s == PAUSE else abs(s) for s in states])
    optional = [s <= 0 for s in states]
    before = [_before(optional, i) for i in range(len(states))]
    best = np.full((len(scores), len(states)), _NEVER)
    came = np.zeros(best.shape, np.int32)
    first = [i for i in range(len(states)) if all(optional[:i])]
    best[0, first] = scores[0, outputs[first]]
    width = max(map(len, before))
    table = np.array([row + [row[0]] * (width - len(row)) for row in before])
    rows = np.arange(len(states))
    for t in range(1, len(scores)):
        options = best[t - 1][table]
        pick = options.argmax(1)
        came[t] = table[rows, pick]
        best[t] = options[rows, pick] + scores[t, outputs]
    last = [i for i in range(len(states)) if all(optional[i + 1 :])]
    at = max(last, key=lambda i: best[-1, i])
    score, path = best[-1, at], []
    for t in range(len(scores) - 1, -1, -1):
        path.append(int(outputs[at]))
        at = came[t, at]
    return float(score) / len(scores), np.array(path[::-1])


def _before(optional: Sequence[bool], state: int) -> list[int]:
    """The states from which a state is reached: itself, the one before, and those before what may be skipped."""
    found, at = [state], state - 1
    while at >= 0:
        found.append(at)
        if not optional[at]:
            break
        at -= 1
    return found


def moved(labels: NDArray[np.int64], frames: int, before: int, speed: float) -> NDArray[np.int64]:
    """Labels of a clip where a copy has them that begins `before` samples later and runs at `speed`."""
    at = np.round((np.arange(frames) * 480 - before) * speed / 480).astype(int)
    return np.where((at >= 0) & (at < len(labels)), labels[at.clip(0, len(labels) - 1)], SILENCE)


def clip(samples: NDArray[np.float64], spellings: Sequence[Sequence[int]], listen: Listen) -> Clip:
    """The best alignment among several spellings, 0.3 s of silence put around the samples."""
    padded = np.concatenate([np.zeros(4800), samples, np.zeros(4800)])
    level = padded / (np.sqrt((padded**2).mean()) + 1e-6) * 1500
    hiss = np.random.default_rng(len(padded)).standard_normal(len(padded)) * 8
    scores = listen(np.clip(level + hiss, -32000, 32000))
    usable = [s for s in spellings if len(must(s)) <= len(scores)]
    if not usable:
        return Clip(padded, np.zeros(len(scores), np.int64), _NEVER)
    score, labels = max((align(scores, s) for s in usable), key=lambda found: found[0])
    return Clip(padded, labels, score)
