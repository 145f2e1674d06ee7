"""The public course of a simulated evening: who was proposed, how the votes went, which tales were read.

A decision is made once for a situation and kept; it is asked for again when a sentence must be repeated or an objection
brings the situation back. Given to another table, a course is followed instead of decided: so that two evenings with
different secrets can take one public course.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Key = tuple[Any, ...]
T = TypeVar("T")


class Course(dict[Key, Any]):
    """Situation -> decision."""

    def decide(self, what: str, view: Mapping[str, Any], choose: Callable[[], T], nth: int = 0) -> T:
        """The decision `what` in the situation of `view` (the `nth` of its kind there)."""
        key = (what, view["turn"], view["gv"], view["narratrice"], view["target"], nth)
        if key not in self:
            self[key] = choose()
        return self[key]  # type: ignore[no-any-return]
