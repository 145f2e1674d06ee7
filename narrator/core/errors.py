"""The few kinds of failure. Each message is one clear sentence: what, where (file and line), what to do.

Faults in scripts are fatal at load; faults of a device never end an evening (the stage catches DeviceError).
"""

from __future__ import annotations


class NarratorError(Exception):
    """Anything the narrator can explain in one sentence; never shown as a traceback."""


class ScriptError(NarratorError):
    """A game, line, table or voice file is wrong. `file` and `line` (1-based, 0 when unknown) say where."""

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        self.message, self.file, self.line = message, file, line
        where = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(where + message)


class RuleError(NarratorError):
    """Something asked for cannot be played by the rules of the game (an impossible configuration, say)."""


class DeviceError(NarratorError):
    """A microphone, loudspeaker, synthesiser or file system failed; the evening goes on without it."""


class ModelError(NarratorError):
    """The ear's acoustic model or its graph is missing or cannot be used."""
