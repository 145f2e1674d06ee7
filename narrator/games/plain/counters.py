"""Counters: numbers of the game's own, moved by what happens (`up`, `down`, `zero`), by a move, or set right aloud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from narrator.core.events import Slots
from narrator.core.hints import not_known
from narrator.core.script import Source
from narrator.core.states import Action
from narrator.games.plain.nouns import Counter
from narrator.games.plain.state import Party, put


def _moved(counter: Counter, by: int) -> Action:
    def action(party: Party, slots: Slots) -> Party:
        value = max(party.counter(counter.id) + by, 0)
        return replace(party, counters=put(party.counters, counter.id, value))

    return action


def _set(counter: Counter, value: int | None) -> Action:
    """To this value, or to the number that was said."""
    return lambda party, slots: replace(
        party, counters=put(party.counters, counter.id, slots["n"] if value is None else value)
    )


def own_actions(counters: tuple[Counter, ...]) -> dict[str, Action]:
    """up_x, down_x, zero_x and set_x of every counter x."""
    actions: dict[str, Action] = {}
    for one in counters:
        moves = {"up": _moved(one, 1), "down": _moved(one, -1), "zero": _set(one, 0), "set": _set(one, None)}
        actions |= {f"{how}_{one.id}": action for how, action in moves.items()}
    return actions


def counted(actions: Mapping[str, Action], counters: tuple[Counter, ...]) -> dict[str, Action]:
    """The same actions, each moving the counters that count it."""
    return {name: _counted(action, name, counters) for name, action in actions.items()}


def _counted(action: Action, name: str, counters: tuple[Counter, ...]) -> Action:
    steps = [
        step
        for one in counters
        for names, step in ((one.up, _moved(one, 1)), (one.down, _moved(one, -1)), (one.zero, _set(one, 0)))
        if name in names
    ]
    if not steps:
        return action

    def both(party: Party, slots: Slots) -> Party:
        party = action(party, slots)
        for step in steps:
            party = step(party, slots)
        return party

    return both


def check_counters(source: Source, counters: tuple[Counter, ...], actions: Mapping[str, Action]) -> None:
    """Raises ScriptError where a counter counts what nobody can do."""
    for n, one in enumerate(counters):
        for key, names in (("up", one.up), ("down", one.down), ("zero", one.zero)):
            for name in names:
                if name not in actions:
                    raise source.fault(
                        f"counter “{one.id}”: “{name}” is no action; {not_known(str(name), actions)}", "counter", n, key
                    )
