"""`narrator ears`: the models of this machine, and how well they hear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from narrator.core.errors import NarratorError
from narrator.words import words

app = typer.Typer(help=words("ears"), no_args_is_help=True)
_console = Console(highlight=False, soft_wrap=True)


@app.command("list", help=words("ears_list"))
def list_ears() -> None:
    from narrator.ear.models import has_ear
    from narrator.ear.store import KNOWN, OWN, chosen, installed

    languages = ("fr", "en")
    ears = installed()
    for language in filter(has_ear, languages):
        _say(f"{OWN} ({language})", words("ears_own"), chosen(language) == OWN)
    for ear in ears:
        used = [language for language in languages if chosen(language) == ear.name]
        kind = words("ears_dynamic" if ear.model.dynamic else "ears_static")
        facts = words("ears_facts", kind=kind, rate=ear.model.rate, count=len(ear.model.words), sha=ear.sha256)
        _say(ear.name, facts, bool(used))
    for name in KNOWN.keys() - {ear.name for ear in ears}:
        _say(name, words("ears_known", name=name), False)


@app.command("add", help=words("ears_add"))
def add_ear(source: Annotated[str, typer.Argument(help=words("ears_source"))]) -> None:
    from narrator.ear.store import add

    ear = add(source)
    kind = words("ears_dynamic" if ear.model.dynamic else "ears_static")
    print(words("ears_added", name=ear.name))
    print(words("ears_facts", kind=kind, rate=ear.model.rate, count=len(ear.model.words), sha=ear.sha256))


@app.command("use", help=words("ears_use"))
def use_ear(
    name: Annotated[str, typer.Argument(help=words("ears_name"))],
    lang: Annotated[str | None, typer.Option("--lang", help=words("lang"))] = None,
) -> None:
    from narrator.ear.store import use

    print(words("ears_used", language=use(name, lang), name=name))


@app.command("test", help=words("ears_test"))
def try_folder(
    folder: Annotated[Path, typer.Argument(help=words("ears_folder"))],
    sentences: Annotated[Path | None, typer.Option("--sentences", help=words("ears_sentences"))] = None,
    ear: Annotated[Path | None, typer.Option("--ear", help=words("ears_ear"))] = None,
    report: Annotated[Path | None, typer.Option("--report", help=words("report"))] = None,
    lang: Annotated[str, typer.Option("--lang", help=words("lang"))] = "fr",
) -> None:
    from narrator.ear.trial import sentences_in, try_ear

    outcome = try_ear(folder, lang, sentences_in(sentences) if sentences else (), ear)
    for said in sorted(outcome.silent):
        print(words("ears_silent", said=said))
    for file, said, heard in outcome.wrong:
        print(f"{file}: “{said}” > {f'“{heard}”' if heard else '…'}")
    for file, heard in outcome.oov_false:
        print(f"{file}: … > “{heard}”")
    print(words("ears_score", right=outcome.right, total=outcome.total, false=len(outcome.oov_false), oov=outcome.oov))
    if report:
        try:
            text = json.dumps(outcome.report(), ensure_ascii=False, indent=1)
            report.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise NarratorError(f"{report} cannot be written ({error.strerror})") from None


def _say(name: str, facts: str, used: bool) -> None:
    _console.print(Text.assemble(("→ " if used else "  ", "green"), (name, "bold"), f": {facts}"))
