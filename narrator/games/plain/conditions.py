"""A game's own conditions: "wolves >= village and not dark or day = 3". No brackets, no sums; “and” binds before “or”.

A comparison has a number, a list (which counts as its length) or a whole number on each side; anything else is the name
of a condition, perhaps after “not”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.hints import not_known
from narrator.core.script import Source

_SIGNS: Mapping[str, Callable[[int, int], bool]] = {
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
}
_COMPARISON = re.compile(r"(\w+) *(<=|>=|!=|<|>|=) *(\w+)")


@dataclass(frozen=True, slots=True)
class Term:
    """A comparison (`sign`), or a condition (`sign` = "") that must hold, or not."""

    left: str
    sign: str = ""
    right: str = ""
    negated: bool = False


Test = tuple[tuple[Term, ...], ...]  # any of these, of which all must hold


def read_test(source: Source, name: str, text: str, numbers: Collection[str], flags: Collection[str]) -> Test:
    """The condition `name`. Raises ScriptError for names that are neither numbers nor conditions."""
    return tuple(
        tuple(_term(source, name, part.strip(), numbers, flags) for part in re.split(r"\band\b", one))
        for one in re.split(r"\bor\b", text)
    )


def _term(source: Source, name: str, text: str, numbers: Collection[str], flags: Collection[str]) -> Term:
    path = ("when", name)
    if found := _COMPARISON.fullmatch(text):
        for side in (found[1], found[3]):
            if not side.isdigit() and side not in numbers:
                raise source.fault(f"condition “{name}”: “{side}” is no number; {not_known(side, numbers)}", *path)
        return Term(found[1], found[2], found[3])
    flag = text.removeprefix("not ").strip()
    if not flag.isidentifier():
        raise source.fault(f"condition “{name}”: “{text}” is no comparison such as wolves >= village", *path)
    if flag not in flags:
        raise source.fault(f"condition “{name}”: “{flag}” is no condition; {not_known(flag, flags)}", *path)
    return Term(flag, negated=text.startswith("not "))


def holds(test: Test, known: Mapping[str, Any]) -> bool:
    return any(all(_term_holds(term, known) for term in terms) for terms in test)


def _term_holds(term: Term, known: Mapping[str, Any]) -> bool:
    if term.sign:
        return _SIGNS[term.sign](_number(term.left, known), _number(term.right, known))
    return bool(known[term.left]) is not term.negated


def _number(name: str, known: Mapping[str, Any]) -> int:
    value = int(name) if name.isdigit() else known[name]
    return len(value) if isinstance(value, tuple) else int(value)
