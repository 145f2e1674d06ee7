"""Random evenings of the Sultan on the pure engine: legal and illegal sentences, corrections, undo, timers, cuts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from evening import NAMES, production

from narrator.core.effects import Effect, End, Listen, Roll, Say, Wait
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled, Spoken
from narrator.core.game import Game
from narrator.core.lines import Lines
from narrator.core.script import ANY
from narrator.core.setting import Setting
from narrator.core.states import Evening
from narrator.games.sultan.court import Court

PLAYER, PAIR = (
    ("propose", "choose", "exile", "is_name", "is_first", "lover_is", "set_grand_vizir", "set_exiled", "set_returned"),
    ("swap", "set_barred", "set_seats"),
)
NUMBER = ("set_pile", "set_discard", "set_counter", "set_interventionist", "set_pacifist")
_VOTING = ("discussion", "countdown", "vote", "half_count", "accepted", "ask_dinarzade")
GOVERNING = frozenset((*_VOTING, "draw", "choice", "veto", "veto_refused"))
ENDED = frozenset(("last_tale", "ending", "giafar", "over"))


def settings() -> Iterator[Setting]:
    """Every player count in both configurations, with and without Giafar and l'Amoureuse, and boards full of powers."""
    for players in range(5, 11):
        for kind in ("classic", "suggested"):
            lover = players >= 7 and kind == "classic"
            options = {"configuration": kind, "giafar": players % 2 == 0, "amoureuse": lover}
            yield Setting("sultan", "fr", NAMES[:players], NAMES[players - 1] if lover else "", options)
    for players, left, right in ((6, "0F0N2", "BPC0FZ"), (8, "CXB02", "0CPBCZ"), (10, "XYFN2", "BXYCPA")):
        boards = {"interventionist_board": left, "pacifist_board": right}
        yield Setting("sultan", "fr", NAMES[:players], "", {**boards, "giafar": True, "amoureuse": players > 7})


SETTINGS = tuple(settings())


@dataclass
class Play:
    """An evening under way: the event log, every state it went through, what is running and open."""

    game: Game
    lines: Lines
    evening: Evening
    log: list[Event]
    states: list[Evening]
    floor: Listen
    running: dict[str, bool]  # timer -> dwell
    roll: Roll | None = None
    ended: End | None = None

    @classmethod
    def begun(cls, setting: Setting, skip_setup: bool) -> Play:
        staged = production(setting)
        evening = staged.game.opening(skip_setup)
        play = cls(staged.game, staged.lines, evening, [], [evening], Listen("", (), ()), {})
        play.receive(Ordered("start"))
        return play

    @property
    def court(self) -> Court:
        court = self.evening.state
        assert isinstance(court, Court)
        return court

    def receive(self, event: Event) -> list[Effect]:
        self.evening, effects = self.game.receive(self.evening, event)
        self.log.append(event)
        self.states.append(self.evening)
        self.roll = None if isinstance(event, Rolled) else self.roll
        for effect in effects:
            match effect:
                case Say(line, facts, _):
                    assert self.lines.text(line, facts)
                case Listen(_, accepts, hears, _):
                    assert set(hears) <= set(accepts)
                    self.floor, self.running = effect, {}
                case Wait(timer, seconds, dwell):
                    assert seconds > 0
                    self.running[timer] = dwell
                case Roll():
                    self.roll = effect
                case End():
                    self.ended = effect
        return effects


# ---- choosing what happens


def any_slots(intent: str, court: Court, chance: random.Random) -> dict[str, Any]:
    """Slots of the right kind, possible or not."""
    seats = court.table.seats
    if intent in PLAYER:
        return {"player": chance.choice(seats)}
    if intent in PAIR:
        return {"player": chance.choice(seats), "other": chance.choice(seats)}
    if intent in NUMBER:
        return {"n": chance.randrange(19 if intent in ("set_pile", "set_discard") else 8)}
    if intent in ("tale", "camp_wins"):
        return {"tale": chance.choice(("pacifist", "interventionist"))}
    yes = chance.randint(0, court.voters)
    no = court.voters - yes if chance.random() < 0.8 else chance.randint(0, 10)
    return {"count": {"yes": yes, "no": no}, "count_yes": {"yes": yes}, "count_no": {"no": no}}.get(intent, {})


def some_event(play: Play, kind: int, chance: random.Random) -> Event:
    """Mostly what the floor accepts, now and then anything at all. `kind`: 0..99."""
    court, script = play.court, play.game.script
    if play.roll is not None and kind < 80:
        return Rolled(play.roll.what, chance.choice(play.roll.choices))
    dwelling = [timer for timer, dwell in play.running.items() if dwell]
    if dwelling and kind < 60:
        return Elapsed(dwelling[0])
    if kind < 62:
        heard = legal(play.game, court)
        if heard:
            return chance.choice(heard)
    if kind < 84:
        intents = sorted({on for _, on in script.moves if ":" not in on} | {*script.queries, "undo", "yes", "no"})
        intent = chance.choice(play.floor.accepts if kind < 74 and play.floor.accepts else intents)
        return Heard(intent, any_slots(intent, court, chance))
    if kind < 90:
        return Heard("undo")
    if kind < 97:
        return Elapsed(chance.choice([*play.running, "step", "time_up", "warn", "remind"]))
    return chance.choice((Ordered("resume"), Spoken(), Heard("more_time")))


def legal(game: Game, court: Court) -> list[Heard]:
    """Every kind of sentence that the present phase takes, as its rules check it; corrections and undo left out."""
    if court.ask is not None:
        return [Heard("yes"), Heard("no")]
    sentences = []
    for (phase, on), move in game.script.moves.items():
        if phase != court.phase or ":" in on or on == "time_up" or ANY in move.sources:
            continue
        for slots in _fitting(on, court):
            if not move.check or game.rules.checks[move.check](court, slots) is None:
                sentences.append(Heard(on, slots))
    if court.phase == "checklist":
        sentences.append(Heard("next"))
    return sentences


def _fitting(intent: str, court: Court) -> Iterator[dict[str, Any]]:
    seats = court.table.seats
    if intent in PLAYER:
        yield from ({"player": player} for player in seats)
    elif intent in PAIR:
        yield from ({"player": one, "other": other} for one, other in permutations(seats, 2))
    elif intent in ("tale", "camp_wins"):
        yield from ({"tale": "pacifist"}, {"tale": "interventionist"})
    elif intent.startswith("count"):
        for yes in range(court.voters + 1):
            both = {"yes": yes, "no": court.voters - yes}
            yield both if intent == "count" else {intent[6:]: both[intent[6:]]}
    else:
        yield {}


# ---- what must always hold


def check(play: Play) -> None:
    court, c = play.court, play.game.rules.configuration
    added = court.pile + court.discard + court.interventionist + court.pacifist - c.deck
    assert 0 <= added <= c.added_most
    assert min(court.pile, court.discard) >= 0
    assert 0 <= court.counter <= 3
    assert court.counter < 3 or court.phase in ("vetoed", "slave", "refused") or court.phase in ENDED
    assert 0 <= court.interventionist <= 5
    assert 0 <= court.pacifist <= 6
    assert (court.end is not None) is (court.phase in ENDED)
    assert (court.interventionist < 5 and court.pacifist < 6) or court.end is not None
    assert court.voters == len(court.table) - len(court.exiled) - len(court.departed)
    assert len({*court.exiled, *court.departed}) == len(court.exiled) + len(court.departed)
    assert sorted(court.table.seats) == sorted(play.game.rules.setting.players)
    if court.phase in GOVERNING or court.phase == "proposal":
        assert court.gv in court.table
        assert court.gv not in court.absent
        assert court.pile >= 3
    if court.phase in GOVERNING:
        assert court.narratrice in court.table
        assert court.narratrice not in (court.gv, *court.absent)


def check_proposal(before: Court, after: Court, event: Event) -> None:
    """Nobody barred is ever proposed."""
    if isinstance(event, Heard) and event.intent == "propose" and after != before:
        assert after.narratrice == event.slots["player"]
        assert after.narratrice not in after.barred


def check_undo(play: Play, before: Evening) -> None:
    """Undo restores exactly the state before the last decision, and forgets that decision."""
    after = play.evening
    restored, _ = play.game.receive(after, Heard("undo"))
    if after.state.ask is not None:
        assert restored == replace(after, state=replace(after.state, ask=None))
    elif after.past is not None:
        assert restored == Evening(after.past.before, after.past.earlier)
        if after.past.earlier is before.past and after.past is not before.past:
            assert restored.state == replace(before.state, ask=None)
    else:
        assert restored == after
