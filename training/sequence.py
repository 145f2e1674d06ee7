"""What the narrator judges by, as a loss: by how much any sounds at all beat what was said, as its graph weighs both.

Frame by frame a model may be right and still lose: a sentence is heard if its phones in a row beat the loop of all
phones by a margin (narrator.ear.judge). So the last round also lowers log p(any phones) - log p(these phones), both
summed over all the ways to divide the frames, with the costs of narrator.ear.graph. That is Kaldi's lattice-free MMI,
with the phones of talk, two by two, as its language model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from narrator.ear.graph import HUSH, STEP
from narrator.ear.models import SILENCE
from training.align import IGNORED

SCALE = 0.6  # of acoustic scores, as in the model's configuration (export.py)
_NEVER = -1e4


def rows(labels: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Outputs in a row, without the time each takes; empty where a frame is not known."""
    empty = np.zeros(0, np.int64)
    return [empty if (y == IGNORED).any() else y[np.flatnonzero(np.diff(y, prepend=-1))] for y in labels]


class Margin:
    """`costs`: of each output after each other one in talk, silence first; `favour`: added to scores (the prior)."""

    def __init__(self, costs: NDArray[np.float64], favour: NDArray[np.float64]) -> None:
        moves = torch.tensor(-costs, dtype=torch.float32)
        self._first = moves[SILENCE].clone()
        self._first[SILENCE] = -HUSH
        moves.fill_diagonal_(-STEP)
        self._moves, self._favour = moves.exp(), torch.tensor(favour, dtype=torch.float32)

    def __call__(self, scores: torch.Tensor, labels: Sequence[NDArray[np.int64]]) -> torch.Tensor:
        """The mean loss a frame; `scores`: batch x frames x outputs, natural logarithms, each as long as its labels."""
        said = rows(labels)
        known = [i for i, row in enumerate(said) if len(row)]
        if not known:
            return scores.sum() * 0
        lengths = torch.tensor([len(labels[i]) for i in known])
        scores = SCALE * (scores[known, : int(lengths.max())] + self._favour)
        gap = self._any(scores, lengths) - _these(scores, lengths, [said[i] for i in known])
        return (gap / lengths).mean()

    def _any(self, scores: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """log p of any phones: one state each, from each to each at its cost."""
        at = self._first + scores[:, 0]
        found = [at]
        for t in range(1, scores.shape[1]):
            top = at.amax(1, keepdim=True).detach()
            at = ((at - top).exp() @ self._moves + 1e-30).log() + top + scores[:, t]
            found.append(at)
        last = torch.stack(found)[lengths - 1, torch.arange(len(lengths))]
        return last.logsumexp(1)


def _these(scores: torch.Tensor, lengths: torch.Tensor, said: Sequence[NDArray[np.int64]]) -> torch.Tensor:
    """log p of these outputs in this order, whenever each begins."""
    sizes = torch.tensor([len(row) for row in said])
    states = torch.zeros(len(said), int(sizes.max()), dtype=torch.long)
    for i, row in enumerate(said):
        states[i, : len(row)] = torch.tensor(row)
    heard = scores.gather(2, states[:, None].expand(-1, scores.shape[1], -1))
    entry = torch.where(states == SILENCE, -HUSH, -STEP)
    at = torch.full(states.shape, _NEVER)
    at = torch.cat([(entry[:, 0] + heard[:, 0, 0])[:, None], at[:, 1:]], 1)
    found, nowhere = [at], torch.full((len(said), 1), _NEVER)
    for t in range(1, scores.shape[1]):
        came = torch.cat([nowhere, at[:, :-1]], 1) + entry
        at = torch.logaddexp(at - STEP, came) + heard[:, t]
        found.append(at)
    everyone = torch.arange(len(said))
    return torch.stack(found)[lengths - 1, everyone, sizes - 1]
