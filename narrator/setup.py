"""`narrator setup`: at most seven questions with good defaults; every answer is also an argument."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import questionary

from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.ear.alike import alike
from narrator.grimoire import bring
from narrator.library import game_ids, is_path, languages_of, read_game, stage
from narrator.seats import read_seats
from narrator.stage.tables import clean_names, last_table, read_table, write_table
from narrator.voice.choice import next_better
from narrator.words import locale_language, words

_SAMPLE = (
    "Alice",
    "Bob",
    "Chloé",
    "David",
    "Emma",
    "Farid",
    "Gaëlle",
    "Hugo",
    "Inès",
    "Jules",
    "Karim",
    "Léa",
    "Malik",
    "Nina",
    "Oscar",
    "Paula",
    "Quentin",
    "Rosa",
    "Simon",
    "Thaïs",
    "Ursule",
    "Valentin",
    "Wassim",
    "Xavier",
    "Yolande",
    "Zacharie",
    "Béatrice",
    "Cédric",
    "Delphine",
    "Édouard",
    "Fatou",
    "Grégoire",
    "Hortense",
    "Isabelle",
    "Jérôme",
    "Ludivine",
    "Maxence",
    "Noémie",
    "Olivier",
    "Pascal",
)

USUAL_GAME = "sultan"


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


def prepare_table(answers: Answers, *, out: Path | None, ask: bool) -> None:
    """Ask what is not answered yet, check it by rule, write the table file, say what is next."""
    ask = ask and sys.stdin.isatty()
    before = _before()
    game = answers.game or _choose("q_game", game_ids(), before.game if before else USUAL_GAME, ask)
    game = str(Path(game).resolve()) if is_path(game) else game
    language = answers.language or _choose("q_lang", languages_of(game), locale_language(), ask)
    seated, brought = _brought(answers)
    players = clean_names(list(seated)) if seated and answers.players is None else _players(answers, before, ask)
    options = {**brought, **read_options(answers.options, game)}
    facts = _game_data(game)
    mastered = "private_query" in facts  # its Storyteller is the first to speak
    opens = not mastered and facts.get("rules", "plain") != "plain"  # somebody has the first word
    first = answers.first if answers.first is not None else _first(players, ask and opens)
    if ask and not answers.options:
        options |= _options(game, len(players))
    pace = answers.pace or (before.pace if before else "normal")
    heard = {name: rows for name, rows in before.heard.items() if name in players} if before else {}
    setting = Setting(game, language, players, first, options, before.says if before else {}, pace, heard)
    stage(setting)  # refuses what cannot be played, with why
    path = out or last_table()
    write_table(setting, path, secret=any(name in options for name in facts.get("secret", ())))
    print(words("written", path=path))
    if pairs := alike(language, players, setting.says):
        print(words("alike", pairs=", ".join(f"{a} / {b}" for a, b in pairs)))
    if better := next_better(language):
        print(words("better_voice", how=better))
    print(words("put_me"))


def _brought(answers: Answers) -> tuple[Sequence[str], dict[str, Any]]:
    """Players and options of the files that the table brings along."""
    if answers.seats is None:
        return bring(answers.script, answers.roles, answers.grimoire)
    seats = read_seats(answers.seats)
    return seats.players, seats.options


def read_options(pairs: Sequence[str], game: str) -> dict[str, Any]:
    """["giafar=true", "discussion=90"] as the game's options. Raises NarratorError for what it does not have."""
    known = _game_data(game).get("options", {})
    options = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise NarratorError(f"option “{pair}”: write name=value; the options of {game} are {', '.join(known)}")
        options[name] = _value(name, text, known[name])
    return options


def _value(name: str, text: str, usual: Any) -> Any:
    if isinstance(usual, bool):
        if text.lower() not in ("true", "false", "oui", "non", "yes", "no"):
            raise NarratorError(f"option “{name}” is true or false, not “{text}”")
        return text.lower() in ("true", "oui", "yes")
    try:
        if isinstance(usual, int):
            return int(text)
        if isinstance(usual, float):
            return float(text)
        if isinstance(usual, list):
            return [
                int(part) if part.strip().isdigit() and name == "deck" else part.strip() for part in text.split(",")
            ]
        if isinstance(usual, dict):
            pairs = (part.split(":") for part in text.split(","))
            return {k.strip(): int(v) if v.strip().isdigit() else v.strip() for k, v in pairs}
    except ValueError:
        pairs_like = ",".join(f"{key}:{value}" for key, value in usual.items()) if isinstance(usual, dict) else ""
        like = (
            (pairs_like or "name:value") if isinstance(usual, dict) else "A,B,C" if isinstance(usual, list) else usual
        )
        raise NarratorError(f"option “{name}” is written as {name}={like}, not “{text}”") from None
    return text


def _before() -> Setting | None:
    """The last table, for defaults; a broken one is no reason to fail here."""
    try:
        return read_table(last_table()) if last_table().exists() else None
    except NarratorError:
        return None


def _choose(question: str, choices: Sequence[str], default: str, ask: bool) -> str:
    if default not in choices:
        default = choices[0]
    if not ask or len(choices) == 1:
        return default
    return str(_answered(questionary.select(words(question), list(choices), default=default).ask()))


def _answered(answer: Any) -> Any:
    if answer is None:  # Ctrl-C in a question
        raise KeyboardInterrupt
    return answer


def _players(answers: Answers, before: Setting | None, ask: bool) -> tuple[str, ...]:
    usual = ", ".join(before.players) if before else ""
    text = answers.players
    while text is None:
        if not ask:
            if not usual:
                raise NarratorError('who plays? give --players "Alice, Bob, …", clockwise')
            text = usual
            break
        typed = _answered(questionary.text(words("q_players"), default=usual).ask())
        try:
            clean_names([name for name in typed.split(",") if name.strip()])
            text = typed
        except NarratorError as error:
            print(error)
    return clean_names([name for name in text.split(",") if name.strip()])


def _first(players: tuple[str, ...], ask: bool) -> str:
    if not ask:
        return ""
    later = words("q_later")
    answer = _answered(questionary.select(words("q_first"), [later, *players], default=later).ask())
    return "" if answer == later else str(answer)


def _options(game: str, seats: int) -> dict[str, Any]:
    known = _game_data(game).get("options", {})
    options: dict[str, Any] = {}
    if "configuration" in known:
        options["configuration"] = _choose("q_configuration", ("classic", "suggested"), "classic", True)
    if "travellers" in known:
        typed = _answered(questionary.text(words("q_travellers")).ask())
        options["travellers"] = [name.strip() for name in typed.split(",") if name.strip()]
    for option, allowed in _game_data(game).get("choices", {}).items():
        options[option] = str(_answered(questionary.select(option, list(allowed), default=known[option]).ask()))
    if "vote" in known and "vote" not in options:
        options["vote"] = _choose("q_vote", ("ear", "eye"), "ear", True)
    extra = [
        name for name, usual in known.items() if isinstance(usual, bool) and not (name == "amoureuse" and seats < 7)
    ]
    if extra:
        for name in _answered(questionary.checkbox(words("q_extra"), extra).ask()):
            options[name] = True
    return options
