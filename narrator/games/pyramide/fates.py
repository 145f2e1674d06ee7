"""The dice that only the game master sees: the deal, the return of the murdered, who gives themselves away.

Text: "La Harpie", the note on the first phase, "Rôles spéciaux". Each die is thrown by itself, in the text's order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.effects import Roll
from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.pyramide import returning
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.deal import deal, drawn_prophecies, with_role
from narrator.games.pyramide.draws import pick, spread
from narrator.games.pyramide.knowledge import knowledge, news
from narrator.games.pyramide.roles import Deal, Prophecies, Role
from narrator.games.pyramide.specials import revealed
from narrator.games.pyramide.state import Comeback, Die, Meereen


def private_roll(state: Meereen) -> Roll | None:
    """The first die that waits."""
    return Roll("fate", key=state.hidden.dice[0].key, private=True) if state.hidden.dice else None


def throw(state: Meereen, slots: Slots, house: House) -> Meereen:
    if not state.hidden.dice:
        return state  # taken back meanwhile
    die, value = state.hidden.dice[0], float(slots["value"])
    state = state.hide(dice=state.hidden.dice[1:], last=die.what)
    if die.what == "deal":
        return state.hide(deal=_dealt(state, house, value), dealt=True)
    if die.what == "revealed":
        question = state.hidden.question
        held = state.deal.specials.get(die.player)
        return state.hide(question=replace(question, revealed=held is not None and revealed(held, value)))
    return _returning(state, die, value)


def _dealt(state: Meereen, house: House, value: float) -> Deal:
    """What was written down or typed in, else what this draw deals; Quaithe's prophecies are drawn in any case."""
    draws = spread(value)
    given = house.deal or (state.deal if state.deal.harpy else None)
    if given is None:
        return deal(house.plan, state.pyramid, draws)
    quaithe = given.holder(Role.QUAITHE)
    if quaithe and given.prophecies == Prophecies():
        return replace(given, prophecies=drawn_prophecies(state.pyramid, quaithe, draws))
    return given


# ---- the return


def open_return(state: Meereen, slots: Slots, house: House) -> Meereen:
    """A die for each of the loyal that squads killed: is the return offered?"""
    able = returning.may_return(state.pyramid, state.deal, state.murdered, state.turn, every_turn=house.return_always)
    return state.hide(offers=(), dice=(*state.hidden.dice, *(Die("offered", player) for player in able)))


def _returning(state: Meereen, die: Die, value: float) -> Meereen:
    if die.what == "offered":
        more = (Comeback(die.player),) if returning.offered(value) else ()
        return state.hide(offers=(*state.hidden.offers, *more))
    if die.what == "gains":
        more_dice = (Die("role", die.player),) if returning.gains(value) else ()
        return state.hide(dice=(*more_dice, *state.hidden.dice))
    if die.what == "joins":
        return _noted(state, die.player, joins=returning.joins(value))
    return _noted(state, die.player, role=value)


def _noted(state: Meereen, player: str, **changes: object) -> Meereen:
    offers = tuple(
        replace(offer, **changes) if offer.player == player else offer  # type: ignore[arg-type]
        for offer in state.hidden.offers
    )
    return state.hide(offers=offers)


def was_offered(state: Meereen, slots: Slots) -> Refusal | None:
    player = slots["player"]
    offer = next((offer for offer in state.hidden.offers if offer.player == player), None)
    if offer is None:
        return Refusal("mj_fault_not_offered", {"player": player})
    return Refusal("mj_fault_answered", {"player": player}) if offer.accepted is not None else None


def accept(state: Meereen, slots: Slots) -> Meereen:
    player = slots["player"]
    after = _noted(state, player, accepted=True)
    return after.hide(dice=(*after.hidden.dice, Die("joins", player), Die("gains", player)))


def decline(state: Meereen, slots: Slots) -> Meereen:
    return _noted(state, slots["player"], accepted=False)


def bring_back(state: Meereen, slots: Slots) -> Meereen:
    """Those who accepted are brass beasts again, some of them more than that."""
    pyramid, dealt = state.pyramid, state.deal
    back = tuple(offer for offer in state.hidden.offers if offer.accepted)
    for offer in back:
        pyramid, dealt = returning.come_back(pyramid, dealt, offer.player)
        if offer.joins:
            dealt = returning.joined(pyramid, dealt, offer.player)
        roles = returning.open_roles(dealt, offer.player) if offer.role >= 0 else ()
        if roles:
            draws = spread(offer.role)
            dealt = with_role(dealt, pyramid, offer.player, pick(roles, next(draws)), draws)
    told = news(knowledge(state.deal, state.pyramid), knowledge(dealt, pyramid))
    after = replace(state, pyramid=pyramid, returned=tuple(offer.player for offer in back))
    return after.hide(deal=dealt, news=told)


CHECKS: Mapping[str, Check] = {"was_offered": was_offered}


def actions(house: House) -> Mapping[str, Action]:
    return {
        "throw": lambda state, slots: throw(state, slots, house),
        "open_return": lambda state, slots: open_return(state, slots, house),
        "accept": accept,
        "decline": decline,
        "bring_back": bring_back,
    }
