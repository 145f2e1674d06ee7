"""The timers of the floor that is open, and the table's own clock among them.

A timer is asked for, starts when all is said, stands still in a pause, and ends with its floor. A clock that has a name
(the day's) is kept when its floor ends and goes on when a later one asks for it. What is left of the table's clock is
noted in the journal while it runs, so that it survives a power cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from narrator.core.effects import Listen, Wait
from narrator.ports import Countdown, Due, Hearing
from narrator.stage.clock import Appointment, Clock
from narrator.stage.journal import Journal
from narrator.stage.ticks import EVERY, Ticks, name_of, noted

BREATH, LONGEST_BREATH = 0.05, 4.0  # seconds: how often a patient timer looks again, and how long it waits at most
_LIMIT, _TICK = "time_up", "tick"


@dataclass(slots=True)
class _Timer:
    """Asked for, then running (`appointment`), or frozen by a pause with `left` seconds."""

    wait: Wait
    left: float
    clock: tuple[str, int] = ("", 0)  # that it belongs to: its name, the turn
    appointment: Appointment | None = None
    waited: float = 0.0  # past its time, for somebody who was speaking

    def cancel(self) -> None:
        if self.appointment:
            self.appointment.cancelled = True


class Timers:
    """All that runs on one evening's floors. Times are seconds of `clock`."""

    def __init__(self, clock: Clock, ear: Hearing | None, journal: Journal | None) -> None:
        self._clock, self._ear, self._journal = clock, ear, journal
        self._running: dict[str, _Timer] = {}
        self._kept: dict[tuple[str, int], dict[str, float]] = {}  # what was left on clocks that go on
        self._ticks = Ticks()
        self._phase = ""

    def recall(self, notes: Mapping[str, float], phase: str) -> None:
        """What the journal noted of an evening that was cut in `phase`."""
        self._ticks.recall(notes, phase)

    def enter(self, phase: str) -> None:
        """Another floor opens: the timers of the one before it end."""
        self._keep_clocks()
        self._phase = phase
        self._ticks.entered(phase)
        for timer in self._running.values():
            timer.cancel()
        self._running.clear()

    def ask(self, wait: Wait, seconds: float, floor: Listen, turn: int) -> None:
        """A timer of `seconds`, unless it has rung already: on its clock, or before a power cut."""
        if running := self._running.get(wait.timer):
            running.cancel()
        clock = (wait.clock, turn)
        kept = self._kept.get(clock) if wait.clock else None
        name = name_of(wait, floor.phase, turn)
        if kept is not None:
            if wait.timer not in kept:
                return
            seconds = kept[wait.timer]
        elif (seconds := self._ticks.left(name, wait, seconds)) <= 0 and wait.timer != _LIMIT:
            return
        self._running[wait.timer] = _Timer(wait, seconds, clock)
        if self._journal and floor.hears and noted(wait, seconds):  # where eyes are closed, no note betrays a key
            self._journal.tick(name, seconds, self._clock.now())
            self._running[_TICK] = _Timer(Wait(_TICK, EVERY), EVERY)

    def extend(self, name: str, seconds: float) -> None:
        """More time for a timer that runs; for one that does not, nothing."""
        if running := self._running.get(name):
            left = self._left(running) + seconds
            running.cancel()
            self._running[name] = replace(running, left=left, appointment=None, waited=0.0)

    def start(self) -> None:
        """All is said: what does not run yet does now."""
        for timer in self._running.values():
            if timer.appointment is None:
                self._start(timer)

    def freeze(self) -> None:
        """A pause: everything stands still until start()."""
        for timer in self._running.values():
            timer.left = self._left(timer)
            timer.cancel()
            timer.appointment = None

    def rings(self, name: str) -> bool:
        """A timer is due: whether the game is to know. A patient one first lets a sentence be judged."""
        timer = self._running.get(name)
        if timer and self._waits_for_a_voice(timer):
            return False
        self._running.pop(name, None)
        if name == _TICK:
            self._tick()
            return False
        if timer and timer.wait.clock and name == _LIMIT:
            self._kept.pop(timer.clock, None)
        return True

    def countdown(self) -> Countdown | None:
        """The table's own clock, if one runs or stands still; never that of hands and eyes."""
        timer = self._running.get(_LIMIT)
        if timer is None or timer.wait.dwell:
            return None
        left = max(self._left(timer), 0.0)
        return Countdown(max(timer.wait.seconds, left), left, timer.appointment is not None)

    def masked(self) -> bool | None:
        """Whether what is done in the step that is waited for must not be heard; None: no step is."""
        step = self._running.get("step")
        return step.wait.mask if step else None

    def _start(self, timer: _Timer) -> None:
        when = self._clock.now() + timer.left
        timer.appointment = self._clock.at(when, Due(timer.wait.timer), flows=timer.wait.dwell)

    def _left(self, timer: _Timer) -> float:
        return timer.appointment.when - self._clock.now() if timer.appointment else timer.left

    def _waits_for_a_voice(self, timer: _Timer) -> bool:
        if not (timer.wait.patient and self._ear):
            return False
        waits = BREATH if self._ear.speaking else 0.0 if timer.waited else BREATH
        if not waits or timer.waited >= LONGEST_BREATH:
            return False
        timer.waited += waits
        when = self._clock.now() + waits
        timer.appointment = self._clock.at(when, Due(timer.wait.timer), flows=timer.wait.dwell)
        return True

    def _tick(self) -> None:
        timer = self._running.get(_LIMIT)
        if self._journal and timer and not timer.wait.dwell and (left := self._left(timer)) > 0:
            self._journal.tick(name_of(timer.wait, self._phase, timer.clock[1]), left, self._clock.now())
            if left > EVERY:
                self._running[_TICK] = ticking = _Timer(Wait(_TICK, EVERY), EVERY)
                self._start(ticking)

    def _keep_clocks(self) -> None:
        """What is left on the clocks of the floor that ends; they go on when a later one asks for them."""
        going = [timer for timer in self._running.values() if timer.wait.clock]
        limit = next((timer for timer in going if timer.wait.timer == _LIMIT), None)
        if limit is None:
            return
        self._kept[going[0].clock] = {timer.wait.timer: self._left(timer) for timer in going}
        if self._journal and _TICK in self._running:
            self._journal.tick(name_of(limit.wait, "", limit.clock[1]), self._left(limit), self._clock.now())


__all__ = ["BREATH", "LONGEST_BREATH", "Timers"]
