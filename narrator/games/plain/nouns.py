"""What a plain game's file declares beside its phases and moves: roles, the vote, counters, ends, choices, conditions.

  [[role]]     id, camp, count = 1 | "rest" | { 6 = 1, 8 = 2 } (from so many players on), option = a true/false option
  [vote]       passes = "more" | "majority", abstain, accused_votes, dead_vote, accused_once: true or false
  [[counter]]  id, start, up, down, zero: the actions that move it
  [[end]]      id, winners = camps, when = the condition in which it has come
  [choices]    option = the words it may have
  [when]       name = "wolves >= village and not dark": a condition of the game's own

Everything is checked here; a fault names file, line and what was probably meant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.errors import RuleError
from narrator.core.hints import not_known
from narrator.core.script import Source

REST = "rest"
PASSES = ("more", "majority")
#: The tables that a plain game's file may have beside those of every game.
TABLES: Mapping[str, type] = {
    "role": list,
    "vote": dict,
    "counter": list,
    "end": list,
    "choices": dict,
    "when": dict,
}


@dataclass(frozen=True, slots=True)
class Role:
    """`count`: (from so many players on, so many cards), the fewest players first; empty for the rest of the cards."""

    id: str
    camp: str
    count: tuple[tuple[int, int], ...]
    option: str = ""

    def cards(self, seats: int, options: Mapping[str, Any]) -> int:
        """How many are dealt to a table (0 for the role that gets the rest)."""
        if self.option and not options[self.option]:
            return 0
        return next((number for least, number in reversed(self.count) if least <= seats), 0)


@dataclass(frozen=True, slots=True)
class Vote:
    """Who votes and what it takes. `passes`: more yes than no, or yes from more than half of the voters."""

    passes: str = "more"
    abstain: bool = False
    accused_votes: bool = True
    dead_vote: bool = False
    accused_once: bool = True


@dataclass(frozen=True, slots=True)
class Counter:
    id: str
    start: int = 0
    up: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    zero: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    id: str
    winners: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True, slots=True)
class Nouns:
    roles: tuple[Role, ...]
    vote: Vote
    counters: tuple[Counter, ...]
    ends: tuple[End, ...]
    choices: Mapping[str, tuple[str, ...]]
    when: Mapping[str, str]

    @property
    def camps(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(role.camp for role in self.roles))

    def deal(self, seats: int, options: Mapping[str, Any]) -> dict[str, int]:
        """Role -> cards for this many players. Raises RuleError where they do not come out."""
        dealt = {role.id: role.cards(seats, options) for role in self.roles}
        left = seats - sum(dealt.values())
        others = next((role.id for role in self.roles if not role.count), None)
        if others is not None and left >= 0:
            dealt[others], left = left, 0
        if left and self.roles:
            raise RuleError(f"{seats - left} roles for {seats} players: change [[role]] count in the game’s file")
        return dealt


def read_nouns(source: Source) -> Nouns:
    """Raises ScriptError (file and line) for whatever is missing, unknown or of the wrong kind."""
    data = source.data
    counters = tuple(_counter(source, n, entry) for n, entry in _entries(source, "counter"))
    roles = tuple(_role(source, n, entry) for n, entry in _entries(source, "role"))
    camps = tuple(dict.fromkeys(role.camp for role in roles))
    if sum(not role.count for role in roles) > 1:
        raise source.fault("only one role can have the rest of the cards", "role", len(roles) - 1)
    ends = tuple(_end(source, n, entry, camps) for n, entry in _entries(source, "end"))
    nouns = Nouns(roles, _vote(source, data.get("vote", {})), counters, ends, _choices(source), _when(source))
    for kind, ids in (
        ("role", [role.id for role in roles]),
        ("counter", [one.id for one in counters]),
        ("end", [end.id for end in ends]),
    ):
        for n, name in enumerate(ids):
            if name in ids[:n]:
                raise source.fault(f"{kind} “{name}” is written twice", kind, n)
    return nouns


def _entries(source: Source, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for n, entry in enumerate(source.data.get(kind, [])):
        if not isinstance(entry, dict):
            raise source.fault(f"write every {kind} as a [[{kind}]] of its own", kind)
        yield n, entry


def _checked(
    source: Source, entry: Mapping[str, Any], kinds: Mapping[str, type | tuple[type, ...]], *path: Any
) -> None:
    for key, value in entry.items():
        if key not in kinds:
            raise source.fault(f"“{key}” is not known in [{path[0]}]; {not_known(key, kinds)}", *path, key)
        if not isinstance(value, kinds[key]) or (isinstance(value, bool) and kinds[key] is int):
            raise source.fault(f"“{key}” in [{path[0]}] has a value of the wrong kind: {value!r}", *path, key)


def _named(source: Source, entry: Mapping[str, Any], *path: Any) -> str:
    name = entry.get("id")
    if not isinstance(name, str) or not name.isidentifier() or not name.islower():
        raise source.fault(f'every [[{path[0]}]] needs an id of small letters, such as id = "wolf"', *path)
    return name


def _role(source: Source, n: int, entry: Mapping[str, Any]) -> Role:
    path = ("role", n)
    _checked(source, entry, {"id": str, "camp": str, "count": (int, str, dict), "option": str}, *path)
    name, camp, option = _named(source, entry, *path), entry.get("camp", ""), entry.get("option", "")
    if not camp.isidentifier() or not camp.islower():
        raise source.fault(f'role “{name}” needs a camp of small letters, such as camp = "village"', *path)
    options = source.data.get("options", {})
    if option and not isinstance(options.get(option), bool):
        known = [o for o, usual in options.items() if isinstance(usual, bool)]
        raise source.fault(f"option “{option}” is no true/false option; {not_known(option, known)}", *path, "option")
    return Role(name, camp, _cards(source, name, entry.get("count"), path), option)


def _cards(source: Source, name: str, count: Any, path: tuple[Any, ...]) -> tuple[tuple[int, int], ...]:
    if count == REST:
        return ()
    steps = {"0": count} if type(count) is int else count
    if not isinstance(steps, dict) or not steps or not all(_card(k, v) for k, v in steps.items()):
        raise source.fault(
            f'role “{name}”: count is a number, "rest", or {{ 6 = 1, 8 = 2 }}: from so many players on, so many',
            *path,
            "count",
        )
    return tuple(sorted((int(seats), number) for seats, number in steps.items()))


def _card(seats: str, number: Any) -> bool:
    return seats.isdigit() and type(number) is int and number >= 0


def _vote(source: Source, entry: Mapping[str, Any]) -> Vote:
    kinds: dict[str, type] = {"passes": str, **dict.fromkeys(("abstain", "accused_votes", "dead_vote"), bool)}
    _checked(source, entry, {**kinds, "accused_once": bool}, "vote")
    if entry.get("passes", "more") not in PASSES:
        raise source.fault(f"passes “{entry['passes']}” is not one of {', '.join(PASSES)}", "vote", "passes")
    return Vote(**entry)


def _counter(source: Source, n: int, entry: Mapping[str, Any]) -> Counter:
    path = ("counter", n)
    _checked(source, entry, {"id": str, "start": int, "up": list, "down": list, "zero": list}, *path)
    moved = {key: tuple(entry.get(key, ())) for key in ("up", "down", "zero")}
    return Counter(_named(source, entry, *path), entry.get("start", 0), **moved)


def _end(source: Source, n: int, entry: Mapping[str, Any], camps: Collection[str]) -> End:
    path = ("end", n)
    _checked(source, entry, {"id": str, "winners": list, "when": str}, *path)
    name, winners = _named(source, entry, *path), tuple(entry.get("winners", ()))
    for camp in winners:
        if camp not in camps:
            raise source.fault(f"winner “{camp}” is no camp of a role; {not_known(str(camp), camps)}", *path, "winners")
    when, known = entry.get("when", ""), source.data.get("when", {})
    if when and when not in known:
        raise source.fault(f"end “{name}”: “{when}” is no condition of [when]; {not_known(when, known)}", *path, "when")
    return End(name, winners, entry.get("when", ""))


def _choices(source: Source) -> dict[str, tuple[str, ...]]:
    options, choices = source.data.get("options", {}), {}
    for option, allowed in source.data.get("choices", {}).items():
        if not isinstance(allowed, list) or not all(isinstance(word, str) and word.isidentifier() for word in allowed):
            raise source.fault(f'choices of “{option}” are words: ["one", "two"]', "choices", option)
        if options.get(option) not in allowed:
            known = [name for name, usual in options.items() if isinstance(usual, str)]
            raise source.fault(
                f"the option “{option}” must be one of its choices ({', '.join(allowed)}); {not_known(option, known)}",
                "choices",
                option,
            )
        choices[option] = tuple(allowed)
    return choices


def _when(source: Source) -> dict[str, str]:
    for name, text in source.data.get("when", {}).items():
        if not name.isidentifier() or not isinstance(text, str):
            raise source.fault(f'condition “{name}” is written as {name} = "wolves >= village"', "when", name)
    return dict(source.data.get("when", {}))
