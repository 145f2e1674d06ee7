"""Finds and reads what the narrator is made of besides code: scripts/ (games) and voices/ (languages).

In a checkout both folders stand beside the package; in a wheel they are inside it (narrator/_data).
A file becomes a Source: plain data with the line of every table and key, so that a fault can be pointed at.
"""

from __future__ import annotations

import re
import stat as stat_kind
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

from narrator.commands import COMMANDS
from narrator.core.errors import RuleError, ScriptError
from narrator.core.game import Game
from narrator.core.hints import nearest, not_known
from narrator.core.layout import Layout, read_layout
from narrator.core.lines import Lines
from narrator.core.phrases import Phrases
from narrator.core.replies import LINES as ENGINE_LINES
from narrator.core.script import Script, Source, read_script
from narrator.core.setting import Setting
from narrator.core.shapes import check_game, check_language, check_setup
from narrator.core.states import Rules, names_of
from narrator.pacing import CHOICES
from narrator.voice.scenes import SCENES

_PACKAGE = Path(__file__).resolve().parent
LARGEST = 4_000_000  # bytes of a table, a game or a language: they have a few thousand
_LANGUAGE = re.compile(r"[a-z]{2,3}")  # the stem of a language file
_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]+"|'[^']+'|[\w-]+)(\.[\w-]+)*\s*=""")
MOST = 100_000  # no option, in seconds or tales, is meant to be more
#: Lines of every table that the conductor says.
CONDUCTOR_LINES = frozenset(
    (
        "not_understood",
        "examples",
        "near",
        "unknown_name",
        "help",
        "help_nothing",
        "nothing_to_repeat",
        "minutes_and_seconds",
        "minutes_only",
        "seconds_only",
        "paused",
        "still_paused",
        "unpaused",
        "not_paused",
        "slower",
        "faster",
        "softer",
        "louder",
        "muted",
        "unmuted",
        "microphone_lost",
        "speaker_lost",
        "speaker_back",
        "speaker_changed",
        "microphone_back",
        "microphone_changed",
        "ear_again",
        "ear_lost",
        "journal_lost",
        "journal_back",
    )
)
#: Sentences that every language has for every table.
SAID_ANYWHERE = frozenset(
    (
        "yes",
        "no",
        "done",
        "next",
        "undo",
        "skip",
        "more_time",
        *COMMANDS,
    )
)
#: Facts that the conductor adds to those of the game.
TABLE_FACTS = frozenset(("examples", "near", "minutes_left", "seconds_left", "names", "count", "stranger", "said"))


def data_folder(kind: Literal["scripts", "voices"]) -> Path:
    """The folder of game scripts or of languages. Raises ScriptError if the installation lacks it."""
    for folder in (_PACKAGE.parent / kind, _PACKAGE / "_data" / kind):
        if folder.is_dir():
            return folder
    raise ScriptError(f"the folder {kind}/ is missing from this installation: install narrator again")


def read_source(path: Path) -> Source:
    """A TOML file with its line numbers. Raises ScriptError if it is missing, unreadable or not TOML."""
    try:
        facts = path.stat()
        if not stat_kind.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            raise ScriptError(f"this is not a file of at most {LARGEST // 1_000_000} MB", str(path))
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ScriptError("this file does not exist", str(path)) from None
    except (OSError, ValueError) as error:
        raise ScriptError(f"this file cannot be read ({error})", str(path)) from None
    try:
        return Source(str(path), tomllib.loads(text), _lines_of(text))
    except tomllib.TOMLDecodeError as error:
        line = int(found[1]) if (found := re.search(r"line (\d+)", str(error))) else len(text.splitlines())
        raise ScriptError(f"this is not valid TOML: {error}", str(path), line) from None
    except RecursionError:
        raise ScriptError("this is not valid TOML: it is nested too deeply", str(path)) from None


def _lines_of(text: str) -> dict[tuple[str | int, ...], int]:
    """Where each [table], [[table]] entry and key begins (1-based)."""
    lines: dict[tuple[str | int, ...], int] = {}
    counts: dict[str, int] = {}
    where: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names: list[str | int] = [part.strip().strip("\"'") for part in header[2].split(".")]
            if header[1] == "[[":
                at = counts.get(header[2], -1) + 1
                counts[header[2]] = at
                names.append(at)
            where = tuple(names)
            lines.setdefault(where, number)
        elif key := _KEY.match(line):
            lines.setdefault((*where, key[1].strip("\"'")), number)
    return lines


def game_ids() -> tuple[str, ...]:
    """Every game there is: the folders of scripts/ that hold a game.toml (“_new” is what new games are made of)."""
    found = (path.parent.name for path in data_folder("scripts").glob("*/game.toml"))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def game_folder(game: str) -> Path:
    """Where a game's files are: a folder of scripts/, or the path of a folder that holds a game.toml.

    Raises ScriptError if there is neither.
    """
    if game in game_ids():
        return data_folder("scripts") / game
    if is_path(game) and (Path(game) / "game.toml").is_file():
        return Path(game)
    if is_path(game):
        raise ScriptError(f"there is no game “{game}”: that folder holds no game.toml")
    meant = nearest(game, game_ids())
    hint = f"did you mean “{meant}”? " if meant else ""
    raise ScriptError(f"there is no game “{game}”; {hint}there are: {', '.join(game_ids())}; or a folder: ./{game}")


def is_path(game: str) -> bool:
    """Whether a game is given by its folder rather than by its name."""
    if game.startswith(".") or any(sign in game for sign in "/\\"):
        return True
    return game not in game_ids() and (Path(game) / "game.toml").is_file()


def languages_of(game: str) -> tuple[str, ...]:
    """The languages a game (or "_table", what every table says) is written in. Raises ScriptError for no game."""
    folder = data_folder("scripts") / game if game.startswith("_") else game_folder(game)
    return tuple(sorted(p.stem for p in folder.glob("*.toml") if _LANGUAGE.fullmatch(p.stem)))


@dataclass(frozen=True)
class Production:
    """A game ready to be played at one table: rules, lines and sentences. Holds nothing that changes."""

    setting: Setting
    game: Game
    lines: Lines
    phrases: Phrases
    title: str
    rules_module: Any
    layout: Layout


def read_game(game: str) -> tuple[Source, Any]:
    """A game's file, its shape checked, and the module of its rules. Raises ScriptError."""
    source = read_source(game_folder(game) / "game.toml")
    module = _rules_module(source)
    check_game(source, getattr(module, "TABLES", {}))
    return source, module


def stage(setting: Setting) -> Production:
    """All that one table's game needs. Raises ScriptError (a faulty file) or RuleError (no such table)."""
    source, module = read_game(setting.game)
    if setting.language not in (spoken := languages_of(setting.game)):
        raise RuleError(f"lang “{setting.language}”: {setting.game} is written in {', '.join(spoken)}")
    seats = source.data["players"]
    if not seats[0] <= len(setting.players) <= seats[1]:
        raise RuleError(f"{setting.game} is for {seats[0]} to {seats[1]} players, you are {len(setting.players)}")
    if setting.pace not in CHOICES:
        raise RuleError(f"pace “{setting.pace}” is not one of {', '.join(CHOICES)}")
    options = _options(source, setting.options)
    rules = _rules(module, setting, options, source)
    script = read_script(source, names_of(rules))
    sources = language_sources(setting, module)
    written = sources[-1]  # the game's own file
    if own := getattr(rules, "words", None):  # names and sentences of this table's cards
        sources.append(Source(source.file, own, source.lines))
    for one in sources:
        check_language(one)
    check_setup(written, source.data.get("options", {}))
    lines = Lines(setting.language, sources, rules.fact_names | TABLE_FACTS, getattr(rules, "private_fact_names", ()))
    _check_scenes(source, script)
    needed = rules.lines_needed(script) if hasattr(rules, "lines_needed") else ()
    chosen = getattr(rules, "whisper_lines", {})  # by the state
    for line, path in (*script.lines_used(), *needed):
        if line not in lines.ids and line not in chosen:
            raise source.fault(f"line “{line}” is not written in {written.file}{_meant(line, lines.ids)}", *path)
    for line in sorted(ENGINE_LINES | CONDUCTOR_LINES):
        if line not in lines.ids:
            raise sources[0].fault(f"line “{line}” is missing, which every game says", "lines")
    ranges = _ranges(source, len(setting.players))
    phrases = Phrases(setting.language, sources, setting.players, ranges, getattr(rules, "word_slots", None))
    _check_sayable(source, phrases, written.file)
    _check_slots(written, phrases, getattr(rules, "slot_values", {}))
    game = Game(script, rules, options, lines.ids)
    for intent in game.masters_own:
        if phrases.sentences((intent,)):
            raise written.fault(f"only the master may say “{intent}”: add hear = []", "sentences", intent)
    secrets = getattr(rules, "private_fact_names", ())
    layout = read_layout(source, setting.language, sources, script, rules.fact_names, secrets)
    title = str(written.data.get("title", setting.game))
    return Production(setting, game, lines, phrases, title, module, layout)


def language_sources(setting: Setting, module: Any) -> list[Source]:
    """The language files of a table, later ones over earlier ones; the game's own is the last."""
    scripts, file = data_folder("scripts"), f"{setting.language}.toml"
    shared = ["_table", *(["_plain"] if hasattr(module, "TABLES") else [])]
    return [*(read_source(scripts / name / file) for name in shared), read_source(game_folder(setting.game) / file)]


def _rules(module: Any, setting: Setting, options: Mapping[str, Any], source: Source) -> Rules:
    """Rules that declare TABLES read them from the file itself, and tell its lines; the others take [facts]."""
    if hasattr(module, "TABLES"):
        return cast(Rules, module.build_rules(setting, options, source))
    try:
        return cast(Rules, module.build_rules(setting, options, source.data.get("facts", {})))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise source.fault(f"[facts] lacks what the rules of this game need ({error!r})", "facts") from error


def _rules_module(source: Source) -> Any:
    name = source.data.get("rules", "plain")
    if not isinstance(name, str) or not name.isidentifier() or find_spec(f"narrator.games.{name}") is None:
        raise source.fault(f"there are no rules called “{name}” in narrator/games", "rules")
    return import_module(f"narrator.games.{name}")


def _meant(name: str, known: Collection[str]) -> str:
    meant = nearest(name, known)
    return f"; did you mean “{meant}”?" if meant else ""


def _check_scenes(source: Source, script: Script) -> None:
    for n, phase in enumerate(script.phases.values()):
        if phase.scene and phase.scene not in SCENES:
            raise source.fault(f"scene “{phase.scene}” is not one of {', '.join(SCENES)}", "phase", n, "scene")


def _check_sayable(source: Source, phrases: Phrases, file: str) -> None:
    """Whatever the script answers can be said: a misspelt intent would wait for ever."""
    known = phrases.intents | {"time_up"}
    for n, entry in enumerate(source.data["move"]):
        for on in [entry["on"]] if isinstance(entry["on"], str) else entry["on"]:
            if on not in known and ":" not in on:
                hint = _meant(on, phrases.intents)
                raise source.fault(f"no sentence for “{on}” is written in {file}{hint}", "move", n, "on")
    for intent in sorted(SAID_ANYWHERE - known):
        raise source.fault(f"the sentence “{intent}”, which every table can say, is written nowhere", "move")
    for intent in (*source.data.get("query", {}), *source.data.get("private_query", {})):
        if intent not in known:
            raise source.fault(f"no sentence for “{intent}” is written in {file}", "query", intent)


def _check_slots(source: Source, phrases: Phrases, values: Mapping[str, tuple[str, ...]]) -> None:
    """What a sentence says by itself (role = "wolf") is something that the game has."""
    for form in phrases.forms:
        for slot, value in form.fixed.items():
            if slot in values and value not in values[slot]:
                hint = not_known(str(value), values[slot])
                raise source.fault(f"sentence “{form.intent}”: {slot} “{value}”? {hint}", "sentences", form.intent)


def _options(source: Source, chosen: Mapping[str, Any]) -> dict[str, Any]:
    known = source.data.get("options", {})
    for name, value in chosen.items():
        if name not in known:
            raise RuleError(f"option “{name}” does not exist; there are: {', '.join(known)}")
        usual = known[name]
        number = isinstance(usual, (int, float)) and not isinstance(usual, bool)
        right = (
            isinstance(value, (int, float)) and not isinstance(value, bool)
            if number
            else isinstance(value, type(usual))
        )
        if not right and not (isinstance(usual, list) and isinstance(value, str)):
            raise RuleError(f"option “{name}” must be like {usual!r}, not {value!r}")
        if number and not 0 <= value < MOST:
            raise RuleError(f"option “{name}” must be a number from 0 to {MOST}, it is {value}")
    return {**known, **{k: list(v) if isinstance(known[k], list) else v for k, v in chosen.items()}}


def _ranges(source: Source, seats: int) -> dict[str, range]:
    ranges = {}
    for name, bounds in source.data.get("slots", {}).items():
        try:
            low, high = (seats if bound == "seats" else int(bound) for bound in bounds)
        except (TypeError, ValueError):
            raise source.fault(
                f'slot “{name}” needs two bounds, such as [0, 10] or [0, "seats"]', "slots", name
            ) from None
        ranges[name] = range(low, high + 1)
    return ranges
