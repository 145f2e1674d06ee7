"""The machine of a game, looked at for dead ends: what nothing leaves, what leads to no end, what only keys leave."""

from __future__ import annotations

from collections.abc import Iterator

from narrator.core.script import MASTER, Phase
from narrator.library import Production
from narrator.workshop.findings import ERROR, WARNING, Finding, at


def dead_ends(production: Production) -> Iterator[Finding]:
    script = production.game.script
    exits: dict[str, set[str]] = {name: set() for name in script.phases}
    triggers: dict[str, set[str]] = {name: set() for name in script.phases}
    for (start, on), move in script.moves.items():
        elsewhere = {to.phase for to in move.to} - {start}
        exits[start] |= elsewhere
        triggers[start] |= {on} if elsewhere else set()
    finals = {name for name, phase in script.phases.items() if phase.final}
    if not finals:
        yield at(script.source, ERROR, "no-end", "no phase is final = true: the evening could never end", "phase", 0)
    ending = _leading_to(finals, exits)
    for n, (name, phase) in enumerate(script.phases.items()):
        if phase.final:
            continue
        if not exits[name]:
            yield at(script.source, ERROR, "no-exit", f"nothing leads out of phase “{name}”", "phase", n)
        elif finals and name not in ending:
            yield at(script.source, ERROR, "no-end", f"phase “{name}” leads to no end", "phase", n)
        elif not _leavable(production, phase, triggers[name]):
            message = f"phase “{name}” can only be left by typing: no sentence that leads on is listened for"
            yield at(script.source, WARNING, "only-typed", message, "phase", n)


def _leading_to(finals: set[str], exits: dict[str, set[str]]) -> set[str]:
    found = set(finals)
    while more := {name for name, after in exits.items() if after & found} - found:
        found |= more
    return found


def _leavable(production: Production, phase: Phase, triggers: set[str]) -> bool:
    """By itself, by time, by chance, by the game master, or by a sentence that the ear waits for."""
    if phase.flow != "floor" or phase.eyes_closed:
        return True
    if any(on == "time_up" or on.startswith(("rolled:", MASTER)) for on in triggers):
        return True
    return any(production.phrases.sentences((on,)) and on not in phase.deaf_to for on in triggers)
