"""`narrator check my-game/`: what is wrong, what the ear waits for, the machine, lines to listen to, a rehearsal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from narrator.diagram import draw, mermaid
from narrator.library import Production
from narrator.stage.screen import harmless
from narrator.voice.speaker import Speaker
from narrator.words import words
from narrator.workshop.findings import ERROR, Finding
from narrator.workshop.lint import Look, look_at
from narrator.workshop.preview import aloud, preview
from narrator.workshop.sentences import hearings

#: (game, languages) -> how its rehearsals went; given by the command, since nothing else may import the rehearsal.
Rehearse = Callable[[str, Sequence[str]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Wishes:
    """The arguments of `narrator check my-game/`."""

    game: str
    as_json: bool = False
    strict: bool = False
    listen: bool = False
    preview: Path | None = None
    drawing: Path | None = None
    loudspeaker: str | None = None


def check_game(wishes: Wishes, rehearse: Rehearse | None = None) -> bool:
    """Print or write as JSON all there is to say; True if nothing is wrong. Raises NarratorError for no such game."""
    console = Console(highlight=False, soft_wrap=True, quiet=wishes.as_json)
    look = look_at(wishes.game)
    report: dict[str, Any] = {"game": wishes.game, "languages": list(look.sources)}
    for finding in look.findings:
        _print_finding(console, finding)
    report["unspoken"] = list(look.unspoken)
    for language in look.unspoken:
        console.print(words("game_unspoken", language=words(f"lang_{language}"), file=f"{language}.toml"))
    report["hears"] = {language: _hears(console, language, staged) for language, staged in look.productions.items()}
    if look.productions:
        staged = next(iter(look.productions.values()))
        report |= {"title": staged.title, "diagram": mermaid(staged.game)}
        _draw(console, staged, wishes.drawing)
        report["previews"] = _previews(console, look, wishes)
    report["rehearsals"] = _rehearsals(console, look, wishes, rehearse)
    report["findings"] = [one.data() for one in look.findings]
    report["ok"] = not look.errors and not (wishes.strict and look.warnings)
    console.print(words("game_fine" if report["ok"] else "game_wrong", errors=look.errors, warnings=look.warnings))
    if wishes.as_json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    return bool(report["ok"])


def _print_finding(console: Console, finding: Finding) -> None:
    wrong = finding.level == ERROR
    mark = (f"{words('wrong' if wrong else 'doubt'):>9} ", "red" if wrong else "yellow")
    console.print(Text.assemble(mark, harmless(str(finding))))


def _hears(console: Console, language: str, production: Production) -> dict[str, Any]:
    """What the ear waits for in each phase, as templates."""
    console.print(Text(words("game_hears", lang=language, count=len(production.phrases.sentences())), style="bold"))
    heard = {}
    for one in hearings(production):
        sentences = [template for _, templates in one.templates for template in templates]
        heard[one.phase] = {"ear": "shut" if one.shut else "open", "sentences": dict(one.templates)}
        if sentences:
            console.print(Text.assemble((f"{one.phase:>16}  ", "cyan"), harmless(" · ".join(sentences))))
    return heard


def _draw(console: Console, production: Production, drawing: Path | None) -> None:
    if drawing is None:
        return
    if drawing.suffix in (".mmd", ".md"):
        drawing.write_text(mermaid(production.game), encoding="utf-8")
    else:
        draw(production.game, drawing)
    console.print(words("game_drawn", file=drawing))


def _previews(console: Console, look: Look, wishes: Wishes) -> list[str]:
    if not wishes.listen and wishes.preview is None:
        return []
    made: list[str] = []
    speaker = Speaker(wishes.loudspeaker) if wishes.listen else None
    try:
        for language, production in look.productions.items():
            lines = look.sources[language].data.get("lines", {})
            made += preview(production, lines, wishes.preview, aloud(speaker) if speaker else None)
    finally:
        if speaker:
            speaker.close()
    console.print(words("game_previewed", count=len(made)))
    return made


def _rehearsals(console: Console, look: Look, wishes: Wishes, rehearse: Rehearse | None) -> list[dict[str, Any]]:
    """Evenings by a simulated table; one that does not come to its end is an error like any other."""
    if rehearse is None or not look.productions or look.errors:
        return []
    told = []
    for proof in rehearse(wishes.game, list(look.productions)):
        told.append(asdict(proof))
        console.print(words("game_rehearsed", **told[-1]))
        if proof.trouble:
            message = f"rehearsed in {proof.language} with {proof.players} players: {proof.trouble}"
            look.findings.append(Finding(ERROR, "rehearsal", message, str(look.folder)))
            _print_finding(console, look.findings[-1])
    return told
