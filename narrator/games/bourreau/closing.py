"""The end of a game and of the evening (§4, §5, FAQ): roles are declared, money moves, a successor is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.states import Action, Check, Ending, Refusal
from narrator.games.bourreau.configuration import CHEESE, FOOL, MIMIC, Box
from narrator.games.bourreau.rewards import ORDER, THEFT, TOKEN, settled
from narrator.games.bourreau.state import TREASURY, Scaffold, may_be, may_have

EVENING, EMPTY = "evening", "treasury"


@dataclass(frozen=True, slots=True)
class Rank:
    """Players with the same number of crowns, and the place that they share (1 is the best)."""

    place: int
    players: tuple[str, ...]
    crowns: int


def ranks(s: Scaffold) -> tuple[Rank, ...]:
    """Best first; in a tie-break only its contenders are ranked."""
    players = s.contenders or s.table.seats
    found: list[Rank] = []
    place = 1
    for crowns in sorted({s.purse(p) for p in players}, reverse=True):
        tied = tuple(p for p in players if s.purse(p) == crowns)
        found.append(Rank(place, tied, crowns))
        place += len(tied)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Share:
    """Ledger moves that are spoken as one: the same reason and sum, for several players."""

    reason: str
    players: tuple[str, ...]
    crowns: int
    other: str  # the one who pays or is paid on the other side


def shares(s: Scaffold) -> tuple[Share, ...]:
    """In the ledger's order; what the treasury pays for empty purses is one sum."""
    found: dict[tuple[object, ...], Share] = {}
    for move in s.ledger:
        reason = "theft_paid" if move.reason == THEFT and move.payer == TREASURY else move.reason
        stolen = reason == THEFT or move.payee == TREASURY
        player, other = (move.payer, move.payee) if stolen else (move.payee, move.payer)
        summed = reason in ("theft_paid", TOKEN)
        key = (reason, player, other) if summed else (reason, move.crowns, other)
        known = found.get(key)
        if known is None:
            found[key] = Share(reason, (player,), move.crowns, other)
        elif summed:
            found[key] = replace(known, crowns=known.crowns + move.crowns)
        else:
            found[key] = replace(known, players=(*known.players, player))
    return tuple(found.values())


# ---- roles at the end


def _declared(s: Scaffold, role: str) -> Scaffold:
    return replace(s, declared=(*s.declared, (s.asked, role)), doubt="", claim="")


def _fool_may_have_cheese(s: Scaffold, box: Box) -> bool:
    """The one declared last, if no stroke has shown the item; a mimic of an open cheese counts."""
    if s.cheese_asked or not s.declared or s.declared[-1][1] != FOOL or s.saboteurs_win:
        return False
    as_mimic = s.centre == CHEESE and may_have(s, MIMIC, box)
    return s.declared[-1][0] in s.unharmed and (may_have(s, CHEESE, box) or as_mimic)


# ---- the next game


def _may_succeed(box: Box) -> Check:
    def check(s: Scaffold, slots: Slots) -> Refusal | None:
        player = slots["player"]
        if player == s.executioner:
            return Refusal("not_yourself", {"player": player})
        if box.everyone_once and player in s.executioners and not_yet(s):
            return Refusal("was_executioner", {"player": player})
        return None

    return check


def not_yet(s: Scaffold) -> tuple[str, ...]:
    """Who has not been executioner tonight."""
    return tuple(p for p in s.clockwise if p not in (*s.executioners, s.executioner))


def _next_game(s: Scaffold, executioner: str) -> Scaffold:
    """§5: everybody keeps what is in the purse; all cards are dealt anew."""
    return Scaffold(
        s.phase,
        table=s.table,
        set_up=True,
        turn=s.turn + 1,
        executioner=executioner,
        executioners=(*s.executioners, s.executioner),
        purses=s.purses,
        total=s.total,
        gems=s.gems,
        contenders=s.contenders,
        tie_left=s.tie_left,
    )


def _tie_break(s: Scaffold, slots: Slots) -> Scaffold:
    """FAQ: each of the tied players is executioner once, then compare."""
    tied = ranks(s)[0].players
    return _next_game(replace(s, contenders=tied, tie_left=tied[1:]), tied[0])


def _close(s: Scaffold, slots: Slots) -> Scaffold:
    how = EMPTY if s.short else EVENING
    return replace(s, end=Ending(how, ranks(s)[0].players), told_ranks=0)


def tied(s: Scaffold) -> bool:
    return len(ranks(s)[0].players) > 1


def checks(box: Box) -> Mapping[str, Check]:
    return {
        "may_succeed": _may_succeed(box),
        "may_break_tie": lambda s, slots: None if tied(s) else Refusal("no_tie"),
    }


def actions(box: Box) -> Mapping[str, Action]:
    def declare(role: str) -> Action:
        def act(s: Scaffold, slots: Slots) -> Scaffold:
            return _declared(s, role) if may_be(s, role, box) else replace(s, doubt="role", claim=role)

        return act

    return {
        **{f"declare_{role}": declare(role) for role in ("loyalist", "saboteur", "princess", "fool")},
        "believe_role": lambda s, slots: _declared(replace(s, roles=()), s.claim),
        "disbelieve_role": lambda s, slots: replace(s, doubt="", claim=""),
        "has_cheese": lambda s, slots: replace(s, cheese=True, cheese_asked=True),
        "has_no_cheese": lambda s, slots: replace(s, cheese_asked=True),
        "settle": lambda s, slots: settled(s, box),
        "next_share": lambda s, slots: replace(s, told=s.told + 1),
        "next_rank": lambda s, slots: replace(s, told_ranks=s.told_ranks + 1),
        "succeed": lambda s, slots: _next_game(s, slots["player"]),
        "next_contender": lambda s, slots: _next_game(replace(s, tie_left=s.tie_left[1:]), s.tie_left[0]),
        "tie_break": _tie_break,
        "close": _close,
    }


def conditions(box: Box) -> Mapping[str, Condition]:
    def paying(reason: str) -> Condition:
        return lambda s: s.told < len(shares(s)) and shares(s)[s.told].reason == reason

    return {
        "role_asked": lambda s: s.asked != "",
        "cheese_due": lambda s: _fool_may_have_cheese(s, box),
        "more_shares": lambda s: s.told < len(shares(s)),
        "nothing_paid": lambda s: not s.ledger,
        **{f"pays_{reason}": paying(reason) for reason in (*ORDER, "theft_paid", TOKEN)},
        "short": lambda s: s.short,
        "tie_goes_on": lambda s: bool(s.tie_left) and not s.short,
        "evening_over": lambda s: s.short or bool(s.contenders),
        "everyone_was": lambda s: not not_yet(s),
        "more_ranks": lambda s: s.told_ranks < len(ranks(s)),
        "tied": tied,
        "tie_breaking": lambda s: bool(s.contenders),
    }
