"""What everyone may know, by the names that lines and the machine-readable state use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from narrator.games.sultan.configuration import TALES_TO_WIN, Configuration
from narrator.games.sultan.court import VETO_FROM, Court

#: Names that sentences bring along (slots) or that refusals add.
SLOTS = ("player", "other", "n", "tale", "called", "least", "most", "intent", "value", "question")


#: Until the vote, a Narratrice is only proposed.
_PROPOSING = frozenset(("discussion", "countdown", "vote", "half_count", "tally", "refused"))
_NOT_GOVERNING = _PROPOSING | {"impatience", "slave", "slave_read"}


def _powers_used(c: Configuration) -> tuple[str, ...]:
    """The powers on the boards, each once; X and Y are the same power and named together."""
    letters = dict.fromkeys(letter for letter in c.letters if letter in "BCFNPXY0")
    if "X" in letters and "Y" in letters:
        letters = dict.fromkeys("XY" if letter == "X" else letter for letter in letters if letter != "Y")
    return tuple(letters)


def view_of(court: Court, c: Configuration, options: Mapping[str, Any]) -> dict[str, Any]:
    """The public facts. Numbers are ints (lines write them in words), players are names, lists are tuples."""
    return {
        "phase": court.phase,
        "turn": court.turn,
        "turn_told": court.phase != "proposal" or court.step > 1,
        "players": court.table.seats,
        "seats": len(court.table),
        "gv": court.gv,
        "narratrice": court.narratrice,
        "barred": court.barred,
        "eligible": court.eligible() if court.gv else (),
        "counter": court.counter,
        "interventionist": court.interventionist,
        "pacifist": court.pacifist,
        "interventionist_left": TALES_TO_WIN["interventionist"] - court.interventionist,
        "pacifist_left": TALES_TO_WIN["pacifist"] - court.pacifist,
        "pile": court.pile,  # with what is in hand
        "discard": court.discard,
        "hand": court.hand,
        "exiled": court.exiled,
        "departed": court.departed,
        "voters": court.voters,
        "yes": court.ballot.yes or 0,
        "no": court.ballot.no or 0,
        "target": court.target,
        "veto": court.pacifist >= VETO_FROM,
        "power": court.uncovered,
        "by_slave": court.by_slave,
        "is_pacifist": court.last_tale == "pacifist",
        "chosen_gv": court.chosen_gv,
        "next_vizir": court.chosen_gv or court.table.left_of(court.cycle_from, court.absent)
        if court.cycle_from
        else "",
        "minutes": round(options["discussion"] / 60) or 1,
        "long_discussion": options["discussion"] >= 90,
        "winner": court.end.winners[0] if court.end else "",
        "pacifists_win": bool(court.end and court.end.winners[0] == "pacifist"),
        "how": court.end.how if court.end else "",
        "by_tales": bool(court.end and court.end.how.endswith("tales")),
        "giafar_won": bool(court.end and "giafar" in court.end.winners),
        "lover_won": bool(court.departed),
        "interventionists": c.interventionists,
        "pacifists": c.pacifists,
        "giafar": c.giafar,
        "amoureuse": c.amoureuse,
        "interventionist_board": c.interventionist_board,
        "pacifist_board": c.pacifist_board,
        "interventionist_tales": c.interventionist_tales,
        "pacifist_tales": c.pacifist_tales,
        "deck": c.deck,
        "powers_used": _powers_used(c),
        "example_pair": court.table.without((*court.absent, court.gv))[:2],
        "exiled_any": bool(court.exiled),
        "eligible_any": bool(court.gv and court.eligible()),
        "barred_any": any(player not in court.absent for player in court.barred),
        "barred_now": tuple(player for player in court.barred if player not in court.absent),
        "proposing": court.narratrice != "" and court.phase in _PROPOSING,
        "governing": court.narratrice != "" and court.phase not in _NOT_GOVERNING and court.end is None,
        "in_hand": court.hand > 0,
    }


FACTS = frozenset(
    (*SLOTS, *view_of(Court("x"), Configuration(5, 3, 1, False, False, (), (), 6, 11, 0), {"discussion": 60}))
)


def public_state(court: Court) -> dict[str, Any]:
    """The state for programs (`play --state`): plain JSON data, in the words of the game.

    `pile` counts the tales that a government has in hand; they leave it when the tale is read or vetoed.
    """
    return {
        "phase": court.phase,
        "turn": court.turn,
        "grand_vizir": court.gv or None,
        "proposed": court.narratrice or None,
        "barred": list(court.barred),
        "counter": court.counter,
        "boards": {"interventionist": court.interventionist, "pacifist": court.pacifist},
        "pile": court.pile,
        "discard": court.discard,
        "exiled": list(court.exiled),
        "departed": list(court.departed),
        "voters": court.voters,
        "veto": court.pacifist >= VETO_FROM,
        "power": court.uncovered or None,
        "end": {"how": court.end.how, "winners": list(court.end.winners)} if court.end else None,
    }
