"""Finds and reads what the narrator is made of besides code: scripts/ (games) and voices/ (languages).

In a checkout both folders stand beside the package; in a wheel they are inside it (narrator/_data).
A file becomes a Source: plain data with the line of every table and key, so that a fault can be pointed at.
"""

from __future__ import annotations

import re
import stat as stat_kind
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

from narrator.core.errors import RuleError, ScriptError
from narrator.core.game import Game
from narrator.core.hints import nearest
from narrator.core.layout import Layout, read_layout
from narrator.core.lines import Lines
from narrator.core.phrases import Phrases
from narrator.core.replies import LINES as ENGINE_LINES
from narrator.core.script import Source, read_script
from narrator.core.setting import Setting
from narrator.core.shapes import check_game, check_language, check_setup
from narrator.core.states import Rules, names_of
from narrator.fitting import check_names, check_sayable, check_scenes, check_slots, ids_of, meant, options_of, ranges_of
from narrator.pacing import CHOICES

_PACKAGE = Path(__file__).resolve().parent
LARGEST = 4_000_000  # bytes of a table, a game or a language: they have a few thousand
_LANGUAGE = re.compile(r"[a-z]{2,3}")  # the stem of a language file
_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_BARE = re.compile(r"""\s*([^\s"'#=\[][^"'#=\[\]]*?)\s*=""")
_KEY = re.compile(r"""^\s*("[^"]+"|'[^']+'|[\w-]+)(\.[\w-]+)*\s*=""")
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
#: Facts that the conductor adds to those of the game.
TABLE_FACTS = frozenset(
    ("examples", "near", "minutes_left", "seconds_left", "names", "count", "stranger", "said", "entry")
)


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
        why, line = toml_fault(error, text)
        raise ScriptError(f"this is not valid TOML: {why}", str(path), line) from None
    except RecursionError:
        raise ScriptError("this is not valid TOML: it is nested too deeply", str(path)) from None


def toml_fault(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int]:
    """What is wrong with a TOML text, and in which line (1-based).

    A name with an accent or a blank ("Gaëlle = …") has to be in quotes, and TOML's own words do not say so.
    """
    lines = text.splitlines()
    line = int(found[1]) if (found := re.search(r"line (\d+)", str(error))) else len(lines)
    named = str(error).startswith(("Expected '='", "Invalid statement"))
    bare = _BARE.match(lines[line - 1]) if named and 0 < line <= len(lines) else None
    if bare and not re.fullmatch(r"[A-Za-z0-9_.-]+", bare[1]):
        return f'write "{bare[1]}" with its quotes', line
    return str(error), line


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
    if is_path(game) and not Path(game).is_dir():
        raise ScriptError(f"there is no game “{game}”: there is no folder of that name")
    if is_path(game) or Path(game).is_dir():
        raise ScriptError(f"there is no game “{game}”: that folder holds no game.toml")
    near = nearest(game, game_ids())
    hint = f"did you mean “{near}”? " if near else ""
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
    options = options_of(source, setting.options)
    sources = language_sources(setting, module)
    written = sources[-1]  # the game's own file
    check_language(written)
    facts = source.data.get("facts", {})
    cards = {option: facts.get(kind, {}) for option, kind in getattr(module, "CARD_OPTIONS", {}).items()}
    options = ids_of(options, cards, written.data.get("names", {}))
    rules = _rules(module, setting, options, source)
    script = read_script(source, names_of(rules))
    if own := getattr(rules, "words", None):  # names and sentences of this table's cards
        sources.append(Source(source.file, own, source.lines))
    for one in sources:
        check_language(one)
    check_setup(written, source.data.get("options", {}))
    lines = Lines(setting.language, sources, rules.fact_names | TABLE_FACTS, getattr(rules, "private_fact_names", ()))
    check_scenes(source, script)
    needed = rules.lines_needed(script) if hasattr(rules, "lines_needed") else ()
    chosen = getattr(rules, "whisper_lines", {})  # by the state
    for line, path in (*script.lines_used(), *needed):
        if line not in lines.ids and line not in chosen:
            raise source.fault(f"line “{line}” is not written in {written.file}{meant(line, lines.ids)}", *path)
    for line in sorted(ENGINE_LINES | CONDUCTOR_LINES):
        if line not in lines.ids:
            raise sources[0].fault(f"line “{line}” is missing, which every game says", "lines")
    ranges = ranges_of(source, len(setting.players))
    phrases = Phrases(setting.language, sources, setting.players, ranges, getattr(rules, "word_slots", None))
    check_sayable(source, phrases, written.file)
    check_slots(written, phrases, getattr(rules, "slot_values", {}))
    check_names(setting.players, phrases)
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
