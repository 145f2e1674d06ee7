"""docs/YOUR-GAME.md and docs/VOTRE-JEU.md: commands run, examples are real, the whole vocabulary is explained."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.core import script
from narrator.games.plain import TABLES, living, trials
from narrator.games.plain.facts import _flags, _lists, _numbers
from narrator.library import data_folder, stage
from narrator.setup import sample_setting
from narrator.workshop import lint, machine, sentences, texts

ROOT = Path(__file__).parent.parent
GUIDES = ("YOUR-GAME.md", "VOTRE-JEU.md")
_FENCE = re.compile(r"^```(\w+)(?: \+(\S+))?\n(.*?)^```$", re.M | re.S)

_CODE = re.compile(r"^```[^\n]*\n(.*?)^```$|`([^`\n]+)`", re.M | re.S)


def blocks(guide: str) -> list[tuple[str, str, str]]:
    """(language, the file it is added to, text) of every example, in order."""
    found = _FENCE.findall((ROOT / "docs" / guide).read_text(encoding="utf-8"))
    assert found
    return found


def bare(text: str) -> list[str]:
    return [line.partition(" #")[0].strip() for line in text.splitlines() if line.partition("#")[0].strip()]


@pytest.mark.sound
@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_runs_and_every_addition_is_taken(guide: str, tmp_path: Path) -> None:
    """In the order of the page, in an empty folder, with a home of its own."""
    shim = tmp_path / "bin" / "narrator"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m narrator "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{shim.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
    }
    added: list[str] = []
    for kind, file, text in blocks(guide):
        if kind == "sh":
            done = subprocess.run(
                ["bash", "-eu", "-c", text], cwd=here, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (text, done.stdout[-2000:], done.stderr[-2000:])
        elif file:
            (game,) = (path.parent for path in here.glob("*/game.toml"))
            path = game / file
            path.write_text(path.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")
            look = lint.look_at(f"{game}/")
            assert not [one for one in look.findings if one.level == "error"], [str(one) for one in look.findings]
            added.append(file)
    assert added


@pytest.mark.parametrize("guide", GUIDES)
def test_every_example_is_of_village(guide: str) -> None:
    files = (data_folder("scripts") / "village").glob("*.toml")
    village = [line for path in files for line in bare(path.read_text("utf-8"))]
    for kind, file, text in blocks(guide):
        if kind == "toml" and not file:
            assert [line for line in bare(text) if line not in village] == []


@pytest.mark.parametrize("guide", GUIDES)
def test_the_whole_vocabulary_is_explained(guide: str) -> None:
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    rules = stage(sample_setting("village", 8)).game.rules
    start, sheet = rules.start("x"), rules.sheet  # type: ignore[attr-defined]
    own = {role.id for role in sheet.nouns.roles} | set(sheet.nouns.camps) | {*sheet.options}
    built_in = {*_numbers(start, sheet), *_flags(start, sheet), *_lists(start, sheet)}
    made = re.compile(rf"^({'|'.join(sorted(own))})_|^(with|last_is)_|^(end|up|down|zero|set)_(village|pack)$")
    words = {
        *(name for name in built_in if name not in own and not made.search(name)),
        *(name for name in rules.actions if not made.search(name)),
        *rules.checks,
        *script._PHASE_TYPES,
        *("say", "pause", "when", "ask", "whisper", "cue", "jitter", "mask"),
        *("on", "from", "to", "check", "confirm", "confirm_when", "do", "echo", "private", "whisper"),
        *script.FLOWS,
        *TABLES,
        *("passes", "abstain", "accused_votes", "dead_vote", "accused_once", "start", "up", "down", "zero"),
        *("id", "camp", "count", "option", "winners", "hear", "slots", "names", "query", "title"),
        *(line for lines in (*living.LINES.values(), *trials.LINES.values()) for line in lines),
    }
    code = "\n".join(block or word for block, word in _CODE.findall(text))
    missing = sorted(word for word in words if not re.search(rf"\b{re.escape(word)}\b", code))
    assert missing == []


@pytest.mark.parametrize("guide", GUIDES)
def test_every_rule_of_the_check_is_listed(guide: str) -> None:
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    code = "".join(Path(str(one.__file__)).read_text(encoding="utf-8") for one in (lint, machine, sentences, texts))
    rules = set(re.findall(r'(?:ERROR|WARNING), "([a-z-]+)"', code)) | set(
        re.findall(r'of_fault\(error, "(\w+)"', code)
    )
    rules |= {"unused-condition", "unused-option", "missing-line", "missing-sentence", "missing-name", "rehearsal"}
    assert sorted(rule for rule in rules if f"`{rule}`" not in text) == []
