"""Nominations and votes: what may be done (None, or why not) and the town after it.

Guide, Nominations and votes; Execution and death. RULINGS = docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.clocktower.tally import half, outcome
from narrator.games.clocktower.town import Town, Vote, added, without

# ---- nominations


def may_nominate(town: Town, slots: Slots) -> Refusal | None:
    """`player` nominates `other`. The dead may be named, oneself too (RULINGS)."""
    nominator, nominee = slots["player"], slots["other"]
    return _may_name(town, nominee) or _may_be_nominator(town, nominator)


def may_be_named(town: Town, slots: Slots) -> Refusal | None:
    """`player` is named by somebody who does not say who they are."""
    return _may_name(town, slots["player"])


def may_be_nominator(town: Town, slots: Slots) -> Refusal | None:
    return _may_be_nominator(town, slots["player"])


def _may_name(town: Town, nominee: str) -> Refusal | None:
    if nominee in town.exiled:
        return Refusal("refuse_exiled", {"player": nominee})
    if nominee in town.travellers:
        return Refusal("refuse_traveller", {"player": nominee})
    return Refusal("refuse_named", {"player": nominee}) if nominee in town.nominees else None


def _may_be_nominator(town: Town, nominator: str) -> Refusal | None:
    if not town.alive(nominator):
        return Refusal("refuse_dead", {"player": nominator})
    return Refusal("refuse_nominated", {"player": nominator}) if nominator in town.nominators else None


def one_open(town: Town, slots: Slots) -> Refusal | None:
    """One nomination at a time."""
    return Refusal("refuse_open", {"player": town.vote.nominee})


def may_exile(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if player not in town.travellers:
        return Refusal("refuse_no_traveller", {"player": player})
    return Refusal("refuse_exiled", {"player": player}) if player in town.exiled else None


def _nominated(town: Town, nominator: str, nominee: str) -> Town:
    return replace(
        town,
        vote=Vote(nominator, nominee),
        nominators=added(town.nominators, nominator),
        nominees=added(town.nominees, nominee),
        just_called=False,
        begun=True,
    )


# ---- the roll call


def begin_vote(town: Town, slots: Slots) -> Town:
    """The first seat is the one to the left of the nominee."""
    fresh = replace(town, vote=Vote(town.vote.nominator, town.vote.nominee, town.vote.exile))
    return replace(fresh, vote=replace(fresh.vote, seat=fresh.voters[0]))


def _answered(town: Town, *, yes: bool) -> Town:
    """The seat whose turn it is has answered; silence is a no (until the names are read back)."""
    vote = town.vote
    passed = added(vote.passed, vote.seat)
    hands = added(vote.hands, vote.seat) if yes else vote.hands
    left = [p for p in town.voters if p not in passed]
    return replace(town, vote=replace(vote, passed=passed, hands=hands, seat=left[0] if left else ""))


def may_vote(town: Town, slots: Slots) -> Refusal | None:
    """Guide, Execution and death: a dead player without a vote token cannot vote."""
    player = slots["player"]
    return None if player in town.voters else Refusal("refuse_spent", {"player": player})


def _correcting(check: Check, line: str) -> Check:
    """A hand that is set right after the count. Where a total was entered nobody knows whose hands they were."""
    return lambda town, slots: Refusal(line) if town.vote.total is not None else check(town, slots)


def dead_may_vote(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    if town.alive(player):
        return Refusal("mj_not_dead", {"player": player})
    return may_vote(town, slots)


def total_possible(town: Town, slots: Slots) -> Refusal | None:
    most = sum(max(town.weight(p), 1) for p in town.voters)
    return None if slots["n"] <= most else Refusal("mj_too_many", {"n": len(town.voters)})


def _hand_up(town: Town, slots: Slots) -> Town:
    return replace(town, vote=replace(town.vote, hands=added(town.vote.hands, slots["player"])))


def _hand_down(town: Town, slots: Slots) -> Town:
    return replace(town, vote=replace(town.vote, hands=without(town.vote.hands, slots["player"])))


def _total(town: Town, slots: Slots) -> Town:
    """Counted by eye, without names; hands named so far that are dead keep their token's fate."""
    return replace(town, vote=replace(town.vote, total=slots["n"], seat=""))


# ---- the result


def close_vote(town: Town, slots: Slots) -> Town:
    """The count against every tally of the day and the living of this moment (RULINGS); tokens are spent by it.

    An exile needs half of all players, living or dead; it costs no token and leaves the day as it was (RULINGS).
    """
    vote = town.vote
    if vote.exile:
        gone = town.count >= half(len(town.table))
        after = replace(town, outcome="exiled" if gone else "kept", told=())
        if not gone:
            return after
        return replace(after, exiled=added(town.exiled, vote.nominee), dead=without(town.dead, vote.nominee))
    result, block = outcome(town.count, len(town.living), town.tallies, town.block)
    return replace(
        town,
        outcome=result,
        tallies=(*town.tallies, (vote.nominee, town.count)),
        block={"new": vote.nominee, "empty": "", "same": town.block}[block],
        spent=added(town.spent, *(p for p in vote.hands if not town.alive(p))),
    )


def end_vote(town: Town, slots: Slots) -> Town:
    return replace(town, vote=Vote(), just_called=False)


def settled(town: Town) -> Town:
    """The vote that is still read back stands: the table has gone on."""
    return end_vote(close_vote(town, {}), {})


def _after_vote(check: Check) -> Check:
    return lambda town, slots: check(settled(town), slots)


def _nominate(town: Town, slots: Slots) -> Town:
    return _nominated(town, slots["player"], slots["other"])


def _name(town: Town, slots: Slots) -> Town:
    return replace(town, vote=Vote("", slots["player"]), just_called=False, begun=True)


def _exile(town: Town, slots: Slots) -> Town:
    return replace(town, vote=Vote("", slots["player"], exile=True), just_called=False, begun=True)


def _first_settled(action: Callable[[Town, Slots], Town]) -> Action:
    return lambda town, slots: action(settled(town), slots)


CHECKS: Mapping[str, Check] = {
    "may_nominate": may_nominate,
    "may_be_named": may_be_named,
    "may_be_nominator": may_be_nominator,
    "one_open": one_open,
    "may_exile": may_exile,
    "may_vote": may_vote,
    "may_be_added": _correcting(may_vote, "refuse_total"),
    "may_be_taken": _correcting(lambda town, slots: None, "refuse_total"),
    "may_be_added_by_key": _correcting(may_vote, "mj_by_total"),
    "may_be_taken_by_key": _correcting(lambda town, slots: None, "mj_by_total"),
    "dead_may_vote": dead_may_vote,
    "total_possible": total_possible,
    "may_nominate_next": _after_vote(may_nominate),
    "may_be_named_next": _after_vote(may_be_named),
    "may_exile_next": _after_vote(may_exile),
}
ACTIONS: Mapping[str, Action] = {
    "nominate": _nominate,
    "name": _name,
    "nominate_by": lambda town, slots: _nominated(town, slots["player"], town.vote.nominee),
    "drop": end_vote,
    "call_exile": _exile,
    "nominate_next": _first_settled(_nominate),
    "name_next": _first_settled(_name),
    "call_exile_next": _first_settled(_exile),
    "settle": lambda town, slots: settled(town),
    "begin_vote": begin_vote,
    "answer_yes": lambda town, slots: _answered(town, yes=True),
    "answer_no": lambda town, slots: _answered(_hand_down(town, {"player": town.vote.seat}), yes=False),
    "passed_over": lambda town, slots: _answered(town, yes=False),
    "hand_up": _hand_up,
    "hand_down": _hand_down,
    "total": _total,
    "close_vote": close_vote,
    "end_vote": end_vote,
}
