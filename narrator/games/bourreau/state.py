"""The public state of an evening of Le Bourreau: what lies open or was announced; hidden cards are not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from narrator.core.states import Position
from narrator.core.table import Table
from narrator.games.bourreau.configuration import MIMIC, PARASITE, PARDON, PRINCESS, Box

DIED, DUMMY_DIED, ESCAPED = "died", "dummy", "escaped"
STOPPED = "stopped"  # the executioner had enough; the other ends are PARDON and PRINCESS
TREASURY, HOUSE = "treasury", "house"
_NO_TABLE = Table(())


@dataclass(frozen=True, slots=True)
class Execution:
    """One stroke. `by`: who struck (the executioner, a shield's bearer, or PARASITE); `item`: as it counts."""

    player: str
    by: str
    item: str
    fate: str  # DIED, DUMMY_DIED (alive, counts as dead) or ESCAPED
    role: str = ""  # only of a dead princess or fool (§3)
    shown: str = ""  # the card itself, where it is a mimic


@dataclass(frozen=True, slots=True)
class Payment:
    """One move of money. `payer` and `payee`: a player, TREASURY, or HOUSE (whoever lends 5-crown tokens)."""

    payer: str
    payee: str
    crowns: int
    reason: str


@dataclass(frozen=True, slots=True)
class Scaffold(Position):
    """`turn` counts the games of the evening. `purses` are crowns, one for each seat."""

    table: Table = _NO_TABLE
    set_up: bool = False  # the spoken setup is gone through
    turn: int = 1
    executioner: str = ""
    executioners: tuple[str, ...] = ()  # of the games before
    purses: tuple[int, ...] = ()
    total: int = 0  # crowns in the box, lent tokens included
    gems: int = 0  # in the box
    roles: tuple[str, ...] = ()  # active this game, as far as announced; () when nobody said
    items: tuple[str, ...] = ()
    # ---- actions
    drawn: int = 0  # gallows cards turned over this game
    gallows: tuple[str, ...] = ()
    card: str = ""
    effects: tuple[str, ...] = ()  # of the open gallows card, still to come
    forbidden: tuple[str, ...] = ()
    to_act: tuple[str, ...] = ()  # once per action still owed
    acted: tuple[str, ...] = ()
    actor: str = ""
    questioned: str = ""
    interrupted: str = ""  # the phase that an interrogation came into
    # ---- executions
    target: str = ""
    by: str = ""
    item: str = ""  # what the target showed
    centre: str = ""  # once it lies open
    doubt: str = ""  # "item", "centre" or "role": what contradicts the active cards
    claim: str = ""  # the doubtful role
    executions: tuple[Execution, ...] = ()
    how: str = ""
    nobody_has: tuple[str, ...] = ()  # asked for at the end, and nobody answered to it
    # ---- rewards
    declared: tuple[tuple[str, str], ...] = ()
    cheese: bool = False  # a living fool holds it
    cheese_asked: bool = False
    ledger: tuple[Payment, ...] = ()
    told: int = 0
    short: bool = False
    # ---- the evening
    contenders: tuple[str, ...] = ()  # of a tie-break
    tie_left: tuple[str, ...] = ()  # of them, who is still to be executioner
    told_ranks: int = 0

    @property
    def prisoners(self) -> tuple[str, ...]:
        """Clockwise from the executioner's left."""
        return self.clockwise[1:]

    @property
    def clockwise(self) -> tuple[str, ...]:
        """Everybody, the executioner first."""
        seats = self.table.seats
        at = seats.index(self.executioner) if self.executioner in seats else 0
        return seats[at:] + seats[:at]

    @property
    def executed(self) -> tuple[str, ...]:
        return tuple(e.player for e in self.executions if e.by != PARASITE)

    @property
    def dead(self) -> tuple[str, ...]:
        return tuple(e.player for e in self.executions if e.fate == DIED)

    @property
    def survivors(self) -> tuple[str, ...]:
        return tuple(e.player for e in self.executions if e.fate != DIED)

    @property
    def living(self) -> tuple[str, ...]:
        """Prisoners alive, from the executioner's left."""
        return tuple(p for p in self.prisoners if p not in self.dead)

    @property
    def unharmed(self) -> tuple[str, ...]:
        """Who may still be executed (§3: a survivor has escaped)."""
        done = {e.player for e in self.executions}
        return tuple(p for p in self.prisoners if p not in done)

    @property
    def treasury(self) -> int:
        return self.total - sum(self.purses)

    @property
    def saboteurs_win(self) -> bool:
        return self.how in (PARDON, PRINCESS)

    @property
    def effective(self) -> str:
        """The target's item as it counts: a mimic is the centre item (RULINGS: two mimics both are)."""
        return self.centre if self.item == MIMIC else self.item

    def purse(self, player: str) -> int:
        return self.purses[self.table.seats.index(player)]

    def role_of(self, player: str) -> str:
        """What is known of a player's role, or ""."""
        shown = [e.role for e in self.executions if e.player == player and e.role]
        return shown[0] if shown else dict(self.declared).get(player, "")

    @property
    def asked(self) -> str:
        """The next living prisoner who says a role at the end."""
        done = dict(self.declared)
        return next((p for p in self.living if p not in done), "")


def seen_items(s: Scaffold) -> Counter[str]:
    """Item cards that lie open."""
    seen = Counter(e.shown for e in s.executions if e.shown)
    seen.update([s.centre] if s.centre else [])
    return seen


def seen_roles(s: Scaffold) -> Counter[str]:
    seen = Counter(e.role for e in s.executions if e.role)
    seen.update(role for _, role in s.declared)
    return seen


def active(cards: Collection[str], box: Mapping[str, int]) -> Counter[str]:
    """How many of each may be in play: the active cards, or all of the box where nobody said which."""
    return Counter(cards) if cards else Counter(box)


def may_have(s: Scaffold, item: str, box: Box) -> bool:
    """Whether such an item may still lie face down (a table that did not say its cards may have any)."""
    return active(s.items, box.items)[item] > seen_items(s)[item]


def may_be(s: Scaffold, role: str, box: Box) -> bool:
    return active(s.roles, box.roles)[role] > seen_roles(s)[role]
