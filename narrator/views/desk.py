"""Watches an evening and hands what everybody may see of it to the views, one Snapshot after the other.

The board follows the voice: facts are drawn when every line that came before them has been said, so that nothing is
seen before it is heard. A view is a function that returns at once; one that fails is dropped, the evening goes on.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from narrator.conductor import Conductor
from narrator.core.effects import Manner
from narrator.core.phrases import Meaning
from narrator.core.spelling import printed
from narrator.library import Production
from narrator.views.snapshot import Said, Sheet, Snapshot, Timer, drawn, master_entries

log = logging.getLogger(__name__)
WHISPERS = 12  # the last ones, on the game master's page
LEAST = 5.0  # seconds: shorter clocks (the beat of a roll call) are not drawn

View = Callable[[Snapshot], None]
MasterView = Callable[[Sheet], None]


class Desk:
    """A Watcher. Set `conductor` before the evening begins."""

    def __init__(self, production: Production, *, rate: float = 1.0) -> None:
        """`rate`: seconds of the evening that pass in one second of whoever looks on."""
        self.production, self.rate = production, rate
        self.conductor: Conductor | None = None
        self.views: list[View] = []
        self.masters: list[MasterView] = []
        self.snapshot = Snapshot(0, production.setting.language, production.title)
        self._said, self._heard = Said(""), ""
        self._answered = False  # what was heard: the next line begins something new
        self._facts: Mapping[str, Any] | None = None  # drawn
        self._coming: deque[tuple[int, str, Mapping[str, Any]]] = deque()  # and after how many lines they are drawn
        self._lines = 0  # said so far
        self._phase = ""
        self._whispers: list[str] = []
        self._at = 0.0  # when the last snapshot was taken
        self._repeated = False
        self._sheets = 0

    # ---- what the conductor tells

    def spoke(self, text: str, manner: Manner) -> None:
        self._said = Said(text, manner.value)
        if self._answered:
            self._heard = ""
        self._lines += 1
        self._repeated = True  # the same sentence once more is news
        self._catch_up(self._lines)
        self._publish()

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        if meaning is not None:
            self._heard, self._answered = printed(text), False
            self._publish()

    def shown(self, facts: Mapping[str, Any]) -> None:
        assert self.conductor is not None
        self._coming.append((self._lines + self.conductor.lines_waiting, self.conductor.floor.phase, facts))
        if self._facts is None:
            self._catch_up()
            self._publish()

    def whispered(self, text: str) -> None:
        self._whispers = [*self._whispers, text][-WHISPERS:]
        self._publish_sheet()

    def settled(self, conductor: Conductor) -> None:
        self._answered = True
        self._catch_up()
        self._publish()
        self._publish_sheet()

    # ---- inside

    def _catch_up(self, lines: float = math.inf) -> None:
        """Draw what is due now that the line of this number is being said; all of it when everything is said."""
        while self._coming and self._coming[0][0] < lines:
            _, self._phase, self._facts = self._coming.popleft()

    def _publish(self) -> None:
        """A snapshot, if it shows anything new: when nothing does, nothing is sent either."""
        conductor, setting = self.conductor, self.production.setting
        assert conductor is not None
        phases = self.production.game.script.phases
        dark = self._phase in phases and phases[self._phase].eyes_closed and bool(phases[self._phase].scene)
        now, before = conductor.clock.now(), self.snapshot
        snapshot = Snapshot(
            before.number + 1,
            setting.language,
            self.production.title,
            said=self._said,
            heard=self._heard,
            paused=conductor.paused,
            muted=conductor.muted,
            dark=dark,
            timer=self._timer(conductor),
            ended=conductor.ending is not None,
            **drawn(self.production.layout, self._facts or {"players": setting.players}, self._phase),
        )
        same = replace(snapshot, number=before.number, timer=before.timer) == before
        if same and not self._repeated and _goes_on(before.timer, snapshot.timer, now - self._at):
            return
        self.snapshot, self._at, self._repeated = snapshot, now, False
        self.views = [view for view in self.views if _handed(view, snapshot)]

    def _timer(self, conductor: Conductor) -> Timer | None:
        """The table's clock; none while only the game master acts, who may be done before it has run out."""
        phase = self.production.game.script.phases.get(conductor.floor.phase)
        countdown = None if phase is None or phase.eyes_closed else conductor.countdown()
        return Timer(*countdown, self.rate) if countdown and countdown.total >= LEAST else None

    def _publish_sheet(self) -> None:
        rules = self.production.game.rules
        if not (self.masters and self.conductor and hasattr(rules, "private_view")):
            return
        self._sheets += 1
        facts = rules.private_view(self.conductor.evening.state)
        entries = master_entries(self.production.layout, facts)
        sheet = Sheet(self._sheets, tuple(self._whispers), entries)
        self.masters = [view for view in self.masters if _handed(view, sheet)]


def _goes_on(before: Timer | None, now: Timer | None, seconds: float) -> bool:
    """Whether `now` is what `before` has become by itself."""
    if before is None or now is None:
        return before is now
    expected = replace(before, rate=1.0).after(seconds)
    return (before.total, before.running) == (now.total, now.running) and abs(expected.left - now.left) < 0.2


def _handed(view: Callable[[Any], None], what: Any) -> bool:
    try:
        view(what)
    except Exception:  # whatever it is: a picture is not worth an evening
        log.exception("a view failed and is dropped")
        return False
    return True
