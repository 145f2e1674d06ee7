"""Any public fact can be set right by a sentence (RULINGS, last line of "All games").

Money is never made or lost by a correction: what a purse gains, the treasury gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.bourreau.state import Scaffold


def _purse_possible(s: Scaffold, slots: Slots) -> Refusal | None:
    """While a ledger is being told the purses are on their way."""
    player, n = slots["player"], slots["n"]
    if s.phase in ("paying", "ranking", "over"):
        return Refusal("not_now")
    if n - s.purse(player) > s.treasury:
        return Refusal("treasury_too_small", {"player": player, "n": n})
    return None


def _set_purse(s: Scaffold, slots: Slots) -> Scaffold:
    at = s.table.seats.index(slots["player"])
    return replace(s, purses=(*s.purses[:at], slots["n"], *s.purses[at + 1 :]))


def _acted_possible(s: Scaffold, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if s.phase not in ("actions", "acting") or player == s.executioner:
        return Refusal("not_now")
    return None if player in s.to_act else Refusal("has_acted", {"player": player})


def _not_acted_possible(s: Scaffold, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if s.phase not in ("actions", "acting", "gallows") or player == s.executioner:
        return Refusal("not_now")
    return None if player in s.acted else Refusal("has_not_acted", {"player": player})


def _set_not_acted(s: Scaffold, slots: Slots) -> Scaffold:
    acted = list(s.acted)
    acted.remove(slots["player"])
    return replace(s, acted=tuple(acted), to_act=(*s.to_act, slots["player"]))


def _set_acted(s: Scaffold, slots: Slots) -> Scaffold:
    to_act = list(s.to_act)
    to_act.remove(slots["player"])
    actor = "" if s.actor == slots["player"] else s.actor
    return replace(s, to_act=tuple(to_act), acted=(*s.acted, slots["player"]), actor=actor)


def _executioner_possible(s: Scaffold, slots: Slots) -> Refusal | None:
    """As long as nobody has acted or been executed, and outside of a tie-break."""
    begun = s.acted or s.executions or s.how or s.contenders or s.end or s.target or s.drawn
    return Refusal("too_late") if begun or not s.executioner else None


def _set_executioner(s: Scaffold, slots: Slots) -> Scaffold:
    now = replace(s, executioner=slots["player"])
    return replace(now, to_act=now.prisoners if s.to_act else ())


def _spare_possible(s: Scaffold, slots: Slots) -> Refusal | None:
    if s.phase != "executions":
        return Refusal("not_now")
    return None if slots["player"] in s.executed else Refusal("not_executed", {"player": slots["player"]})


def _spare(s: Scaffold, slots: Slots) -> Scaffold:
    """The stroke never happened, nor what a shield made of it."""
    spared = {slots["player"]}
    for e in s.executions:  # in the order of the strokes, so that a chain is followed to its end
        if e.by in spared:
            spared.add(e.player)
    return replace(s, executions=tuple(e for e in s.executions if e.player not in spared), target="", item="", by="")


def _cards_known(s: Scaffold, slots: Slots) -> Refusal | None:
    """In the middle of the repairs “passe” leads on without them."""
    if s.phase in ("no_pardon", "no_mundane", "draw_item"):
        return Refusal("not_now")
    return None if s.items or s.roles else Refusal("cards_unknown")


CHECKS: Mapping[str, Check] = {
    "purse_possible": _purse_possible,
    "acted_possible": _acted_possible,
    "not_acted_possible": _not_acted_possible,
    "executioner_possible": _executioner_possible,
    "spare_possible": _spare_possible,
    "cards_known": _cards_known,
}

ACTIONS: Mapping[str, Action] = {
    "set_purse": _set_purse,
    "set_acted": _set_acted,
    "set_not_acted": _set_not_acted,
    "set_executioner": _set_executioner,
    "spare": _spare,
    "forget_cards": lambda s, slots: replace(s, items=(), roles=()),
}
