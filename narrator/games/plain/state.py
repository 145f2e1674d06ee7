"""The state of a plain game: nights and days, deaths, what was told of the dead, one accusation and its vote.

It holds no hidden role: who is what is on the cards, until somebody tells it of a dead player.
"""

from __future__ import annotations

from dataclasses import dataclass

from narrator.core.ballot import Ballot
from narrator.core.states import Position
from narrator.core.table import Table

_NO_TABLE, _UNCOUNTED = Table(()), Ballot()


@dataclass(frozen=True, slots=True)
class Trial:
    """One accusation from its first word to its outcome.

    `outcome`: "" until it is counted, then passed, failed or tied. `rolled`: voters are called by name.
    """

    accuser: str = ""
    accused: str = ""
    ballot: Ballot = _UNCOUNTED
    rolled: bool = False
    seat: str = ""  # whose turn it is to answer
    passed: tuple[str, ...] = ()  # who has been asked
    hands: tuple[str, ...] = ()  # who said yes
    tallies: tuple[tuple[str, int], ...] = ()  # votes against several, as they were called out
    votes: int = 1  # how many times it was voted on
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Party(Position):
    """`turn` is the number of the day, 0 before the first one."""

    table: Table = _NO_TABLE
    turn: int = 0
    night: int = 0
    dark: bool = False
    dead: tuple[str, ...] = ()  # in the order of dying
    died: tuple[str, ...] = ()  # since the last nightfall, dawn or sentence
    roles: tuple[tuple[str, str], ...] = ()  # told of the dead
    named: tuple[str, ...] = ()  # accused today
    trial: Trial = Trial()
    over: bool = False  # the day is: nothing happens before the night
    target: str = ""
    counters: tuple[tuple[str, int], ...] = ()
    denied: tuple[str, ...] = ()  # ends that the table said had not come

    @property
    def living(self) -> tuple[str, ...]:
        return self.table.without(self.dead)

    @property
    def last(self) -> str:
        """Who died last."""
        return self.died[-1] if self.died else ""

    def role_of(self, player: str) -> str:
        """What was told of a dead player, "" if nothing was."""
        return dict(self.roles).get(player, "")

    def alive(self, player: str) -> bool:
        return player not in self.dead

    def counter(self, name: str) -> int:
        return dict(self.counters)[name]


def put(pairs: tuple[tuple[str, int], ...], name: str, value: int) -> tuple[tuple[str, int], ...]:
    """The pairs with this one set, each name once, in the order of their coming."""
    return tuple({**dict(pairs), name: value}.items())
