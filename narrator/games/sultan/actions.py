"""What is done at the court of the Sultan: the state after. § = the game's text, RULINGS = docs/RULINGS.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.ballot import Ballot
from narrator.core.events import Slots
from narrator.core.states import Action, Ending
from narrator.games.sultan.court import DRAWN, INTERVENTIONIST, LOW_PILE, PACIFIST, VETO_FROM, Court, next_vizir


def begin_turn(court: Court, slots: Slots) -> Court:
    """§5: reshuffle when two or fewer are left; the sign passes clockwise, or where power C sent it."""
    shuffled = _reshuffled(court) if court.pile <= LOW_PILE else replace(court, reshuffled=False)
    vizir = next_vizir(court)
    return replace(
        shuffled,
        turn=court.turn + 1,
        gv=vizir,
        cycle_from=court.cycle_from if vizir == court.chosen_gv else vizir,
        chosen_gv="",
        narratrice="",
        target="",
        veto_asked=False,
        uncovered="",
    )


def propose(court: Court, slots: Slots) -> Court:
    return replace(
        court, narratrice=slots["player"], ballot=Ballot(), veto_told=court.pacifist >= VETO_FROM, reshuffled=False
    )


def _propose_next(court: Court, slots: Slots) -> Court:
    """The turn begins with the proposal itself; a reshuffle is still to be called."""
    begun = begin_turn(end_power(court, {}), {})
    return replace(propose(begun, slots), reshuffled=begun.reshuffled)


def merged(ballot: Ballot, slots: Slots) -> Ballot:
    return Ballot(slots.get("yes", ballot.yes), slots.get("no", ballot.no))


def _count(court: Court, slots: Slots) -> Court:
    return replace(court, ballot=merged(court.ballot if court.phase == "half_count" else Ballot(), slots))


def _count_vote(court: Court, slots: Slots) -> Court:
    """§5: a refused government moves the counter on; an accepted one leaves it (RULINGS)."""
    return court if court.ballot.passes else replace(court, counter=court.counter + 1)


def _reshuffled(court: Court) -> Court:
    return replace(court, pile=court.pile + court.discard, discard=0, reshuffled=True)


def _prepare_slave(court: Court, slots: Slots) -> Court:
    """RULINGS: only a veto can have emptied the pile by now."""
    return _reshuffled(court) if court.pile == 0 else replace(court, reshuffled=False)


def _veto(court: Court, slots: Slots) -> Court:
    """§7a: all three drawn tales are discarded and the counter moves on; nobody is barred or freed by it."""
    after = replace(court, counter=court.counter + 1, ballot=Ballot())
    return replace(after, pile=court.pile - DRAWN, discard=court.discard + DRAWN)


def _name_vizir(court: Court, slots: Slots) -> Court:
    """§7b, C: the cycle goes on at the left of the one who used the power."""
    return replace(court, chosen_gv=slots["player"], cycle_from=court.gv)


def end_power(court: Court, slots: Slots) -> Court:
    fifth = court.last_tale == PACIFIST and court.pacifist == VETO_FROM and not court.by_slave
    return replace(court, uncovered="", fifth_exercised=court.fifth_exercised or fifth)


def ended(court: Court, how: str, camp: str) -> Court:
    """The camp wins; a departed Amoureuse won before (§8c)."""
    winners = (camp, "amoureuse") if court.departed else (camp,)
    return replace(court, end=Ending(how, winners))


ACTIONS: Mapping[str, Action] = {
    "name_first": lambda court, slots: replace(court, gv=slots["player"], cycle_from=slots["player"]),
    "draw_first": lambda court, slots: replace(court, gv=slots["value"], cycle_from=slots["value"]),
    "begin_turn": begin_turn,
    "propose": propose,
    "propose_next": _propose_next,
    "count": _count,
    "complete_count": lambda court, slots: replace(court, ballot=court.ballot.completed(court.voters)),
    "count_vote": _count_vote,
    "prepare_slave": _prepare_slave,
    "dinarzade_narratrice": lambda court, slots: ended(
        replace(court, by_slave=False), "dinarzade_narratrice", PACIFIST
    ),
    "ask_veto": lambda court, slots: replace(court, veto_asked=True),
    "veto": _veto,
    "look": lambda court, slots: replace(court, target=slots["player"], seen=(*court.seen, slots["player"])),
    "name_vizir": _name_vizir,
    "reshuffle_low": lambda court, slots: (
        _reshuffled(court) if court.pile <= LOW_PILE else replace(court, reshuffled=False)
    ),
    "swap": lambda court, slots: replace(court, table=court.table.swapped(slots["player"], slots["other"])),
    "target": lambda court, slots: replace(court, target=slots["player"]),
    "exile": lambda court, slots: replace(court, exiled=(*court.exiled, court.target)),
    "dinarzade_exiled": lambda court, slots: ended(
        replace(court, exiled=(*court.exiled, court.target)), "dinarzade_exiled", INTERVENTIONIST
    ),
    "add_tale": lambda court, slots: replace(court, pile=court.pile + 1),
    "end_power": end_power,
    "lover_asked": lambda court, slots: replace(court, lover_asked=True),
    "depart": lambda court, slots: replace(court, lover_asked=True, departed=(*court.departed, slots["player"])),
    "take_back": lambda court, slots: court.before_tale or court,
    "giafar_asked": lambda court, slots: replace(court, giafar_asked=True),
}
