"""Accusations and votes: counted by ear (“cinq contre deux”), by calling every voter, or against several at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.ballot import Ballot
from narrator.core.events import Slots
from narrator.core.states import Action, Check, Refusal
from narrator.games.plain.facts import Sheet, leaders
from narrator.games.plain.living import kill
from narrator.games.plain.state import Party, Trial, put

# ---- what may be


def checks(sheet: Sheet) -> Mapping[str, Check]:
    def may_accuse(party: Party, slots: Slots) -> Refusal | None:
        """`player` is accused, or accuses `other`; the dead accuse nobody."""
        accuser = slots["player"] if "other" in slots else ""
        accused = slots.get("other", slots["player"])
        for player in filter(None, (accuser, accused)):
            if not party.alive(player):
                return Refusal("refuse_dead", {"player": player})
        once = sheet.nouns.vote.accused_once and accused in party.named
        return Refusal("refuse_named", {"player": accused}) if once else None

    def count_fits(party: Party, slots: Slots) -> Refusal | None:
        """Every voter counts once; with abstentions, at most once."""
        ballot, voters = _merged(party, slots), len(sheet.voters(party))
        called = (ballot.yes or 0) + (ballot.no or 0)
        whole = ballot.complete and not sheet.nouns.vote.abstain
        if called > voters or (whole and called != voters):
            return Refusal("count_mismatch", {"called": called})
        return None

    def may_vote(party: Party, slots: Slots) -> Refusal | None:
        player = slots["player"]
        return None if player in sheet.voters(party) else Refusal("refuse_voter", {"player": player})

    def tally_fits(party: Party, slots: Slots) -> Refusal | None:
        player, voters = slots["player"], len(sheet.voters(party))
        if not party.alive(player):
            return Refusal("refuse_dead", {"player": player})
        called = sum(votes for _, votes in put(party.trial.tallies, player, slots["n"]))
        return Refusal("count_mismatch", {"called": called}) if called > voters else None

    return {"may_accuse": may_accuse, "count_fits": count_fits, "may_vote": may_vote, "tally_fits": tally_fits}


LINES: Mapping[str, tuple[str, ...]] = {
    "may_accuse": ("refuse_dead", "refuse_named"),
    "count_fits": ("count_mismatch",),
    "may_vote": ("refuse_voter",),
    "tally_fits": ("refuse_dead", "count_mismatch"),
}

# ---- accusing


def accuse(party: Party, slots: Slots) -> Party:
    accuser = slots["player"] if "other" in slots else ""
    accused = slots.get("other", slots["player"])
    return replace(party, trial=Trial(accuser, accused), named=tuple(dict.fromkeys((*party.named, accused))), died=())


def drop(party: Party, slots: Slots) -> Party:
    """The accused goes free, and is not accused again today."""
    return replace(party, trial=Trial())


def withdraw(party: Party, slots: Slots) -> Party:
    """As if nothing had been said: the same player may be accused again today."""
    named = tuple(player for player in party.named if player != party.trial.accused)
    return replace(party, trial=Trial(), named=named)


# ---- voting


def _merged(party: Party, slots: Slots) -> Ballot:
    ballot = party.trial.ballot
    return Ballot(slots.get("yes", ballot.yes), slots.get("no", ballot.no))


def count(party: Party, slots: Slots) -> Party:
    return replace(party, trial=replace(party.trial, ballot=_merged(party, slots), rolled=False))


def begin_vote(party: Party, slots: Slots) -> Party:
    """A clean count, for the first time or for another one."""
    old = party.trial
    return replace(party, trial=Trial(old.accuser, old.accused, votes=old.votes))


def tally(party: Party, slots: Slots) -> Party:
    return replace(party, trial=replace(party.trial, tallies=put(party.trial.tallies, slots["player"], slots["n"])))


def close_tally(party: Party, slots: Slots) -> Party:
    """Whoever has the most votes is condemned; nobody if two have, or if there were none."""
    first = leaders(party)
    outcome = "passed" if len(first) == 1 else "tied" if first else "failed"
    accused = first[0] if outcome == "passed" else ""
    return replace(party, trial=replace(party.trial, accused=accused, outcome=outcome))


def vote_again(party: Party, slots: Slots) -> Party:
    fresh = begin_vote(party, slots)
    return replace(fresh, trial=replace(fresh.trial, votes=party.trial.votes + 1))


def eliminate(party: Party, slots: Slots) -> Party:
    """The accused dies, and the day is over."""
    gone = kill(replace(party, died=()), party.trial.accused)
    return replace(gone, over=True, trial=Trial())


def hand_up(party: Party, slots: Slots) -> Party:
    hands = tuple(dict.fromkeys((*party.trial.hands, slots["player"])))
    return replace(party, trial=replace(party.trial, hands=hands))


def hand_down(party: Party, slots: Slots) -> Party:
    hands = tuple(player for player in party.trial.hands if player != slots["player"])
    return replace(party, trial=replace(party.trial, hands=hands))


def actions(sheet: Sheet) -> Mapping[str, Action]:
    def complete_count(party: Party, slots: Slots) -> Party:
        """The number that nobody called out is the rest of the voters."""
        whole = party.trial.ballot.completed(len(sheet.voters(party)))
        return replace(party, trial=replace(party.trial, ballot=whole))

    def begin_roll(party: Party, slots: Slots) -> Party:
        """The first voter is the one to the left of the accused."""
        fresh = begin_vote(party, slots).trial
        return replace(party, trial=replace(fresh, rolled=True, seat=sheet.voters(party)[0]))

    def answered(party: Party, *, yes: bool) -> Party:
        """The voter whose turn it is has answered; silence is a no until the names are read back."""
        trial = party.trial
        passed = (*trial.passed, trial.seat)
        left = [player for player in sheet.voters(party) if player not in passed]
        hands = (*trial.hands, trial.seat) if yes else trial.hands
        return replace(party, trial=replace(trial, passed=passed, hands=hands, seat=left[0] if left else ""))

    def close_vote(party: Party, slots: Slots) -> Party:
        yes, no = sheet.yes_no(party)
        if sheet.nouns.vote.passes == "majority":
            no = len(sheet.voters(party)) - yes
        outcome = "passed" if yes > no else "tied" if yes == no else "failed"
        return replace(party, trial=replace(party.trial, outcome=outcome, seat=""))

    return {
        "accuse": accuse,
        "drop": drop,
        "withdraw": withdraw,
        "begin_vote": begin_vote,
        "count": count,
        "complete_count": complete_count,
        "begin_roll": begin_roll,
        "answer_yes": lambda party, slots: answered(party, yes=True),
        "answer_no": lambda party, slots: answered(party, yes=False),
        "hand_up": hand_up,
        "hand_down": hand_down,
        "close_vote": close_vote,
        "vote_again": vote_again,
        "tally": tally,
        "close_tally": close_tally,
        "eliminate": eliminate,
    }
