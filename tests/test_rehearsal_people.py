"""Simulated tables lead whole evenings to a legal end through the pure engine, by text alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pytest

from narrator.core.effects import Effect, End, Listen, Roll, Wait
from narrator.core.effects import Say
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.phrases import Meaning
from narrator.core.setting import Setting
from narrator.library import Production, stage
from narrator.rehearsal.course import Course
from narrator.rehearsal.people import SimulatedTable
from narrator.rehearsal.roles import deal
from narrator.rehearsal.talk import Act

NAMES = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules")
CONDUCTORS = ("repeat", "pause", "resume", "help", "time_left", "slower", "faster", "softer", "louder")
ENDS = {"interventionist_tales", "pacifist_tales", "dinarzade_narratrice", "dinarzade_exiled"}


@lru_cache(maxsize=None)
def production(seats: int, language: str = "fr", **options: Any) -> Production:
    return stage(Setting("sultan", language, NAMES[:seats], options=options))


@dataclass
class Evening:
    """A driver without sound: virtual seconds, one sentence after the other, what is typed is understood."""

    made: Production
    table: SimulatedTable
    chance: random.Random
    mishears: float = 0.0
    skip_setup: bool = True
    end: End | None = None
    floor: Listen | None = None
    pending: list[Act] = field(default_factory=list)
    timers: dict[str, float] = field(default_factory=dict)
    spoken: list[str] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    now: float = 0.0

    def view(self) -> dict[str, Any]:
        return self.made.game.rules.view(self.evening.state)

    def public(self) -> dict[str, Any]:
        return dict(self.made.rules_module.public_state(self.evening.state))

    def play(self) -> End:
        self.evening = self.made.game.opening(self.skip_setup)
        self.send(Ordered("start"))
        for _ in range(4000):
            if self.end is not None:
                return self.end
            self.step()
        raise AssertionError(f"no end: {self.public()}\n{self.acts[-8:]}")

    def step(self) -> None:
        """The next thing in time: a sentence, or a timer."""
        timer = min(self.timers, key=lambda name: self.timers[name], default="")
        if self.pending and (not timer or self.pending[0].delay + self.opened <= self.timers[timer]):
            act = self.pending.pop(0)
            self.now = max(self.now, self.opened + act.delay)
            self.acts.append(act)
            self.hear(act)
        elif timer:
            self.now = self.timers.pop(timer)
            self.send(Elapsed(timer))
        else:
            raise AssertionError(f"nobody speaks and nothing is waited for: {self.public()}")

    def hear(self, act: Act) -> None:
        assert self.floor is not None
        meaning = self.made.phrases.parse(act.text, self.floor.accepts)
        if act.kind == "chatter":
            assert meaning is None or meaning.intent not in self.floor.accepts, act
            return
        assert meaning == act.meant, act
        if self.mishears and self.chance.random() < self.mishears:
            meaning = self.misheard()
        assert meaning is not None
        if act.kind != "illegal" and meaning == act.meant:
            assert meaning.intent in (*self.floor.accepts, *CONDUCTORS), (act, self.floor)
        self.understand(meaning, act)

    def misheard(self) -> Meaning:
        """Any other sentence that is legal now."""
        assert self.floor is not None
        sentence = self.chance.choice(self.made.phrases.sentences(self.floor.hears))
        meaning = self.made.phrases.parse(sentence, self.floor.accepts)
        assert meaning is not None
        return meaning

    def understand(self, meaning: Meaning, act: Act) -> None:
        self.table.on_understood(meaning)
        if meaning.intent in CONDUCTORS:
            self.open()
            return
        before = self.evening.state
        self.receive(Heard(meaning.intent, meaning.slots))
        if meaning != act.meant and before != self.evening.state:
            for objection in self.table.on_mistake(meaning, act.meant):
                assert objection.meant == Meaning("undo", {})
                self.table.on_understood(objection.meant)
                self.receive(Heard("undo"))
        self.open()

    def send(self, event: Event) -> None:
        self.receive(event)
        self.open()

    def receive(self, event: Event) -> None:
        self.evening, effects = self.made.game.receive(self.evening, event)
        self.table.on_state(self.view())
        for effect in effects:
            self.perform(effect)
        for effect in effects:
            if isinstance(effect, Roll):
                self.receive(Rolled(effect.what, self.chance.choice(effect.choices)))

    def perform(self, effect: Effect) -> None:
        match effect:
            case Listen():
                self.floor, self.timers = effect, {}
            case Wait(timer, seconds, extend=True):
                if timer in self.timers:
                    self.timers[timer] += seconds
            case Wait(timer, seconds):
                self.timers[timer] = self.now + seconds
            case Say():
                self.now += 2.0
                self.spoken.append(f"{self.now:.3f} {self.made.lines.text(effect.line, effect.facts)}")
            case End():
                self.end = effect
            case _:
                pass

    def open(self) -> None:
        """The narrator is silent: people go on."""
        assert self.floor is not None
        fault = self.table.check(self.public())
        assert fault is None, (fault, self.acts[-8:])
        acts = self.table.on_floor(self.view(), self.floor.phase, self.floor.accepts) if self.floor.hears else []
        self.pending, self.opened = sorted(acts, key=lambda act: act.delay), self.now

    opened: float = 0.0


def play(made: Production, seed: int, **more: Any) -> Evening:
    evening = Evening(made, SimulatedTable(made, seed), random.Random(seed + 1), **more)
    evening.play()
    return evening


def variants() -> list[tuple[int, dict[str, Any]]]:
    found = []
    for seats, kind, giafar, lover in itertools.product(
        range(5, 11), ("classic", "suggested"), (False, True), (False, True)
    ):
        if lover and seats < 7 or seats == 5 and giafar:  # too few interventionists would be left
            continue
        found.append((seats, {"configuration": kind, "giafar": giafar, "amoureuse": lover}))
    return found
