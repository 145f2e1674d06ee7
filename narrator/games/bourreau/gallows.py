"""Gallows cards and the prisoners' actions (§2): who still owes one, what is forbidden, whom a card chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.effects import Roll
from narrator.core.events import Slots
from narrator.core.phases import Condition
from narrator.core.states import Action, Check, Refusal
from narrator.games.bourreau.configuration import Box
from narrator.games.bourreau.executions import aim, may_execute
from narrator.games.bourreau.state import Scaffold

CARDS_A_GAME = 2
CHOICES = ("extra", "look", "swap", "reveal")  # effects for which a prisoner is chosen
SWAP, LOOK = "swap", "look"


def owed(s: Scaffold) -> tuple[str, ...]:
    """Who must still act; nobody, where both actions are forbidden."""
    return () if {SWAP, LOOK} <= set(s.forbidden) else tuple(dict.fromkeys(s.to_act))


def draw(s: Scaffold, box: Box) -> Roll | None:
    """A card of the house's own gallows, for a table that has none: never the same twice in a game."""
    if s.phase != "draw_gallows":
        return None
    return Roll(f"gallows{s.drawn + 1}", tuple(card for card in box.gallows if card not in s.gallows))


def _may_act(s: Scaffold, slots: Slots) -> Refusal | None:
    player = slots.get("player", s.actor)
    if player == s.executioner:
        return Refusal("executioner_does_not_act", {"player": player})
    return None if player in owed(s) else Refusal("has_acted", {"player": player})


def _may(what: str, forbidden: str) -> Check:
    def check(s: Scaffold, slots: Slots) -> Refusal | None:
        if slots.get("other") == s.executioner:
            return Refusal("executioner_has_no_card", {"player": s.executioner})
        return Refusal(forbidden) if what in s.forbidden else _may_act(s, slots)

    return check


def _may_choose(s: Scaffold, slots: Slots) -> Refusal | None:
    """§2: where a card says “choose”, the executioner can never be chosen."""
    return Refusal("executioner_not_chosen", {"player": slots["player"]}) if slots["player"] == s.executioner else None


def _not_executioner(s: Scaffold, slots: Slots) -> Refusal | None:
    player = slots.get("player", "")
    return Refusal("executioner_asks", {"player": player}) if player == s.executioner else None


def _card_left(s: Scaffold, slots: Slots) -> Refusal | None:
    return Refusal("card_is_out") if slots["card"] in s.gallows else None


def _may_go_on(s: Scaffold, slots: Slots) -> Refusal | None:
    """Past a second gallows card that nobody told."""
    due = owed(s) or s.drawn < CARDS_A_GAME - 1
    return Refusal("not_now") if due else may_execute(s, slots)


CHECKS: Mapping[str, Check] = {
    "card_left": _card_left,
    "may_go_on_to_execute": _may_go_on,
    "may_act": _may_act,
    "may_swap": _may(SWAP, "swap_forbidden"),
    "may_look": _may(LOOK, "look_forbidden"),
    "may_choose": _may_choose,
    "may_question": _not_executioner,
}


def _act(s: Scaffold, slots: Slots) -> Scaffold:
    player, to_act = slots.get("player", s.actor), list(s.to_act)
    to_act.remove(player)
    return replace(s, to_act=tuple(to_act), acted=(*s.acted, player), actor="")


def _effect_over(s: Scaffold, slots: Slots) -> Scaffold:
    return replace(s, effects=s.effects[1:], target="")


def _give_action(s: Scaffold, slots: Slots) -> Scaffold:
    """Only an extra action is given at once; the other effects are work for hands."""
    if s.effects[0] != "extra":
        return s
    return _effect_over(replace(s, to_act=(*s.to_act, s.target)), slots)


def _forbid(s: Scaffold, slots: Slots) -> Scaffold:
    what = s.effects[0].removeprefix("forbid_")
    return _effect_over(replace(s, forbidden=tuple(dict.fromkeys((*s.forbidden, what)))), slots)


def actions(box: Box) -> Mapping[str, Action]:
    def open_card(s: Scaffold, card: str, effects: tuple[str, ...]) -> Scaffold:
        gallows = (*s.gallows, card) if card else s.gallows
        real = tuple(effect for effect in effects if effect != "nothing")
        return replace(s, drawn=s.drawn + 1, card=card, gallows=gallows, effects=real)

    return {
        "open_named_card": lambda s, slots: open_card(s, slots["card"], box.gallows[slots["card"]].effects),
        "open_drawn_card": lambda s, slots: open_card(s, slots["value"], box.gallows[slots["value"]].effects),
        "open_effect": lambda s, slots: open_card(s, "", (slots["effect"],)),
        "open_nothing": lambda s, slots: open_card(s, "", ()),
        "go_on_to_turn": lambda s, slots: replace(open_card(s, "", ()), actor=slots["player"]),
        "go_on_to_act": lambda s, slots: _act(open_card(s, "", ()), slots),
        "go_on_to_execute": lambda s, slots: aim(open_card(s, "", ()), slots),
        "give_action": _give_action,
        "choose": lambda s, slots: replace(s, target=slots["player"]),
        "effect_over": _effect_over,
        "forbid": _forbid,
        "call_turn": lambda s, slots: replace(s, actor=slots["player"]),
        "act": _act,
        "question": lambda s, slots: replace(s, interrupted=s.phase, questioned=slots.get("player", "")),
        "question_over": lambda s, slots: replace(s, questioned=""),
    }


def _over(s: Scaffold) -> bool:
    return not owed(s)


def _pending(effects: tuple[str, ...]) -> Condition:
    return lambda s: bool(s.effects) and s.effects[0] in effects


def _from(phase: str) -> Condition:
    return lambda s: s.interrupted == phase


def conditions(box: Box) -> Mapping[str, Condition]:
    """What a card's text decides, beside what the state does."""

    def told(s: Scaffold) -> bool:
        return s.card != "" and box.gallows[s.card].text != ""

    return {
        **CONDITIONS,
        "card_told": told,
        "card_untold": lambda s: s.card != "" and not told(s),
    }


CONDITIONS: Mapping[str, Condition] = {
    "first_card": lambda s: s.drawn == 0,
    "round_over": lambda s: _over(s) and s.drawn < CARDS_A_GAME,
    "actions_over": lambda s: _over(s) and s.drawn >= CARDS_A_GAME,
    "nobody_acted": lambda s: not s.acted,
    "wants_choice": _pending(CHOICES),
    "wants_hands": _pending((SWAP, LOOK, "reveal")),
    "wants_passing": _pending(("pass_left",)),
    "wants_forbidding": _pending(("forbid_swap", "forbid_look")),
    **{f"effect_{effect}": _pending((effect,)) for effect in (*CHOICES, "forbid_swap", "forbid_look")},
    "may_swap_now": lambda s: SWAP not in s.forbidden,
    "may_look_now": lambda s: LOOK not in s.forbidden,
    "somebody_questioned": lambda s: s.questioned != "",
    **{f"from_{phase}": _from(phase) for phase in ("gallows", "actions", "acting")},
}
