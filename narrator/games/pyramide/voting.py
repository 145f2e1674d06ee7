"""Justice: who is accused; and how everybody votes, there and at elections: called by seat, by raised hands, typed in.

Text: "Deuxième Phase : Justice". A seat that says nothing is called a second time when all the others have been, then
abstains; until the count stands every vote can be set right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.pyramide import ballots
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.ranks import Rank, killed
from narrator.games.pyramide.state import JUSTICE, Meereen, Vote
from narrator.games.pyramide.turns import named

SECOND_CALL = 10  # silent seats, at most: where more say nothing they mean it


def refused(fault: Fault | None) -> Refusal | None:
    """A reason as the line that the table hears."""
    return Refusal(f"refuse_{fault.reason}", {"player": fault.player}) if fault else None


# ---- accusations


def accusations_left(state: Meereen) -> int:
    return ballots.accused_wanted(state.pyramid, state.reinforced) - len(state.accused) - state.silent


def justice_done(state: Meereen) -> bool:
    """Whether this turn's count is over, or there was nobody to vote on."""
    return bool(state.condemned_by) or not (state.accused or accusations_left(state) > 0)


def accuser(state: Meereen) -> str:
    """The councillor whose turn it is; "" for the one more that the council owes together."""
    at = len(state.accused) + state.silent
    return state.councillors[at] if at < len(state.councillors) else ""


def may_accuse(state: Meereen, slots: Slots) -> Refusal | None:
    player = named(state, slots)
    if player not in state.pyramid.seats:
        return Refusal("refuse_no_seat")
    return refused(ballots.may_accuse(state.pyramid, state.accused, player))


def accuse(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, accused=(*state.accused, named(state, slots)))


def accuse_nobody(state: Meereen, slots: Slots) -> Meereen:
    """A councillor who is not there to speak."""
    return replace(state, silent=state.silent + 1)


# ---- the vote


def open_justice(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, vote=Vote(JUSTICE, state.accused))


def begin_vote(state: Meereen, slots: Slots) -> Meereen:
    vote = Vote(state.vote.kind, state.vote.choices, state.vote.places)
    return replace(state, vote=replace(vote, seat=state.pyramid.living[0], choice=vote.choices[0]))


def voters_left(state: Meereen) -> tuple[str, ...]:
    return _left(state, state.vote)


def second_call(state: Meereen) -> bool:
    """Whether the first of those is called who are called again."""
    return bool(state.vote.again) and len(voters_left(state)) == state.vote.again


def may_vote(state: Meereen, slots: Slots) -> Refusal | None:
    player = named(state, slots)
    if player not in state.pyramid.seats:
        return Refusal("refuse_no_seat")
    return refused(ballots.may_vote(state.pyramid, state.vote.seat, state.vote.choices, player))


def may_vote_for(state: Meereen, slots: Slots) -> Refusal | None:
    """`player` votes for `other`, as it was typed; without `other` nobody."""
    return refused(ballots.may_vote(state.pyramid, slots["player"], state.vote.choices, slots.get("other", "")))


def _answered(state: Meereen, choice: str, *, silent: bool = False) -> Meereen:
    vote = state.vote
    quiet = (*vote.silent, vote.seat) if silent else vote.silent
    vote = replace(vote, votes={**vote.votes, vote.seat: choice}, passed=(*vote.passed, vote.seat), silent=quiet)
    left = _left(state, vote)
    if not left and not vote.again and 0 < len(vote.silent) <= SECOND_CALL:
        heard = tuple(player for player in vote.passed if player not in vote.silent)
        vote = replace(vote, passed=heard, again=len(vote.silent), silent=())
        left = _left(state, vote)
    return replace(state, vote=replace(vote, seat=left[0] if left else ""))


def _left(state: Meereen, vote: Vote) -> tuple[str, ...]:
    passed = frozenset(vote.passed)
    return tuple(player for player in state.pyramid.living if player not in passed)


def vote_for(state: Meereen, slots: Slots) -> Meereen:
    return _answered(state, named(state, slots))


def abstain(state: Meereen, slots: Slots) -> Meereen:
    return _answered(state, ballots.ABSTAINS)


def stay_silent(state: Meereen, slots: Slots) -> Meereen:
    """Its beat is over: nothing was said, or nothing that the ear was sure of. A vote that was typed before stands."""
    if typed := state.vote.votes.get(state.vote.seat):
        return _answered(state, typed)
    return _answered(state, ballots.ABSTAINS, silent=True)


def vote_typed(state: Meereen, slots: Slots) -> Meereen:
    votes = {**state.vote.votes, slots["player"]: slots.get("other", ballots.ABSTAINS)}
    silent = tuple(player for player in state.vote.silent if player != slots["player"])
    return replace(state, vote=replace(state.vote, votes=votes, silent=silent))


# ---- raised hands


def _with_hands(state: Meereen, slots: Slots) -> dict[str, dict[Rank, int]]:
    vote, rank = state.vote, Rank(slots["rank"])
    hands = {choice: dict(ranks) for choice, ranks in vote.hands.items()}
    hands.setdefault(vote.choice, {})[rank] = slots["n"]
    return hands


def hands_possible(state: Meereen, slots: Slots) -> Refusal | None:
    fault = ballots.hands_fault(state.pyramid, _with_hands(state, slots))
    return Refusal("mj_fault_too_many", {"n": len(state.pyramid.of_rank(Rank(slots["rank"])))}) if fault else None


def raise_hands(state: Meereen, slots: Slots) -> Meereen:
    return replace(state, vote=replace(state.vote, hands=_with_hands(state, slots)))


def next_choice(state: Meereen, slots: Slots) -> Meereen:
    vote = state.vote
    at = vote.choices.index(vote.choice) + 1
    return replace(state, vote=replace(vote, choice=vote.choices[at] if at < len(vote.choices) else ""))


# ---- the count


def counted(state: Meereen) -> dict[str, int]:
    """Influence for each choice so far, in their order; those without any too."""
    by_name = ballots.tally(state.pyramid, state.vote.votes)
    by_hand = ballots.hands_tally(state.vote.hands)
    return {choice: by_name.get(choice, 0) + by_hand.get(choice, 0) for choice in state.vote.choices}


def close_vote(state: Meereen, slots: Slots, house: House) -> Meereen:
    """The count stands. Justice is done at once; an election waits for its lot."""
    totals = counted(state)
    after = replace(state, totals=totals)
    if state.vote.kind != JUSTICE:
        return after
    verdict = ballots.verdict(state.pyramid, house.plan, state.accused, totals, state.reinforced)
    return replace(
        after,
        pyramid=killed(state.pyramid, *verdict.executed),
        executed=verdict.executed,
        condemned_by=verdict.threshold,
        vote=Vote(),
    )


def checks(by: str) -> Mapping[str, Check]:
    """`by`: how the table votes. Hands have no names: nobody is counted by name beside them."""
    return {
        "may_accuse": may_accuse,
        "may_vote": may_vote,
        "may_vote_for": (lambda state, slots: Refusal("not_now")) if by == "eye" else may_vote_for,
        "hands_possible": hands_possible,
    }


def actions(house: House) -> Mapping[str, Action]:
    return {
        "accuse": accuse,
        "accuse_nobody": accuse_nobody,
        "open_justice": open_justice,
        "begin_vote": begin_vote,
        "vote_for": vote_for,
        "abstain": abstain,
        "stay_silent": stay_silent,
        "vote_typed": vote_typed,
        "raise_hands": raise_hands,
        "next_choice": next_choice,
        "close_vote": lambda state, slots: close_vote(state, slots, house),
    }
