"""Who pays whom when a game is over (§3, §4, FAQ, RULINGS): a ledger of moves in one fixed order.

The order is the same in every game, so that it tells nothing: the fool's theft, the executioner, the dead, the living
loyalists, the saboteurs. Players of one kind are paid from the executioner's left. Purses never fall below zero, nor
does the treasury: what it cannot pay ends the evening, unless the house lends 5-crown tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from narrator.games.bourreau.configuration import (
    CHEESE,
    FOOL,
    GEM,
    LOYALIST,
    PARASITE,
    PRINCESS,
    SABOTEUR,
    Box,
)
from narrator.games.bourreau.state import DIED, DUMMY_DIED, HOUSE, TREASURY, Execution, Payment, Scaffold

THEFT, EXECUTIONS, DISGRACE, DEATH = "theft", "executions", "disgrace", "death"
LOYALTY, REBELLION, TOKEN = "loyalty", "rebellion", "token"
#: The order in which moves are written and spoken; a token comes before the payment that needs it.
ORDER = (THEFT, EXECUTIONS, DISGRACE, DEATH, LOYALTY, REBELLION)
SABOTEURS_GAIN = 3
TOKEN_CROWNS = 5  # FAQ: "des jetons d'un autre jeu pour représenter 5 Couronnes"


@dataclass(slots=True)
class _Till:
    """Money while it is being counted out."""

    purses: dict[str, int]
    treasury: int
    lends: bool
    ledger: list[Payment]
    short: bool = False

    def pays(self, player: str, crowns: int, reason: str) -> None:
        """The treasury pays what it can."""
        while self.lends and self.treasury < crowns:
            self.treasury += TOKEN_CROWNS
            self.ledger.append(Payment(HOUSE, TREASURY, TOKEN_CROWNS, TOKEN))
        paid = min(crowns, self.treasury)
        self.short |= paid < crowns
        self.treasury -= paid
        self._give(TREASURY, player, paid, reason)

    def takes(self, player: str, crowns: int, reason: str, payee: str = TREASURY) -> int:
        """A player gives what there is; returns how much that was."""
        taken = min(crowns, self.purses[player])
        self.purses[player] -= taken
        self.treasury += taken if payee == TREASURY else 0
        self._give(player, payee, taken, reason)
        return taken

    def _give(self, payer: str, payee: str, crowns: int, reason: str) -> None:
        if payee in self.purses:
            self.purses[payee] += crowns
        if crowns:
            self.ledger.append(Payment(payer, payee, crowns, reason))


def counts(e: Execution) -> bool:
    """Whether a stroke is worth a crown to the executioner (§3, FAQ).

    A dummy counts, a parasite's victim too (a fool as well), an escape does not; a fool whom somebody executed does
    not, unless the cheese makes him an ordinary prisoner.
    """
    if e.fate == DUMMY_DIED:
        return True
    return e.fate == DIED and (e.by == PARASITE or e.role != FOOL or e.item == CHEESE)


def dead_for_loyalists(s: Scaffold, box: Box) -> int:
    """Crowns for each living loyalist: the same deaths, and by option an executed fool's."""
    fools = sum(e.fate == DIED and not counts(e) for e in s.executions)
    return sum(map(counts, s.executions)) + (fools if box.fool_counts else 0)


def settled(s: Scaffold, box: Box) -> Scaffold:
    """The same table with the money moved; `ledger` says how."""
    till = _Till(dict(zip(s.table.seats, s.purses, strict=True)), s.treasury, box.tokens, [])
    _theft(till, s, box)
    _executioner(till, s)
    for e in sorted((e for e in s.executions if e.fate == DIED), key=lambda e: s.clockwise.index(e.player)):
        if e.role != FOOL or box.fool_pays or e.item == CHEESE:
            till.takes(e.player, 1, DEATH)
    for player in s.living:
        if not s.saboteurs_win and _is_loyal(s, player, box):
            till.pays(player, dead_for_loyalists(s, box), LOYALTY)
    for player in s.living:
        if s.saboteurs_win and s.role_of(player) == SABOTEUR:
            till.pays(player, SABOTEURS_GAIN, REBELLION)
    lent = sum(p.crowns for p in till.ledger if p.reason == TOKEN)
    purses = tuple(till.purses[player] for player in s.table.seats)
    return replace(s, purses=purses, total=s.total + lent, ledger=tuple(till.ledger), told=0, short=till.short)


def _theft(till: _Till, s: Scaffold, box: Box) -> None:
    """FAQ: before anything else; where somebody has nothing the treasury pays it, once all purses were asked."""
    for thief, crowns in _thieves(s, box):
        robbed = [player for player in s.clockwise if player != thief]
        taken = sum(till.takes(player, crowns, THEFT, thief) for player in robbed)
        till.pays(thief, crowns * len(robbed) - taken, THEFT)


def _thieves(s: Scaffold, box: Box) -> list[tuple[str, int]]:
    """A dead fool without the cheese; by the optional rule a living one who has it."""
    dead = [(e.player, 1) for e in s.executions if e.fate == DIED and e.role == FOOL and e.item != CHEESE]
    living = [(p, 2) for p in s.living if s.role_of(p) == FOOL]
    return dead + (living if box.cheese_steals and s.cheese and not s.saboteurs_win else [])


def _executioner(till: _Till, s: Scaffold) -> None:
    if s.saboteurs_win:
        till.takes(s.executioner, 1, DISGRACE)
    else:
        till.pays(s.executioner, sum(map(counts, s.executions)), EXECUTIONS)


def _is_loyal(s: Scaffold, player: str, box: Box) -> bool:
    """Loyalists; RULINGS: a living princess too; FAQ: a living fool with the cheese."""
    role = s.role_of(player)
    if role == FOOL:
        return s.cheese and not box.cheese_steals
    return role == LOYALIST or (role == PRINCESS and box.princess_is_paid)


def change(purses: Sequence[int], gems: int) -> tuple[tuple[int, int], ...]:
    """(coins, gems) for each purse, as many gems as there are: change can always be made out of the box.

    With `coins` + 3·`gems` crowns in all and two coins at most for a remainder, 20 coins serve ten purses. Crowns
    beyond the box (lent tokens) are counted as coins.
    """
    left, parts = gems, []
    for crowns in purses:
        whole = min(crowns // GEM, left)
        left -= whole
        parts.append((crowns - GEM * whole, whole))
    return tuple(parts)
