"""`narrator setup`: at most seven questions with good defaults; every answer is also an argument.

What an argument answers is not asked. What nobody can be asked (`--yes`, no terminal, seven questions used up) has its
default: the last table's names and game, the game's own options, whoever begins decided at the table. The answers are
judged as they come; what was understood is read back, aloud where there is a loudspeaker, before it is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from prompt_toolkit.application import get_app

from narrator.asking import NameCompleter, Questions, split_names
from narrator.choices import Menu, read_menu
from narrator.core.errors import NarratorError, RuleError
from narrator.core.setting import Setting
from narrator.core.spelling import normal
from narrator.faults import told
from narrator.given import read_options, with_nicknames
from narrator.grimoire import bring
from narrator.library import Production, game_ids, is_path, languages_of, read_game, stage
from narrator.likeness import told_apart
from narrator.readback import read_back, speak
from narrator.seats import read_seats
from narrator.stage.past_names import keep_names, past_names
from narrator.stage.tables import clean_names, last_table, read_table, write_table
from narrator.voice.choice import next_better
from narrator.words import locale_language, words, words_in

_NAMES = """
Alice Bob Chloé David Emma Farid Gaëlle Hugo Inès Jules Karim Léa Malik Nina Oscar Paula Quentin Rosa Simon
Thaïs Ursule Valentin Wassim Xavier Yolande Zacharie Béatrice Cédric Delphine Édouard Fatou Grégoire Hortense
Isabelle Jérôme Ludivine Maxence Noémie Olivier Pascal
"""
_SAMPLE = tuple(_NAMES.split())
USUAL_GAME = "sultan"
QUESTIONS = 7  # at most


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered on the command line; None where it is to be asked."""

    game: str | None = None
    language: str | None = None
    players: str | None = None
    first: str | None = None
    options: tuple[str, ...] = ()
    pace: str | None = None
    script: Path | None = None
    roles: tuple[Path, ...] = ()
    grimoire: Path | None = None
    seats: Path | None = None
    says: tuple[str, ...] = ()


def sample_setting(game: str, seats: int | None = None, language: str = "fr", **options: Any) -> Setting:
    """A table of well-known names, for rehearsals, diagrams and checks; of a game's only language if it has one.

    Raises ScriptError for an unknown game.
    """
    fewest, most = _game_data(game)["players"]
    language = spoken[0] if len(spoken := languages_of(game)) == 1 else language
    wanted = seats or min(max(fewest, 7), most)
    names = [
        _SAMPLE[i % len(_SAMPLE)] + (f" {i // len(_SAMPLE) + 1}" if i >= len(_SAMPLE) else "") for i in range(wanted)
    ]
    return Setting(game, language, tuple(names), "", options)


def _game_data(game: str) -> Mapping[str, Any]:
    """What game.toml says. Raises ScriptError for a game that there is not, or for a broken file."""
    return read_game(game)[0].data


def prepare_table(answers: Answers, *, out: Path | None, ask: bool, voice: bool = True, check: bool = False) -> None:
    """Ask what is not answered yet, check it by rule, write the table file, read it back, say what is next.

    `voice`: aloud too; `check`: then try the devices. Raises NarratorError for what cannot be played.
    """
    questions = Questions(ask=ask, most=QUESTIONS)
    path, before = out or last_table(), _before()
    game = _game(answers, before, questions)
    menu = _menu(game)
    language = answers.language or _language(game, questions)
    seated, brought = _brought(answers)
    players = (
        clean_names(list(seated))
        if seated and answers.players is None
        else _players(answers, before, menu, language, questions)
    )
    options = {**brought, **read_options(answers.options, game)}
    usual = before.options if before and before.game == game else {}
    first = _first(answers, menu, players, questions)
    options |= _options(menu, Setting(game, language, players, first, options), usual, questions)
    says = {**(before.says if before else {}), **_says(answers.says, players)}
    players, says, renamed = told_apart(language, players, says, questions)
    setting = Setting(
        game,
        language,
        players,
        renamed.get(first, first),
        with_nicknames(options, renamed),
        {name: said for name, said in says.items() if name in players},
        answers.pace or (before.pace if before else "normal"),
        {name: rows for name, rows in before.heard.items() if name in players} if before else {},
    )
    production = _staged(setting, answers.seats)  # refuses what cannot be played, with why
    migrated = write_table(setting, path, secret=any(name in options for name in _game_data(game).get("secret", ())))
    keep_names(players)
    print(words("written", path=path))
    if migrated:
        print(migrated)
    print(read_back(setting, menu))
    aloud = read_back(setting, read_menu(game, language), language)
    if check or questions.agree(words("q_check")):
        _check(production.setting, path)
    elif voice and speak(setting, [aloud]):
        print(words("voice_silent"))
        voice = False
    if better := next_better(language):
        print(words("better_voice", how=told(better)))
    print(words("put_me") + " " + words("then_play"))
    if voice:
        speak(setting, [words_in(language, "put_me")])


def _brought(answers: Answers) -> tuple[Sequence[str], dict[str, Any]]:
    """Players and options of the files that the table brings along."""
    if answers.seats is None:
        return bring(answers.script, answers.roles, answers.grimoire)
    seats = read_seats(answers.seats)
    return seats.players, seats.options


def _staged(setting: Setting, file: Path | None) -> Production:
    """The game at this table. Raises NarratorError, with the row of the file of the seats if that is to blame."""
    try:
        return stage(setting)
    except RuleError as error:
        if file is None:
            raise
        seats = read_seats(file)
        alone = Setting(setting.game, setting.language, tuple(seats.players))
        if _refused(alone, seats.options) != told(error):
            raise
        raise seats.fault(file, str(error)) from None


def _before() -> Setting | None:
    """The last table, for defaults; a broken one is no reason to fail here."""
    try:
        return read_table(last_table()) if last_table().exists() else None
    except NarratorError:
        return None


def _game(answers: Answers, before: Setting | None, questions: Questions) -> str:
    """Its id, or the whole path of its folder."""
    last = before.game if before else USUAL_GAME
    ids = (*game_ids(), *([last] if is_path(last) else ()))
    game = answers.game
    if game is None:
        menus = [_menu(ident) for ident in ids] if questions.left else []
        shown = [(words("game_choice", title=m.title, low=m.seats[0], high=m.seats[1]), m.game) for m in menus]
        game = questions.choose(words("q_game"), shown, last) if shown else last
    return str(Path(game).resolve()) if is_path(game) else game


def _menu(game: str) -> Menu:
    """A game in the language of whoever sits at the machine."""
    return read_menu(game, locale_language())


def _language(game: str, questions: Questions) -> str:
    spoken = languages_of(game)
    shown = [(words(f"lang_{one}") if one in ("fr", "en") else one, one) for one in spoken]
    return questions.choose(words("q_lang"), shown, locale_language())


def _players(
    answers: Answers, before: Setting | None, menu: Menu, language: str, questions: Questions
) -> tuple[str, ...]:
    """Given, asked, or the last table's. Raises NarratorError."""
    usual = ", ".join(before.players) if before else ""
    text = answers.players
    if text is None:
        text = questions.write(
            words("q_players", low=menu.seats[0], high=menu.seats[1]),
            usual,
            lambda typed: _wrong_names(typed, menu, language),
            completer=NameCompleter(past_names()),
            bottom_toolbar=lambda: _counted(menu),
        )
    if not text.strip():
        raise NarratorError(words("who_plays"))
    return _named(text, menu)


def _named(text: str, menu: Menu) -> tuple[str, ...]:
    """Clean names, as many as the game is for. Raises NarratorError."""
    names, (low, high) = clean_names(split_names(text)), menu.seats
    if not low <= len(names) <= high:
        raise RuleError(words("count_wrong", title=menu.title, low=low, high=high, count=len(names)))
    return names


def _wrong_names(text: str, menu: Menu, language: str) -> str:
    """What is wrong with these names for this game, "" for nothing."""
    try:
        stage(Setting(menu.game, language, _named(text, menu)))
    except NarratorError as error:
        return told(error)
    return ""


def _counted(menu: Menu) -> str:
    """Under the line that is typed: how many names it has so far."""
    return words(
        "names_count", count=len(split_names(get_app().current_buffer.text)), low=menu.seats[0], high=menu.seats[1]
    )


def _first(answers: Answers, menu: Menu, players: tuple[str, ...], questions: Questions) -> str:
    """Who begins; "" where that is decided at the table."""
    if answers.first is not None:
        named = next((name for name in players if normal(name) == normal(answers.first)), answers.first)
        if named and named not in players:
            raise RuleError(words("first_unknown", name=named, names=", ".join(players)))
        return named
    if not menu.first:
        return ""
    return questions.choose(menu.first, [(words("q_later"), ""), *((name, name) for name in players)], "")


def _options(menu: Menu, setting: Setting, usual: Mapping[str, Any], questions: Questions) -> dict[str, Any]:
    """What is asked of the game's options; those that `setting` has already are not."""
    chosen: dict[str, Any] = {}
    for choice in menu.choices:
        if choice.option in setting.options or not questions.left:
            continue
        if choice.values:
            shown = [(title, value) for value, title in choice.values]
            last = usual.get(choice.option, menu.usual[choice.option])
            chosen[choice.option] = questions.choose(choice.ask, shown, last)
        else:
            names = NameCompleter(setting.players)
            chosen[choice.option] = split_names(questions.write(choice.ask, completer=names))
    ticks = [(title, name) for name, title in menu.ticks.items() if name not in setting.options]
    if not ticks or not questions.left:
        return chosen
    on = [name for _, name in ticks if usual.get(name, menu.usual[name])]
    answer = questions.tick(
        menu.extra or words("q_extra"),
        ticks,
        on,
        lambda now: _refused(setting, {**chosen, **{name: name in now for _, name in ticks}}),
    )
    return chosen | {name: name in answer for _, name in ticks if (name in answer) != menu.usual[name]}


def _refused(setting: Setting, options: Mapping[str, Any]) -> str:
    """Why these options cannot be played at this table, "" if they can."""
    try:
        stage(replace(setting, options={**setting.options, **options}))
    except NarratorError as error:
        return told(error)
    return ""


def _says(pairs: Sequence[str], players: Sequence[str]) -> dict[str, str]:
    """["Gaëlle=gaèl"] as how names are said. Raises RuleError for a name that is not at the table."""
    says = {}
    for pair in pairs:
        name, _, said = pair.partition("=")
        known = next((player for player in players if normal(player) == normal(name)), "")
        if not known or not said.strip():
            raise RuleError(words("says_wrong", pair=pair))
        says[known] = said.strip()
    return says


def _check(setting: Setting, path: Path) -> None:
    from narrator.checkup import check_everything  # which takes its samples from here

    check_everything(path, setting.language)
