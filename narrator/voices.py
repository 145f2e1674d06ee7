"""`narrator voices`: the arguments of its commands; casting.py does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from narrator.library import game_ids
from narrator.words import words

app = typer.Typer(help=words("voices"), no_args_is_help=True)
Lang = Annotated[str, typer.Option("--lang", help=words("lang"))]


@app.command("list", help=words("voices_list"))
def list_all(lang: Lang = "fr") -> None:
    from narrator import casting

    casting.list_voices(lang)


@app.command("say", help=words("voices_say"))
def say(
    text: Annotated[str, typer.Argument(help=words("say_text"))],
    voice: Annotated[str, typer.Option("--voice", help=words("voice_name"))] = "",
    lang: Lang = "fr",
    wav: Annotated[Path | None, typer.Option("--wav", help=words("say_wav"))] = None,
) -> None:
    from narrator import casting

    casting.say(text, voice, lang, wav)


@app.command("use", help=words("voices_use"))
def use(name: Annotated[str, typer.Argument(help=words("voice_name"))], lang: Lang = "fr") -> None:
    from narrator import casting

    casting.use(name, lang)


@app.command("record", help=words("voices_record"))
def record(
    name: Annotated[str, typer.Argument(help=words("pack_name"))],
    game: Annotated[str, typer.Option("--game", help=words("game", games=", ".join(game_ids())))] = "sultan",
    lang: Lang = "fr",
    names: Annotated[str, typer.Option("--names", help=words("recorded_names"))] = "",
    table: Annotated[Path | None, typer.Option("--table", "-t", help=words("table"))] = None,
    microphone: Annotated[str | None, typer.Option("--input", help=words("input"))] = None,
    loudspeaker: Annotated[str | None, typer.Option("--output", help=words("output"))] = None,
) -> None:
    from narrator import casting

    casting.record(name, game, lang, names, table, microphone, loudspeaker)
