"""What hands do with the real cards while the narrator leads: they follow what is said aloud, by their own knowledge.

Hands know the rules as players do (three are drawn, two or fewer are reshuffled); they never ask the narrator
how many cards there are. After an objection they put things back as they were. After a mistake that nobody
noticed (`doubtful`) they follow the narrator where that is possible, and say what is wrong at the next proposal.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from narrator.core.phrases import Meaning
from narrator.rehearsal.cards import CAMPS, HEAPS, INTERVENTIONIST, PACIFIST, Cards, Tales
from narrator.rehearsal.course import Course
from narrator.rehearsal.roles import Minds

View = Mapping[str, Any]

#: The phases in which a government holds tales.
GOVERNING = frozenset(("draw", "choice", "veto", "veto_refused"))
LOW = 2
#: Facts by which a situation that an objection brought back is recognised.
_MARKS = (
    *("phase", "turn", "gv", "narratrice", "players", "exiled", "departed", "target"),
    *("interventionist", "pacifist", "pile", "discard", "counter", "yes", "no"),
)


@dataclass(frozen=True, slots=True)
class _Photo:
    """The cards in a situation, to be put back as they were."""

    marks: tuple[Any, ...]
    tales: Tales
    shuffles: int


class Hands:
    """The cards of one table and who has seen what."""

    def __init__(self, configuration: Any, minds: Minds, course: Course, rng: random.Random) -> None:
        self.cards = Cards(
            configuration.interventionist_tales,
            configuration.pacifist_tales,
            rng,
            reserve=configuration.added_most > 0,
        )
        self.doubtful = False  # the narrator may believe something else about the cards
        self._misled = False  # it has made a mistake this evening
        self.seen: set[str] = set()  # targets of power B
        self._minds, self._course = minds, course
        self._view: View = {}
        self._undone = False
        self._album: list[_Photo] = []  # situations, in the order of time

    def heard(self, intent: str) -> None:
        self._undone = intent == "undo"

    def doubt(self) -> None:
        """The narrator did something else than it was asked for."""
        self.doubtful = self._misled = True

    def follow(self, view: View) -> bool:
        """Do what the new situation calls for. Returns whether anything public has changed."""
        marks = tuple(view[name] for name in _MARKS)
        undone, self._undone = self._undone, False
        if self._album and self._album[-1].marks == marks:
            return False
        before, self._view = self._view, view
        if undone and self._put_back(marks):
            self.doubtful = self._misled and not self.agrees(view)
            return True
        if before:
            self._leave(before, view)
        self._enter(before, view)
        self._album.append(_Photo(marks, self.cards.tales, self.cards.shuffles))
        if self.doubtful and self.agrees(view):
            self.doubtful = False
        return True

    def keep(self, view: View, hand_over: bool = False) -> str:
        """The government has chosen: one tale is left to be read. Returns its colour."""
        cards = self.cards
        if len(cards.tales.hand) > 1:
            gv, narratrice = view["gv"], view["narratrice"]
            tale = self._course.decide(
                "tale",
                view,
                lambda: self._minds.chooses_tale(gv, narratrice, cards.tales.hand, hand_over=hand_over),
            )
            cards.keep(tale)
        return cards.tales.hand[0]

    def agrees(self, view: View) -> bool:
        """Whether the narrator counts what lies on the table."""
        counted = {heap: view[heap] for heap in HEAPS} | {"pile": view["pile"] + view["hand"]}
        return counted == self.cards.counts()

    def corrections(self, view: View) -> list[Meaning]:
        """The sentences that would set the narrator right about the cards."""
        real = self.cards.counts()
        wrong = [camp for camp in CAMPS if view[camp] != real[camp]]
        if wrong:
            return [Meaning(f"set_{camp}", {"n": real[camp]}) for camp in wrong]
        pile = view["pile"] + view["hand"]
        return [Meaning("set_pile", {"n": real["pile"]})] if pile != real["pile"] else []

    def give_in(self, view: View) -> None:
        """The narrator cannot be set right: the table goes on with what it believes, if the deck allows it."""
        if sum(view[heap] for heap in HEAPS) == sum(self.cards.counts().values()) and not view["hand"]:
            self.cards.arrange({heap: view[heap] for heap in HEAPS})
            self.doubtful = False

    # ---- following

    def _put_back(self, marks: tuple[Any, ...]) -> bool:
        """The table as it was when the narrator was here before; False if it never was."""
        for at in range(len(self._album) - 1, -1, -1):
            photo = self._album[at]
            if photo.marks == marks:
                del self._album[at:]
                self.cards.restore(photo.tales, photo.shuffles)
                self._album.append(replace(photo, tales=self.cards.tales, shuffles=self.cards.shuffles))
                return True
        return False

    def _leave(self, before: View, view: View) -> None:
        """What the phase that was left has done to the cards."""
        risen = [camp for camp in CAMPS if view[camp] > before[camp]]
        read = risen[0] if risen else ""
        was, now = before["phase"], view["phase"]
        if was in GOVERNING and now not in GOVERNING:
            self._government_ends(before, read)
        elif was == "slave" and now != "slave" and read:
            self.cards.slave_read(read)
        elif was == "last_tale" and now in (*GOVERNING, "slave") and self._fallen(before, view):
            self._take_back()
        elif was == "power_p" and now != "power_p":
            self._add_tale(before)

    def _take_back(self) -> None:
        if self.cards.tales.read is not None:  # None: the table gave in since
            self.cards.take_back()

    def _government_ends(self, view: View, read: str) -> None:
        if not read:
            self.cards.veto()
            return
        self.keep(view)
        self._minds.blame((view["gv"], view["narratrice"]), read)
        self.cards.read(read)

    def _add_tale(self, view: View) -> None:
        cards = self.cards
        if not cards.tales.reserve:  # a narrator that was misled can call for it twice
            return
        tale = self._course.decide("reserve", view, lambda: self._minds.keeps(view["gv"], CAMPS))
        depth = self._course.decide("depth", view, lambda: self._minds.depth(len(cards.tales.pile)))
        cards.add(tale, min(depth, len(cards.tales.pile)))

    def _fallen(self, before: View, view: View) -> bool:
        return any(view[camp] < before[camp] for camp in (INTERVENTIONIST, PACIFIST))

    def _enter(self, before: View, view: View) -> None:
        """What the new phase asks of hands at once."""
        cards, phase = self.cards, view["phase"]
        started = view["turn"] > (before["turn"] if before else 0)
        low = len(cards.tales.pile) <= LOW
        if (started and low) or (phase == "power_f" and low) or (phase == "slave" and not cards.tales.pile):
            cards.reshuffle()
        if phase in GOVERNING and not cards.tales.hand:
            if len(cards.tales.pile) <= LOW:  # the narrator was misled about the pile
                cards.reshuffle()
            cards.draw()
        if phase == "b_look":
            self.seen.add(view["target"])
            self._minds.learn(view["gv"], view["target"])
