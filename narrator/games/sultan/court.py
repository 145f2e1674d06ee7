"""The public state of a game of Au chevet du Sultan: what lies open on the table; it holds no roles."""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.ballot import Ballot
from narrator.core.states import Position
from narrator.core.table import Table
from narrator.games.sultan.configuration import TALES_TO_WIN, Configuration

INTERVENTIONIST, PACIFIST = "interventionist", "pacifist"
SMALL_COURT = 5  # §7c: with five active players or fewer only the Narratrice is barred
DINARZADE_FROM = 3  # §4: pacifist tales read already
VETO_FROM = 5  # §7a
ADVANCES = 3  # §5: the third in a row makes the slave read
LOW_PILE = 2  # §5: reshuffle with two or fewer
DRAWN = 3
#: In these phases the government holds the three drawn tales; the state still counts them in the pile.
IN_HAND = frozenset(("draw", "choice", "veto", "veto_refused"))
_NO_TABLE, _UNCOUNTED = Table(()), Ballot()


@dataclass(frozen=True, slots=True)
class Court(Position):
    """`gv`: the Grande Vizir; `narratrice`: the player she proposed. Tales in hand count in the pile."""

    table: Table = _NO_TABLE
    set_up: bool = False  # the spoken setup was gone through, so questions of setup may be asked
    turn: int = 0
    gv: str = ""
    cycle_from: str = ""  # the next Grande Vizir sits to the left of this player (§7b, C)
    chosen_gv: str = ""  # named by power C for the next turn
    narratrice: str = ""
    government: tuple[str, str] | None = None  # responsible for the last tale, if a government read it
    counter: int = 0
    interventionist: int = 0
    pacifist: int = 0
    pile: int = 0
    discard: int = 0
    exiled: tuple[str, ...] = ()
    departed: tuple[str, ...] = ()  # l'Amoureuse, once she has won
    ballot: Ballot = _UNCOUNTED
    seen: tuple[str, ...] = ()  # targets of power B (§7b: once a game each)
    target: str = ""
    veto_asked: bool = False
    veto_told: bool = False
    reshuffled: bool = False
    by_slave: bool = False
    last_tale: str = ""
    uncovered: str = ""  # the power of the place that the last tale covers
    fifth_exercised: bool = False  # the power of the fifth pacifist tale was used
    lover_asked: bool = False
    giafar_asked: bool = False
    before_tale: Court | None = None  # to take a misheard last tale back

    @property
    def absent(self) -> tuple[str, ...]:
        return self.exiled + self.departed

    @property
    def hand(self) -> int:
        """Tales that a government holds right now."""
        return DRAWN if self.phase in IN_HAND else 0

    @property
    def voters(self) -> int:
        return len(self.table) - len(self.absent)

    @property
    def active(self) -> int:
        """Players not exiled; a departed Amoureuse still counts (RULINGS)."""
        return len(self.table) - len(self.exiled)

    @property
    def barred(self) -> tuple[str, ...]:
        """Who may not be Narratrice again (§7c)."""
        if self.government is None:
            return ()
        return self.government if self.active > SMALL_COURT else self.government[1:]

    def eligible(self) -> tuple[str, ...]:
        return self.table.without((*self.absent, *self.barred, self.gv))


def next_vizir(court: Court) -> str:
    if court.turn == 0:
        return court.gv
    if court.chosen_gv and court.chosen_gv not in court.absent:
        return court.chosen_gv
    return court.table.left_of(court.cycle_from, court.absent)


def total_tales(court: Court) -> int:
    return court.pile + court.discard + court.interventionist + court.pacifist


def uncovered_by(court: Court, tale: str, configuration: Configuration) -> str:
    """The letter under the place that the next tale of this colour will cover."""
    board, read = (
        (configuration.pacifist_board, court.pacifist)
        if tale == PACIFIST
        else (configuration.interventionist_board, court.interventionist)
    )
    return board[read] if read < len(board) else ""


def wins(court: Court) -> str:
    """The camp whose tales are complete, or ""."""
    for camp in (INTERVENTIONIST, PACIFIST):
        if getattr(court, camp) >= TALES_TO_WIN[camp]:
            return camp
    return ""
