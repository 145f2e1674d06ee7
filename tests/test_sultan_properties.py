"""Thousands of random evenings of the Sultan: no crash, no illegal state, and the journal is the state."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from evenings import SETTINGS, Play, check, check_proposal, check_undo, legal, some_event
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from narrator.core.events import Elapsed, Heard, Ordered, Rolled, from_data, to_data
from narrator.core.game import fold
from narrator.core.states import Evening

MANY = settings(max_examples=700, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
tables = st.sampled_from(SETTINGS)
lengths = st.integers(0, 180)
seeds = st.integers(0, 2**32)


def wild(setting: object, skip_setup: bool, length: int, seed: int) -> Play:
    """An evening in which anything may happen; every invariant is checked after every event."""
    chance = random.Random(seed)
    play = Play.begun(setting, skip_setup)
    if skip_setup and chance.random() < 0.4:
        begin_late(play, chance)
    for _ in range(length):
        before, event = play.evening, some_event(play, chance.randrange(100), chance)
        play.receive(event)
        check(play)
        check_proposal(before.state, play.court, event)
        check_undo(play, before)
    return play


def begin_late(play: Play, chance: random.Random) -> None:
    """Most of the tales were read already: the veto, l'Amoureuse and the ends are near."""
    if play.roll is not None:
        play.receive(Rolled(play.roll.what, chance.choice(play.roll.choices)))
    play.receive(Heard("set_pacifist", {"n": 4}))
    play.receive(Heard("set_interventionist", {"n": chance.choice((3, 4))}))


@MANY
@given(tables, st.booleans(), lengths, seeds)
def test_never_a_crash_never_an_illegal_state(setting: object, skip: bool, length: int, seed: int) -> None:
    """Legal and illegal sentences, corrections, undo, timers out of turn: the deck is whole, the court in order."""
    wild(setting, skip, length, seed)


@settings(MANY, max_examples=250)
@given(tables, st.booleans(), lengths, seeds)
def test_the_journal_is_the_state(setting: object, skip: bool, length: int, seed: int) -> None:
    """fold(events) is the state, through JSON too; a cut at any event and a resume leave the same state."""
    play = wild(setting, skip, length, seed)
    written = [json.dumps(to_data(event), ensure_ascii=False) for event in play.log]
    read = [from_data(json.loads(line)) for line in written]
    assert read == play.log
    assert fold(play.game, read, skip) == play.evening
    evening, _ = play.game.receive(play.game.opening(skip), read[0])
    for event, state in zip(read[1:], play.states[2:], strict=True):
        resumed, effects = play.game.receive(evening, Ordered("resume"))
        assert placed(resumed) == placed(evening)
        assert effects
        evening, _ = play.game.receive(evening, event)
        assert evening == state


def placed(evening: Evening) -> Evening:
    """The evening but for the step of its phase: a resumed phase is told from its beginning."""
    return replace(evening, state=replace(evening.state, step=0))


def legal_step(play: Play, chance: random.Random) -> None:
    """What a table that keeps to the rules might do next."""
    if play.roll is not None:
        play.receive(Rolled(play.roll.what, chance.choice(play.roll.choices)))
        return
    dwelling = [timer for timer, dwell in play.running.items() if dwell]
    if dwelling:
        play.receive(Elapsed(dwelling[0]))
        return
    sentences = legal(play.game, play.court)
    assert sentences, f"nothing can be said in {play.court.phase}"
    kinds = sorted({sentence.intent for sentence in sentences})
    kind = chance.choice(kinds)
    asked = play.court.ask is None and play.court.phase in ("ask_dinarzade", "exile_answer")
    if asked and chance.random() < 0.9:  # Dinarzade is rarely found, or every evening would end early
        kind = "no"
    play.receive(chance.choice([s for s in sentences if s.intent == kind]))


@settings(MANY, max_examples=250)
@given(tables, st.booleans(), seeds)
def test_every_legal_game_ends(setting: object, skip: bool, seed: int) -> None:
    """§4: whatever a table does within the rules, the evening comes to one of the four ends."""
    chance, play = random.Random(seed), Play.begun(setting, skip)
    for _ in range(3000):
        if play.court.phase == "over":
            break
        before = play.court
        legal_step(play, chance)
        check(play)
        check_proposal(before, play.court, play.log[-1])
    assert play.ended is not None, "no end in sight"
    camp = play.ended.winners[0]
    assert (play.ended.how, camp) in (
        ("interventionist_tales", "interventionist"),
        ("dinarzade_exiled", "interventionist"),
        ("pacifist_tales", "pacifist"),
        ("dinarzade_narratrice", "pacifist"),
    )
    court = play.court
    assert (court.interventionist == 5) is (play.ended.how == "interventionist_tales")
    assert (court.pacifist == 6) is (play.ended.how == "pacifist_tales")
    assert ("amoureuse" in play.ended.winners) is bool(court.departed)


@settings(MANY, max_examples=200)
@given(tables, st.integers(0, 40), seeds)
def test_undoing_everything_leads_back_to_the_start(setting: object, length: int, seed: int) -> None:
    """Every decision can be taken back, one after the other, with a legal game in between."""
    chance, play = random.Random(seed), Play.begun(setting, True)
    for _ in range(length):
        if play.court.phase == "over":
            break
        legal_step(play, chance)
    for _ in range(length + 1):
        if play.evening.past is None and play.court.ask is None:
            break
        play.receive(Heard("undo"))
        check(play)
    assert play.evening.past is None
