"""Deaths, days and ends: what may be entered and the town after it.

Everything here that the Storyteller enters at night stays hidden until dawn. Guide = its section, RULINGS =
docs/RULINGS.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Ending, Refusal
from narrator.games.clocktower.town import EVIL, GOOD, Town, Vote, added, without

#: Phases of a day in which nobody is named.
TALKING = ("discussion", "nominations", "last_call", "last_two", "last_one")

# ---- what may be entered


def may_die(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    dead = not town.alive(player) and player not in town.hidden.rising
    return Refusal("mj_is_dead", {"player": player}) if dead or player in town.hidden.dying else None


def was_dying(town: Town, slots: Slots) -> Refusal | None:
    """At night: a death that was entered is taken away again."""
    player = slots["player"]
    return None if player in town.hidden.dying else Refusal("mj_not_dying", {"player": player})


def may_live_on(town: Town, slots: Slots) -> Refusal | None:
    """By day an execution can be survived; the dead come back by another word."""
    player = slots["player"]
    return None if town.alive(player) else Refusal("mj_is_dead", {"player": player})


def just_died(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if player in town.told else Refusal("mj_not_dying", {"player": player})


def may_revive(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if not town.alive(player) else Refusal("mj_is_alive", {"player": player})


def not_decided(town: Town, slots: Slots) -> Refusal | None:
    return Refusal("mj_over") if town.end else None


def may_leave(town: Town, slots: Slots) -> Refusal | None:
    """Only who is passing through goes before the end."""
    player = slots["player"]
    return None if player in town.travellers else Refusal("refuse_no_traveller", {"player": player})


def has_spent(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if player in town.spent else Refusal("mj_has_token", {"player": player})


def has_token(town: Town, slots: Slots) -> Refusal | None:
    player = slots["player"]
    return None if player in town.tokens else Refusal("mj_no_token", {"player": player})


def dead_say_no(town: Town, slots: Slots) -> Refusal | None:
    """Execution by an ability: of anybody who is still in town."""
    player = slots["player"]
    return Refusal("mj_is_dead", {"player": player}) if player in town.exiled else None


# ---- deaths


def killed(town: Town, *players: str) -> Town:
    """They die aloud. The dead keep a vote token (Guide, Execution and death)."""
    return replace(town, dead=added(town.dead, *players), told=players)


def die_now(town: Town, slots: Slots) -> Town:
    """By day, aloud. In the middle of a vote the Storyteller's question, and its silence, come after the vote."""
    silent = town.phase in ("verdict", "verdict_told")
    due = town.question_due or not (silent or town.phase in TALKING)
    return replace(killed(town, slots["player"]), begun=town.begun or not silent, question_due=due)


def revived(town: Town, *players: str) -> Town:
    """Alive again, with votes and nominations as all the living."""
    return replace(
        town,
        dead=without(town.dead, *players),
        exiled=without(town.exiled, *players),
        spent=without(town.spent, *players),
        risen=players,
    )


def break_dawn(town: Town, slots: Slots) -> Town:
    """A new day: what the night did comes out, deaths in the drawn order (Guide, Running the night)."""
    deaths = permuted(tuple(p for p in town.table.seats if p in town.hidden.dying), town.order)
    risen = tuple(p for p in town.table.seats if p in town.hidden.rising)
    awake = replace(
        revived(town, *risen),
        turn=town.turn + 1,
        dark=False,
        over=False,
        nominators=(),
        nominees=(),
        tallies=(),
        block="",
        called=False,
        just_called=False,
        begun=False,
        question_due=False,
        vote=Vote(),
        condemned="",
        outcome="",
    )
    return killed(awake.hide(dying=(), rising=(), done=(), spared=()), *deaths)


def permuted(names: tuple[str, ...], share: float) -> tuple[str, ...]:
    """One of all orders of these names; `share` (0 to below 1) chooses which."""
    left, order = list(names), []
    number = int(share * math.factorial(len(names)))
    for size in range(len(names), 0, -1):
        at, number = divmod(number, math.factorial(size - 1))
        order.append(left.pop(min(at, len(left) - 1)))
    return tuple(order)


def execute(town: Town, slots: Slots) -> Town:
    """The one on the block dies, unless spared or dead already. It ends the day (Guide, Execution and death)."""
    player = town.block
    fate = "already" if not town.alive(player) else "survived" if player in town.hidden.spared else "died"
    after = replace(town, condemned=player, outcome=fate, over=True, block="", told=(), vote=Vote())
    after = after.hide(spared=())
    return killed(after, player) if fate == "died" else after


def _lives_on(town: Town, slots: Slots) -> Town:
    player = slots["player"]
    return replace(revived(town, player), told=without(town.told, player), outcome="survived")


def nightfall(town: Town, slots: Slots) -> Town:
    return replace(town, dark=True, over=True, vote=Vote(), told=(), risen=()).hide(done=())


# ---- ends


def _decided(winner: str) -> Action:
    return lambda town, slots: town.hide(decided=winner)


def _declare(winner: str) -> Action:
    return lambda town, slots: announced(town, winner)


def announced(town: Town, winner: str) -> Town:
    return replace(town, end=Ending(f"{winner}_wins", (winner,)), woken=town.dark, dark=False, vote=Vote())


def announce(town: Town, slots: Slots) -> Town:
    return announced(town, town.hidden.decided)


CHECKS: Mapping[str, Check] = {
    "may_die": may_die,
    "was_dying": was_dying,
    "may_live_on": may_live_on,
    "just_died": just_died,
    "may_revive": may_revive,
    "not_decided": not_decided,
    "may_leave": may_leave,
    "has_spent": has_spent,
    "has_token": has_token,
    "may_be_executed": dead_say_no,
}
ACTIONS: Mapping[str, Action] = {
    "die_now": die_now,
    "die_tonight": lambda town, slots: town.hide(
        dying=added(town.hidden.dying, slots["player"]), rising=without(town.hidden.rising, slots["player"])
    ),
    "live_tonight": lambda town, slots: town.hide(dying=without(town.hidden.dying, slots["player"])),
    "spare": lambda town, slots: town.hide(spared=added(town.hidden.spared, slots["player"])),
    "lives_on": _lives_on,
    "rise_tonight": lambda town, slots: town.hide(rising=added(town.hidden.rising, slots["player"])),
    "revive_now": lambda town, slots: revived(town, slots["player"]),
    "weigh": lambda town, slots: town.hide(
        weights=(*((p, n) for p, n in town.hidden.weights if p != slots["player"]), (slots["player"], slots["n"]))
    ),
    "token_back": lambda town, slots: replace(town, spent=without(town.spent, slots["player"])),
    "token_gone": lambda town, slots: replace(town, spent=added(town.spent, slots["player"])),
    "block_is": lambda town, slots: replace(town, block=slots["player"]),
    "block_empty": lambda town, slots: replace(town, block=""),
    "condemn": lambda town, slots: replace(town, block=slots["player"], vote=Vote()),
    "execute": execute,
    "close_day": lambda town, slots: replace(town, over=True, just_called=False),
    "call": lambda town, slots: replace(town, called=True, just_called=True, vote=Vote()),
    "asked": lambda town, slots: replace(town, question_due=False),
    "nightfall": nightfall,
    "draw_pause": lambda town, slots: replace(town, pause=slots["value"]),
    "draw_order": lambda town, slots: replace(town, order=slots["value"]),
    "break_dawn": break_dawn,
    "good_decided": _decided(GOOD),
    "evil_decided": _decided(EVIL),
    "goes_on": lambda town, slots: town.hide(decided=""),
    "good_wins": _declare(GOOD),
    "evil_wins": _declare(EVIL),
    "announce": announce,
}
