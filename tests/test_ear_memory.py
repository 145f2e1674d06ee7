"""The ear keeps nothing of a listener: an evening opens one for each question."""

from __future__ import annotations

import gc
import weakref

import pytest
from ear_sound import hear, say, scene

from bench.ear.memory import opened
from narrator.ear.recognizer import TableEar

pytestmark = pytest.mark.sound


def test_memory_is_flat_over_hundreds_of_listeners():
    """bench/ear/memory.py opens thousands; a recogniser that is kept would be 0.1 MB each."""
    (_, first), *_, (count, last) = opened("fr", 300)
    assert count == 300
    assert last - first < 10, f"{first:.1f} MB, then {last:.1f} MB"


def test_a_listener_and_its_recogniser_go_when_nobody_holds_them():
    ear = TableEar("fr", ["oui", "non"])
    listener = ear.open(["oui"])
    hear(listener, scene(say("oui", "max"), 1))
    gone = weakref.ref(listener._recognizer)
    del listener
    gc.collect()
    assert gone() is None
    ear.close()
