"""The language files of a game, looked at line by line: missing, unused, with unknown holes, badly set."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from narrator.core.errors import ScriptError
from narrator.core.lines import Lines
from narrator.core.replies import LINES as ENGINE_LINES
from narrator.core.script import Source
from narrator.core.states import Rules
from narrator.library import CONDUCTOR_LINES, Production
from narrator.workshop.findings import ERROR, WARNING, Finding, at
from narrator.workshop.typography import slips

_PARTS = ("lines", "sentences", "names", "show", "setup")
_ENGINE_OPTIONAL = frozenset(("undo_recap", "more_minutes", "corrected", "examples_private", "undo_masters"))
_HOLE = re.compile(r"[{\[]([a-z_]\w*)")


def missing(sources: Mapping[str, Source]) -> Iterator[Finding]:
    """What one language has and another lacks."""
    for part in _PARTS:
        every = {name for source in sources.values() for name in _entries(source, part)}
        for language, source in sources.items():
            for name in sorted(every - set(_entries(source, part))):
                others = ", ".join(other for other, one in sources.items() if name in _entries(one, part))
                kind = part.removesuffix("s")
                message = f"{kind} “{name}” is missing in “{language}”; it is written in {others}"
                yield at(source, ERROR, f"missing-{kind}", message, part)


def holes_differ(sources: Mapping[str, Source]) -> Iterator[Finding]:
    """A translation that drops a name or a number is an oversight."""
    names = list(sources)
    for language in names[1:]:
        first, other = sources[names[0]], sources[language]
        for line, text in _entries(other, "lines").items():
            twin = _entries(first, "lines").get(line)
            if isinstance(text, str) and isinstance(twin, str) and (lost := _holes(twin) ^ _holes(text)):
                lost -= {"breath"}
                message = f"line “{line}” is filled otherwise than in “{names[0]}”: {', '.join(sorted(lost))}"
                if lost:
                    yield at(other, WARNING, "holes-differ", message, "lines", line)


def lines_in_doubt(
    source: Source, language: str, facts: Collection[str], secrets: Collection[str]
) -> Iterator[Finding]:
    """Every line with a hole that nothing fills, and every slip of typography."""
    for line, text in _entries(source, "lines").items():
        try:
            Lines(language, [Source(source.file, {"lines": {line: text}}, source.lines)], facts, secrets)
        except ScriptError as error:
            yield Finding(ERROR, "hole", error.message, error.file, error.line)
            continue
        for slip in slips(str(text), language):
            yield at(source, WARNING, "typography", f"line “{line}”: {slip}", "lines", line)


def labels_in_doubt(source: Source, language: str) -> Iterator[Finding]:
    """Every slip of typography in what is read beside the lines: on the page of the phones, in a setup."""
    for part in ("show", "names", "setup"):
        for name, text in _entries(source, part).items():
            for slip in slips(text, language) if isinstance(text, str) else ():
                yield at(source, WARNING, "typography", f"“{name}” of [{part}]: {slip}", part, name)


def lines_of_strangers(rules: Rules) -> set[str]:
    """What the master is told who names something of the table's own that is not there (`Understanding`)."""
    return {f"mj_{what}_{slot}" for slot in getattr(rules, "word_slots", {}) for what in ("unknown", "none")}


def unused_lines(source: Source, production: Production, shared: Collection[str]) -> Iterator[Finding]:
    """Lines that nobody says. `shared`: those of every table, which a game may write anew."""
    script, rules = production.game.script, production.game.rules
    used = {line for line, _ in script.lines_used()} | {*shared, *ENGINE_LINES, *CONDUCTOR_LINES, *_ENGINE_OPTIONAL}
    if hasattr(rules, "lines_needed"):
        used |= {line for line, _ in rules.lines_needed(script)}
    used |= lines_of_strangers(rules)
    phases, intents = set(script.phases), {on for _, on in script.moves}
    undone = {f"undo_{p}_{i}" for p in phases for i in intents} | {f"undo_{one}" for one in phases | intents}
    here = {f"{line}_{phase}" for line in script.queries.values() for phase in phases}
    for line in _entries(source, "lines"):
        if line not in used | undone | here:
            yield at(source, WARNING, "unused-line", f"line “{line}” is never said", "lines", line)


def unnamed_roles(source: Source, roles: Collection[str]) -> Iterator[Finding]:
    """Ids that a line would say as they are, because [names] does not call them anything."""
    texts = " ".join(str(text) for text in _entries(source, "lines").values())
    if "role:name" not in texts:
        return
    for role in roles:
        if role not in _entries(source, "names"):
            message = f"[names] does not say what the role “{role}” is called in this language"
            yield at(source, WARNING, "unnamed-role", message, "names")


def _entries(source: Source, part: str) -> Mapping[str, object]:
    entries = source.data.get(part, {})
    return entries if isinstance(entries, dict) else {}


def _holes(text: str) -> set[str]:
    return set(_HOLE.findall(text))
