"""What the thresholds are chosen with is what the ear judges by."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from random import Random

import pytest

from bench.ear.tune import Heard, Scores
from narrator.ear.judge import EarSettings, Evidence, Judge


def _evidence(r: Random) -> Evidence:
    margins = [r.choice([-1.0, 0.5, 2.0, 4.0, 12.0, r.uniform(-2, 8)]) for _ in range(3)]
    half = r.choice([margins[2], math.inf])
    return Evidence("on vote", r.randint(2, 12), r.uniform(0.1, 2.0), margins[0], margins[1], half, r.random() < 0.1)


@pytest.mark.parametrize("doubt", [0.0, 1.0, 4.0])
def test_the_same_sentences_pass(doubt: float):
    r = Random(doubt)
    settings = replace(EarSettings(), over_filler_once=1.5, over_filler=0.1, over_next=0.7, over_half=0.5, doubt=doubt)
    evidence = [_evidence(r) for _ in range(500)]
    rows = [Heard("a set", "on vote", right=True, lasts=2.0, **asdict(one)) for one in evidence]
    passing = Scores(rows, settings).passing(1.5, 0.1, 0.7, 0.5)
    judge = Judge(settings, {}, {})
    assert passing.tolist() == [judge.certainty(one) >= 0 for one in evidence]
    assert 20 < passing.sum() < 480
