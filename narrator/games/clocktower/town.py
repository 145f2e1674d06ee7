"""The state of a town: what everybody may know, and beside it (`Hidden`) what only the Storyteller knows.

Guide = the section of the game's guide, RULINGS = docs/RULINGS.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from narrator.core.states import Position
from narrator.core.table import Table

GOOD, EVIL = "good", "evil"
_NO_TABLE = Table(())


@dataclass(frozen=True, slots=True)
class Vote:
    """One nomination (or call for an exile) from its first word to its count."""

    nominator: str = ""
    nominee: str = ""
    exile: bool = False
    seat: str = ""  # whose turn it is to answer
    passed: tuple[str, ...] = ()  # who has been asked
    hands: tuple[str, ...] = ()  # who votes yes, in the order of answering
    total: int | None = None  # hands counted without names (by eye)


@dataclass(frozen=True, slots=True)
class Hidden:
    """The Storyteller's. Nothing of it may reach a spoken line, the public screen or the public journal."""

    dying: tuple[str, ...] = ()  # deaths of the night, told at dawn
    rising: tuple[str, ...] = ()  # who comes back to life at dawn
    spared: tuple[str, ...] = ()  # today's execution does not kill them
    weights: tuple[tuple[str, int], ...] = ()  # votes of a player's hand, where it is not one
    done: tuple[str, ...] = ()  # entries of tonight's sheet that are behind us
    led: str = ""  # the entry that was shown last: nothing is behind us that was not shown
    became: tuple[tuple[str, str], ...] = ()  # player, id of the character they have since the game began
    decided: str = ""  # who wins, answered but not announced yet


@dataclass(frozen=True, slots=True)
class Town(Position):
    """`turn` is the number of the day, 0 in the first night. `hidden` is not compared with what is public.

    `table` has those who are in town: a traveller who has left, or not arrived yet, has no seat.
    """

    table: Table = _NO_TABLE
    travellers: tuple[str, ...] = ()
    turn: int = 0
    dark: bool = False  # eyes are closed
    dead: tuple[str, ...] = ()
    exiled: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()  # dead players without a vote token
    nominators: tuple[str, ...] = ()  # today
    nominees: tuple[str, ...] = ()
    tallies: tuple[tuple[str, int], ...] = ()
    vote: Vote = Vote()
    block: str = ""  # about to die
    called: bool = False  # nominations were called for today
    just_called: bool = False
    begun: bool = False  # today's discussion was opened; it is gone on with
    question_due: bool = False  # somebody died in the middle of a vote: does the game go on? is asked after it
    over: bool = False  # the day is: nothing more happens before the night
    told: tuple[str, ...] = ()  # deaths told last
    risen: tuple[str, ...] = ()  # who came back, told last
    outcome: str = ""  # of the last vote: block, tie, low, exiled, kept; of an execution: died, survived, already
    condemned: str = ""  # who was executed last
    pause: float = 0.0  # the draw for the wait before dawn
    order: float = 0.0  # the draw for the order of deaths
    woken: bool = False  # the end came while eyes were closed
    revealed: str = ""  # whose role was revealed last
    shown: tuple[str, ...] = ()  # whose role was revealed
    shown_role: str = ""
    hidden: Hidden = field(default_factory=Hidden)

    # ---- who is who

    @property
    def gone(self) -> tuple[str, ...]:
        """Dead or exiled, in the order of dying."""
        return (*self.dead, *self.exiled)

    @property
    def living(self) -> tuple[str, ...]:
        return self.table.without(self.gone)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The dead who still have their vote, by seat (Guide, Execution and death); so do the exiled (RULINGS)."""
        return tuple(p for p in self.table.seats if p in self.gone and p not in self.spent)

    def alive(self, player: str) -> bool:
        return player not in self.gone

    # ---- counting

    def weight(self, player: str) -> int:
        return dict(self.hidden.weights).get(player, 1)

    @property
    def count(self) -> int:
        """Votes so far. A weight counts votes for an execution, not for an exile."""
        if self.vote.total is not None:
            return self.vote.total
        return sum(1 if self.vote.exile else self.weight(p) for p in self.vote.hands)

    @property
    def voters(self) -> tuple[str, ...]:
        """Who may vote now: clockwise from the left of the nominee, the nominee last (Guide, Nominations and votes).

        In an exile everybody may (RULINGS).
        """
        seats = self.table.seats
        after = seats.index(self.vote.nominee) + 1 if self.vote.nominee in seats else 0
        clockwise = (*seats[after:], *seats[:after])
        return clockwise if self.vote.exile else tuple(p for p in clockwise if p not in self.spent)

    def hide(self, **changes: object) -> Town:
        """The town after the Storyteller noted something."""
        return replace(self, hidden=replace(self.hidden, **changes))  # type: ignore[arg-type]


def without(names: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in gone)


def added(names: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Each name once."""
    return tuple(dict.fromkeys((*names, *more)))
