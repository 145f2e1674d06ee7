"""What only the game master may know, by the names that his lines ("mj_…") use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from narrator.core.events import Slots
from narrator.core.lines import Told
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.deal import vacant_cells
from narrator.games.pyramide.knowledge import Known, knows
from narrator.games.pyramide.points import harpy_is_dead
from narrator.games.pyramide.roles import Camp, Deal, Role
from narrator.games.pyramide.specials import belongs, exact_role
from narrator.games.pyramide.squads import BELWAS, BRASS, HIZDAHR, Outcome, told
from narrator.games.pyramide.state import Meereen
from narrator.games.pyramide.view import view_of

_BONUS = {BRASS: "mj_row_brass", BELWAS: "mj_row_belwas", HIZDAHR: "mj_row_hizdahr"}
_LESS = "mj_row_hizdahr_less"
NOBODY = "nobody"  # a role that is none, in the language's [names]


def private_view_of(state: Meereen, house: House) -> dict[str, Any]:
    """What a whisper may use: the public facts and the game master's own."""
    return {**view_of(state, house), **_deal(state, house), **_night(state), **_fates(state)}


def _deal(state: Meereen, house: House) -> dict[str, Any]:
    deal = state.deal
    cells = zip(deal.lieutenants, deal.cells, strict=True)
    specials = (Told("mj_row_role", {"who": p, "roles": (role,)}) for p, role in deal.specials.items())
    said = deal.prophecies
    return {
        "harpy": deal.harpy,
        "harpy_any": bool(deal.harpy),
        "lieutenants": deal.lieutenants,
        "cells": tuple(Told("mj_row_cell", {"who": leader, "whom": cell}) for leader, cell in cells),
        "cells_any": bool(deal.cells),
        "serpent": deal.serpent,
        "serpent_any": bool(deal.serpent),
        "specials": tuple(specials),
        "specials_dealt": bool(deal.specials),
        "prophecies": bool(said.life or said.death or said.glory),
        "prophecy_life": said.life,
        "prophecy_death": said.death,
        "prophecy_glory": said.glory,
        "plan_lieutenants": house.plan.lieutenants,
        "plan_henchmen": house.plan.henchmen,
        "harpy_dead": state.hidden.dealt and harpy_is_dead(state.pyramid, deal),
        "fallen": vacant_cells(deal, state.pyramid) if state.hidden.dealt else (),
    }


def _night(state: Meereen) -> dict[str, Any]:
    hidden = state.hidden
    lessons = told(hidden.outcomes)
    return {
        "squads": tuple(map(outcome_row, hidden.outcomes)),
        "squads_any": bool(hidden.outcomes),
        "squad_last": outcome_row(hidden.outcomes[-1]) if hidden.outcomes else "",
        "lessons": tuple(
            Told("mj_row_missed" if one.target else "mj_row_members", {"who": one.player, "whom": one.sons})
            for one in lessons
        ),
        "lessons_any": bool(lessons),
        "guarded": hidden.guarded or state.deal.holder(Role.BELWAS),
    }


def outcome_row(outcome: Outcome) -> Told:
    facts = {"who": outcome.squad.target, "whom": outcome.squad.members, "strength": outcome.strength}
    bonuses = tuple(
        Told(_BONUS[name] if points > 0 else _LESS, {"points": abs(points)}) for name, points in outcome.bonuses
    )
    facts |= {"away": outcome.away, "away_any": bool(outcome.away), "to_exceed": outcome.needed}
    return Told("mj_row_squad", {**facts, "bonuses": bonuses, "bonuses_any": bool(bonuses), "success": outcome.success})


def _fates(state: Meereen) -> dict[str, Any]:
    question, offers = state.hidden.question, state.hidden.offers
    roles = exact_role(state.deal, question.target) if question.target else ()
    camp = Camp(question.camp) if question.camp else Camp.QUEEN
    return {
        "asker": question.asker,
        "asker_role": state.deal.specials.get(question.asker, ""),
        "target": question.target,
        "camp": question.camp,
        "answer": roles or (NOBODY,),
        "answer_yes": bool(question.camp) and belongs(state.deal, question.target, camp),
        "revealed": bool(question.revealed),
        "offered": tuple(offer.player for offer in offers if offer.accepted is None),
        "offered_any": any(offer.accepted is None for offer in offers),
        "accepted": tuple(offer.player for offer in offers if offer.accepted),
        "back": tuple(Told("mj_row_role", {"who": p, "roles": roles_of(state.deal, p)}) for p in state.returned),
        "foretold_any": any(state.deal.specials.get(player) == Role.QUAITHE for player in state.returned),
        "news": tuple(
            Told("mj_row_news", {"who": player, "learnt": known_rows(known)}) for player, known in _news(state)
        ),
        "news_any": bool(state.hidden.news),
    }


def _news(state: Meereen) -> Iterable[tuple[str, tuple[Known, ...]]]:
    return state.hidden.news.items()


def roles_of(deal: Deal, player: str) -> tuple[str, ...]:
    """All that a player is; `NOBODY` alone for one without a role."""
    order = Role.SERPENT if player and player == deal.serpent else deal.order(player)
    held = tuple(str(role) for role in (order, deal.specials.get(player)) if role is not None)
    return held or (NOBODY,)


def known_rows(known: Iterable[Known]) -> tuple[Told, ...]:
    return tuple(
        Told(
            "mj_row_known_under" if one.under else "mj_row_known",
            {"whom": one.player, "roles": (one.role,), "under": one.under},
        )
        for one in known
    )


def about(state: Meereen, slots: Slots) -> Mapping[str, Any]:
    """Facts on the player that a sentence names."""
    player = slots.get("player", "")
    pyramid = state.pyramid
    if player not in pyramid.seats:
        return _ABOUT_NOBODY
    office, known = pyramid.office_of(player), knows(state.deal, pyramid, player) if state.hidden.dealt else ()
    return {
        "his_rank": pyramid.ranks[player],
        "his_office": office or "",
        "has_office": office is not None,
        "his_district": pyramid.districts.get(player, ""),
        "is_placed": player in pyramid.districts,
        "is_alive": pyramid.alive(player),
        "his_influence": pyramid.influence(player),
        "his_prestige": pyramid.prestige.get(player, 0) / 10,
        "his_roles": roles_of(state.deal, player),
        "his_knowledge": known_rows(known),
        "knows_any": bool(known),
    }


_ABOUT_NOBODY: Mapping[str, Any] = dict.fromkeys(
    (
        "his_rank",
        "his_office",
        "has_office",
        "his_district",
        "is_placed",
        "is_alive",
        "his_influence",
        "his_prestige",
        "his_roles",
        "his_knowledge",
        "knows_any",
    ),
    "",
)
ROW_LINES = (
    *("mj_row_cell", "mj_row_role", "mj_row_squad", "mj_row_missed", "mj_row_members", "mj_row_news"),
    *("mj_row_known", "mj_row_known_under", *_BONUS.values(), _LESS),
)
#: Reasons for which something that he enters is refused.
FAULTS = (
    *("dead", "alive", "no_harpy", "empty", "target_dead", "no_son", "target_inside", "twice", "no_squad", "no_belwas"),
    *("not_vacant", "no_henchman", "no_lieutenant", "no_asker", "asked", "oneself", "other_question", "too_many"),
    *("not_offered", "answered", "wrong_rank", "deal", "deal_council", "deal_son", "deal_twice"),
)
#: Names of the rows of his lists.
ROWS = (
    "who",
    "whom",
    "roles",
    "under",
    "strength",
    "away",
    "away_any",
    "to_exceed",
    "bonuses",
    "bonuses_any",
    "success",
    "points",
    "learnt",
)
ABOUT = tuple(_ABOUT_NOBODY)


def private_state(state: Meereen) -> dict[str, Any]:
    """The game master's own (`play --private`)."""
    deal, hidden = state.deal, state.hidden
    return {
        "dealt": hidden.dealt,
        "harpy": deal.harpy or None,
        "lieutenants": list(deal.lieutenants),
        "cells": [list(cell) for cell in deal.cells],
        "serpent": deal.serpent or None,
        "specials": {player: str(role) for player, role in deal.specials.items()},
        "prophecies": {name: getattr(deal.prophecies, name) or None for name in ("life", "death", "glory")},
        "squads": [{"members": list(squad.members), "target": squad.target} for squad in hidden.squads],
        "outcomes": [
            {"target": one.squad.target, "strength": one.strength, "needed": one.needed, "success": one.success}
            for one in hidden.outcomes
        ],
        "guarded": hidden.guarded or None,
        "asked": list(hidden.asked),
        "offers": {offer.player: offer.accepted for offer in hidden.offers},
        "news": {player: [[known.player, str(known.role)] for known in told] for player, told in hidden.news.items()},
        "fallen": list(vacant_cells(deal, state.pyramid)),
        "harpy_dead": hidden.dealt and harpy_is_dead(state.pyramid, deal),
    }
