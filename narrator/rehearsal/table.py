"""What the answers of a table share: the situation they are asked in, and what was said last."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from narrator.core.phrases import Meaning
from narrator.rehearsal.course import Course
from narrator.rehearsal.hands import Hands, View
from narrator.rehearsal.roles import Minds
from narrator.rehearsal.talk import Act, Kind, Talk


@dataclass
class Situation:
    """One phase of one turn, however often its floor opens. `attempt`: how many decisions here were taken back."""

    talk: Talk
    view: View = field(default_factory=dict)
    phase: str = ""
    accepts: Sequence[str] = ()
    attempt: int = 0
    floors: int = 0
    spent: set[str] = field(default_factory=set)
    tried: list[str] = field(default_factory=list)  # choices announced here

    def once(self, what: str, likely: float) -> bool:
        """True with this probability, but only once in a situation."""
        happens = self.talk.rng.random() < likely and what not in self.spent
        if happens:
            self.spent.add(what)
        return happens

    @property
    def present(self) -> list[str]:
        """Who may still speak, clockwise."""
        absent = {*self.view["exiled"], *self.view["departed"]}
        return [player for player in self.view["players"] if player not in absent]

    @property
    def anybody(self) -> str:
        return self.talk.rng.choice(self.present)

    def others(self, *but: str) -> list[str]:
        return [player for player in self.present if player not in but]


class Table:
    """The minds, hands and tongues of one table, and its memory of situations."""

    def __init__(self, minds: Minds, hands: Hands, course: Course, talk: Talk) -> None:
        self.minds, self.hands, self.course, self.talk = minds, hands, course, talk
        self.meant: Meaning | None = None  # the last decision that somebody announced
        self.speaker = ""
        self._situations: dict[tuple[object, ...], Situation] = {}

    def situation(self, view: View, phase: str, accepts: Sequence[str]) -> Situation:
        """The situation of `view`, the same object each time the game is in it."""
        key = (phase, view["turn"], view["gv"], view["narratrice"], view["target"])
        found = self._situations.setdefault(key, Situation(self.talk))
        found.view, found.phase, found.accepts = view, phase, accepts
        found.floors += 1
        return found

    def said(
        self,
        speaker: str,
        meaning: Meaning,
        between: tuple[float, float] = (0.6, 2.5),
        kind: Kind = "answer",
    ) -> Act:
        """A decision is announced; it is remembered, to be recognised if the narrator asks it back."""
        self.meant, self.speaker = meaning, speaker
        return self.talk.act(speaker, meaning, between, kind)

    def wrong(self, situation: Situation, speaker: str, meaning: Meaning) -> Act:
        """A sentence that the rules forbid; the narrator must refuse it."""
        self.meant, self.speaker = meaning, speaker
        return self.talk.act(speaker, meaning, kind="illegal")

    def remark(self, situation: Situation, likely: float, but: Collection[str] = ()) -> list[Act]:
        """Perhaps somebody says something else meanwhile, or at the same time."""
        speakers = situation.others(*but)
        if not speakers or not situation.once("remark", likely):
            return []
        return [self.talk.chatter(speakers, self.talk.rng.uniform(0.3, 2.5), situation.accepts)]
