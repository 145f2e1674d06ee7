"""A turn's beginning and end: councillors go round, offices place their ranks, prestige is added.

Text: "Les Quartiers de Meereen". In the first turn councillors stand where they were drawn (RULINGS).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.ranks import (
    District,
    Pyramid,
    Rank,
    all_placed,
    cleared,
    drawn_places,
    placed,
    prestige_added,
    rotated,
    unplaced,
)
from narrator.games.pyramide.state import Die, Meereen, Vote


def named(state: Meereen, slots: Slots) -> str:
    """The player that a sentence means, by name or by the number of the seat; "" for a seat nobody has."""
    if "player" in slots:
        return str(slots["player"])
    number = int(slots.get("number", 0))
    return state.pyramid.seats[number - 1] if 1 <= number <= len(state.pyramid.seats) else ""


# ---- the beginning of the evening


def found(state: Meereen, slots: Slots, house: House) -> Meereen:
    """Ranks, offices and the councillors' districts, as far as the table left them to chance."""
    return replace(state, pyramid=house.founded(spread(slots["value"])))


def ask_deal(state: Meereen, slots: Slots, house: House) -> Meereen:
    """Then the deal is drawn, in secret, unless the game master types it."""
    return state if house.typed else state.hide(dice=(Die("deal"),))


# ---- places


def begin_turn(state: Meereen, slots: Slots, house: House) -> Meereen:
    old = state.pyramid
    pyramid = cleared(rotated(old) if state.turn else old)
    if not state.turn:
        pyramid = all_placed(pyramid, {p: d for p, d in house.placements.items() if _placeable(pyramid, p)})
    hidden = replace(state.hidden, squads=(), outcomes=(), guarded="", asked=(), offers=(), news={})
    return replace(
        Meereen(state.phase, pyramid=pyramid, turn=state.turn + 1, before=dict(old.districts)),
        hidden=hidden,
    )


def _placeable(pyramid: Pyramid, player: str) -> bool:
    return pyramid.alive(player) and pyramid.ranks[player] != Rank.COUNCILLOR


def may_place(state: Meereen, slots: Slots) -> Refusal | None:
    """Offices place their own rank; councillors go round by themselves."""
    player = named(state, slots)
    if player not in state.pyramid.seats:
        return Refusal("refuse_no_seat")
    if not state.pyramid.alive(player):
        return Refusal("refuse_dead", {"player": player})
    return None if _placeable(state.pyramid, player) else Refusal("refuse_councillor_moves", {"player": player})


def may_place_all(state: Meereen, slots: Slots) -> Refusal | None:
    return next((no for player in slots["players"] if (no := may_place(state, {"player": player}))), None)


def place(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, pyramid=placed(state.pyramid, named(state, slots), District(slots["district"])))


def place_all(state: Meereen, slots: Slots) -> Meereen:
    where = District(slots["district"])
    return replace(state, pyramid=all_placed(state.pyramid, dict.fromkeys(slots["players"], where)))


def place_rank(state: Meereen, slots: Slots) -> Meereen:
    return place_all(state, {**slots, "players": state.pyramid.of_rank(Rank(slots["rank"]))})


def as_before(state: Meereen, slots: Slots) -> Meereen:
    """Whoever is not placed yet goes where they were last turn."""
    places = {p: District(state.before[p]) for p in unplaced(state.pyramid) if p in state.before}
    return replace(state, pyramid=all_placed(state.pyramid, places))


def draw_places(state: Meereen, slots: Slots) -> Meereen:
    """ "en cas d'absence de répartition, un tirage aléatoire la simulera"."""
    left = unplaced(state.pyramid)
    return replace(state, pyramid=drawn_places(state.pyramid, spread(slots["value"])), drawn=left)


def end_turn(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, pyramid=prestige_added(state.pyramid), vote=Vote())


def checks() -> Mapping[str, Check]:
    return {"may_place": may_place, "may_place_all": may_place_all}


def actions(house: House) -> Mapping[str, Action]:
    return {
        "found": lambda state, slots: found(state, slots, house),
        "ask_deal": lambda state, slots: ask_deal(state, slots, house),
        "begin_turn": lambda state, slots: begin_turn(state, slots, house),
        "place": place,
        "place_all": place_all,
        "place_rank": place_rank,
        "as_before": as_before,
        "draw_places": draw_places,
        "end_turn": end_turn,
    }
