"""Whole games of random squads, votes and lots, with a second set of books kept by the test."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyramide_seats import PLAN, SMALL, scaled

from narrator.games.pyramide.ballots import tally, verdict
from narrator.games.pyramide.deal import check, deal, may_replace, replaced, vacant_cells
from narrator.games.pyramide.draws import Draws, spread
from narrator.games.pyramide.elections import (
    ELECTED,
    Result,
    candidates,
    drawn_graces,
    election,
    heir_of,
    vacancies,
)
from narrator.games.pyramide.knowledge import knowledge
from narrator.games.pyramide.plan import Plan, found
from narrator.games.pyramide.points import Scale, harpy_is_dead, ranking, scores, son_elected
from narrator.games.pyramide.ranks import (
    BELOW,
    OFFICE_RANK,
    District,
    Office,
    Pyramid,
    Rank,
    appointed,
    cleared,
    drawn_places,
    killed,
    placed,
    prestige_added,
    promoted,
    rotated,
)
from narrator.games.pyramide.returning import come_back, gains, joined, joins, may_return, offered
from narrator.games.pyramide.roles import Camp, Deal
from narrator.games.pyramide.squads import Squad, refusal, resolve, told, victims

MANY = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
WEIGHT = {Rank.COUNCILLOR: 10, Rank.MASTER: 4, Rank.GRACE: 2, Rank.BEAST: 1}
GAIN = {"maze": Fraction(1, 5), "pits": Fraction(3, 10), "plaza": Fraction(1, 2)}
SCALE = Scale(10, 5, 2, 0, 7)
plans = st.sampled_from((PLAN, SMALL, scaled(12), scaled(60)))
seeds = st.integers(0, 2**32)


@dataclass
class Books:
    """The test's own: who is what, kept by hand."""

    rank: dict[str, Rank]
    dead: set[str] = field(default_factory=set)
    prestige: dict[str, Fraction] = field(default_factory=dict)

    @property
    def living(self) -> list[str]:
        return [player for player in self.rank if player not in self.dead]

    @property
    def influence(self) -> int:
        return sum(WEIGHT[self.rank[player]] for player in self.living)


@dataclass
class World:
    plan: Plan
    town: Pyramid
    deal: Deal
    books: Books
    chance: random.Random
    turn: int = 0
    winner: Camp | None = None
    council_before: tuple[tuple[str, District], ...] = ()  # at the end of the last turn

    @property
    def draws(self) -> Draws:
        return spread(self.chance.random())


def begun(plan: Plan, seed: int) -> World:
    chance = random.Random(seed)
    seats = tuple(f"p{n}" for n in range(plan.seats))
    town = found(plan, seats, spread(chance.random()))
    made = deal(plan, town, spread(chance.random()))
    check(plan, town, made)
    return World(plan, town, made, Books(dict(town.ranks)), chance)


# ---- a turn


def places(w: World) -> None:
    w.turn += 1
    order = list(District)
    w.town = cleared(rotated(w.town))
    for (_, was), (player, now) in zip(w.council_before, w.town.council, strict=True):
        assert now == order[(order.index(was) + 1) % 3]  # a new one goes on from the place of the one replaced
        assert w.town.districts.get(player, now) == now
    for player in w.chance.sample(w.books.living, len(w.books.living) // 2):
        if w.books.rank[player] != Rank.COUNCILLOR:
            w.town = placed(w.town, player, w.chance.choice(order))
    w.town = drawn_places(w.town, w.draws)
    assert set(w.town.districts) == set(w.books.living)


def murders(w: World) -> set[str]:
    squads: list[Squad] = []
    sons = list(w.deal.sons)
    for _ in range(w.chance.randrange(4)):
        squad = Squad(
            tuple(w.chance.sample(sons, min(len(sons), w.chance.randrange(6)))), w.chance.choice(w.town.seats)
        )
        if refusal(w.town, w.deal, squads, squad) is None:
            squads.append(squad)
    serving = [player for squad in squads for player in squad.members]
    assert len(serving) == len(set(serving))
    assert not set(serving) & w.books.dead
    outcomes = resolve(w.town, w.deal, squads)
    for outcome in outcomes:
        where = w.town.districts[outcome.squad.target]
        strength = sum(WEIGHT[w.books.rank[p]] - (w.town.districts[p] != where) for p in outcome.squad.members)
        assert outcome.strength == strength
        assert abs(outcome.needed - WEIGHT[w.books.rank[outcome.squad.target]]) <= 1 + 2 + 2
        assert outcome.success == (strength > outcome.needed)
    for lesson in told(outcomes):
        assert set(lesson.sons) <= set(serving)
        assert lesson.player not in lesson.sons
    dying = set(victims(w.town, outcomes))
    assert not (harpy_is_dead(w.town, w.deal) and dying)
    bury(w, dying)
    return dying


def bury(w: World, dying: set[str]) -> None:
    w.town = killed(w.town, *dying)
    w.books.dead |= dying


def justice(w: World) -> None:
    reinforced = w.chance.random() < 0.3
    accused = w.chance.sample(w.books.living, min(3, len(w.books.living)))
    votes = {player: w.chance.choice([*accused[:2], ""]) for player in w.books.living}
    by_hand = Counter(dict.fromkeys(accused, 0))
    for voter, choice in votes.items():
        if choice:
            by_hand[choice] += WEIGHT[w.books.rank[voter]]
    found_ = verdict(w.town, w.plan, accused, tally(w.town, votes), reinforced)
    assert dict(found_.totals) == dict(by_hand)
    needed = max(1, math.floor(Fraction(w.books.influence, 5 if reinforced else 3)))
    assert set(found_.executed) == {player for player in accused if by_hand[player] >= needed}
    bury(w, set(found_.executed))


def elections(w: World) -> None:
    results: dict[Rank, Result] = {}
    for rank in ELECTED:
        free = vacancies(w.plan, w.town, rank)
        if free:
            results[rank] = elect(w, rank, free)
            if rank == Rank.COUNCILLOR and son_elected(w.deal, results[rank].elected):
                w.winner = Camp.HARPY
                return
        seneschal = rank == Rank.MASTER and heir_of(w.town, Office.SENESCHAL, results.get(Rank.COUNCILLOR), w.draws)
        if seneschal:
            w.town = appointed(w.town, Office.SENESCHAL, seneschal.player)
    for player in drawn_graces(w.plan, w.town, w.draws):
        raise_(w, player)
    heir = heir_of(w.town, Office.GREEN_GRACE, results.get(Rank.MASTER), w.draws)
    if heir:
        w.town = appointed(w.town, Office.GREEN_GRACE, heir.player)
    beasts = w.town.of_rank(Rank.BEAST)
    if not w.town.holder(Office.SHAVEPATE) and beasts:
        w.town = appointed(w.town, Office.SHAVEPATE, w.chance.choice(beasts))


def elect(w: World, rank: Rank, free: int) -> Result:
    names = candidates(w.town, rank)
    votes = {player: w.chance.choice([*names[:3], ""]) for player in w.books.living}
    totals = tally(w.town, votes)
    result = election(names, totals, free, w.draws)
    assert len(set(result.elected)) == free
    least = min(totals.get(player, 0) for player in result.elected)
    lost = [player for player in names if player not in result.elected]
    assert all(totals.get(player, 0) <= least for player in lost)
    best = max((totals.get(player, 0) for player in lost), default=0)
    assert (totals[result.heir] == best) if result.heir else best == 0
    assert set(result.drawn) <= set(result.tied) & set(result.elected)
    for player in result.elected:
        raise_(w, player)
    return result


def raise_(w: World, player: str) -> None:
    w.town = promoted(w.town, player)
    w.books.rank[player] = {below: above for above, below in BELOW.items()}[w.books.rank[player]]


def returns(w: World, murdered: set[str]) -> set[str]:
    back = set()
    for player in may_return(w.town, w.deal, murdered, w.turn, every_turn=True):
        assert w.deal.camp(player) == Camp.QUEEN
        if offered(w.chance.random()):
            w.town, w.deal = come_back(w.town, w.deal, player)
            w.books.dead -= {player}
            w.books.rank[player] = Rank.BEAST
            back.add(player)
            if joins(w.chance.random() / 4):
                w.deal = joined(w.town, w.deal, player)
            assert gains(w.chance.random()) in (True, False)
    return back


def lieutenants(w: World) -> None:
    for fallen in vacant_cells(w.deal, w.town):
        able = [player for player in w.deal.henchmen if may_replace(w.deal, w.town, player, fallen) is None]
        if able:
            sons = set(w.deal.sons)
            w.deal = replaced(w.deal, w.chance.choice(able), fallen)
            assert set(w.deal.sons) == sons - {fallen}


def end_turn(w: World, back: set[str]) -> None:
    for player in w.books.living:
        if player not in back:
            gained = GAIN[w.town.districts[player]]
            w.books.prestige[player] = w.books.prestige.get(player, Fraction()) + gained
    w.council_before = w.town.council
    w.town = prestige_added(w.town)


def audit(w: World, back: set[str]) -> None:
    """Both sets of books agree, and the pyramid is one. Who came back came after the offices were filled."""
    town, books = w.town, w.books
    assert set(town.living) == set(books.living)
    assert all(town.ranks[player] == books.rank[player] for player in books.living)
    assert town.available == books.influence
    assert {p: Fraction(n, 10) for p, n in town.prestige.items()} == books.prestige
    for office, rank in OFFICE_RANK.items():
        holder = town.holder(office)
        assert (holder in town.of_rank(rank)) if holder else not set(town.of_rank(rank)) - back
    sitting = [player for player, _ in town.council if player in town.of_rank(Rank.COUNCILLOR)]
    assert sorted(sitting) == sorted(town.of_rank(Rank.COUNCILLOR))
    for above in BELOW:
        assert len(town.of_rank(above)) <= w.plan.count(above)
        assert not vacancies(w.plan, town, above)
    assert len(w.deal.sons) == len(set(w.deal.sons))
    for player, known in knowledge(w.deal, town).items():
        assert player not in {one.player for one in known}
        assert w.deal.is_son(player) or player in town.of_rank(Rank.COUNCILLOR)


def play(w: World, turns: int) -> None:
    w.council_before = w.town.council
    while w.turn < turns and w.winner is None and len(w.books.living) > w.plan.councillors + 4:
        places(w)
        harpy_was_dead = harpy_is_dead(w.town, w.deal)
        murdered = murders(w)
        if harpy_was_dead:
            w.winner = Camp.QUEEN
            return
        justice(w)
        elections(w)
        if w.winner is None:
            lieutenants(w)
            back = returns(w, murdered)
            end_turn(w, back)
            audit(w, back)


@MANY
@given(plans, seeds, st.integers(1, 9))
def test_a_whole_game(plan: Plan, seed: int, turns: int) -> None:
    world = begun(plan, seed)
    play(world, turns)
    if world.winner is None:
        return
    lines = scores(world.town, world.deal, world.winner, SCALE)
    for line in lines:
        assert Fraction(line.total, 10) == line.points * world.books.prestige.get(line.player, Fraction())
    order = ranking(lines)
    assert [score.total for _, score in order] == sorted((score.total for score in lines), reverse=True)
    assert all(place == 1 + sum(other.total > score.total for other in lines) for place, score in order)


def test_games_come_to_both_ends() -> None:
    """The drawn games are no formality: both camps win some."""
    ends = Counter()
    for seed in range(120):
        world = begun(PLAN, seed)
        play(world, 12)
        ends[world.winner] += 1
    assert ends[Camp.HARPY] > 5
    assert ends[Camp.QUEEN] > 5


@settings(MANY, max_examples=300)
@given(st.integers(2, 12), st.integers(1, 6), seeds)
def test_an_election_is_fair(number: int, places_: int, seed: int) -> None:
    """Among equals everybody's chance is the same: the lot never looks at the order of seats."""
    chance = random.Random(seed)
    names = tuple(f"n{n}" for n in range(number))
    totals = {name: chance.randrange(4) for name in names}
    result = election(names, totals, min(places_, number), spread(chance.random()))
    assert len(set(result.elected)) == min(places_, number)
    assert result.heir not in result.elected
    assert bool(result.drawn) is (0 < len(result.drawn) < len(result.tied))
