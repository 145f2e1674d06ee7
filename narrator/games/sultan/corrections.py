"""Any public fact can be set right by a sentence (RULINGS, last line of "All games").

The deck never changes by a correction: what one heap gains, another loses. Corrections that would end the
game are refused; the tale that ends it is announced, not set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.sultan.configuration import TALES_TO_WIN
from narrator.games.sultan.court import ADVANCES, DRAWN, INTERVENTIONIST, PACIFIST, VETO_FROM, Court

#: Phases in which three tales are in hand or about to be drawn.
_GOVERNING = frozenset(
    (
        "proposal",
        "discussion",
        "countdown",
        "vote",
        "half_count",
        "accepted",
        "ask_dinarzade",
        "draw",
        "choice",
        "veto",
        "veto_refused",
    )
)


def _pile_possible(court: Court, slots: Slots) -> Refusal | None:
    """The tales in hand count with the pile, as the narrator says them; a turn needs three, the slave one."""
    least = DRAWN if court.phase in _GOVERNING else 1 if court.phase == "slave" else 0
    most = court.pile + court.discard
    return None if least <= slots["n"] <= most else Refusal("pile_range", {"least": least, "most": most})


def _discard_possible(court: Court, slots: Slots) -> Refusal | None:
    rest = court.pile + court.discard - slots["n"]
    return _pile_possible(court, {"n": rest}) and Refusal("impossible_number", {"n": slots["n"]})


def _set_pile(court: Court, slots: Slots) -> Court:
    return replace(court, pile=slots["n"], discard=court.pile + court.discard - slots["n"])


def _in_range(n: int, least: int, most: int) -> Refusal | None:
    return None if least <= n <= most else Refusal("impossible_number", {"n": n})


def _board_possible(camp: str) -> Check:
    def check(court: Court, slots: Slots) -> Refusal | None:
        if court.end is not None:
            return Refusal("already_over")
        n = slots["n"]
        moved = n - getattr(court, camp)
        least = DRAWN if court.phase in _GOVERNING else 1
        if n >= TALES_TO_WIN[camp]:
            return Refusal("announce_last_tale")
        return None if court.pile + court.discard - moved >= least else Refusal("impossible_number", {"n": n})

    return check


def _set_board(camp: str) -> Action:
    def act(court: Court, slots: Slots) -> Court:
        """The tales come from the discard, or go there; the pile gives what the discard lacks.

        The power of a fifth pacifist tale that is only now counted has been used: the table went on from there.
        """
        moved = slots["n"] - getattr(court, camp)
        discard = court.discard - moved
        changes: dict[str, Any] = {
            camp: slots["n"],
            "discard": max(discard, 0),
            "pile": court.pile + min(discard, 0),
        }
        if camp == PACIFIST and moved:
            changes["fifth_exercised"] = slots["n"] >= VETO_FROM
        return replace(court, **changes)

    return act


def _vizir_possible(court: Court, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if court.end is not None:
        return Refusal("not_now", {"intent": "set_grand_vizir"})
    if player in court.absent:
        return Refusal("refuse_target_exiled", {"player": player})
    return Refusal("vizir_is_narratrice", {"player": player}) if player == court.narratrice else None


def _set_vizir(court: Court, slots: Slots) -> Court:
    return replace(court, gv=slots["player"], cycle_from=slots["player"], chosen_gv="")


def _exiled_possible(court: Court, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if player in court.exiled:
        return Refusal("already_exiled", {"player": player})
    if player in court.departed:
        return Refusal("refuse_departed", {"player": player})
    if player in (court.gv, court.narratrice, court.target):
        return Refusal("exile_governs", {"player": player})
    return Refusal("too_few", {"player": player}) if court.voters <= 3 else None


def _returned_possible(court: Court, slots: Slots) -> Refusal | None:
    return None if slots["player"] in court.exiled else Refusal("not_exiled", {"player": slots["player"]})


def _set_returned(court: Court, slots: Slots) -> Court:
    return replace(court, exiled=tuple(p for p in court.exiled if p != slots["player"]))


def _set_exiled(court: Court, slots: Slots) -> Court:
    return replace(court, exiled=(*court.exiled, slots["player"]))


def _counter_possible(court: Court, slots: Slots) -> Refusal | None:
    if court.counter >= ADVANCES:  # the slave is reading: the counter goes back to zero with her tale
        return Refusal("not_now", {"intent": "set_counter"})
    return None if 0 <= slots["n"] < ADVANCES else Refusal("counter_range")


def _two(court: Court, slots: Slots) -> Refusal | None:
    same = slots["player"] == slots["other"]
    return Refusal("refuse_swap_same", {"player": slots["player"]}) if same else None


def _in_play(check: Check) -> Check:
    """Before the first turn nothing has happened yet that could be set right."""
    return lambda court, slots: Refusal("not_now") if court.turn == 0 else check(court, slots)


_IN_PLAY: Mapping[str, Check] = {
    "pile_possible": _pile_possible,
    "discard_possible": _discard_possible,
    "counter_possible": _counter_possible,
    "interventionist_possible": _board_possible(INTERVENTIONIST),
    "pacifist_possible": _board_possible(PACIFIST),
    "vizir_possible": _vizir_possible,
    "exiled_possible": _exiled_possible,
    "returned_possible": _returned_possible,
    "barred_possible": _two,
}
CHECKS: Mapping[str, Check] = {
    **{name: _in_play(check) for name, check in _IN_PLAY.items()},
    "seats_possible": _two,
}

ACTIONS: Mapping[str, Action] = {
    "set_pile": _set_pile,
    "set_discard": lambda court, slots: replace(
        court, discard=slots["n"], pile=court.pile + court.discard - slots["n"]
    ),
    "set_counter": lambda court, slots: replace(court, counter=slots["n"]),
    "set_interventionist": _set_board(INTERVENTIONIST),
    "set_pacifist": _set_board(PACIFIST),
    "set_vizir": _set_vizir,
    "set_exiled": _set_exiled,
    "set_returned": _set_returned,
    "set_barred": lambda court, slots: replace(court, government=(slots["player"], slots["other"])),
    "set_all_eligible": lambda court, slots: replace(court, government=None),
}
