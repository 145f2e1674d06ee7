"""The real cards: nothing is ever lost, and hands can only do what hands can do."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narrator.rehearsal.cards import CAMPS, HEAPS, Cards

DECK = Counter(interventionist=6, pacifist=11)


def made(seed: int = 1, reserve: bool = True) -> Cards:
    return Cards(6, 11, random.Random(seed), reserve=reserve)


def everything(cards: Cards) -> Counter[str]:
    tales = cards.tales
    return Counter((*tales.pile, *tales.discard, *tales.hand, *tales.aside, *tales.interventionist, *tales.pacifist))


def operations(cards: Cards, rng: random.Random) -> None:
    """One thing that hands may do now."""
    tales = cards.tales
    if len(tales.hand) == 3:
        rng.choice((lambda: cards.keep(rng.choice(tales.hand)), cards.put_back))()
    elif tales.hand:
        rng.choice((cards.read, cards.veto, cards.put_back))()
    elif len(tales.pile) <= 2:
        cards.reshuffle()
    else:
        draws = [cards.draw, cards.draw, cards.slave_read, cards.reshuffle]
        if tales.reserve:
            draws.append(lambda: cards.add(rng.choice(CAMPS), rng.randint(1, len(tales.pile))))
        rng.choice(draws)()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_no_tale_is_lost_or_made(seed: int, steps: int) -> None:
    cards, rng = made(seed), random.Random(seed)
    for _ in range(steps):
        if len(cards.tales.pile) + len(cards.tales.discard) < 3 and not cards.tales.hand:
            break
        operations(cards, rng)
        added = everything(cards) - DECK
        assert sum(added.values()) == (0 if cards.tales.reserve else 1)
        assert not DECK - everything(cards)
        assert sum(cards.counts().values()) == sum(everything(cards).values())


def test_a_government_draws_three_keeps_one_and_reads_it() -> None:
    cards = made()
    top = cards.look(3)
    assert cards.draw() == top
    assert cards.counts() == {"pile": 17, "discard": 0, "interventionist": 0, "pacifist": 0}
    cards.keep(top[0])
    assert cards.read() == top[0]
    assert cards.counts()["pile"] == 14
    assert cards.counts()["discard"] == 2
    assert cards.counts()[top[0]] == 1


def test_a_vetoed_government_discards_three() -> None:
    cards = made()
    cards.keep(cards.draw()[1])
    cards.veto()
    assert cards.counts() == {"pile": 14, "discard": 3, "interventionist": 0, "pacifist": 0}


def test_drawn_tales_go_back_in_order() -> None:
    cards = made()
    before = cards.tales.pile
    cards.draw()
    cards.put_back()
    assert cards.tales.pile == before


@pytest.mark.parametrize("slave", [True, False])
def test_a_tale_taken_back_is_where_it_came_from(slave: bool) -> None:
    cards = made()
    if slave:
        before = cards.tales
        cards.slave_read()
    else:
        cards.keep(cards.draw()[0])
        before = cards.tales
        cards.read()
    cards.take_back()
    assert cards.tales == before


def test_the_slave_reads_the_top_and_the_bottom_is_seen_from_below() -> None:
    cards = made()
    assert cards.look(1) == (cards.top,)
    assert cards.look_bottom(2) == cards.tales.pile[:2]
    assert cards.slave_read() in CAMPS
    assert len(cards.tales.pile) == 16


@pytest.mark.parametrize("depth", [0, 18])
def test_the_added_tale_never_lies_on_top(depth: int) -> None:
    with pytest.raises(ValueError, match="anywhere but on top"):
        made().add("pacifist", depth)


def test_the_added_tale_leaves_the_order_of_the_others() -> None:
    cards = made()
    before = cards.tales.pile
    cards.add("pacifist", 5)
    assert cards.tales.pile == (*before[:12], "pacifist", *before[12:])
    assert cards.tales.reserve == ()


def test_a_reshuffle_does_not_depend_on_the_order_before() -> None:
    orders = []
    for backwards in (False, True):
        cards = made(5)
        if backwards:
            cards.tales = type(cards.tales)(pile=cards.tales.pile[::-1])
        cards.reshuffle()
        orders.append(cards.tales.pile)
    assert orders[0] == orders[1]


def test_what_was_shuffled_since_cannot_be_put_back_in_order() -> None:
    cards = made()
    photo, shuffles = cards.tales, cards.shuffles
    cards.keep(cards.draw()[0])
    cards.veto()
    cards.reshuffle()
    cards.restore(photo, shuffles)
    assert Counter(cards.tales.pile) == Counter(photo.pile)
    assert cards.tales.pile != photo.pile


def test_a_table_can_arrange_its_heaps_as_it_is_told_but_not_invent_tales() -> None:
    cards = made()
    cards.slave_read()
    wanted = {"pile": 9, "discard": 5, "interventionist": 1, "pacifist": 2}
    cards.arrange(wanted)
    assert cards.counts() == wanted
    assert everything(cards) == DECK
    with pytest.raises(ValueError, match="no more and no fewer"):
        cards.arrange(dict.fromkeys(HEAPS, 5))


def test_hands_refuse_what_is_impossible() -> None:
    cards = made()
    with pytest.raises(ValueError, match="exactly one"):
        cards.read()
    with pytest.raises(ValueError, match="no tale was read"):
        cards.take_back()
    cards.draw()
    with pytest.raises(ValueError, match="cannot be drawn"):
        cards.draw()
