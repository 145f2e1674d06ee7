"""Commands and arguments only: every command hands over to the module that does the work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from narrator import ears, voices
from narrator.core.errors import NarratorError
from narrator.faults import tell_warnings, told
from narrator.helps import run
from narrator.library import game_ids
from narrator.words import locale_language, words

app = typer.Typer(
    help=words("app"),
    epilog=words("extras"),
    invoke_without_command=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(ears.app, name="ears")
app.add_typer(voices.app, name="voices")
Table = Annotated[Path | None, typer.Option("--table", "-t", help=words("table"))]
Seed = Annotated[int | None, typer.Option("--seed", help=words("seed"))]
Lang = Annotated[str, typer.Option("--lang", help=words("lang"))]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help=words("option"))]
Pace = Annotated[str | None, typer.Option("--pace", help=words("pace"))]
Captions = Annotated[bool, typer.Option("--captions", help=words("captions"))]
Plain = Annotated[bool, typer.Option("--plain", help=words("plain"))]
Web = Annotated[str | None, typer.Option("--web", help=words("web"))]
Lan = Annotated[bool, typer.Option("--lan", help=words("lan"))]
Theme = Annotated[str, typer.Option("--theme", help=words("theme"))]
_GAMES = words("game", games=", ".join(game_ids()))


@app.callback()
def alone(context: typer.Context) -> None:
    """Without a command: the menu, or where nobody sits at a terminal the help."""
    if context.invoked_subcommand is not None:
        return
    from narrator.asking import on_a_terminal

    if not on_a_terminal():
        typer.echo(context.get_help())
        raise typer.Exit(2)
    from narrator.menu import run_menu

    run_menu(lambda game: rehearse(game, lang=locale_language()))


@app.command(help=words("setup"))
def setup(
    game: Annotated[str | None, typer.Option("--game", help=words("setup_game", games=", ".join(game_ids())))] = None,
    lang: Annotated[str | None, typer.Option("--lang", help=words("lang"))] = None,
    players: Annotated[str | None, typer.Option("--players", help=words("players"))] = None,
    first: Annotated[str | None, typer.Option("--first", help=words("first"))] = None,
    option: Options = None,
    out: Annotated[Path | None, typer.Option("--out", help=words("out"))] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help=words("yes"))] = False,
    pace: Pace = None,
    script: Annotated[Path | None, typer.Option("--script", help=words("script"))] = None,
    roles: Annotated[list[Path] | None, typer.Option("--roles", help=words("roles"))] = None,
    grimoire: Annotated[Path | None, typer.Option("--grimoire", help=words("grimoire"))] = None,
    seats: Annotated[Path | None, typer.Option("--seats", help=words("seats"))] = None,
    says: Annotated[list[str] | None, typer.Option("--says", help=words("setup_says"))] = None,
    voice: Annotated[bool, typer.Option("--voice/--no-voice", help=words("setup_voice"))] = True,
    checked: Annotated[bool, typer.Option("--check", help=words("setup_check"))] = False,
) -> None:
    from narrator.setup import Answers, prepare_table

    brought = (script, tuple(roles or ()), grimoire, seats, tuple(says or ()))
    answers = Answers(game, lang, players, first, tuple(option or ()), pace, *brought)
    prepare_table(answers, out=out, ask=not yes, voice=voice, check=checked)


@app.command(help=words("play"))
def play(
    table: Table = None,
    typed: Annotated[bool, typer.Option("--typed", help=words("typed"))] = False,
    fast: Annotated[bool, typer.Option("--fast", help=words("fast"))] = False,
    skip_setup: Annotated[bool, typer.Option("--skip-setup", help=words("skip_setup"))] = False,
    state: Annotated[bool, typer.Option("--state", help=words("state"))] = False,
    private: Annotated[bool, typer.Option("--private", help=words("private"))] = False,
    resume: Annotated[bool, typer.Option("--resume", help=words("resume"))] = False,
    seed: Seed = None,
    journal: Annotated[Path | None, typer.Option("--journal", help=words("journal"))] = None,
    microphone: Annotated[str | None, typer.Option("--input", help=words("input"))] = None,
    loudspeaker: Annotated[str | None, typer.Option("--output", help=words("output"))] = None,
    pace: Pace = None,
    captions: Captions = False,
    plain: Plain = False,
    web: Web = None,
    lan: Lan = False,
    theme: Theme = "auto",
) -> None:
    from narrator.play import Wishes, lead_evening
    from narrator.views.wishes import Looks

    devices, looks = (microphone, loudspeaker), Looks(captions, plain, web, lan, theme)
    lead_evening(Wishes(table, typed, fast, skip_setup, state, private, resume, seed, journal, *devices, pace, looks))


@app.command(help=words("rehearse"))
def rehearse(
    game: Annotated[str, typer.Argument(help=_GAMES)] = "sultan",
    players: Annotated[int | None, typer.Option("--players", "-n", min=1, help=words("player_count"))] = None,
    seed: Annotated[int, typer.Option("--seed", help=words("seed"))] = 1,
    table: Annotated[Path | None, typer.Option("--table", "-t", help=words("rehearse_table"))] = None,
    lang: Lang = "fr",
    wav: Annotated[Path | None, typer.Option("--wav", help=words("wav"))] = None,
    transcript: Annotated[Path | None, typer.Option("--transcript", help=words("transcript"))] = None,
    report: Annotated[Path | None, typer.Option("--report", help=words("report"))] = None,
    typed: Annotated[bool | None, typer.Option("--typed/--heard", help=words("rehearse_typed"))] = None,
    option: Options = None,
    echo: Annotated[bool, typer.Option("--echo", help=words("rehearse_echo"))] = False,
    voice: Annotated[str, typer.Option("--voice", help=words("voice_name"))] = "",
    captions: Captions = False,
    plain: Plain = False,
    web: Web = None,
    lan: Lan = False,
    theme: Theme = "auto",
    speed: Annotated[float | None, typer.Option("--speed", min=0, help=words("speed"))] = None,
    named: Annotated[str, typer.Option("--game", help=_GAMES)] = "",
) -> None:
    from narrator.rehearsal.command import Plan, rehearse_evening
    from narrator.views.wishes import Looks

    heard = (wav, transcript, report, typed, tuple(option or ()), echo, voice)
    looks, game = Looks(captions, plain, web, lan, theme), named or game
    if not rehearse_evening(Plan(game, players, seed, table, lang, *heard, looks, speed)):
        raise typer.Exit(1)


@app.command(help=words("square"))
def square(
    journal: Annotated[Path | None, typer.Option("--journal", help=words("journal"))] = None,
    onto: Annotated[Path | None, typer.Option("--onto", help=words("onto"))] = None,
) -> None:
    from narrator.square import export_square

    sys.stdout.write(export_square(journal, onto))


@app.command(help=words("slips"))
def slips(
    named: Annotated[Path | None, typer.Argument(help=words("table"), metavar="table")] = None,
    table: Table = None,
    out: Annotated[Path, typer.Option("--out", help=words("slips_out"))] = Path("slips"),
    journal: Annotated[Path | None, typer.Option("--journal", help=words("slips_journal"))] = None,
    seed: Annotated[int | None, typer.Option("--seed", help=words("slips_seed"))] = None,
    font: Annotated[Path | None, typer.Option("--font", help=words("slips_font"))] = None,
) -> None:
    from narrator.slips.command import write_slips

    print(words("slips_written", path=write_slips(table or named, out, journal=journal, seed=seed, font=font)))


@app.command(help=words("places"))
def places(
    csv: Annotated[Path, typer.Argument(help=words("places_csv"))],
    table: Table = None,
) -> None:
    from narrator.slips.places import sentences_of

    for sentence in sentences_of(csv, table):
        print(sentence)


@app.command(help=words("story"))
def story(
    journal: Annotated[Path | None, typer.Option("--journal", help=words("journal"))] = None,
    out: Annotated[list[Path] | None, typer.Option("--out", help=words("story_out"))] = None,
    secrets: Annotated[bool, typer.Option("--secrets", help=words("story_secrets"))] = False,
) -> None:
    from narrator.story.command import write_story

    for path in write_story(journal, out or [], secrets=secrets):
        print(words("story_written", path=path))


@app.command(help=words("check"))
def check(
    game: Annotated[str | None, typer.Argument(help=words("check_folder"))] = None,
    table: Table = None,
    lang: Lang = "fr",
    as_json: Annotated[bool, typer.Option("--json", help=words("json"))] = False,
    microphone: Annotated[str | None, typer.Option("--input", help=words("input"))] = None,
    loudspeaker: Annotated[str | None, typer.Option("--output", help=words("output"))] = None,
    strict: Annotated[bool, typer.Option("--strict", help=words("check_strict"))] = False,
    listen: Annotated[bool, typer.Option("--listen", help=words("check_listen"))] = False,
    preview: Annotated[Path | None, typer.Option("--preview", help=words("check_preview"))] = None,
    drawing: Annotated[Path | None, typer.Option("--draw", help=words("check_draw"))] = None,
    rehearsed: Annotated[bool, typer.Option("--rehearse", help=words("check_rehearse"))] = False,
) -> None:
    if game is not None:
        from narrator.rehearsal.proof import rehearsed as evenings
        from narrator.workshop.check_game import Wishes, check_game

        wishes = Wishes(game, as_json, strict, listen, preview, drawing, loudspeaker)
        if not check_game(wishes, evenings if rehearsed else None):
            raise typer.Exit(1)
        return
    from narrator.checkup import check_everything

    if not check_everything(table, lang, as_json=as_json, microphone=microphone, loudspeaker=loudspeaker):
        raise typer.Exit(1)


@app.command(help=words("names"))
def names(
    table: Table = None,
    wav: Annotated[list[Path] | None, typer.Option("--wav", help=words("names_wav"))] = None,
    player: Annotated[str | None, typer.Option("--player", help=words("names_player"))] = None,
    microphone: Annotated[str | None, typer.Option("--input", help=words("input"))] = None,
) -> None:
    from narrator.names import teach_names

    teach_names(table, wav or [], player, microphone)


@app.command(help=words("appliance"))
def appliance(
    unit: Annotated[bool, typer.Option("--unit", help=words("appliance_unit"))] = False,
    user: Annotated[str | None, typer.Option("--user", help=words("appliance_user"))] = None,
    microphone: Annotated[str | None, typer.Option("--input", help=words("input"))] = None,
    loudspeaker: Annotated[str | None, typer.Option("--output", help=words("output"))] = None,
) -> None:
    if unit:
        from narrator.appliance.unit import unit as written

        sys.stdout.write(written(user))
        return
    from narrator.appliance.appliance import run_appliance

    run_appliance(microphone, loudspeaker)


@app.command("new-game", help=words("new_game"))
def new_game(
    name: Annotated[str, typer.Argument(help=words("new_name"))],
    title: Annotated[str | None, typer.Option("--title", help=words("new_title"))] = None,
    players: Annotated[str | None, typer.Option("--players", "-n", help=words("new_seats"))] = None,
    lang: Annotated[str | None, typer.Option("--lang", help=words("new_lang"))] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help=words("yes"))] = False,
) -> None:
    from narrator.workshop import new_game as workshop

    workshop.new_game(workshop.Wish(name, title, players, lang), ask=not yes)


@app.command(help=words("diagram"))
def diagram(
    game: Annotated[str, typer.Argument(help=_GAMES)] = "sultan",
    out: Annotated[Path | None, typer.Option("--out", help=words("image"))] = None,
) -> None:
    from narrator.diagram import draw, mermaid
    from narrator.library import stage
    from narrator.setup import sample_setting

    production = stage(sample_setting(game))
    sys.stdout.write(mermaid(production.game))
    if out:
        draw(production.game, out)


def main() -> None:
    """The `narrator` command: a fault that can be explained is one sentence, Ctrl-C leaves quietly."""
    tell_warnings()
    try:
        run(app)
    except NarratorError as error:
        from narrator.stage.screen import harmless  # a message may quote a file

        print(f"narrator: {harmless(told(error))}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # a full disk behind the standard output, say
        why = told(f"{error.filename or 'the output'} cannot be written ({error.strerror})")
        print(f"narrator: {why}", file=sys.stderr)
        sys.exit(1)
