"""The scaffold (§3, FAQ): who may be executed, what the items do, when the game ends at once.

An escape (shield, parasite) and a dummy leave the prisoner alive and never executed again. A mimic is the centre item.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.states import Action, Check, Refusal
from narrator.games.bourreau.configuration import (
    CHEESE,
    DUMMY,
    FOOL,
    MIMIC,
    PARASITE,
    PARDON,
    PRINCESS,
    SHIELD,
    Box,
)
from narrator.games.bourreau.state import (
    DIED,
    DUMMY_DIED,
    ESCAPED,
    STOPPED,
    Execution,
    Scaffold,
    active,
    may_be,
    may_have,
    seen_items,
)


def neighbours(s: Scaffold, player: str, box: Box) -> tuple[str, ...]:
    """Whom the bearer of a shield may execute: directly left and right (RULINGS; by option the next legal ones)."""
    found = []
    seats = s.table.seats
    for step in (1, -1):
        at = seats.index(player)
        for _ in range(len(seats) if box.shield_skips else 1):
            at = (at + step) % len(seats)
            if seats[at] in s.unharmed and seats[at] != player:
                found.append(seats[at])
                break
    return tuple(dict.fromkeys(found))


# ---- what may be


def may_execute(s: Scaffold, slots: Slots) -> Refusal | None:
    player = slots["player"]
    facts = {"player": player}
    if player == s.executioner:
        return Refusal("executioner_stays", facts)
    if player in s.dead:
        return Refusal("already_dead", facts)
    return None if player in s.unharmed else Refusal("has_escaped", facts)


def _may_aim_again(box: Box) -> Check:
    """Before the gesture; a shield's bearer stays bound to the neighbours."""

    def check(s: Scaffold, slots: Slots) -> Refusal | None:
        if s.by == s.executioner or slots["player"] in neighbours(s, s.by, box):
            return may_execute(s, slots)
        return may_execute(s, slots) or Refusal("not_a_neighbour", {"player": slots["player"]})

    return check


def _goes_on(s: Scaffold) -> bool:
    """Nobody said a role, and the executioner goes on: that is a no, unless the game ends here."""
    return s.by != PARASITE and s.effective != PARDON


def _may_execute_next(s: Scaffold, slots: Slots) -> Refusal | None:
    return may_execute(_recorded(s, DIED), slots) if _goes_on(s) else Refusal("not_now")


def checks(box: Box) -> Mapping[str, Check]:
    def may_strike(s: Scaffold, slots: Slots) -> Refusal | None:
        if slots["player"] in neighbours(s, s.by, box):
            return None
        return may_execute(s, slots) or Refusal("not_a_neighbour", {"player": slots["player"]})

    def may_be_role(role: str) -> Check:
        return lambda s, slots: None if may_be(s, role, box) else Refusal("role_not_active", {"role": role})

    def may_be_nobody(s: Scaffold, slots: Slots) -> Refusal | None:
        """Every active item lies somewhere: with an open centre, somebody must have it."""
        known = bool(s.items) and bool(s.centre)
        return Refusal("parasite_is_somewhere") if known else None

    return {
        "may_execute": may_execute,
        "may_strike": may_strike,
        "may_aim_again": _may_aim_again(box),
        "may_execute_next": _may_execute_next,
        "may_stop_next": lambda s, slots: None if _goes_on(s) else Refusal("not_now"),
        "may_stop": lambda s, slots: None if s.executed else Refusal("execute_first"),
        "may_be_princess": may_be_role(PRINCESS),
        "may_be_fool": may_be_role(FOOL),
        "may_hold": _may_hold,
        "may_be_centre": lambda s, slots: Refusal("centre_is_known", {"item": s.centre}) if s.centre else None,
        "may_be_nobody": may_be_nobody,
        "say_no": lambda s, slots: Refusal("keep_your_role"),
        "say_which": lambda s, slots: Refusal("say_which_role"),
        "say_your_name": lambda s, slots: Refusal("say_your_name"),
    }


def _may_hold(s: Scaffold, slots: Slots) -> Refusal | None:
    """Who was executed has shown an item already."""
    player = slots["player"]
    if player == s.executioner:
        return Refusal("executioner_has_no_card", {"player": player})
    return None if player in s.unharmed else Refusal("has_shown", {"player": player})


# ---- what is done


def _recorded(s: Scaffold, fate: str, role: str = "") -> Scaffold:
    stroke = Execution(s.target, s.by, s.effective, fate, role, s.item)
    how = s.how
    if fate == DIED and (role == PRINCESS or s.effective == PARDON):
        how = PRINCESS if role == PRINCESS else PARDON
    return replace(s, executions=(*s.executions, stroke), how=how)


def _shield(s: Scaffold, slots: Slots) -> Scaffold:
    """FAQ: its bearer escapes, and strikes in the executioner's place."""
    return replace(_recorded(s, ESCAPED), by=s.target)


def aim(s: Scaffold, slots: Slots) -> Scaffold:
    """Where a shield strikes, its bearer already stands as the one who does."""
    by = s.by if s.phase == "shield_strike" else s.executioner
    return replace(s, target=slots["player"], by=by, item="", doubt="", claim="")


def _stop(s: Scaffold, slots: Slots) -> Scaffold:
    return replace(s, how=STOPPED, target="", by="", item="", claim="")


def _hold(item: str) -> Action:
    """FAQ: whoever has the parasite at the end, and was not executed, dies of it."""
    return lambda s, slots: replace(s, target=slots["player"], by=PARASITE, item=item, claim="")


def actions(box: Box) -> Mapping[str, Action]:
    def reveal(s: Scaffold, slots: Slots) -> Scaffold:
        item = slots["item"]
        return replace(s, item=item, doubt="" if may_have(s, item, box) else "item")

    def open_centre(s: Scaffold, slots: Slots) -> Scaffold:
        item = slots["item"]
        seen = seen_items(s)[item] + (s.item == item)
        return replace(s, centre=item, doubt="" if active(s.items, box.items)[item] > seen else "centre")

    return {
        "aim": aim,
        "reveal": reveal,
        "open_centre": open_centre,
        "believe": lambda s, slots: replace(s, doubt="", items=()),
        "disbelieve": _disbelieve,
        "reveal_again": lambda s, slots: open_centre(s, slots) if s.doubt == "centre" else reveal(s, slots),
        "unreveal": lambda s, slots: replace(s, item=""),
        "escape": lambda s, slots: _recorded(s, ESCAPED),
        "lose_dummy": lambda s, slots: _recorded(s, DUMMY_DIED),
        "raise_shield": _shield,
        "die": lambda s, slots: _recorded(s, DIED, s.claim),
        "die_princess": lambda s, slots: _recorded(s, DIED, PRINCESS),
        "die_fool": lambda s, slots: _recorded(s, DIED, FOOL),
        "die_then_aim": lambda s, slots: aim(_recorded(s, DIED), slots),
        "die_then_stop": lambda s, slots: _stop(_recorded(s, DIED), slots),
        "claim_princess": lambda s, slots: replace(s, claim=PRINCESS),
        "claim_fool": lambda s, slots: replace(s, claim=FOOL),
        "aim_again": lambda s, slots: replace(s, target=slots["player"], claim=""),
        "stop": _stop,
        "hold_parasite": _hold(PARASITE),
        "hold_mimic": _hold(MIMIC),
        "parasite_in_centre": lambda s, slots: replace(s, centre=PARASITE),
        "nobody_has_parasite": lambda s, slots: (
            replace(s, centre=PARASITE) if s.items else replace(s, nobody_has=(*s.nobody_has, PARASITE))
        ),
        "nobody_has_mimic": lambda s, slots: replace(s, nobody_has=(*s.nobody_has, MIMIC)),
    }


def _disbelieve(s: Scaffold, slots: Slots) -> Scaffold:
    """It was misheard: asked again."""
    return replace(s, centre="", doubt="") if s.doubt == "centre" else replace(s, item="", doubt="")


# ---- what holds


def conditions(box: Box) -> Mapping[str, Condition]:
    def due(item: str, s: Scaffold) -> bool:
        return bool(s.unharmed) and item not in s.nobody_has and may_have(s, item, box)

    return {
        "nobody_executed": lambda s: not s.executed,
        "nobody_left": lambda s: not s.unharmed,
        "doubtful": lambda s: s.doubt != "",
        "doubtful_centre": lambda s: s.doubt == "centre",
        "doubtful_role": lambda s: s.doubt == "role",
        "centre_needed": lambda s: s.item == MIMIC and not s.centre,
        "is_mimic": lambda s: s.item == MIMIC,
        "is_shield": lambda s: s.effective == SHIELD,
        "is_dummy": lambda s: s.effective == DUMMY,
        "is_parasite": lambda s: s.effective == PARASITE and s.by != PARASITE,
        "is_pardon": lambda s: s.effective == PARDON,
        "by_parasite": lambda s: s.by == PARASITE,
        "can_strike": lambda s: bool(neighbours(s, s.by, box)) if s.by in s.table else False,
        "role_open": lambda s: not s.claim and (may_be(s, PRINCESS, box) or may_be(s, FOOL, box)),
        "princess_died": lambda s: s.how == PRINCESS,
        "pardon_died": lambda s: s.how == PARDON,
        "fool_fed": lambda s: any(e.role == FOOL and e.item == CHEESE for e in s.executions[-1:]),
        "fool_steals": lambda s: any(e.role == FOOL and e.item != CHEESE for e in s.executions[-1:]),
        "rebellion": lambda s: s.saboteurs_win,
        "stopped": lambda s: s.how == STOPPED,
        "parasite_due": lambda s: due(PARASITE, s),
        "mimic_due": lambda s: s.centre == PARASITE and due(MIMIC, s),
    }
