"""Everything a plain game knows, by the names that its lines and its conditions use.

Numbers may stand in a condition and be said in a line; flags are conditions, and choose between two forms in a line;
lists and names are said, and a list counts as its length in a condition. Roles, camps, counters and options bring their
own. A role or a camp counts its cards that were not told of a dead player: what the table knows, never who holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.games.plain.conditions import Test, holds
from narrator.games.plain.nouns import End, Nouns
from narrator.games.plain.state import Party

#: Names that sentences bring along, or that refusals add.
SLOTS = ("player", "other", "role", "n", "called", "most", "intent", "value", "minutes")


@dataclass(frozen=True)
class Sheet:
    """One table's game: what was declared, what was dealt, what was chosen; `tests`: the parsed [when]."""

    nouns: Nouns
    seats: tuple[str, ...]
    dealt: Mapping[str, int]
    options: Mapping[str, Any]
    tests: Mapping[str, Test]

    # ---- votes

    def voters(self, party: Party) -> tuple[str, ...]:
        """Who votes on the present accusation: clockwise from the left of the accused, who comes last."""
        vote, accused = self.nouns.vote, party.trial.accused
        at = self.seats.index(accused) + 1 if accused in self.seats else 0
        clockwise = (*self.seats[at:], *self.seats[:at])
        may = clockwise if vote.dead_vote else tuple(p for p in clockwise if party.alive(p))
        return may if vote.accused_votes else tuple(p for p in may if p != accused)

    def yes_no(self, party: Party) -> tuple[int, int]:
        trial = party.trial
        if trial.rolled:
            return len(trial.hands), len(self.voters(party)) - len(trial.hands)
        return trial.ballot.yes or 0, trial.ballot.no or 0

    # ---- what is left, as far as it was told

    def left(self, party: Party, role: str) -> int:
        told = sum(one == role for _, one in party.roles)
        return max(self.dealt[role] - told, 0)

    def camp_left(self, party: Party, camp: str) -> int:
        return sum(self.left(party, role.id) for role in self.nouns.roles if role.camp == camp)

    def decided(self, party: Party) -> End | None:
        """The first end that has come, unless the table said that it has not."""
        if party.end is not None:
            return next((end for end in self.nouns.ends if end.id == party.end.how), None)
        known = knowledge(party, self)
        for end in self.nouns.ends:
            if end.when and end.id not in party.denied and known[end.when]:
                return end
        return None


def leaders(party: Party) -> tuple[str, ...]:
    """Those with the most votes called out against them; nobody without a vote."""
    most = max((votes for _, votes in party.trial.tallies), default=0)
    return tuple(player for player, votes in party.trial.tallies if votes == most and most)


def _numbers(party: Party, sheet: Sheet) -> dict[str, int]:
    yes, no = sheet.yes_no(party)
    own = {role.id: sheet.left(party, role.id) for role in sheet.nouns.roles}
    own |= {camp: sheet.camp_left(party, camp) for camp in sheet.nouns.camps}
    own |= {f"{role}_dealt": cards for role, cards in sheet.dealt.items()}
    for name, value in sheet.options.items():
        if type(value) in (int, float):
            own |= {name: int(value), f"{name}_minutes": round(value / 60) or 1}
    return {
        "seats": len(sheet.seats),
        "day": party.turn,
        "night": party.night,
        "voters": len(sheet.voters(party)),
        "yes": yes,
        "no": no,
        "votes": party.trial.votes,
        "tallied": sum(votes for _, votes in party.trial.tallies),
        **own,
        **dict(party.counters),
    }


def _flags(party: Party, sheet: Sheet) -> dict[str, bool]:
    trial, last_role = party.trial, party.role_of(party.last)
    own = {f"with_{role}": cards > 0 for role, cards in sheet.dealt.items()}
    own |= {f"last_is_{role.id}": last_role == role.id for role in sheet.nouns.roles}
    own |= {name: value for name, value in sheet.options.items() if isinstance(value, bool)}
    for option, choices in sheet.nouns.choices.items():
        own |= {f"{option}_{choice}": sheet.options[option] == choice for choice in choices}
    return {
        "dark": party.dark,
        "anybody_dead": bool(party.dead),
        "somebody_died": bool(party.died),
        "first_night": party.night == 1,
        "day_over": party.over,
        "role_told": last_role != "",
        "on_trial": trial.accused != "",
        "accuser_known": trial.accuser != "",
        "passed": trial.outcome == "passed",
        "failed": trial.outcome == "failed",
        "tied": trial.outcome == "tied",
        "half_counted": not trial.rolled and (trial.ballot.yes is None) is not (trial.ballot.no is None),
        "counted": trial.ballot.complete,
        "all_tallied": sum(votes for _, votes in trial.tallies) >= len(sheet.voters(party)),
        "more_seats": trial.seat != "",
        **own,
    }


def _lists(party: Party, sheet: Sheet) -> dict[str, tuple[str, ...]]:
    return {
        "players": sheet.seats,
        "living": party.living,
        "dead": party.dead,
        "died": party.died,
        "named": party.named,
        "yes_voters": tuple(p for p in sheet.voters(party) if p in party.trial.hands),
        "leaders": leaders(party),
        "example_pair": party.living[:2],
    }


def knowledge(party: Party, sheet: Sheet) -> dict[str, Any]:
    """Numbers, lists and flags; the game's own conditions last, each may look at those before it."""
    known: dict[str, Any] = {**_numbers(party, sheet), **_lists(party, sheet), **_flags(party, sheet)}
    for name, test in sheet.tests.items():
        known[name] = holds(test, known)
    return known


def view_of(party: Party, sheet: Sheet) -> dict[str, Any]:
    """The public facts: everything that a plain game knows is public."""
    end = sheet.decided(party)
    return {
        **knowledge(party, sheet),
        "decided": end is not None and party.end is None,
        **{f"end_{one.id}": one is end for one in sheet.nouns.ends},
        "phase": party.phase,
        "turn": party.turn,
        "last": party.last,
        "last_role": party.role_of(party.last),
        "accuser": party.trial.accuser,
        "accused": party.trial.accused,
        "seat": party.trial.seat,
        "target": party.target,
        "tallies": party.trial.tallies,
        "how": end.id if end else "",
        "winner": end.winners[0] if end and end.winners else "",
        "winners": end.winners if end else (),
    }


def public_state(party: Party) -> dict[str, Any]:
    """The state for programs (`play --state`): plain JSON data."""
    trial = party.trial
    return {
        "phase": party.phase,
        "day": party.turn,
        "night": party.night,
        "dark": party.dark,
        "living": list(party.living),
        "dead": list(party.dead),
        "died": list(party.died),
        "roles": dict(party.roles),
        "accused": trial.accused or None,
        "accuser": trial.accuser or None,
        "named": list(party.named),
        "seat": trial.seat or None,
        "hands": list(trial.hands),
        "yes": trial.ballot.yes,
        "no": trial.ballot.no,
        "tallies": dict(trial.tallies),
        "outcome": trial.outcome or None,
        "target": party.target or None,
        "counters": dict(party.counters),
        "end": {"how": party.end.how, "winners": list(party.end.winners)} if party.end else None,
    }
