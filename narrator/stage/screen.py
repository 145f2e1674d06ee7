"""What is shown beside the voice: every line spoken, what was heard and understood. Colour only on a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from narrator.core.effects import Manner
from narrator.core.phrases import Meaning
from narrator.core.spelling import printed

if TYPE_CHECKING:
    from narrator.conductor import Conductor

_STYLES = {Manner.TELL: "", Manner.ASK: "bold", Manner.ECHO: "green", Manner.REFUSE: "yellow"}
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b.")


def harmless(text: str) -> str:
    """Text from outside without escapes and control characters, for a terminal."""
    text = _ESCAPES.sub("", text)
    return "".join(c for c in text if not unicodedata.category(c).startswith("C"))


class Screen:
    """A Watcher that prints one line per thing said or heard."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)

    def spoke(self, text: str, manner: Manner) -> None:
        self.console.print(Text(harmless(text), style=_STYLES[manner]))

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        if not typed:
            heard = harmless(printed(text)) if text else "…"
            self.console.print(Text(f"  ◂ {heard}", style="cyan" if meaning else "dim"))

    def shown(self, facts: Mapping[str, Any]) -> None:
        """Public facts are told by the voice; the plain screen does not repeat them."""

    def whispered(self, text: str) -> None:
        self.console.print(Text(f"[mj] {harmless(text)}", style="magenta"))

    def settled(self, conductor: Conductor) -> None:
        """Nothing to draw when the narrator falls silent."""
