"""An evening with views: the real conductor on a virtual clock, to which a test says one sentence after the other."""

from __future__ import annotations

from narrator.conductor import Conductor
from narrator.core.setting import Setting
from narrator.library import stage
from narrator.ports import Typed
from narrator.stage.clock import ExhaustedError, VirtualClock
from narrator.stage.scripted import SilentMouth
from narrator.views.desk import Desk
from narrator.views.snapshot import Sheet, Snapshot


def _nothing() -> None:
    raise ExhaustedError


class Showing:
    """`shots`: every snapshot published; `sheets`: those of the game master's page."""

    def __init__(self, setting: Setting, *, skip_setup: bool = True, seed: int = 1) -> None:
        production = stage(setting)
        self.clock = VirtualClock(idle=_nothing)
        self.desk = Desk(production)
        self.shots: list[Snapshot] = []
        self.sheets: list[Sheet] = []
        self.desk.views.append(self.shots.append)
        self.desk.masters.append(self.sheets.append)
        self.conductor = Conductor(production, self.clock, SilentMouth(self.clock), None, (self.desk,), seed=seed)
        self.desk.conductor = self.conductor
        self.conductor.run(production.game.opening(skip_setup))

    def say(self, *sentences: str) -> Snapshot:
        """Typed at the table, or by the master ("mj> …"); a number of seconds in brackets lets time pass."""
        for sentence in sentences:
            if sentence.startswith("(+"):
                self.clock.pass_time(float(sentence[2:-2]))
            elif sentence.startswith("mj>"):
                self.conductor.handle(Typed(sentence[3:].strip(), private=True))
            else:
                self.conductor.handle(Typed(sentence))
            self._go_on()
        return self.now

    def night(self, *deaths: str) -> Snapshot:
        """Through a night of the town in which these die; the game goes on after it."""
        self.say(*(f"mj> {name} meurt" for name in deaths))
        for _ in range(40):
            if self.conductor.floor.phase != "night":
                break
            self.say("mj> suivant")
        return self.say("mj> la partie continue") if self.conductor.floor.phase.startswith("verdict") else self.now

    @property
    def now(self) -> Snapshot:
        return self.desk.snapshot

    def _go_on(self) -> None:
        try:
            while True:
                self.conductor.handle(self.clock.next())
        except ExhaustedError:
            pass
