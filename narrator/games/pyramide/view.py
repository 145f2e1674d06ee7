"""What everybody may know of Meereen, by the names that lines use. Nothing here looks at `hidden`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.core.lines import Told
from narrator.games.pyramide.ballots import threshold
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.elections import DRAWN
from narrator.games.pyramide.ranks import District, Office, Pyramid, Rank, unplaced
from narrator.games.pyramide.roles import SPECIAL, Camp
from narrator.games.pyramide.state import JUSTICE, Meereen
from narrator.games.pyramide.voting import accuser, counted, justice_done, voters_left

#: Names that sentences bring along (slots), that refusals add, and those of rows.
SLOTS = ("whole_rank", "player", "other", "n", "number", "intent", "value", "district", "rank", "office", "minutes")
ROWS = ("row_player", "row_points", "row_place", "row_roles", "row_total")
SILENT_NAMED = 6  # seats without a vote that are told by name
ROW_LINES = ("row_council", "row_total", "row_special", "row_ranking")
REFUSALS = ("dead", "accused", "no_choice", "no_seat", "no_beast", "councillor_moves")  # that the table hears
SPOKEN_PLACES = 5  # of the ranking that is told aloud; all of it is on the screen


def view_of(state: Meereen, house: House) -> dict[str, Any]:
    """The public facts."""
    return {**_places(state, house), **_turn(state, house), **_vote(state, house), **_elections(state), **_end(state)}


def _places(state: Meereen, house: House) -> dict[str, Any]:
    pyramid = state.pyramid if state.founded else _chosen(state.pyramid, house)
    standing = {
        district: tuple(p for p in pyramid.living if pyramid.districts.get(p) == district) for district in District
    }
    return {
        "phase": state.phase,
        "turn": state.turn,
        "players": pyramid.seats,
        "seats": len(pyramid.seats),
        "living": pyramid.living,
        "living_count": len(pyramid.living),
        "dead": tuple(p for p in pyramid.seats if not pyramid.alive(p)),
        "dead_any": bool(pyramid.dead),
        "councillors": pyramid.of_rank(Rank.COUNCILLOR),
        "masters": pyramid.of_rank(Rank.MASTER),
        "graces": pyramid.of_rank(Rank.GRACE),
        "beasts": pyramid.of_rank(Rank.BEAST),
        "seneschal": pyramid.holder(Office.SENESCHAL),
        "green_grace": pyramid.holder(Office.GREEN_GRACE),
        "shavepate": pyramid.holder(Office.SHAVEPATE),
        "seneschal_any": bool(pyramid.holder(Office.SENESCHAL)),
        "green_grace_any": bool(pyramid.holder(Office.GREEN_GRACE)),
        "shavepate_any": bool(pyramid.holder(Office.SHAVEPATE)),
        "in_maze": standing[District.MAZE],
        "in_pits": standing[District.PITS],
        "in_plaza": standing[District.PLAZA],
        "council_any": bool(pyramid.of_rank(Rank.COUNCILLOR)),
        "council_at": tuple(
            Told("row_council", {"row_player": player, "district": pyramid.districts[player]})
            for player in pyramid.of_rank(Rank.COUNCILLOR)
            if player in pyramid.districts
        ),
        "unplaced": unplaced(pyramid),
        "unplaced_any": bool(unplaced(pyramid)),
        "unplaced_count": len(unplaced(pyramid)),
        "drawn": state.drawn,
        "drawn_count": len(state.drawn),
    }


def _chosen(pyramid: Pyramid, house: House) -> Pyramid:
    """Before the founding: what the table chose, without what will be drawn. Nobody's rank but a beast's shows."""
    ranks = house.ranks if len(house.ranks) == len(pyramid.seats) else dict.fromkeys(pyramid.seats, Rank.BEAST)
    return Pyramid(pyramid.seats, ranks, {}, house.offices)


def _turn(state: Meereen, house: House) -> dict[str, Any]:
    divisor = house.plan.fifth if state.reinforced and not justice_done(state) else house.plan.third
    available = state.pyramid.available
    return {
        "murdered": state.murdered,
        "murdered_any": bool(state.murdered),
        "reinforced": state.reinforced,
        "accuser": accuser(state) if state.phase == "accuse" else "",
        "accused": state.accused,
        "accused_any": bool(state.accused),
        "accused_last": state.accused[-1] if state.accused else "",
        "executed": state.executed,
        "executed_any": bool(state.executed),
        "available": available,
        "needed": threshold(available, divisor),
        "condemned_by": state.condemned_by,
        "returned": state.returned,
        "returned_any": bool(state.returned),
    }


def _vote(state: Meereen, house: House) -> dict[str, Any]:
    vote = state.vote
    totals = counted(state) if vote.kind else state.totals
    return {
        "kind": vote.kind,
        "is_justice": vote.kind == JUSTICE,
        "seat": vote.seat,
        "choices": vote.choices,
        "places": vote.places,
        "choice": vote.choice,
        "votes": dict(vote.votes),
        "voters_left": len(voters_left(state)) if vote.kind else 0,
        "silent": vote.silent,
        "silent_any": bool(vote.silent),
        "silent_few": 0 < len(vote.silent) <= SILENT_NAMED,
        "count_rows": _totals(totals),
        "counted_any": any(totals.values()),
        "count_total": sum(totals.values()),
    }


def _totals(totals: Mapping[str, int]) -> tuple[Told, ...]:
    """Those who have any, the strongest first."""
    order = sorted((item for item in totals.items() if item[1]), key=lambda item: -item[1])
    return tuple(Told("row_total", {"row_player": player, "row_points": points}) for player, points in order)


def _elections(state: Meereen) -> dict[str, Any]:
    result = state.results.get(state.held[-1]) if state.held else None
    named = {office: state.named.get(office, ("", "")) for office in Office}
    return {
        "title": state.held[-1] if state.held else "",
        "elected": result.elected if result else (),
        "lot_tied": result.tied if result else (),
        "lot_drawn": result.drawn if result else (),
        "lot_any": bool(result and result.drawn),
        "graces_drawn": state.graces,
        "graces_any": bool(state.graces),
        "seneschal_new": bool(named[Office.SENESCHAL][0]),
        "seneschal_lot": named[Office.SENESCHAL][1] == DRAWN,
        "green_grace_new": bool(named[Office.GREEN_GRACE][0]),
        "green_grace_lot": named[Office.GREEN_GRACE][1] == DRAWN,
    }


def _end(state: Meereen) -> dict[str, Any]:
    revealed = state.revealed
    specials = tuple(
        Told("row_special", {"row_player": player, "row_roles": roles[-1:]})
        for player, roles in revealed.roles.items()
        if roles and roles[-1] in SPECIAL
    )
    henchmen = tuple(p for p in revealed.deal.henchmen if p != revealed.deal.serpent)
    return {
        "ended": state.end is not None,
        "winner": state.end.winners[0] if state.end else "",
        "queen_won": state.end is not None and state.end.winners == (Camp.QUEEN.value,),
        "harpy_was": revealed.deal.harpy,
        "lieutenants_were": revealed.deal.lieutenants,
        "henchmen_were": henchmen,
        "henchmen_any": bool(henchmen),
        "serpent_was": revealed.deal.serpent,
        "specials_any": bool(specials),
        "specials_were": specials,
        "ranking_top": tuple(_rank_row(place, score) for place, score in revealed.ranking[:SPOKEN_PLACES]),
        "ranking_rows": tuple(_rank_row(place, score) for place, score in revealed.ranking),
        "true_prophecies": revealed.prophecies,
        "prophecies_any": bool(revealed.prophecies),
    }


def _rank_row(place: int, score: Any) -> Told:
    facts = {"row_place": place, "row_player": score.player, "row_total": score.total / 10}
    return Told("row_ranking", facts)


def public_state(state: Meereen) -> dict[str, Any]:
    """The state for programs (`play --state`): plain JSON data that everybody may know."""
    pyramid = state.pyramid
    return {
        "phase": state.phase,
        "turn": state.turn,
        "seats": list(pyramid.seats),
        "living": list(pyramid.living),
        "dead": [p for p in pyramid.seats if not pyramid.alive(p)],
        "ranks": {p: str(rank) for p, rank in pyramid.ranks.items()} if state.founded else {},
        "offices": {str(office): (state.founded and pyramid.holder(office)) or None for office in Office},
        "districts": {p: str(pyramid.districts[p]) for p in pyramid.living if p in pyramid.districts and state.founded},
        "prestige": {p: pyramid.prestige.get(p, 0) / 10 for p in pyramid.seats},
        "available": pyramid.available,
        "murdered": list(state.murdered),
        "reinforced": state.reinforced,
        "accused": list(state.accused),
        "executed": list(state.executed),
        "vote": {
            "kind": state.vote.kind or None,
            "choices": list(state.vote.choices),
            "places": state.vote.places,
            "seat": state.vote.seat or None,
            "votes": {voter: choice or None for voter, choice in state.vote.votes.items()},
            "totals": dict(counted(state)),
        },
        "totals": dict(state.totals),
        "elected": {rank: list(result.elected) for rank, result in state.results.items()},
        "graces_drawn": list(state.graces),
        "named": {office: {"player": who, "how": how} for office, (who, how) in state.named.items()},
        "returned": list(state.returned),
        "end": {"how": state.end.how, "winners": list(state.end.winners)} if state.end else None,
        "roles": {player: list(map(str, roles)) for player, roles in state.revealed.roles.items()},
        "ranking": [
            {
                "place": place,
                "player": score.player,
                "points": score.points,
                "prestige": score.tenths / 10,
                "total": score.total / 10,
            }
            for place, score in state.revealed.ranking
        ],
    }
