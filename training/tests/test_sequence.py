"""The margin against every path written out (needs torch: pytest training/tests)."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
import torch

from narrator.ear.graph import HUSH, STEP
from training.align import IGNORED
from training.sequence import SCALE, Margin, rows

OUTPUTS, FRAMES = 3, 5
R = np.random.default_rng(0)
COSTS, FAVOUR = R.uniform(0.1, 3, (OUTPUTS, OUTPUTS)), R.normal(size=OUTPUTS)
SCORES = torch.tensor(R.normal(size=(2, FRAMES, OUTPUTS)), dtype=torch.float32)


def path(scores: np.ndarray, outputs: tuple[int, ...], entry: dict[tuple[int, int], float]) -> float:
    """log p of a path; `entry`: what it costs to go from one output to another one."""
    total = SCALE * sum(scores[t, o] + FAVOUR[o] for t, o in enumerate(outputs))
    total -= HUSH if outputs[0] == 0 else entry[0, outputs[0]]
    return total - sum(STEP if a == b else entry[a, b] for a, b in pairwise(outputs))


def expected(scores: np.ndarray, said: list[int]) -> float:
    talk = {(a, b): COSTS[a, b] for a, b in product(range(OUTPUTS), repeat=2)}
    sentence = {(a, b): HUSH if b == 0 else STEP for a, b in talk}
    every = list(product(range(OUTPUTS), repeat=len(scores)))
    these = [p for p in every if [o for t, o in enumerate(p) if not t or p[t - 1] != o] == said]
    return float(
        np.logaddexp.reduce([path(scores, p, talk) for p in every])
        - np.logaddexp.reduce([path(scores, p, sentence) for p in these])
    )


def test_the_margin_is_that_of_all_paths() -> None:
    labels = [np.array([0, 1, 1, 2, 2]), np.array([0, 2, 0])]
    found = Margin(COSTS, FAVOUR)(SCORES, labels).item()
    one, other = SCORES.numpy()
    wanted = (expected(one, [0, 1, 2]) / 5 + expected(other[:3], [0, 2, 0]) / 3) / 2
    assert found == pytest.approx(wanted, abs=1e-5)


def test_what_is_not_known_teaches_nothing() -> None:
    assert [list(row) for row in rows([np.array([0, 0, 1]), np.array([0, IGNORED])])] == [[0, 1], []]
    assert Margin(COSTS, FAVOUR)(SCORES[:1], [np.array([0, IGNORED, 0, 0, 0])]).item() == 0
