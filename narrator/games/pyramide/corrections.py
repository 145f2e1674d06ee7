"""What the game master sets right by a sentence: deaths, ranks, offices; and the end, when everything is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.points import fulfilled, ranking, scores
from narrator.games.pyramide.ranks import OFFICE_RANK, Office, Rank, appointed, killed
from narrator.games.pyramide.roles import Camp, Role
from narrator.games.pyramide.state import Meereen, Revealed


def may_die(state: Meereen, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if state.pyramid.alive(player) else Refusal("mj_fault_dead", {"player": player})


def may_revive(state: Meereen, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return Refusal("mj_fault_alive", {"player": player}) if state.pyramid.alive(player) else None


def may_hold(state: Meereen, slots: Slots) -> Refusal | None:
    player, office = slots["player"], Office(slots["office"])
    if state.pyramid.alive(player) and state.pyramid.ranks[player] == OFFICE_RANK[office]:
        return None
    return Refusal("mj_fault_wrong_rank", {"player": player})


def dies(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, pyramid=killed(state.pyramid, slots["player"]))


def revives(state: Meereen, slots: Slots) -> Meereen:
    pyramid = state.pyramid
    return replace(state, pyramid=replace(pyramid, dead=pyramid.dead - {slots["player"]}))


def is_rank(state: Meereen, slots: Slots) -> Meereen:
    """A councillor who is none any more leaves the place of the council; a new one takes the first vacant one."""
    player, rank, pyramid = slots["player"], Rank(slots["rank"]), state.pyramid
    offices = {office: holder for office, holder in pyramid.offices.items() if holder != player}
    council = tuple(("" if holder == player else holder, district) for holder, district in pyramid.council)
    if rank == Rank.COUNCILLOR:
        at = next((n for n, (holder, _) in enumerate(council) if not (holder and pyramid.alive(holder))), None)
        where = pyramid.districts.get(player)
        if at is not None:
            council = (*council[:at], (player, council[at][1]), *council[at + 1 :])
        elif where is not None:
            council = (*council, (player, where))
    ranks = {**pyramid.ranks, player: rank}
    return replace(state, pyramid=replace(pyramid, ranks=ranks, offices=offices, council=council))


def is_office(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, pyramid=appointed(state.pyramid, Office(slots["office"]), slots["player"]))


def reveal(state: Meereen, slots: Slots, house: House) -> Meereen:
    """The end opens the roles, and counts points × prestige (the unfinished turn adds none)."""
    pyramid, deal = state.pyramid, state.deal
    assert state.end is not None
    ranked = ranking(scores(pyramid, deal, Camp(state.end.winners[0]), house.scale))
    roles = {player: _roles(state, player) for player in pyramid.seats}
    true = fulfilled(pyramid, deal) if deal.holder(Role.QUAITHE) else ()
    return replace(state, revealed=Revealed(deal, roles, ranked, true))


def _roles(state: Meereen, player: str) -> tuple[Role, ...]:
    order = Role.SERPENT if player == state.deal.serpent else state.deal.order(player)
    return tuple(role for role in (order, state.deal.specials.get(player)) if role is not None)


def _founded(check: Check) -> Check:
    """Before the Pyramid is told there is nothing to set right: its founding would undo it in silence."""
    return lambda state, slots: Refusal("not_now") if state.phase == "gather" else check(state, slots)


_ALWAYS: Mapping[str, Check] = {
    "may_die": may_die,
    "may_revive": may_revive,
    "may_rise": lambda state, slots: None,
    "may_hold": may_hold,
}
CHECKS: Mapping[str, Check] = {name: _founded(check) for name, check in _ALWAYS.items()}


def actions(house: House) -> Mapping[str, Action]:
    return {
        "dies": dies,
        "revives": revives,
        "is_rank": is_rank,
        "is_office": is_office,
        "reveal": lambda state, slots: reveal(state, slots, house),
    }
