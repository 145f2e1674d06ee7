"""The rules of Au chevet du Sultan, pure: checks, actions and conditions that scripts/sultan/game.toml names.

The narrator holds only what is public; players announce the rest. Section numbers (§) are those of the game's
text, "RULINGS" the readings listed in docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from narrator.core.ballot import Ballot
from narrator.core.effects import Roll
from narrator.core.errors import RuleError
from narrator.core.events import Slots
from narrator.core.game import Action, Check, Ending, Refusal
from narrator.core.phases import Condition
from narrator.core.setting import Setting
from narrator.core.table import Table
from narrator.games.sultan import corrections
from narrator.games.sultan.configuration import Configuration, configure
from narrator.games.sultan.court import (
    ADVANCES,
    DINARZADE_FROM,
    DRAWN,
    INTERVENTIONIST,
    LOW_PILE,
    PACIFIST,
    VETO_FROM,
    Court,
    next_vizir,
    total_tales,
    uncovered_by,
    wins,
)
from narrator.games.sultan.view import FACTS, view_of


class SultanRules:
    """core.game.Rules for one table."""

    def __init__(self, setting: Setting, options: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Raises RuleError for a table or configuration that cannot be played."""
        if setting.first and setting.first not in setting.players:
            raise RuleError(f"first = “{setting.first}” is not one of the players")
        self.setting, self.options = setting, options
        self.configuration: Configuration = configure(len(setting.players), options, facts)
        self.powers = frozenset(facts["powers"])
        own = self._own_conditions()
        self.conditions: Mapping[str, Condition] = {**_CONDITIONS, **own}
        self.checks: Mapping[str, Check] = {
            **_CHECKS,
            **corrections.CHECKS,
            "may_propose_next": self._may_propose_next,
            "may_be_giafar": lambda court, slots: None if own["giafar_due"](court) else Refusal("no_giafar"),
        }
        self.actions: Mapping[str, Action] = {
            **_ACTIONS,
            **corrections.ACTIONS,
            "read_tale": self._read_tale,
            "slave_reads": self._slave_reads,
            "giafar_wins": self._giafar_wins,
        }
        self.fact_names = FACTS

    def start(self, phase: str) -> Court:
        return Court(
            phase,
            table=Table(self.setting.players),
            set_up=phase == "checklist",
            gv=self.setting.first,
            cycle_from=self.setting.first,
            pile=self.configuration.deck,
        )

    def view(self, state: Any) -> dict[str, Any]:
        return view_of(state, self.configuration, self.options)

    def roll(self, state: Any) -> Roll | None:
        return Roll("first", state.table.seats) if state.phase == "draw_first" else None

    def advice(self, state: Any, undone: Any) -> tuple[str, ...]:
        """Hands cannot unshuffle (RULINGS, all games): said when the tales were shuffled since."""
        since = undone.turn != state.turn or not state.reshuffled
        return ("undo_shuffled",) if undone.reshuffled and since else ()

    # ---- tales

    def _read_tale(self, court: Court, slots: Slots) -> Court:
        """§5: of three drawn, two are discarded, one is read; its government may not narrate next (§7c)."""
        after = replace(
            self._covered(court, slots["tale"]),
            pile=court.pile - DRAWN,
            discard=court.discard + DRAWN - 1,
            government=(court.gv, court.narratrice),
            by_slave=False,
        )
        return self._decided_by_tales(after)

    def _slave_reads(self, court: Court, slots: Slots) -> Court:
        """§5: the top tale, without power; everyone is eligible again."""
        after = replace(
            self._covered(court, slots["tale"]),
            pile=court.pile - 1,
            government=None,
            by_slave=True,
            uncovered="",
        )
        return self._decided_by_tales(after)

    def _covered(self, court: Court, tale: str) -> Court:
        letter = uncovered_by(court, tale, self.configuration)
        if letter == "P" and total_tales(court) > self.configuration.deck:
            letter = ""  # a board set right covers the place again: its tale was added already
        return replace(
            court,
            **{tale: getattr(court, tale) + 1},
            counter=0,
            last_tale=tale,
            uncovered=letter if letter in self.powers else "",
            ballot=Ballot(),  # what is said late of a count belongs to the turn before
            before_tale=replace(court, before_tale=None),
        )

    def _decided_by_tales(self, court: Court) -> Court:
        camp = wins(court)
        return _ended(court, f"{camp}_tales", camp) if camp else replace(court, before_tale=None)

    def _may_propose_next(self, court: Court, slots: Slots) -> Refusal | None:
        """The table goes on by itself, but not past the invitation of l'Amoureuse."""
        ended = _end_power(court, {})
        if court.phase != "lover" and self.conditions["lover_due"](ended):
            return Refusal("not_now")
        return _may_propose(_begin_turn(ended, {}), slots)

    # ---- Giafar and l'Amoureuse (§8c)

    def _giafar_wins(self, court: Court, slots: Slots) -> Court:
        if court.end is None:
            return court
        return replace(court, giafar_asked=True, end=replace(court.end, winners=(*court.end.winners, "giafar")))

    def _own_conditions(self) -> dict[str, Condition]:
        c = self.configuration
        return {
            "lover_plays": lambda court: c.amoureuse,
            "has_reserve": lambda court: c.added_most > 0,
            "giafar_due": lambda court: c.giafar and not court.by_slave and not court.giafar_asked,
            "hand_over": lambda court: c.giafar and court.interventionist == 4 and court.pacifist == 5,
            "lover_due": lambda court: (
                c.amoureuse
                and not court.lover_asked
                and court.interventionist >= 4
                and court.pacifist >= 5
                and court.fifth_exercised
            ),
        }


# ---- checks: None, or why not


def _may_propose(court: Court, slots: Slots) -> Refusal | None:
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
    ballot = _merged(court.ballot, slots)
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


_CHECKS: Mapping[str, Check] = {
    "may_propose": _may_propose,
    "adds_up": _adds_up,
    "adds_up_now": _adds_up_now,
    "confirms_count": _confirms_count,
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


# ---- actions: the state after


def _begin_turn(court: Court, slots: Slots) -> Court:
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


def _propose(court: Court, slots: Slots) -> Court:
    return replace(
        court, narratrice=slots["player"], ballot=Ballot(), veto_told=court.pacifist >= VETO_FROM, reshuffled=False
    )


def _propose_next(court: Court, slots: Slots) -> Court:
    """The turn begins with the proposal itself; a reshuffle is still to be called."""
    begun = _begin_turn(_end_power(court, {}), {})
    return replace(_propose(begun, slots), reshuffled=begun.reshuffled)


def _merged(ballot: Ballot, slots: Slots) -> Ballot:
    return Ballot(slots.get("yes", ballot.yes), slots.get("no", ballot.no))


def _count(court: Court, slots: Slots) -> Court:
    return replace(court, ballot=_merged(court.ballot if court.phase == "half_count" else Ballot(), slots))


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


def _end_power(court: Court, slots: Slots) -> Court:
    fifth = court.last_tale == PACIFIST and court.pacifist == VETO_FROM and not court.by_slave
    return replace(court, uncovered="", fifth_exercised=court.fifth_exercised or fifth)


def _ended(court: Court, how: str, camp: str) -> Court:
    """The camp wins; a departed Amoureuse won before (§8c)."""
    winners = (camp, "amoureuse") if court.departed else (camp,)
    return replace(court, end=Ending(how, winners))


_ACTIONS: Mapping[str, Action] = {
    "name_first": lambda court, slots: replace(court, gv=slots["player"], cycle_from=slots["player"]),
    "draw_first": lambda court, slots: replace(court, gv=slots["value"], cycle_from=slots["value"]),
    "begin_turn": _begin_turn,
    "propose": _propose,
    "propose_next": _propose_next,
    "count": _count,
    "complete_count": lambda court, slots: replace(court, ballot=court.ballot.completed(court.voters)),
    "count_vote": _count_vote,
    "prepare_slave": _prepare_slave,
    "dinarzade_narratrice": lambda court, slots: _ended(
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
    "dinarzade_exiled": lambda court, slots: _ended(
        replace(court, exiled=(*court.exiled, court.target)), "dinarzade_exiled", INTERVENTIONIST
    ),
    "add_tale": lambda court, slots: replace(court, pile=court.pile + 1),
    "end_power": _end_power,
    "lover_asked": lambda court, slots: replace(court, lover_asked=True),
    "depart": lambda court, slots: replace(court, lover_asked=True, departed=(*court.departed, slots["player"])),
    "take_back": lambda court, slots: court.before_tale or court,
    "giafar_asked": lambda court, slots: replace(court, giafar_asked=True),
}


# ---- conditions


def _power(letters: str) -> Callable[[Court], bool]:
    return lambda court: court.uncovered != "" and court.uncovered in letters


_CONDITIONS: Mapping[str, Condition] = {
    "small_table": lambda court: len(court.table) <= 6,
    "first_known": lambda court: court.gv != "",
    "set_up": lambda court: court.set_up,
    "reshuffled": lambda court: court.reshuffled,
    "veto_unlocked": lambda court: court.pacifist >= VETO_FROM and not court.veto_asked,
    "veto_news": lambda court: court.pacifist >= VETO_FROM and not court.veto_told,
    "passed": lambda court: court.ballot.passes,
    "counted": lambda court: court.ballot.complete,
    "third_advance": lambda court: court.counter >= ADVANCES,
    "decided": lambda court: court.end is not None,
    "dinarzade_asked": lambda court: court.pacifist >= DINARZADE_FROM,
    "pile_empty": lambda court: court.pile == 0,
    "slave_had_read": lambda court: court.counter >= ADVANCES,
    "giafar_asked": lambda court: court.giafar_asked,
    **{f"power_{letter.lower()}": _power(letter) for letter in "BCFNP0"},
    "power_x": _power("XY"),
}
