"""A deal that the game master types in, one sentence a role, before the first turn.

Text: "La Harpie", "Le serpent", "Rôles spéciaux". A player whose role is typed again has the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.errors import RuleError
from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.deal import check
from narrator.games.pyramide.ranks import Pyramid, Rank
from narrator.games.pyramide.roles import SPECIAL, Deal, Role
from narrator.games.pyramide.state import Die, Meereen


def without(dealt: Deal, player: str) -> Deal:
    """The deal in which a player is nobody; a lieutenant's henchmen are nobody then either."""
    kept = [(leader, cell) for leader, cell in zip(dealt.lieutenants, dealt.cells, strict=True) if leader != player]
    cells = tuple(tuple(one for one in cell if one != player) for _, cell in kept)
    return replace(
        dealt,
        harpy="" if dealt.harpy == player else dealt.harpy,
        lieutenants=tuple(leader for leader, _ in kept),
        cells=cells,
        serpent=dealt.serpent if any(dealt.serpent in cell for cell in cells) else "",
    )


def may_be_henchman(state: Meereen, slots: Slots) -> Refusal | None:
    leader = slots["other"]
    return None if leader in state.deal.lieutenants else Refusal("mj_fault_no_lieutenant", {"player": leader})


def may_be_serpent(state: Meereen, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if player in state.deal.henchmen else Refusal("mj_fault_no_henchman", {"player": player})


def is_role(state: Meereen, slots: Slots) -> Meereen:
    player, role, dealt = slots["player"], Role(slots["role"]), state.deal
    if role in SPECIAL:
        specials = {holder: held for holder, held in dealt.specials.items() if holder != player}
        specials[player] = role
        return state.hide(deal=replace(dealt, specials=specials, given=tuple(specials.values())))
    if role == Role.SERPENT:
        return state.hide(deal=replace(dealt, serpent=player))
    dealt = without(dealt, player)
    if role == Role.HARPY:
        return state.hide(deal=replace(dealt, harpy=player))
    return state.hide(deal=replace(dealt, lieutenants=(*dealt.lieutenants, player), cells=(*dealt.cells, ())))


def is_henchman(state: Meereen, slots: Slots) -> Meereen:
    player, leader = slots["player"], slots["other"]
    dealt = without(state.deal, player) if player != leader else state.deal
    cells = tuple(
        (*cell, player) if one == leader and player != leader else cell
        for one, cell in zip(dealt.lieutenants, dealt.cells, strict=True)
    )
    return state.hide(deal=replace(dealt, cells=cells))


def is_nobody(state: Meereen, slots: Slots) -> Meereen:
    player = slots["player"]
    specials = {holder: held for holder, held in state.deal.specials.items() if holder != player}
    return state.hide(deal=replace(without(state.deal, player), specials=specials, given=tuple(specials.values())))


def deal_whole(state: Meereen, slots: Slots, house: House) -> Refusal | None:
    if misplaced := _misplaced(state.pyramid, state.deal):
        return misplaced
    try:
        check(house.plan, state.pyramid, state.deal)
    except RuleError:
        return Refusal("mj_fault_deal")
    return None


def _misplaced(pyramid: Pyramid, dealt: Deal) -> Refusal | None:
    """Who has a role that is not theirs to have: told by name, as nothing is missing then."""
    for player in dealt.sons:
        if pyramid.ranks[player] == Rank.COUNCILLOR:
            return Refusal("mj_fault_deal_council", {"player": player})
    for player, role in dealt.specials.items():
        if SPECIAL[role].camp is not None and dealt.is_son(player):
            return Refusal("mj_fault_deal_son", {"player": player, "roles": (role,)})
        holders = tuple(p for p, held in dealt.specials.items() if held == role)
        if len(holders) > SPECIAL[role].most:
            return Refusal("mj_fault_deal_twice", {"whom": holders, "roles": (role,)})
    return None


def close_deal(state: Meereen, slots: Slots) -> Meereen:
    """Quaithe's prophecies are drawn for a typed deal too."""
    return state.hide(dice=(Die("deal"),))


def checks(house: House) -> Mapping[str, Check]:
    return {
        "may_be_henchman": may_be_henchman,
        "may_be_serpent": may_be_serpent,
        "deal_whole": lambda state, slots: deal_whole(state, slots, house),
    }


ACTIONS: Mapping[str, Action] = {
    "is_role": is_role,
    "is_henchman": is_henchman,
    "is_nobody": is_nobody,
    "close_deal": close_deal,
}
