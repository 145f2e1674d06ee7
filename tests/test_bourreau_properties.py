"""Random evenings of Le Bourreau: no crash, no illegal state, crowns conserved, and the journal is the state."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from evening import NAMES, production
from evenings import Play, check_undo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled, Spoken, from_data, to_data
from narrator.core.game import fold
from narrator.core.setting import Setting
from narrator.core.table import Table
from narrator.core.templates import SLOT, Form
from narrator.games.bourreau.configuration import ITEMS, ROLES
from narrator.games.bourreau.rewards import ORDER, change, settled
from narrator.games.bourreau.state import DIED, DUMMY_DIED, ESCAPED, PARASITE, Execution, Scaffold
from narrator.games.bourreau.view import public_state

MANY = settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def tables() -> Iterator[Setting]:
    for players in range(4, 9):
        for first in ("", NAMES[1]):
            yield Setting("bourreau", "fr", NAMES[:players], first, {})
    crowd = {"items": {"mimic": 2, "parasite": 2, "shield": 3}, "shield_skips": True, "tokens": True}
    yield Setting("bourreau", "fr", NAMES[:7], NAMES[0], crowd)
    yield Setting("bourreau", "en", NAMES[:5], NAMES[0], {"cheese_steals": True, "everyone_once": True})
    cards = {"active_items": ["pardon", "hat", "mimic", "parasite", "shield"]}
    yield Setting("bourreau", "fr", NAMES[:5], NAMES[0], {**cards, "fool_counts": True, "fool_pays": False})


SETTINGS = tuple(tables())
chosen = st.sampled_from(SETTINGS)
seeds = st.integers(0, 2**32)


class Gallery(Play):
    """An evening of Le Bourreau under way."""

    @property
    def court(self) -> Any:
        return self.evening.state


@cache
def forms(setting_index: int) -> dict[str, list[Form]]:
    found: dict[str, list[Form]] = {}
    for form in production(SETTINGS[setting_index]).phrases.forms:
        found.setdefault(form.intent, []).append(form)
    return found


def said(play: Gallery, intent: str, known: dict[str, list[Form]], chance: random.Random) -> Heard:
    """One of the sentences of this intent, with any names and numbers in it."""
    form = chance.choice(known[intent])
    slots: dict[str, Any] = dict(form.fixed)
    for hole in SLOT.findall(form.text):
        named = hole in ("player", "other")
        slots[hole.rsplit("_", 1)[-1]] = chance.choice(play.court.table.seats) if named else chance.randrange(12)
    return Heard(intent, slots)


def some_event(play: Gallery, known: dict[str, list[Form]], chance: random.Random) -> Event:
    kind = chance.randrange(100)
    if play.roll is not None and kind < 85:
        return Rolled(play.roll.what, chance.choice(play.roll.choices))
    dwelling = [timer for timer, dwell in play.running.items() if dwell]
    if dwelling and kind < 70:
        return Elapsed(dwelling[0])
    if kind < 88:
        asked = play.court.ask is not None and chance.random() < 0.8
        own = [on for (phase, on) in play.game.script.moves if phase == play.court.phase and on in known]
        rare = {"end_evening", "undo", "forget_cards"}
        own = [on for on in own if on not in rare or chance.random() < 0.05]
        intents = ["yes", "no"] if asked else own if own and kind < 78 else sorted(known)
        return said(play, chance.choice(intents), known, chance)
    if kind < 92:
        return Heard("undo")
    if kind < 98:
        return Elapsed(chance.choice([*play.running, "step", "time_up", "warn", "remind"]))
    return chance.choice((Ordered("resume"), Spoken(), Heard("more_time")))


# ---- what must always hold


def check(s: Scaffold, lends: bool) -> None:
    assert min(s.purses) >= 0
    assert s.treasury >= 0
    lent = s.total - 80
    assert lent == 0 or (lends and lent > 0 and lent % 5 == 0)
    check_ledger(s)
    struck = [e.player for e in s.executions]
    assert len(struck) == len(set(struck)), "nobody is executed twice"
    assert s.executioner not in struck
    assert not set(s.dead) & set(s.survivors)
    assert set(s.to_act) <= set(s.prisoners)
    assert s.executioner not in s.acted
    assert len(s.items) in range(len(s.table) + 1)
    assert len(s.gallows) == len(set(s.gallows)) <= 2
    assert sum(e.fate == DIED and (e.role == "princess" or e.item == "pardon") for e in s.executions) <= 1
    for e in s.executions:
        if e.role == "princess" or (e.item == "pardon" and e.fate == DIED):
            assert s.saboteurs_win
            assert e is s.executions[-1], "nothing happens after an immediate end"
        if e.by == PARASITE:
            assert e.item == PARASITE
            assert s.how
        elif e.by != s.executioner:
            shielded = [x for x in s.executions if x.player == e.by]
            assert shielded
            assert shielded[0].item == "shield"
    if s.phase == "over":
        assert s.end is not None
        assert s.end.winners
        contenders = s.contenders or s.table.seats
        best = max(s.purse(p) for p in contenders)
        assert set(s.end.winners) == {p for p in contenders if s.purse(p) == best}
    json.dumps(public_state(s))


def check_money(before: Scaffold, after: Scaffold, event: Event) -> None:
    """Purses move by a ledger, by a correction of one of them, and by nothing else."""
    if isinstance(event, Heard) and event.intent == "undo":
        return
    moved = {p: after.purse(p) - before.purse(p) for p in after.table.seats if after.purse(p) != before.purse(p)}
    if isinstance(event, Heard) and event.intent == "set_purse":
        assert set(moved) <= {event.slots["player"]}
        return
    told: Counter[str] = Counter()
    paid = after.ledger if after.ledger != before.ledger else ()
    for move in paid:
        told.update({move.payee: move.crowns})
        told.subtract({move.payer: move.crowns})
    assert moved == {p: told[p] for p in after.table.seats if told[p]}, event
    assert after.total - before.total == sum(move.crowns for move in paid if move.payer == "house")


def check_ledger(s: Scaffold) -> None:
    """The fixed order; nothing pays what it does not have (read backwards from the purses now)."""
    order = [ORDER.index(m.reason) for m in s.ledger if m.reason != "token"]
    assert order == sorted(order)
    assert all(m.crowns > 0 for m in s.ledger)
    assert not {"disgrace", "rebellion"} & {m.reason for m in s.ledger} or s.saboteurs_win
    assert not {"executions", "loyalty"} & {m.reason for m in s.ledger} or not s.saboteurs_win


def wild(setting: Setting, skip: bool, length: int, seed: int) -> Gallery:
    chance, play = random.Random(seed), Gallery.begun(setting, skip)
    known = forms(SETTINGS.index(setting))
    for _ in range(length):
        before = play.evening
        event = some_event(play, known, chance)
        play.receive(event)
        check_money(before.state, play.court, event)
        check(play.court, bool(setting.options.get("tokens")))
        check_undo(play, before)
    return play


@MANY
@given(chosen, st.booleans(), st.integers(0, 160), seeds)
def test_never_a_crash_never_an_illegal_state(setting: Setting, skip: bool, length: int, seed: int) -> None:
    wild(setting, skip, length, seed)


@settings(MANY, max_examples=120)
@given(chosen, st.booleans(), st.integers(0, 120), seeds)
def test_the_journal_is_the_state(setting: Setting, skip: bool, length: int, seed: int) -> None:
    """fold(events) is the state, through JSON too; a cut at any event and a resume change no fact."""
    play = wild(setting, skip, length, seed)
    read = [from_data(json.loads(json.dumps(to_data(event), ensure_ascii=False))) for event in play.log]
    assert read == play.log
    assert fold(play.game, read, skip) == play.evening
    evening, _ = play.game.receive(play.game.opening(skip), read[0])
    for event, state in zip(read[1:], play.states[2:], strict=True):
        resumed, effects = play.game.receive(evening, Ordered("resume"))
        assert replace(resumed.state, step=0, reminded=0) == replace(evening.state, step=0, reminded=0)
        assert effects
        evening, _ = play.game.receive(evening, event)
        assert evening == state


@settings(MANY, max_examples=150)
@given(chosen, seeds)
def test_every_table_can_play_to_an_end(setting: Setting, seed: int) -> None:
    """Whatever is said within the rules, a game comes to its payment."""
    chance, play = random.Random(seed), Gallery.begun(setting, True)
    known = forms(SETTINGS.index(setting))
    slow = {"interrogate", "end_evening", "forget_cards", "set_purse", "set_spared", "set_acted", "set_not_acted"}
    for _ in range(2500):
        s = play.court
        if s.phase in ("again", "over"):
            break
        dwelling = [timer for timer, dwell in play.running.items() if dwell]
        if play.roll is not None:
            play.receive(Rolled(play.roll.what, chance.choice(play.roll.choices)))
        elif dwelling:
            play.receive(Elapsed(dwelling[0]))
        elif s.ask is not None:
            play.receive(Heard(chance.choice(("yes", "yes", "no"))))
        else:
            own = {on for (phase, on) in play.game.script.moves if phase == s.phase and on in known} - slow
            play.receive(said(play, chance.choice(sorted(own)), known, chance))
        check(play.court, bool(setting.options.get("tokens")))
    assert play.court.phase in ("again", "over")


# ---- money alone


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Scaffold, Any]:
    """Any end of a game that the rules can come to: strokes, roles, purses of all sizes."""
    setting = draw(chosen.filter(lambda one: one.players[0] == NAMES[0] and len(one.players) > 4))
    box = production(setting).game.rules.configuration  # type: ignore[attr-defined]
    seats = setting.players
    purses, left = [], 80
    for _ in seats:
        purses.append(draw(st.integers(0, min(left, draw(st.sampled_from((0, 3, 9, 80)))))))
        left -= purses[-1]
    state = Scaffold("pay", executioner=seats[0], purses=tuple(purses), total=80, gems=20, how="stopped")
    state = _seated(state, seats)
    roles = {p: draw(st.sampled_from(ROLES)) for p in seats[1:]}
    strokes = []
    for player in seats[1:]:
        fate = draw(st.sampled_from((DIED, DUMMY_DIED, ESCAPED, "")))
        if not fate:
            continue
        item = draw(st.sampled_from(ITEMS))
        by = PARASITE if item == PARASITE and fate == DIED else seats[0]
        shown = roles[player] if fate == DIED and roles[player] in ("princess", "fool") else ""
        strokes.append(Execution(player, by, item, fate, shown, item))
    how = "stopped"
    for e in strokes:
        if e.fate == DIED and e.role == "princess":
            how = "princess"
        elif e.fate == DIED and e.item == "pardon":
            how = "pardon"
    living = [p for p in seats[1:] if p not in [e.player for e in strokes if e.fate == DIED]]
    declared = tuple((p, roles[p]) for p in living)
    return _seated(state, seats, executions=tuple(strokes), how=how, declared=declared, cheese=draw(st.booleans())), box


def _seated(state: Scaffold, seats: tuple[str, ...], **changes: Any) -> Scaffold:
    return replace(state, table=Table(seats), **changes)


@settings(MANY, max_examples=800)
@given(outcomes())
def test_crowns_are_conserved(outcome: tuple[Scaffold, Any]) -> None:
    """Purses and treasury change by the ledger and by nothing else; at no line of it is anything below zero."""
    state, box = outcome
    after = settled(state, box)
    money = {**dict(zip(state.table.seats, state.purses, strict=True)), "treasury": state.treasury, "house": 10**6}
    for move in after.ledger:
        money[move.payer] -= move.crowns
        money[move.payee] += move.crowns
        assert min(money.values()) >= 0, move
    assert {p: money[p] for p in state.table.seats} == dict(zip(after.table.seats, after.purses, strict=True))
    assert money["treasury"] == after.treasury
    assert after.total - state.total == 10**6 - money["house"]
    assert after.total == state.total or box.tokens
    assert not (after.short and box.tokens)
    check_ledger(after)


@settings(MANY, max_examples=300)
@given(outcomes())
def test_change_of_any_outcome(outcome: tuple[Scaffold, Any]) -> None:
    """§4: twenty coins and twenty gems serve every purse that there can be."""
    purses = outcome[0].purses
    parts = change(purses, 20)
    assert [coins + 3 * gems for coins, gems in parts] == list(purses)
    assert sum(c for c, _ in parts) <= 20
    assert sum(g for _, g in parts) <= 20
