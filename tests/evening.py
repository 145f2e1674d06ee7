"""Drives the pure game by typed sentences, as a table would: no sound, no clock; dwell times pass by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.core.effects import Effect, End, Listen, Manner, Roll, Say, Wait
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.setting import Setting
from narrator.core.states import Evening as Course
from narrator.library import Production, stage

NAMES = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules")
_STAGED: dict[str, Production] = {}


def table(
    players: int = 7, first: str = "Alice", language: str = "fr", game: str = "sultan", **options: Any
) -> Setting:
    return Setting(game, language, NAMES[:players], first, options)


def production(setting: Setting) -> Production:
    """Staged once per setting: a Production holds nothing that changes."""
    key = repr(setting)
    if key not in _STAGED:
        _STAGED[key] = stage(setting)
    return _STAGED[key]


class Evening:
    """One evening. `spoken`: (line id, text) of everything said; `log`: every event; `effects`: the last ones."""

    def __init__(self, setting: Setting, skip_setup: bool = True, draw: str = "") -> None:
        self.production, self.skip_setup, self._draw = production(setting), skip_setup, draw
        self.game = self.production.game
        self.course: Course = self.game.opening(skip_setup)
        self.spoken: list[tuple[str, str]] = []
        self.manners: list[Manner] = []
        self.log: list[Event] = []
        self.floor: Listen | None = None
        self.floors: list[Listen] = []
        self.ends: list[End] = []
        self.timers: dict[str, float] = {}
        self._mark = 0
        self.perform(Ordered("start"))

    # ---- what happens

    def say(self, sentence: str, at_once: bool = False) -> bool:
        """A typed sentence; True if it was understood and not refused. `at_once`: no dwell time passes after it."""
        meaning = self.production.phrases.parse(sentence, self.floor.accepts if self.floor else None)
        self._mark = len(self.spoken)
        return meaning is not None and self.perform(Heard(meaning.intent, meaning.slots), mark=False, dwell=not at_once)

    def all(self, *sentences: str) -> None:
        """Sentences that must all be accepted."""
        for sentence in sentences:
            assert self.say(sentence), (sentence, self.phase, self.spoken[-3:])

    def elapse(self, timer: str) -> bool:
        """A timer of the table's own (time_up, remind, warn) runs out; it must be running."""
        assert timer in self.timers, f"{timer} does not run in {self.phase}"
        return self.perform(Elapsed(timer))

    def perform(self, event: Event, mark: bool = True, dwell: bool = True) -> bool:
        """One event, then every dwell time and draw that follows; True unless something was refused."""
        if mark:
            self._mark = len(self.spoken)
        refused, todo = False, [event]
        while todo:
            now = todo.pop(0)
            self.log.append(now)
            self.course, effects = self.game.receive(self.course, now)
            for effect in effects:
                refused |= isinstance(effect, Say) and effect.manner is Manner.REFUSE
                todo += [e for e in self._performed(effect) if dwell or not isinstance(e, Elapsed)]
        return not refused

    def _performed(self, effect: Effect) -> list[Event]:
        match effect:
            case Say(line, facts, manner):
                self.spoken.append((line, self.production.lines.text(line, facts)))
                self.manners.append(manner)
            case Listen():
                self.floor, self.timers = effect, {}
                self.floors.append(effect)
            case Wait(timer, seconds, dwell):
                self.timers[timer] = seconds
                return [Elapsed(timer)] if dwell else []
            case Roll(what, choices):
                return [Rolled(what, self._draw or choices[0])]
            case End():
                self.ends.append(effect)
        return []

    # ---- what is known

    @property
    def court(self) -> Any:
        return self.course.state

    @property
    def phase(self) -> str:
        return str(self.course.state.phase)

    @property
    def state(self) -> Mapping[str, Any]:
        """What `play --state` prints."""
        return dict(self.production.rules_module.public_state(self.course.state))

    @property
    def lines(self) -> list[str]:
        """The line ids spoken since the last event of the test."""
        return [line for line, _ in self.spoken[self._mark :]]

    @property
    def words(self) -> str:
        """All that was spoken since the last event of the test."""
        return " ".join(text for _, text in self.spoken[self._mark :])

    # ---- shortcuts of the Sultan

    def govern(self, narratrice: str, tale: str) -> None:
        """The Grande Vizir proposes, all say yes, the tale (“pacifiste”, “interventionniste”) is read."""
        self.accept(narratrice)
        self.all(f"conte {tale}")

    def accept(self, narratrice: str) -> None:
        """Proposed and accepted; a Narratrice who is asked is not Dinarzade."""
        self.all(f"je propose {narratrice}", f"{self.state['voters']} oui, 0 non")
        if self.phase == "ask_dinarzade":
            self.all("non")

    def refuse(self, narratrice: str) -> None:
        self.all(f"je propose {narratrice}", f"0 oui, {self.state['voters']} non")

    def eligible(self) -> tuple[str, ...]:
        return tuple(self.court.eligible())

    def read(self, tales: str) -> None:
        """Turns of any government whose tales are "p" and "i"; powers are used on whoever may be their target."""
        for letter in tales:
            self.govern(self.eligible()[0], "pacifiste" if letter == "p" else "interventionniste")
            self.use_power()

    def use_power(self) -> None:
        """Go through whatever power lies open, in the shortest legal way, until the next proposal or a question."""
        court = self.court
        others = court.table.without((*court.absent, court.gv))
        fresh = [p for p in others if p not in court.seen]
        match self.phase:
            case "power_b":
                self.all(f"je choisis {fresh[0]}", "c'est fait")
            case "power_c":
                self.all(f"je choisis {others[0]}", "c'est fait")
            case "power_f" | "power_n" | "power_p":
                self.all("c'est fait")
            case "power_0":
                self.all(f"j'échange {others[0]} et {others[1]}", "c'est fait")
            case "power_x":
                self.all(f"j'exile {others[-1]}", "oui", "non")
