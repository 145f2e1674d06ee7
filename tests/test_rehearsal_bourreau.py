"""The simulated table of Le Bourreau: real cards and coins against the narrator's accounts, whole evenings long."""

from __future__ import annotations

import random
from typing import Any

import pytest
from evening import NAMES, production
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rehearsal_people import Evening

from narrator.core.setting import Setting
from narrator.library import Production
from narrator.rehearsal.bourreau import BourreauTable
from narrator.rehearsal.bourreau.coins import TREASURY, Coins
from narrator.rehearsal.bourreau.people import CHATTER
from narrator.rehearsal.bourreau.truth import CENTRE, Cards, outcome, paid_out
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.talk import Talk, remark


def made(seats: int, language: str = "fr", **options: Any) -> Production:
    return production(Setting("bourreau", language, NAMES[:seats], "", options))


def play(seats: int, seed: int, language: str = "fr", **more: Any) -> Evening:
    staged = made(seats, language)
    evening = Evening(staged, BourreauTable(staged, seed), random.Random(seed + 1), skip_setup=False, **more)  # type: ignore[arg-type]
    evening.play()
    return evening


# ---- whole evenings


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("seats", [4, 5, 6, 7, 8])
def test_the_narrator_s_purses_are_the_real_ones(seats: int, language: str) -> None:
    """Two games each: who is dead and who has what follows from the real cards alone."""
    for seed in range(25):
        evening = play(seats, seed, language)
        assert evening.end is not None
        assert evening.end.how == "evening"
        table = evening.table
        assert table.hands.difference == ""
        state = evening.public()
        assert {p: table.hands.coins.crowns(p) for p in NAMES[:seats]} == state["purses"]
        assert table.hands.coins.crowns(TREASURY) == state["treasury"]
        assert state["turn"] == 2


@pytest.mark.parametrize("mishears", [0.03, 0.15])
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_a_narrator_that_mishears_is_led_to_an_end_all_the_same(seats: int, mishears: float) -> None:
    for seed in range(20):
        evening = play(seats, seed, mishears=mishears)
        assert evening.end is not None


def test_evenings_have_everything_in_them() -> None:
    """Over many seeds every kind of end, item and payment comes up, or the check would check little."""
    reasons, fates, ends, phases = set(), set(), set(), set()
    for seed in range(60):
        evening = play(4 + seed % 5, seed)
        reasons |= {say.line for _, say in evening.said if say.line.startswith("pay_")}
        fates |= {(e.item, e.fate) for e in evening.evening.state.executions}
        ends.add(evening.evening.state.how)
        phases |= {say.line for _, say in evening.said}
    assert reasons >= {"pay_theft", "pay_executions", "pay_disgrace", "pay_death", "pay_loyalty", "pay_rebellion"}
    assert {item for item, _ in fates} >= {"hat", "chalice", "cheese", "dummy", "shield", "parasite", "pardon"}
    assert ends == {"stopped", "pardon", "princess"}
    assert phases >= {"replace_last", "turn_centre", "shield_choose", "who_has_parasite", "pass_left"}


def test_evenings_that_need_both_repairs() -> None:
    """Hardly anything harmless in the box: the executioner swaps until there is."""
    staged = made(5, items={"hat": 0, "chalice": 0, "dummy": 0, "shield": 4, "parasite": 3})
    lines: set[str] = set()
    for seed in range(12):
        evening = Evening(staged, BourreauTable(staged, seed), random.Random(seed), skip_setup=False)  # type: ignore[arg-type]
        evening.play()
        assert evening.table.hands.difference == ""
        lines |= {say.line for _, say in evening.said}
    assert lines >= {"replace_last", "remove_one", "which_drawn", "parasite_kills"}


@pytest.mark.sound
@pytest.mark.parametrize(("language", "seats"), [("fr", 6), ("en", 5)])
def test_an_evening_by_ear(language: str, seats: int) -> None:
    """Real pyttsx3, real vosk, a room in which everybody talks: the accounts are right at the end."""
    staged = made(seats, language)
    people = BourreauTable(staged, 3)
    rehearsal = Rehearsal(staged, 3, typed=False, people=people)  # type: ignore[arg-type]
    ending = rehearsal.run()
    tally = rehearsal.tally
    assert ending is not None
    assert people.hands.difference == ""
    assert tally.utterances > 60
    assert tally.first_try >= 0.75 * tally.utterances
    assert tally.wrong_actions <= 2
    assert tally.false_actions <= 1


# ---- chatter


@pytest.mark.parametrize("language", ["fr", "en"])
def test_chatter_is_never_a_sentence(language: str) -> None:
    staged = made(7, language)
    talk = Talk(staged.phrases, NAMES[:7], random.Random(1), CHATTER)
    for line in talk.lines:
        text = remark(line, "Bob", "Emma", "trois")
        assert staged.phrases.parse(text) is None, text


# ---- coins


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(0, 12)), max_size=60))
def test_coins_only_move(moves: list[tuple[int, int, int]]) -> None:
    holders = (TREASURY, *NAMES[:8])
    coins = Coins(NAMES[:8])
    for player in NAMES[:8]:
        assert coins.move(TREASURY, player, 5) == 5
    for payer, payee, crowns in moves:
        if payer == payee:
            continue
        before = {h: coins.crowns(h) for h in holders}
        moved = coins.move(holders[payer], holders[payee], crowns)
        assert moved == min(crowns, before[holders[payer]])
        before[holders[payer]] -= moved
        before[holders[payee]] += moved
        assert {h: coins.crowns(h) for h in holders} == before
        assert coins.box == (20, 20)


# ---- the truth


def test_a_deal_uses_every_card_once() -> None:
    items, roles = ["pardon", "hat", "dummy", "mimic"], ["loyalist", "saboteur", "fool", "princess"]
    cards = Cards.dealt(("B", "C", "D"), roles, items, random.Random(3))
    assert sorted(cards.items.values()) == sorted(items)
    assert set(cards.items) == {"B", "C", "D", CENTRE}
    assert len(cards.roles) == 3
    before = dict(cards.items)
    cards.pass_left(("B", "C", "D"))
    assert (cards.items["C"], cards.items["D"], cards.items["B"]) == (before["B"], before["C"], before["D"])
    cards.swap("B", CENTRE)
    assert cards.items[CENTRE] == before["D"]


def cards(**held: str) -> Cards:
    """Player = "role item"."""
    roles = {p: text.split()[0] for p, text in held.items() if p != "centre"}
    items = {CENTRE if p == "centre" else p: text.split()[-1] for p, text in held.items()}
    return Cards(roles, items)


@pytest.mark.parametrize(
    ("dealt", "struck", "dead", "rebellion"),
    [
        (cards(B="loyalist hat", C="saboteur dummy", centre="pardon"), ["B", "C"], ["B"], False),
        (cards(B="loyalist pardon", C="saboteur parasite", centre="hat"), ["B"], ["B"], True),
        (cards(B="loyalist hat", C="saboteur parasite", centre="hat"), ["B"], ["B", "C"], False),
        (cards(B="loyalist hat", C="princess parasite", centre="hat"), ["B"], ["B", "C"], True),
        (cards(B="loyalist hat", C="fool mimic", centre="parasite"), ["B"], ["B", "C"], False),
        (cards(B="loyalist mimic", C="fool hat", centre="parasite"), ["B"], [], False),
        (cards(B="princess mimic", C="fool hat", centre="dummy"), ["B"], [], False),
        (cards(B="princess shield", C="fool hat", centre="dummy"), ["B", "C"], ["C"], False),
    ],
)
def test_outcome(dealt: Cards, struck: list[str], dead: list[str], rebellion: bool) -> None:
    end = outcome(dealt, struck)
    assert (end.dead, end.rebellion) == (dead, rebellion)


def test_paid_out_example_2() -> None:
    """§3, example 2, by hand: one crown to the executioner and to both loyalists."""
    coins = Coins(("A", "B", "C", "D"))
    for player in "ABCD":
        coins.move(TREASURY, player, 5)
    dealt = cards(B="loyalist shield", C="loyalist dummy", D="saboteur pardon", centre="pardon")
    assert paid_out(coins, dealt, outcome(dealt, ["B", "C"]), ("A", "B", "C", "D"))
    assert [coins.crowns(p) for p in "ABCD"] == [6, 6, 6, 5]
