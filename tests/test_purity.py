"""core/ and games/ are pure: no I/O, clock, threads, chance or audio can be imported there."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import narrator

ROOT = Path(narrator.__file__).parent
PURE = frozenset(
    (
        "__future__",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "itertools",
        "math",
        "re",
        "typing",
        "unicodedata",
    )
)
OURS = ("narrator.core", "narrator.games")
LIBRARIES = frozenset(("hassil", "rapidfuzz", "unicode_rbnf"))
#: Names that do I/O, tell the time or draw lots without an import.
FORBIDDEN_CALLS = frozenset(("open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__"))
FILES = sorted((*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")))


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def faults(tree: ast.AST, file: str) -> list[str]:
    allowed = PURE | LIBRARIES | ({"transitions"} if file == "core/phases.py" else set())
    wrong = []
    for name in imports(tree):
        ours = any(name == package or name.startswith(f"{package}.") for package in OURS)
        if not ours and (name.split(".")[0] not in allowed or name.startswith(".")):
            wrong.append(f"{file} imports {name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            wrong.append(f"{file}:{node.lineno} calls {node.func.id}()")
        if isinstance(node, (ast.Global, ast.AsyncFunctionDef)):
            wrong.append(f"{file}:{node.lineno} is not pure")
    return wrong


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_rules_import_nothing_that_acts(path: Path) -> None:
    file = path.relative_to(ROOT).as_posix()
    assert faults(ast.parse(path.read_text(encoding="utf-8")), file) == []


def test_the_engine_is_there() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in FILES}
    assert {"core/game.py", "core/phases.py", "games/sultan/rules.py"} <= names


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "import os.path",
        "import random as r",
        "from threading import Timer",
        "from pathlib import Path",
        "import transitions",
        "import numpy",
        "import narrator.stage.clock",
        "from narrator import library",
        "from narrator.corevil import x",
        "from . import script",
        "def f():\n    import socket",
        "open('x')",
        "print(1)",
    ],
)
def test_the_rule_catches(source: str) -> None:
    assert faults(ast.parse(source), "core/example.py")


def test_transitions_has_one_importer() -> None:
    importers = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(name.split(".")[0] == "transitions" for name in imports(ast.parse(path.read_text("utf-8"))))
    ]
    assert importers == ["core/phases.py"]


def test_play_never_imports_rehearsal() -> None:
    """The simulated table is for rehearsal and tests: what leads an evening does not know it."""
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("rehearsal/") or name == "cli.py":
            continue
        found = [i for i in imports(ast.parse(path.read_text("utf-8"))) if i.startswith("narrator.rehearsal")]
        assert not found, (name, found)


def test_pure_modules_are_of_the_standard_library() -> None:
    assert sys.stdlib_module_names >= PURE
