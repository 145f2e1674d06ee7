"""What `narrator check my-game/` finds: one sentence each, with file and line, an error or a warning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from narrator.core.errors import NarratorError, ScriptError
from narrator.core.script import Source
from narrator.faults import told

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """`rule`: what kind of thing it is, by a name that does not change; `line` is 1-based, 0 where unknown."""

    level: str
    rule: str
    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{where}{told(self.message)} [{self.rule}]"

    def data(self) -> dict[str, Any]:
        return {**asdict(self), "message": told(self.message)}


def at(source: Source, level: str, rule: str, message: str, *path: str | int) -> Finding:
    """A finding about that place of a file."""
    return Finding(level, rule, message, source.file, source.line(*path))


def of_fault(error: NarratorError, rule: str) -> Finding:
    """An error that the loading of the game raised."""
    if isinstance(error, ScriptError):
        return Finding(ERROR, rule, error.message, error.file, error.line)
    return Finding(ERROR, rule, str(error))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Each once, errors first, then by file and line."""
    return sorted(dict.fromkeys(findings), key=lambda one: (one.level != ERROR, one.file, one.line, one.rule))
