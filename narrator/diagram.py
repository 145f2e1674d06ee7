"""The machine of a game, drawn from the live `transitions` machine, never by hand."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from narrator.core.errors import DeviceError
from narrator.core.game import Game


def _arrows(game: Game) -> Iterator[tuple[str, str, str]]:
    """(phase, next phase, trigger [condition]) of every transition, in the order of the script."""
    machine = game.phases.machine
    for event in machine.events.values():
        for phase, transitions in event.transitions.items():
            for transition in transitions:
                names = [str(getattr(c.func, "__name__", c.func)) for c in transition.conditions]
                yield phase, str(transition.dest), event.name + (f" [{names[0]}]" if names else "")


def mermaid(game: Game) -> str:
    """A Mermaid state diagram; arrows between the same two phases are one, with all their triggers."""
    script, rows = game.script, ["stateDiagram-v2"]
    rows += [f"  [*] --> {script.first_phase}"]
    for (phase, after), triggers in _merged(game).items():
        rows.append(f"  {phase} --> {after}: {', '.join(triggers).replace(':', ' ')}")
    rows += [f"  {name} --> [*]" for name, phase in script.phases.items() if phase.final]
    return "\n".join(rows) + "\n"


def dot(game: Game) -> str:
    """The same for graphviz. Phases that wait for the table are boxes, passing ones are plain."""
    rows = [
        f'digraph "{game.script.game}" {{',
        '  rankdir=TB; node [fontname="DejaVu Sans", fontsize=11, shape=box, style=rounded];',
        '  edge [fontname="DejaVu Sans", fontsize=9];',
    ]
    for name, phase in game.script.phases.items():
        if phase.flow == "auto":
            rows.append(f'  "{name}" [shape=plain, fontcolor="#555555"];')
        elif phase.final:
            rows.append(f'  "{name}" [peripheries=2];')
    for (phase_name, after), triggers in _merged(game).items():
        label = "\\n".join(triggers)
        rows.append(f'  "{phase_name}" -> "{after}" [label="{label}"];')
    return "\n".join([*rows, "}"]) + "\n"


def _merged(game: Game) -> dict[tuple[str, str], list[str]]:
    merged: dict[tuple[str, str], list[str]] = {}
    for phase, after, label in _arrows(game):
        merged.setdefault((phase, after), []).append(label)
    return merged


def draw(game: Game, target: Path) -> None:
    """Write the machine as .svg, .png or .pdf. Raises DeviceError if graphviz is missing or refuses."""
    program = shutil.which("dot")
    if program is None:
        raise DeviceError("graphviz is not installed, so no picture can be drawn: apt install graphviz")
    kind = target.suffix.lower().lstrip(".") or "svg"
    if kind not in ("svg", "png", "pdf"):
        raise DeviceError(f"{target}: a picture of a machine is .svg, .png or .pdf")
    try:
        done = subprocess.run(
            [program, f"-T{kind}", "-o", str(target)],
            input=dot(game),
            text=True,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise DeviceError(f"graphviz did not run: {error}") from None
    if done.returncode:
        raise DeviceError(f"graphviz could not write {target}: {done.stderr.strip().splitlines()[-1]}")
