"""Elections and nominations: which rank is voted for, who rises, who is drawn, who is named.

Text: "Troisième Phase : Élections et Nominations". Every election has its lot, drawn whether or not there was a tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Ending, Refusal
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.elections import (
    ELECTED,
    candidates,
    drawn_graces,
    election,
    heir_of,
    may_be_shavepate,
    vacancies,
)
from narrator.games.pyramide.knowledge import knowledge, news
from narrator.games.pyramide.points import son_elected
from narrator.games.pyramide.ranks import Office, Pyramid, Rank, appointed, promoted
from narrator.games.pyramide.roles import Camp
from narrator.games.pyramide.state import Meereen, Vote
from narrator.games.pyramide.turns import named
from narrator.games.pyramide.voting import refused


def next_election(state: Meereen, slots: Slots, house: House) -> Meereen:
    """The highest rank with a place to fill that was not voted for this turn; none: an empty vote."""
    for rank in ELECTED:
        places = 0 if rank in state.held else vacancies(house.plan, state.pyramid, rank)
        if places:
            return replace(state, vote=Vote(rank.value, candidates(state.pyramid, rank), places))
    return replace(state, vote=Vote())


def elect(state: Meereen, slots: Slots) -> Meereen:
    """Who has most rises, ties by the lot; a Son among the new councillors ends the game at once."""
    rank, vote = Rank(state.vote.kind), state.vote
    result = election(vote.choices, state.totals, vote.places, spread(slots["value"]))
    after = risen(state, result.elected)
    after = replace(after, held=(*state.held, rank.value), results={**state.results, rank.value: result})
    if rank == Rank.COUNCILLOR and son_elected(state.deal, result.elected):
        return replace(after, end=Ending("harpy_wins", (Camp.HARPY.value,)))
    return after


def risen(state: Meereen, players: tuple[str, ...]) -> Meereen:
    """One rank up for each; new councillors learn who the serpent is."""
    pyramid = state.pyramid
    for player in players:
        pyramid = promoted(pyramid, player)
    told = news(knowledge(state.deal, state.pyramid), knowledge(state.deal, pyramid))
    return replace(state, pyramid=pyramid).hide(news=told)


def draw_lots(state: Meereen, slots: Slots, house: House) -> Meereen:
    """The graces that the gods choose, then the offices of those who were voted for."""
    draws = spread(slots["value"])
    graces = drawn_graces(house.plan, state.pyramid, draws)
    state = replace(risen(state, graces), graces=graces)
    pyramid, named_now = state.pyramid, dict(state.named)
    for rank, office in ELECTED.items():
        heir = heir_of(pyramid, office, state.results.get(rank.value), draws)
        if heir is not None:
            pyramid = appointed(pyramid, office, heir.player)
            named_now[office.value] = (heir.player, heir.how)
    return replace(state, pyramid=pyramid, named=named_now, vote=Vote())


def shavepate_due(pyramid: Pyramid) -> bool:
    """A beast to be named, and a councillor to name it."""
    able = pyramid.of_rank(Rank.BEAST) and pyramid.of_rank(Rank.COUNCILLOR)
    return bool(able) and not pyramid.holder(Office.SHAVEPATE)


def may_be_named(state: Meereen, slots: Slots) -> Refusal | None:
    player = named(state, slots)
    if player not in state.pyramid.seats:
        return Refusal("refuse_no_seat")
    return refused(may_be_shavepate(state.pyramid, player))


def name_shavepate(state: Meereen, slots: Slots) -> Meereen:
    player = named(state, slots)
    pyramid = appointed(state.pyramid, Office.SHAVEPATE, player)
    return replace(state, pyramid=pyramid, named={**state.named, Office.SHAVEPATE.value: (player, "named")})


CHECKS: Mapping[str, Check] = {"may_be_named": may_be_named}


def actions(house: House) -> Mapping[str, Action]:
    return {
        "next_election": lambda state, slots: next_election(state, slots, house),
        "elect": elect,
        "draw_lots": lambda state, slots: draw_lots(state, slots, house),
        "name_shavepate": name_shavepate,
    }
