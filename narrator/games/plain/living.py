"""Nights, days, deaths, what is told of the dead, ends, corrections: what may be done (None, or why not) and then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Ending, Refusal
from narrator.games.plain.facts import Sheet
from narrator.games.plain.nouns import End
from narrator.games.plain.state import Party, Trial

# ---- what may be


def alive(party: Party, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if party.alive(player) else Refusal("refuse_dead", {"player": player})


def dead(party: Party, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return Refusal("refuse_alive", {"player": player}) if party.alive(player) else None


def may_set_dead(party: Party, slots: Slots) -> Refusal | None:
    """A correction does not take somebody away who is being judged."""
    if slots["player"] == party.trial.accused:
        return Refusal("refuse_on_trial", {"player": slots["player"]})
    return alive(party, slots)


def checks(sheet: Sheet) -> Mapping[str, Check]:
    def role_left(party: Party, slots: Slots) -> Refusal | None:
        """There are only so many cards of a role; the player's own card may be told anew."""
        role, player = slots["role"], slots.get("player", party.last)
        others = sum(one == role and whose != player for whose, one in party.roles)
        return None if others < sheet.dealt.get(role, 0) else Refusal("refuse_role", {"role": role})

    def dead_role(party: Party, slots: Slots) -> Refusal | None:
        return dead(party, slots) or role_left(party, slots)

    return {
        "alive": alive,
        "dead": dead,
        "role_left": role_left,
        "dead_role": dead_role,
        "may_set_dead": may_set_dead,
    }


#: The lines by which a check refuses.
LINES: Mapping[str, tuple[str, ...]] = {
    "alive": ("refuse_dead",),
    "dead": ("refuse_alive",),
    "role_left": ("refuse_role",),
    "dead_role": ("refuse_alive", "refuse_role"),
    "may_set_dead": ("refuse_dead", "refuse_on_trial"),
}

# ---- nights and days


def begin_night(party: Party, slots: Slots) -> Party:
    return replace(party, night=party.night + 1, dark=True, died=(), named=(), trial=Trial(), over=True, target="")


def begin_day(party: Party, slots: Slots) -> Party:
    return replace(party, turn=party.turn + 1, dark=False, died=(), named=(), trial=Trial(), over=False, target="")


# ---- deaths


def kill(party: Party, player: str) -> Party:
    """They die aloud; what somebody said about the end of the game is open again."""
    return replace(party, dead=(*party.dead, player), died=(*party.died, player), denied=())


def die(party: Party, slots: Slots) -> Party:
    return kill(party, slots["player"])


def tell_role(party: Party, slots: Slots) -> Party:
    """Of the player named, or else of whoever died last."""
    player = slots.get("player", party.last)
    roles = {**dict(party.roles), player: slots["role"]}
    return replace(party, roles=tuple(roles.items()), denied=())


def set_alive(party: Party, slots: Slots) -> Party:
    player = slots["player"]
    kept = tuple(pair for pair in party.roles if pair[0] != player)
    dead_now, died = (tuple(p for p in names if p != player) for names in (party.dead, party.died))
    return replace(party, dead=dead_now, died=died, roles=kept, denied=())


def set_dead(party: Party, slots: Slots) -> Party:
    """Noted, but not told as news."""
    return replace(party, dead=(*party.dead, slots["player"]), denied=())


# ---- ends


def _ended(end: End) -> Action:
    return lambda party, slots: replace(party, end=Ending(end.id, end.winners))


def actions(sheet: Sheet) -> Mapping[str, Action]:
    def end_game(party: Party, slots: Slots) -> Party:
        """The end that has come by the game's own condition."""
        end = sheet.decided(party)
        return party if end is None else replace(party, end=Ending(end.id, end.winners))

    def deny_end(party: Party, slots: Slots) -> Party:
        """The table says that it has not come; it is not announced again before the next death."""
        end = sheet.decided(party)
        return party if end is None else replace(party, denied=(*party.denied, end.id))

    own = {f"end_{end.id}": _ended(end) for end in sheet.nouns.ends}
    return {**_ACTIONS, "end_game": end_game, "deny_end": deny_end, **own}


def _choose(party: Party, slots: Slots) -> Party:
    return replace(party, target=slots["player"])


_ACTIONS: Mapping[str, Callable[[Party, Slots], Party]] = {
    "begin_night": begin_night,
    "begin_day": begin_day,
    "close_day": lambda party, slots: replace(party, over=True, trial=Trial()),
    "die": die,
    "tell_role": tell_role,
    "choose": _choose,
    "set_dead": set_dead,
    "set_alive": set_alive,
    "set_role": tell_role,
}
