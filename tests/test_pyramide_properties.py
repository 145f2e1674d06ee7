"""Whole evenings in Meereen: anything may happen, nothing breaks, and a clerk with a pencil has the same books."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from meereen import Evening, meereen

from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.game import fold

INFLUENCE = {"councillor": 10, "master": 4, "grace": 2, "beast": 1}
TENTHS = {"maze": 2, "pits": 3, "plaza": 5}
ROUND = {"maze": "pits", "pits": "plaza", "plaza": "maze"}
WHERE = {"maze": "au Dédale", "pits": "aux Arènes", "plaza": "à la Plaza"}

# ---- anything at all


def anything(evening: Evening, chance: random.Random) -> Event:
    """Some event, legal or not, on either channel."""
    state, phrases = evening.course.state, evening.production.phrases
    kind = chance.randrange(12)
    if kind == 0:
        return Elapsed(chance.choice(["time_up", "step", "remind", "warn:60", "nonsense"]))
    if kind == 1:
        return Rolled(chance.choice(["places", "election", "lots", "fate"]), chance.random(), chance.random() < 0.5)
    if kind == 2:
        return Ordered("resume")
    private = kind < 8
    legal = evening.game.private_intents(state) if private else (evening.floor.accepts if evening.floor else ())
    intents = sorted(legal) if chance.random() < 0.9 and legal else sorted(phrases.intents)
    seats = state.pyramid.seats
    slots: dict[str, Any] = {"player": chance.choice(seats), "other": chance.choice(seats)}
    slots |= {"players": chance.sample(seats, 3), "n": chance.randrange(9), "number": chance.randrange(12)}
    slots |= {"district": chance.choice(list(TENTHS)), "rank": chance.choice(list(INFLUENCE)), "minutes": 3}
    slots |= {"office": chance.choice(["seneschal", "green_grace", "shavepate"]), "whole_rank": "graces"}
    intent = chance.choice(intents)
    if intent == "ask_camp":
        slots["camp"] = chance.choice(["queen", "harpy"])
    if intent in ("is_role", "is_serpent"):
        slots["role"] = "serpent" if intent == "is_serpent" else chance.choice(["harpy", "lieutenant", "quaithe"])
    return Heard(intent, slots, private)


def check(evening: Evening) -> None:
    """What always holds, counted once more in another way."""
    state, private, seats = evening.state, evening.private, set(evening.state["seats"])
    assert set(state["living"]) | set(state["dead"]) == seats
    assert not set(state["living"]) & set(state["dead"])
    assert state["available"] == sum(INFLUENCE[state["ranks"][p]] for p in state["living"])
    assert set(state["districts"]) <= set(state["living"])
    assert set(state["murdered"]) | set(state["executed"]) <= seats
    for office, holder in state["offices"].items():
        assert holder is None or holder in state["living"], office
    assert not set(state["vote"]["votes"]) - seats
    assert (state["end"] is not None) is (evening.phase in ("victory", "over", "ending"))
    assert bool(state["roles"]) is (state["end"] is not None)
    sons = [private["harpy"], *private["lieutenants"], *(p for cell in private["cells"] for p in cell)]
    assert len(sons) == len(set(sons))
    assert len(private["cells"]) == len(private["lieutenants"])
    serving = [p for squad in private["squads"] for p in squad["members"]]
    assert len(serving) == len(set(serving))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**32),
    st.integers(1, 120),
    st.sampled_from([7, 10, 19]),
    st.sampled_from(["ear", "eye", "typed"]),
    st.sampled_from(["narrator", "master"]),
)
def test_never_a_crash_never_an_illegal_state(seed: int, length: int, seats: int, vote: str, deal: str) -> None:
    chance = random.Random(seed)
    evening = Evening(meereen(seats, plot=False, vote=vote, deal=deal), seed=seed, begin=False)
    for _ in range(length):
        evening.perform(anything(evening, chance))
        check(evening)
    assert fold(evening.game, evening.log, True).state == evening.course.state


# ---- turns against a clerk who counts by himself


class Clerk:
    """What somebody with a pencil would note of a table: ranks, places, prestige, who is dead."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.ranks, self.districts = dict(state["ranks"]), dict(state["districts"])
        self.tenths = dict.fromkeys(state["seats"], 0)
        self.dead: set[str] = set()
        self.first = True

    def living(self, rank: str = "") -> list[str]:
        return [p for p, held in self.ranks.items() if p not in self.dead and rank in ("", held)]

    def weigh(self, votes: dict[str, str]) -> dict[str, int]:
        totals: dict[str, int] = {}
        for voter, choice in votes.items():
            if voter not in self.dead:
                totals[choice] = totals.get(choice, 0) + INFLUENCE[self.ranks[voter]]
        return totals

    def strength(self, members: list[str], target: str) -> int:
        away = [p for p in members if self.districts[p] != self.districts[target]]
        return sum(INFLUENCE[self.ranks[p]] for p in members) - len(away)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from([19, 26, 38]))
def test_turns_are_as_a_clerk_with_a_pencil_would_have_them(seed: int, seats: int) -> None:
    chance = random.Random(seed)
    evening = Evening(meereen(seats, plot=False), seed=seed)
    clerk = Clerk(evening.state)
    for _ in range(3):
        _places(evening, clerk, chance)
        _night(evening, clerk, chance)
        if not evening.state["end"]:
            _justice(evening, clerk, chance)
        _elections(evening, clerk, chance)
        if evening.state["end"]:
            break
        _turn_ends(evening, clerk)
    _agree(evening, clerk)


def _agree(evening: Evening, clerk: Clerk) -> None:
    state = evening.state
    assert set(state["dead"]) == clerk.dead
    assert state["ranks"] == clerk.ranks
    assert state["prestige"] == {player: tenths / 10 for player, tenths in clerk.tenths.items()}


def _places(evening: Evening, clerk: Clerk, chance: random.Random) -> None:
    council = clerk.living("councillor")
    standing = evening.state["districts"]
    assert set(standing) == set(council)
    for player in council:
        if not clerk.first and clerk.ranks[player] == "councillor" and player in clerk.districts:
            clerk.districts[player] = standing[player]
    wanted = {p: chance.choice(list(WHERE)) for p in clerk.living() if p not in council and chance.random() < 0.3}
    evening.all(*(f"{player} {WHERE[where]}" for player, where in wanted.items()), "c'est fait")
    told = evening.state["districts"]
    assert {p: told[p] for p in wanted} == wanted
    assert set(told) == set(clerk.living())
    clerk.districts, clerk.first = dict(told), False


def _night(evening: Evening, clerk: Clerk, chance: random.Random) -> None:
    private = evening.private
    sons = [private["harpy"], *private["lieutenants"], *(p for cell in private["cells"] for p in cell)]
    free = [p for p in sons if p not in clerk.dead]
    chance.shuffle(free)
    fallen = private["harpy"] in clerk.dead
    for _ in range(2):
        members, target = free[:3], chance.choice(clerk.living())
        sent = evening.say(f"mj> escouade {', '.join(members)} contre {target}") if members else False
        assert sent is (bool(members) and not fallen and target not in members), (members, target)
        if sent:
            free = free[3:]
            outcome = evening.private["outcomes"][-1]
            assert outcome["strength"] == clerk.strength(members, target)
            assert outcome["needed"] - INFLUENCE[clerk.ranks[target]] in range(-2, 6)
    doomed = {one["target"] for one in evening.private["outcomes"] if one["strength"] > one["needed"]}
    evening.all("mj> suivant")
    assert set(evening.state["murdered"]) == doomed
    clerk.dead |= doomed
    assert (evening.state["end"] is not None) is fallen


def _justice(evening: Evening, clerk: Clerk, chance: random.Random) -> None:
    council = clerk.living("councillor")
    wanted = len(council) + (evening.state["reinforced"] and bool(council))
    if not wanted:
        return
    accused = chance.sample(clerk.living(), wanted)
    evening.accuse(*accused)
    available = sum(INFLUENCE[clerk.ranks[p]] for p in clerk.living())
    votes = {p: chance.choice(accused) for p in clerk.living() if chance.random() < 0.8}
    evening.ballot(votes)
    needed = max(1, available // (5 if evening.state["reinforced"] else 3))
    totals = clerk.weigh(votes)
    assert evening.state["executed"] == [p for p in accused if totals.get(p, 0) >= needed]
    clerk.dead |= set(evening.state["executed"])


def _elections(evening: Evening, clerk: Clerk, chance: random.Random) -> None:
    while evening.phase == "campaign":
        vote = evening.state["vote"]
        below = {"councillor": "master", "master": "grace"}[vote["kind"]]
        assert vote["choices"] == clerk.living(below)
        votes = {p: chance.choice(vote["choices"]) for p in clerk.living() if chance.random() < 0.7}
        totals = clerk.weigh(votes)
        evening.ballot(votes)
        elected = evening.state["elected"][vote["kind"]]
        assert len(elected) == min(vote["places"], len(vote["choices"]))
        least = min(totals.get(p, 0) for p in elected)
        assert all(totals.get(p, 0) <= least for p in vote["choices"] if p not in elected)
        clerk.ranks |= dict.fromkeys(elected, vote["kind"])
    for player in evening.state["graces_drawn"]:
        assert clerk.ranks[player] == "beast"
        clerk.ranks[player] = "grace"
    if evening.phase == "shavepate":
        evening.all(f"je nomme {chance.choice(clerk.living('beast'))}")


def _turn_ends(evening: Evening, clerk: Clerk) -> None:
    if evening.phase == "return_talk":
        for player, answer in evening.private["offers"].items():
            assert answer is None
            evening.all(f"mj> {player} accepte")
            clerk.dead -= {player}
            clerk.ranks[player] = "beast"
            clerk.districts.pop(player)
        evening.all("mj> suivant")
    for player in clerk.living():
        if player in clerk.districts:
            clerk.tenths[player] += TENTHS[clerk.districts[player]]
    assert evening.phase == "interlude"
    _agree(evening, clerk)
    evening.all("suivant")


def test_councillors_go_round_clockwise() -> None:
    evening = Evening()
    for _ in range(4):
        before = {p: d for p, d in evening.state["districts"].items() if evening.state["ranks"][p] == "councillor"}
        evening.through(wanted="interlude")
        evening.all("suivant")
        assert evening.state["districts"] == {player: ROUND[district] for player, district in before.items()}
