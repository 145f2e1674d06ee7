"""Whether the parts of a game fit one another, and the table: options, sentences, names. Faults say what and where."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from narrator.commands import COMMANDS
from narrator.core.errors import RuleError
from narrator.core.hints import nearest, not_known
from narrator.core.phrases import Phrases
from narrator.core.script import Script, Source
from narrator.core.spelling import normal
from narrator.voice.scenes import SCENES

MOST = 100_000  # no option, in seconds or tales, is meant to be more
#: Sentences that every language has for every table.
SAID_ANYWHERE = frozenset(
    (
        "yes",
        "no",
        "done",
        "next",
        "undo",
        "skip",
        "more_time",
        *COMMANDS,
    )
)


def options_of(source: Source, chosen: Mapping[str, Any]) -> dict[str, Any]:
    known = source.data.get("options", {})
    for name, value in chosen.items():
        if name not in known:
            raise RuleError(f"option “{name}” does not exist; there are: {', '.join(known)}")
        usual = known[name]
        number = isinstance(usual, (int, float)) and not isinstance(usual, bool)
        right = (
            isinstance(value, (int, float)) and not isinstance(value, bool)
            if number
            else isinstance(value, type(usual))
        )
        if not right and not (isinstance(usual, list) and isinstance(value, str)):
            if isinstance(usual, bool):
                raise RuleError(f"option “{name}” must be true or false, not {value!r}")
            raise RuleError(f"option “{name}” must be like {usual!r}, not {value!r}")
        if number and not 0 <= value < MOST:
            raise RuleError(f"option “{name}” must be a number from 0 to {MOST}, it is {value}")
    return {**known, **{k: list(v) if isinstance(known[k], list) else v for k, v in chosen.items()}}


def ids_of(
    options: Mapping[str, Any], cards: Mapping[str, Collection[str]], names: Mapping[str, str]
) -> dict[str, Any]:
    """The options, with the ids of cards where their printed titles were given. `cards`: option -> the ids that may
    stand in it, a list or the keys of a table; `names`: what the language calls them. Raises RuleError."""
    known = dict(options)
    for option, ids in cards.items():
        titled = {normal(names.get(card, card)): card for card in ids} | {normal(card): card for card in ids}
        given = options[option]
        if isinstance(given, Mapping):
            known[option] = {titled.get(normal(card), card): value for card, value in given.items()}
            continue
        for card in given:
            if normal(str(card)) not in titled:
                titles = ", ".join(names.get(one, one) for one in ids)
                raise RuleError(f"{option}: “{card}” is not one of {titles}")
        known[option] = [titled[normal(str(card))] for card in given]
    return known


def ranges_of(source: Source, seats: int) -> dict[str, range]:
    ranges = {}
    for name, bounds in source.data.get("slots", {}).items():
        try:
            low, high = (seats if bound == "seats" else int(bound) for bound in bounds)
        except (TypeError, ValueError):
            raise source.fault(
                f'slot “{name}” needs two bounds, such as [0, 10] or [0, "seats"]', "slots", name
            ) from None
        ranges[name] = range(low, high + 1)
    return ranges


def check_scenes(source: Source, script: Script) -> None:
    for n, phase in enumerate(script.phases.values()):
        if phase.scene and phase.scene not in SCENES:
            raise source.fault(f"scene “{phase.scene}” is not one of {', '.join(SCENES)}", "phase", n, "scene")


def check_sayable(source: Source, phrases: Phrases, file: str) -> None:
    """Whatever the script answers can be said: a misspelt intent would wait for ever."""
    known = phrases.intents | {"time_up"}
    for n, entry in enumerate(source.data["move"]):
        for on in [entry["on"]] if isinstance(entry["on"], str) else entry["on"]:
            if on not in known and ":" not in on:
                hint = meant(on, phrases.intents)
                raise source.fault(f"no sentence for “{on}” is written in {file}{hint}", "move", n, "on")
    for intent in sorted(SAID_ANYWHERE - known):
        raise source.fault(f"the sentence “{intent}”, which every table can say, is written nowhere", "move")
    for intent in (*source.data.get("query", {}), *source.data.get("private_query", {})):
        if intent not in known:
            raise source.fault(f"no sentence for “{intent}” is written in {file}", "query", intent)


def check_slots(source: Source, phrases: Phrases, values: Mapping[str, tuple[str, ...]]) -> None:
    """What a sentence says by itself (role = "wolf") is something that the game has."""
    for form in phrases.forms:
        for slot, value in form.fixed.items():
            if slot in values and value not in values[slot]:
                hint = not_known(str(value), values[slot])
                raise source.fault(f"sentence “{form.intent}”: {slot} “{value}”? {hint}", "sentences", form.intent)


def check_names(players: Collection[str], phrases: Phrases) -> None:
    """Nobody is called as a sentence or a command: whoever called that name would be obeyed. Raises RuleError."""
    for player in players:
        if phrases.takes(player):
            raise RuleError(
                f"“{player}” is also a sentence that the narrator understands:"
                " add a letter to that name, or use a nickname"
            )


def meant(name: str, known: Collection[str]) -> str:
    near = nearest(name, known)
    return f"; did you mean “{near}”?" if near else ""
