"""Everything that can be found wrong with a game's folder, without playing it: `narrator check my-game/`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.core.errors import NarratorError, RuleError, ScriptError
from narrator.core.script import Source
from narrator.core.shapes import check_setup
from narrator.library import (
    TABLE_FACTS,
    Production,
    data_folder,
    game_folder,
    languages_of,
    read_game,
    read_source,
    stage,
)
from narrator.setup import sample_setting
from narrator.workshop import machine, sentences, texts
from narrator.workshop.findings import ERROR, WARNING, Finding, at, in_order, of_fault

_WHEN = re.compile(r"^\s*\[when\]")
_CODE = re.compile(r"[a-z]{2}")


@dataclass
class Look:
    """What was found, and the game in every language in which it can be played."""

    folder: Path
    findings: list[Finding] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    productions: dict[str, Production] = field(default_factory=dict)

    @property
    def unspoken(self) -> tuple[str, ...]:
        """Languages that tables speak and this game does not: one is enough, but its author may have meant more."""
        return tuple(one for one in languages_of("_table") if one not in self.sources) if self.sources else ()

    @property
    def errors(self) -> int:
        return sum(one.level == ERROR for one in self.findings)

    @property
    def warnings(self) -> int:
        return sum(one.level == WARNING for one in self.findings)


def look_at(game: str) -> Look:
    """Read, stage and lint a game. Raises ScriptError where there is no such game."""
    look = Look(game_folder(game))
    look.findings = in_order(_found(game, look))
    return look


def _found(game: str, look: Look) -> Iterator[Finding]:
    try:
        source, module = read_game(game)
    except ScriptError as error:
        yield of_fault(error, "game")
        return
    languages = languages_of(game)
    if not languages:
        yield Finding(ERROR, "language", "the game is written in no language: add fr.toml or en.toml", str(look.folder))
    for language in sorted(_promised(source.data, {*languages_of("_table")} - {*languages})):
        message = f"{language}.toml is missing, and game.toml has texts in “{language}”: write it, or take them out"
        yield Finding(ERROR, "language", message, str(look.folder))
    for language in languages:
        try:
            look.sources[language] = read_source(look.folder / f"{language}.toml")
            check_setup(look.sources[language], source.data.get("options", {}))
            yield from _staged(game, language, source, look)
        except NarratorError as error:
            yield of_fault(error, "language" if isinstance(error, ScriptError) else "table")
    yield from texts.missing(look.sources)
    yield from texts.holes_differ(look.sources)
    for language, production in look.productions.items():
        yield from _of_language(look.sources[language], language, production, plain=hasattr(module, "TABLES"))
    for production in list(look.productions.values())[:1]:
        yield from machine.dead_ends(production)
        if hasattr(module, "TABLES"):
            yield from _unused_conditions(source, look.sources)


def _promised(data: Any, languages: set[str]) -> set[str]:
    """Those of these languages in which a part of game.toml gives a text: title.fr = "…", title.en = "…"."""
    if isinstance(data, list):
        return set().union(*(_promised(one, languages) for one in data))
    if not isinstance(data, dict):
        return set()
    if all(_CODE.fullmatch(key) and isinstance(text, str) for key, text in data.items()):
        return languages & {*data}
    return set().union(*(_promised(one, languages) for one in data.values()))


def _staged(game: str, language: str, source: Source, look: Look) -> Iterator[Finding]:
    """The game at a table of every size: cards must come out for each."""
    if not (data_folder("scripts") / "_table" / f"{language}.toml").is_file():
        yield Finding(ERROR, "language", f"no table speaks “{language}” yet", str(look.folder / f"{language}.toml"))
        return
    fewest, most = source.data["players"]
    plain = source.data.get("rules", "plain") == "plain" and not look.productions  # the cards of each size, once
    for seats in range(fewest, most + 1) if plain else dict.fromkeys((fewest, most)):
        try:
            production = stage(sample_setting(game, seats, language))
        except RuleError as error:
            yield at(source, ERROR, "table", f"with {seats} players: {error}", "players")
        except ScriptError as error:
            yield of_fault(error, "script")
            return
        else:
            look.productions.setdefault(language, production)


def _of_language(source: Source, language: str, production: Production, *, plain: bool) -> Iterator[Finding]:
    rules, scripts = production.game.rules, data_folder("scripts")
    secrets = getattr(rules, "private_fact_names", ())
    yield from texts.lines_in_doubt(source, language, rules.fact_names | TABLE_FACTS, secrets)
    yield from texts.labels_in_doubt(source, language)
    yield from sentences.collisions(source, production)
    yield from sentences.alike(source, production)
    yield from sentences.unused_sentences(source, production)
    if plain:  # other rules may say lines that no file names
        shared = [read_source(scripts / name / f"{language}.toml") for name in ("_table", "_plain")]
        yield from texts.unused_lines(source, production, {line for one in shared for line in one.data["lines"]})
        yield from texts.unnamed_roles(source, getattr(rules, "slot_values", {}).get("role", ()))


def _unused_conditions(source: Source, languages: Mapping[str, Source]) -> Iterator[Finding]:
    """Conditions and options of the game's own that nothing asks for."""
    game = Path(source.file).read_text(encoding="utf-8")
    spoken = "".join(Path(one.file).read_text(encoding="utf-8") for one in languages.values())
    bare = "\n".join(line.partition(" #")[0] for line in game.splitlines() if not line.lstrip().startswith("#"))
    for table, kind in (("when", "condition"), ("options", "option")):
        for name in source.data.get(table, {}):
            if len(re.findall(rf"\b{re.escape(name)}", bare)) + len(re.findall(rf"\b{re.escape(name)}", spoken)) < 2:
                yield at(source, WARNING, f"unused-{kind}", f"{kind} “{name}” is asked for nowhere", table, name)
