"""What may be done at the court of the Sultan: None, or why not. § = the game's text, RULINGS = docs/RULINGS.md."""

from __future__ import annotations

from collections.abc import Mapping

from narrator.core.ballot import Ballot
from narrator.core.events import Slots
from narrator.core.states import Check, Refusal
from narrator.games.sultan.actions import merged
from narrator.games.sultan.court import VETO_FROM, Court


def may_propose(court: Court, slots: Slots) -> Refusal | None:
    """§7c and RULINGS: not herself, nobody exiled or departed, nobody of the last tale's government."""
    player = slots["player"]
    facts = {"player": player}
    if player == court.gv:
        return Refusal("refuse_self", facts)
    if player in court.exiled:
        return Refusal("refuse_exiled", facts)
    if player in court.departed:
        return Refusal("refuse_departed", facts)
    if player in court.barred:
        was_narratrice = court.government is not None and player == court.government[1]
        return Refusal("refuse_narratrice" if was_narratrice else "refuse_vizir", facts)
    return None


def _adds_up(court: Court, slots: Slots) -> Refusal | None:
    ballot = Ballot(slots.get("yes"), slots.get("no"))
    if ballot.adds_up(court.voters):
        return None
    called = (ballot.yes or 0) + (ballot.no or 0)
    return Refusal("count_mismatch", {"called": called})


def _adds_up_now(court: Court, slots: Slots) -> Refusal | None:
    """The second half of a count, against the first."""
    ballot = merged(court.ballot, slots)
    if ballot.adds_up(court.voters):
        return None
    return Refusal("count_mismatch", {"called": (ballot.yes or 0) + (ballot.no or 0)})


def _confirms_count(court: Court, slots: Slots) -> Refusal | None:
    """The rest of a count that was completed already changes nothing, unless it contradicts."""
    said = Ballot(slots.get("yes"), slots.get("no"))
    known = court.ballot
    if not known.complete:
        return Refusal("not_now")
    same = said.yes in (None, known.yes) and said.no in (None, known.no)
    return None if same else Refusal("count_contradicts", _counted(known))


def _confirms_tale(court: Court, slots: Slots) -> Refusal | None:
    """The colour that ended the game, said again; the other one takes a “non” first."""
    return None if slots["tale"] == court.last_tale else Refusal("tale_contradicts", {"tale": court.last_tale})


def _counted(ballot: Ballot) -> dict[str, int]:
    return {"yes": ballot.yes or 0, "no": ballot.no or 0}


def _tale_left(court: Court, slots: Slots) -> Refusal | None:
    return None if court.end is None else Refusal("already_over")


def _may_ask_veto(court: Court, slots: Slots) -> Refusal | None:
    """§7a: unlocked by five pacifist tales; RULINGS: once per government."""
    if court.pacifist < VETO_FROM:
        return Refusal("veto_locked")
    return Refusal("veto_once") if court.veto_asked else None


def _may_look(court: Court, slots: Slots) -> Refusal | None:
    """§7b, B: each player once a game; RULINGS: not herself, nobody exiled."""
    player = slots["player"]
    facts = {"player": player}
    if player == court.gv:
        return Refusal("refuse_look_self", facts)
    if player in court.exiled:
        return Refusal("refuse_target_exiled", facts)
    return Refusal("refuse_seen", facts) if player in court.seen else None


def _may_name_vizir(court: Court, slots: Slots) -> Refusal | None:
    """§7b, C: anybody but herself, the outgoing Narratrice included."""
    player = slots["player"]
    facts = {"player": player}
    if player == court.gv:
        return Refusal("refuse_vizir_self", facts)
    if player in court.departed:
        return Refusal("refuse_departed", facts)
    return Refusal("refuse_target_exiled", facts) if player in court.exiled else None


def _may_swap(court: Court, slots: Slots) -> Refusal | None:
    """§8b, 0: two other players; RULINGS: an exiled player's seat may move."""
    one, other = slots["player"], slots["other"]
    if one == other:
        return Refusal("refuse_swap_same", {"player": one})
    return Refusal("refuse_swap_self") if court.gv in (one, other) else None


def _may_exile(court: Court, slots: Slots) -> Refusal | None:
    """§7b, X and Y: anybody who is still at court, herself included (RULINGS)."""
    player = slots["player"]
    if player in court.departed:
        return Refusal("refuse_departed", {"player": player})
    return Refusal("refuse_target_exiled", {"player": player}) if player in court.exiled else None


def _may_depart(court: Court, slots: Slots) -> Refusal | None:
    """§8c: an exiled Amoureuse has lost."""
    player = slots["player"]
    return Refusal("refuse_lover_exiled", {"player": player}) if player in court.exiled else None


CHECKS: Mapping[str, Check] = {
    "may_propose": may_propose,
    "adds_up": _adds_up,
    "adds_up_now": _adds_up_now,
    "confirms_count": _confirms_count,
    "confirms_tale": _confirms_tale,
    "tale_left": _tale_left,
    "may_ask_veto": _may_ask_veto,
    "may_look": _may_look,
    "may_name_vizir": _may_name_vizir,
    "may_swap": _may_swap,
    "may_exile": _may_exile,
    "may_depart": _may_depart,
    "full_sentence_dinarzade": lambda court, slots: Refusal("say_dinarzade"),
    "full_sentence_giafar": lambda court, slots: Refusal("say_giafar"),
}
