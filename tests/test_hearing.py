"""The ear of a real evening beside its devices: what it does when its recogniser fails again and again."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from narrator.ear.mic import Block
from narrator.ear.recognizer import Utterance
from narrator.ports import Caught, Fault, Interrupted
from narrator.stage import hearing
from narrator.stage.clock import RealClock
from narrator.stage.guard import Guard
from narrator.stage.hearing import LiveEar

SENTENCES = ("oui", "non")


class Mic:
    """A microphone in front of which somebody speaks when `speak` is called."""

    alive, overruns, losses = True, 0, 0

    def __init__(self) -> None:
        self.blocks: queue.Queue[Block] = queue.Queue()

    def start(self) -> None: ...
    def close(self) -> None: ...

    def speak(self) -> None:
        self.blocks.put(Block(np.ones(800, np.int16), time.monotonic()))


class Recogniser:
    """Hears "oui" in every block while it is `well`."""

    def __init__(self) -> None:
        self.well, self.opened = True, 0
        self.fails_to_open = False

    def open(self, sentences: tuple[str, ...], unlikely: frozenset[str] = frozenset()) -> Recogniser:
        self.opened, self.unlikely = self.opened + 1, unlikely
        if self.fails_to_open:
            raise RuntimeError("no memory")
        return self

    @property
    def speaking(self) -> bool:
        return False

    def accept(self, block: Any) -> Utterance:
        if not self.well:
            raise RuntimeError("the recogniser is broken")
        return Utterance("oui", 0.0, 0.05, 1.0)

    def close(self) -> None: ...


class Scene:
    def __init__(self, guard: Guard | None = None) -> None:
        self.clock, self.mic, self.recogniser = RealClock(), Mic(), Recogniser()
        mic: Any = self.mic
        table: Any = self.recogniser
        self.ear = LiveEar(self.clock, table, mic, guard)

    def posted(self) -> Any:
        """The next thing that it tells; waits for it."""
        self.clock.at(self.clock.now() + 60.0, None)
        return self.clock.next()

    def fail(self) -> Any:
        self.ear.open(SENTENCES, 0.0)
        self.mic.speak()
        return self.posted()


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(hearing, "REST", 0.2)
    monkeypatch.setattr(hearing, "TICK", 0.02)
    scene = Scene()
    yield scene
    scene.ear.leave()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_ear_is_told_what_is_unlikely(scene: Scene) -> None:
    scene.ear.open(SENTENCES, 0.0, frozenset(SENTENCES[:1]))
    assert scene.recogniser.unlikely == {SENTENCES[0]}


def test_after_three_failures_the_keyboard_leads_and_the_ear_comes_back_when_it_works_again(scene: Scene) -> None:
    scene.recogniser.well = False
    assert [scene.fail() for _ in range(3)] == [Fault("ear_again"), Fault("ear_again"), Fault("ear_lost")]
    tried = scene.recogniser.opened
    scene.ear.open(SENTENCES, 0.0)  # the conductor does not know: it opens as ever
    scene.mic.speak()
    until(lambda: scene.recogniser.opened > tried + 1)  # tried behind its back, twice, and not a word of it
    assert scene.clock._posted.empty()
    scene.recogniser.well = True
    assert scene.posted() == Fault("microphone_back")
    scene.ear.open(SENTENCES, 0.0)
    scene.mic.speak()
    assert scene.posted() == Caught("oui")


def test_an_ear_that_fails_at_once_again_gets_no_more_chances_than_one(scene: Scene) -> None:
    scene.recogniser.well = False
    for _ in range(3):
        scene.fail()
    scene.recogniser.well = True
    assert scene.posted() == Fault("microphone_back")
    scene.recogniser.well = False
    assert scene.fail() == Fault("ear_lost")


def test_it_is_tried_more_and_more_rarely(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "LONGEST_REST", 0.5)
    scene.recogniser.well = False
    for _ in range(3):
        scene.fail()
    rests = [scene.ear._rest]
    until(lambda: scene.ear._rest == 0.5)
    rests.append(scene.ear._rest)
    assert rests == [0.4, 0.5]


class Canceller:
    """Where nothing of our own is to be taken out."""

    def clean(self, block: Block) -> Any:
        return block.samples


def guarded(make: Callable[[], Any]) -> Scene:
    canceller: Any = Canceller()
    return Scene(Guard(canceller, ("oui",), make))


def test_while_we_speak_the_guard_hears_and_the_ear_does_not() -> None:
    own = Recogniser()
    scene = guarded(lambda: own)
    try:
        scene.ear.open(SENTENCES, 0.0)
        scene.mic.speak()
        assert scene.posted() == Caught("oui")
        assert own.opened == 0  # made when we speak, not before
        for _ in range(2):  # line after line: it goes on
            scene.ear.close()
            scene.mic.speak()
            assert scene.posted() == Interrupted("oui")
        assert (own.opened, scene.recogniser.opened) == (1, 1)
        scene.ear.open(SENTENCES, 0.0)
        scene.mic.speak()
        assert scene.posted() == Caught("oui")
    finally:
        scene.ear.leave()


def test_a_guard_that_cannot_be_opened_costs_the_interruption_and_not_the_evening() -> None:
    def broken() -> Any:
        raise RuntimeError("no memory")

    scene = guarded(broken)
    try:
        scene.ear.close()
        scene.mic.speak()
        until(scene.mic.blocks.empty)
        scene.ear.open(SENTENCES, 0.0)
        scene.mic.speak()
        assert scene.posted() == Caught("oui")
    finally:
        scene.ear.leave()
