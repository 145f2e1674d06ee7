"""Help, and mistakes in a command, in the language of the locale: typer itself only speaks English."""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer import rich_utils
from typer.core import TyperCommand, TyperGroup

from narrator.faults import told
from narrator.words import words

#: Headings of the help pages, as typer calls them -> our word for them.
_HEADINGS = {
    "ARGUMENTS_PANEL_TITLE": "help_arguments",
    "OPTIONS_PANEL_TITLE": "help_options",
    "COMMANDS_PANEL_TITLE": "help_commands",
    "DEFAULT_STRING": "help_default",
    "REQUIRED_LONG_STRING": "help_required",
    "ABORTED_TEXT": "help_aborted",
}
#: ClickException: of click or of typer, by its version.
_Mistake: type[Exception] = typer.BadParameter.__mro__[2]


class _Told:
    """What a command and a group of commands say of themselves."""

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = words("help_help")
        return option

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=words("help_usage"))


class _Command(_Told, TyperCommand):
    pass


class _Group(_Told, TyperGroup):
    pass


def run(app: typer.Typer) -> None:
    """Run the command that was typed, and exit. Raises whatever it raises; a mistake in it is told in a sentence."""
    for name, key in _HEADINGS.items():
        setattr(rich_utils, name, words(key))
    _in_our_words(app)
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        code = 1
    except _Mistake as mistake:
        code = _tell(mistake)
    sys.exit(code)


def _in_our_words(app: typer.Typer) -> None:
    app.info.cls = _Group
    for command in app.registered_commands:
        command.cls = _Command
    for group in app.registered_groups:
        group.cls = _Group
        if group.typer_instance:
            _in_our_words(group.typer_instance)


def _tell(mistake: Any) -> int:
    """A sentence, and where to read more. A group without a command has shown its help already."""
    if type(mistake).__name__ != "NoArgsIsHelpError":
        print(f"narrator: {told(mistake.format_message().rstrip('.'))}", file=sys.stderr)
        context = getattr(mistake, "ctx", None)
        if context is not None:
            print(words("help_more", command=f"{context.command_path} {context.help_option_names[0]}"), file=sys.stderr)
    return int(mistake.exit_code)
