"""The golden evenings of the tests, as scripted play reads them."""

from __future__ import annotations

from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
#: Begin lines of input that the table does not see as typed: the master's, time that passes, draws that are forced.
UNSEEN = ("mj> ", "(+", "dice> ")


def typed(name: str) -> list[str]:
    """What was entered in the golden evening of this name ("sultan.fr"), one line an entry, in its order."""
    lines = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("> ") for line in lines if line.startswith(("> ", *UNSEEN))]
