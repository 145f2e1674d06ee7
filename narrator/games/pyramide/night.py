"""What the game master enters of the Sons and of the special roles: squads, Belwas' protection, questions, lieutenants.

Text: "Première phase : Assassinats", "Rôles spéciaux", "Troisième Phase" (lieutenants). Everything here is private
until the strike, of which the table learns who died and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.states import Action, Check, Ending, Refusal
from narrator.games.pyramide import specials, squads
from narrator.games.pyramide.deal import may_replace, replaced
from narrator.games.pyramide.faults import Fault
from narrator.games.pyramide.knowledge import knowledge, news
from narrator.games.pyramide.points import harpy_is_dead
from narrator.games.pyramide.ranks import killed
from narrator.games.pyramide.roles import Camp, Role
from narrator.games.pyramide.squads import Squad
from narrator.games.pyramide.state import Die, Meereen, Question


def whispered_fault(fault: Fault | None) -> Refusal | None:
    """A reason as the line that the game master reads."""
    return Refusal(f"mj_fault_{fault.reason}", {"player": fault.player}) if fault else None


# ---- squads


def _squad(slots: Slots) -> Squad:
    """Several members are named together, one alone is `other`."""
    return Squad(tuple(slots.get("players") or (slots["other"],)), slots["player"])


def may_send(state: Meereen, slots: Slots) -> Refusal | None:
    return whispered_fault(squads.refusal(state.pyramid, state.deal, state.hidden.squads, _squad(slots)))


def send(state: Meereen, slots: Slots) -> Meereen:
    return resolved(state.hide(squads=(*state.hidden.squads, _squad(slots))))


def resolved(state: Meereen) -> Meereen:
    """What the squads would come to as things stand."""
    outcomes = squads.resolve(state.pyramid, state.deal, state.hidden.squads, state.hidden.guarded)
    return state.hide(outcomes=outcomes)


def may_call_off(state: Meereen, slots: Slots) -> Refusal | None:
    targets = [squad.target for squad in state.hidden.squads]
    return None if slots["player"] in targets else Refusal("mj_fault_no_squad", {"player": slots["player"]})


def call_off(state: Meereen, slots: Slots) -> Meereen:
    return resolved(state.hide(squads=tuple(s for s in state.hidden.squads if s.target != slots["player"])))


def may_guard(state: Meereen, slots: Slots) -> Refusal | None:
    return whispered_fault(specials.may_guard(state.pyramid, state.deal, slots["player"]))


def guard(state: Meereen, slots: Slots) -> Meereen:
    return resolved(state.hide(guarded=slots["player"]))


def strike(state: Meereen, slots: Slots) -> Meereen:
    """All squads at once; aloud only who died. Where the harpy was dead before, the Queen's camp has won."""
    won = harpy_is_dead(state.pyramid, state.deal)
    state = resolved(state)
    dead = () if won else squads.victims(state.pyramid, state.hidden.outcomes)  # squads entered before he set it right
    after = replace(
        state,
        pyramid=killed(state.pyramid, *dead),
        murdered=dead,
        reinforced=state.deal.holder(Role.DAARIO) in dead,
    )
    return replace(after, end=Ending("queen_wins", (Camp.QUEEN.value,))) if won else after


# ---- lieutenants who fell


def may_succeed(state: Meereen, slots: Slots) -> Refusal | None:
    return whispered_fault(may_replace(state.deal, state.pyramid, slots["player"], slots["other"]))


def succeed(state: Meereen, slots: Slots) -> Meereen:
    known = knowledge(state.deal, state.pyramid)
    deal = replaced(state.deal, slots["player"], slots["other"])
    return state.hide(deal=deal, news=news(known, knowledge(deal, state.pyramid)))


# ---- questions of special roles


def may_ask(state: Meereen, slots: Slots) -> Refusal | None:
    asker, target = slots["player"], slots["other"]
    fault = specials.may_ask(state.pyramid, state.deal, state.hidden.asked, asker, target)
    if fault is None and (state.deal.specials[asker] == Role.COURTESAN) is not ("camp" in slots):
        return Refusal("mj_fault_other_question", {"player": asker})
    return whispered_fault(fault)


def ask(state: Meereen, slots: Slots) -> Meereen:
    """Quaithe is never given away; Pyat Pree and the courtesans are by a die of their own."""
    asker, target = slots["player"], slots["other"]
    held = state.deal.specials[asker]
    question = Question(asker, target, slots.get("camp", ""), False if held == Role.QUAITHE else None)
    dice = () if held == Role.QUAITHE else (Die("revealed", asker, target),)
    return state.hide(question=question, asked=(*state.hidden.asked, asker), dice=(*state.hidden.dice, *dice))


CHECKS: Mapping[str, Check] = {
    "may_send": may_send,
    "may_call_off": may_call_off,
    "may_guard": may_guard,
    "may_succeed": may_succeed,
    "may_ask": may_ask,
}
ACTIONS: Mapping[str, Action] = {
    "send": send,
    "call_off": call_off,
    "guard": guard,
    "strike": strike,
    "succeed": succeed,
    "ask": ask,
}
