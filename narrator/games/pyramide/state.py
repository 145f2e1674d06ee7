"""The state of Meereen: what everybody may know, and beside it (`Hidden`) what only the game master knows.

A turn: places, assassinations, justice, elections, the return, prestige. Text = the section of the game's text,
RULINGS = docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from narrator.core.states import Position
from narrator.games.pyramide.elections import Result
from narrator.games.pyramide.knowledge import Known
from narrator.games.pyramide.points import Score
from narrator.games.pyramide.ranks import Pyramid, Rank
from narrator.games.pyramide.roles import Deal, Role
from narrator.games.pyramide.squads import Outcome, Squad

JUSTICE = "justice"


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote of everybody, from its opening to its count. `kind`: justice, or the rank that is voted for."""

    kind: str = ""
    choices: tuple[str, ...] = ()
    places: int = 0
    seat: str = ""  # whose turn it is to answer
    passed: tuple[str, ...] = ()  # who has been asked
    votes: Mapping[str, str] = field(default_factory=dict)  # voter -> choice, "" for nobody
    silent: tuple[str, ...] = ()  # of those who have been asked: who said nothing that was heard
    again: int = 0  # seats that are called a second time
    choice: str = ""  # by eye: for whom hands are raised
    hands: Mapping[str, Mapping[Rank, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Die:
    """A draw that only the game master learns of. `what`: deal, offered, joins, gains, role, revealed."""

    what: str
    player: str = ""
    other: str = ""

    @property
    def key(self) -> str:
        return f":{self.what}:{self.player}:{self.other}"


@dataclass(frozen=True, slots=True)
class Comeback:
    """One of the murdered to whom a return was offered; `accepted` None until they have answered."""

    player: str
    accepted: bool | None = None
    joins: bool = False
    role: float = -1.0  # the draw of an unassigned role, below 0 for none


@dataclass(frozen=True, slots=True)
class Question:
    """What a special role asked last. `camp` "" where the exact role was asked; `revealed` None before the die."""

    asker: str = ""
    target: str = ""
    camp: str = ""
    revealed: bool | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """The game master's. Nothing of it may reach a spoken line, the public screen or the public journal."""

    deal: Deal = field(default_factory=Deal)
    dealt: bool = False
    squads: tuple[Squad, ...] = ()  # of this turn
    outcomes: tuple[Outcome, ...] = ()  # what became of them
    guarded: str = ""  # whom Belwas protects, himself if nobody
    asked: tuple[str, ...] = ()  # who has asked this turn
    question: Question = Question()
    dice: tuple[Die, ...] = ()  # still to be thrown, in order
    last: str = ""  # what the last die was for
    offers: tuple[Comeback, ...] = ()
    news: Mapping[str, tuple[Known, ...]] = field(default_factory=dict)  # what is to be told to whom


@dataclass(frozen=True, slots=True)
class Revealed:
    """What the end opens."""

    deal: Deal = field(default_factory=Deal)
    roles: Mapping[str, tuple[Role, ...]] = field(default_factory=dict)
    ranking: tuple[tuple[int, Score], ...] = ()
    prophecies: tuple[str, ...] = ()  # of Quaithe's, those that came true


@dataclass(frozen=True, slots=True)
class Meereen(Position):
    """`turn` is 0 before the first one. `hidden` is not compared with what is public."""

    pyramid: Pyramid = field(default_factory=Pyramid)
    turn: int = 0
    before: Mapping[str, str] = field(default_factory=dict)  # places of the turn before
    drawn: tuple[str, ...] = ()  # whom the lot placed
    murdered: tuple[str, ...] = ()  # this turn
    reinforced: bool = False  # Daario was murdered this turn
    accused: tuple[str, ...] = ()
    silent: int = 0  # councillors who named nobody
    executed: tuple[str, ...] = ()
    condemned_by: int = 0  # the influence that was needed
    vote: Vote = Vote()
    totals: Mapping[str, int] = field(default_factory=dict)  # of the last vote
    held: tuple[str, ...] = ()  # ranks that were voted for this turn
    results: Mapping[str, Result] = field(default_factory=dict)
    named: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # office -> (holder, how), this turn
    graces: tuple[str, ...] = ()  # drawn this turn
    returned: tuple[str, ...] = ()  # who came back this turn
    revealed: Revealed = Revealed()
    hidden: Hidden = field(default_factory=Hidden)

    def hide(self, **changes: object) -> Meereen:
        """After the game master noted something."""
        return replace(self, hidden=replace(self.hidden, **changes))  # type: ignore[arg-type]

    @property
    def founded(self) -> bool:
        """Whether what the table left to chance is drawn: before that, its pyramid only shows that one is possible."""
        return self.phase not in ("gather", "founding")

    @property
    def deal(self) -> Deal:
        return self.hidden.deal

    @property
    def councillors(self) -> tuple[str, ...]:
        return self.pyramid.of_rank(Rank.COUNCILLOR)
