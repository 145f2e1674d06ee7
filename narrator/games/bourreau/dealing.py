"""Which cards are active (§1), announced one by one, and the repairs that always follow. RULINGS = docs/RULINGS.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.states import Action, Check, Refusal
from narrator.games.bourreau.configuration import MUNDANE, PARDON, Box
from narrator.games.bourreau.state import Scaffold


def lacks_pardon(s: Scaffold) -> bool:
    return bool(s.items) and PARDON not in s.items


def lacks_mundane(s: Scaffold) -> bool:
    return bool(s.items) and not any(item in MUNDANE for item in s.items)


def checks(box: Box) -> Mapping[str, Check]:
    def may_add(kind: str, cards: Mapping[str, int]) -> Check:
        def check(s: Scaffold, slots: Slots) -> Refusal | None:
            active, card, n = getattr(s, f"{kind}s"), slots[kind], slots.get("n", 1)
            if Counter(active)[card] + n > cards[card]:
                return Refusal("not_so_many", {kind: card, "n": cards[card]})
            missing = box.seats - len(active)
            return Refusal("too_many_cards", {"missing": missing}) if not 0 < n <= missing else None

        return check

    def complete(cards: tuple[str, ...]) -> Refusal | None:
        """“C'est fait” in the middle of a list; before its first card it means that nobody will tell them."""
        return Refusal("some_missing", {"missing": box.seats - len(cards)}) if cards else None

    return {
        "no_role_missing": lambda s, slots: complete(s.roles),
        "no_item_missing": lambda s, slots: complete(s.items),
        "may_add_item": may_add("item", box.items),
        "may_add_role": may_add("role", box.roles),
        "may_remove": _may_remove,
        "may_take_back": lambda s, slots: None if _taken_back(s) != s else Refusal("nothing_to_undo"),
    }


def _may_remove(s: Scaffold, slots: Slots) -> Refusal | None:
    """§1: an item of the executioner's choice, but never the last pardon."""
    item = slots["item"]
    if item not in s.items:
        return Refusal("not_active", {"item": item})
    last = item == PARDON and s.items.count(PARDON) == 1
    return Refusal("keep_last_pardon") if last else None


def _remove(s: Scaffold, slots: Slots) -> Scaffold:
    items = list(s.items)
    items.remove(slots["item"])
    return replace(s, items=tuple(items))


def _taken_back(s: Scaffold) -> Scaffold:
    return replace(s, items=s.items[:-1]) if s.phase == "items" else replace(s, roles=s.roles[:-1])


def _begin(s: Scaffold, slots: Slots) -> Scaffold:
    """The cards are dealt: every prisoner has one action."""
    return replace(s, to_act=s.prisoners)


ACTIONS: Mapping[str, Action] = {
    "name_executioner": lambda s, slots: replace(s, executioner=slots["player"]),
    "draw_executioner": lambda s, slots: replace(s, executioner=slots["value"]),
    "add_item": lambda s, slots: replace(s, items=(*s.items, *[slots["item"]] * slots.get("n", 1))),
    "add_role": lambda s, slots: replace(s, roles=(*s.roles, *[slots["role"]] * slots.get("n", 1))),
    "forget_items": lambda s, slots: replace(s, items=()),
    "forget_roles": lambda s, slots: replace(s, roles=()),
    "put_pardon": lambda s, slots: replace(s, items=(*s.items[:-1], PARDON)),
    "remove_item": _remove,
    "begin_actions": _begin,
}


def conditions(box: Box) -> Mapping[str, Condition]:
    return {
        "set_up": lambda s: s.set_up,
        "executioner_known": lambda s: s.executioner != "",
        "first_game": lambda s: s.turn == 1,
        "roles_told": lambda s: len(s.roles) >= box.seats,
        "items_told": lambda s: len(s.items) >= box.seats,
        "some_roles": lambda s: bool(s.roles),
        "some_items": lambda s: bool(s.items),
        "lacks_pardon": lacks_pardon,
        "lacks_mundane": lacks_mundane,
    }
