"""What holds for every test: who speaks, and which tests may run beside each other.

The voice that every machine has speaks, and at once, unless a test asks for another. Drawn examples are the same in
every run, however slowly they are drawn. Each module has folders of its own for what a user keeps: the same line is
rendered a few samples longer or shorter after other ones, and kept; so an evening by ear does not hang on who rendered
its lines first.

Where several processes share the tests (`./start.sh test`), all that play on a sound card made of software run one
after the other in one process, and first: in real time, two of them would take the machine from each other. What is
left is given out module by module, for the sake of what a module sets up; those that take long come first.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from platformdirs import user_cache_dir
from xdist.scheduler.loadscope import LoadScopeScheduling

from narrator.voice.choice import VARIABLE

os.environ[VARIABLE] = "system"
os.environ.setdefault("PIP_CACHE_DIR", user_cache_dir("pip"))  # what was fetched once need not be fetched by each
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

LIVE = {"LiveEvening", "virtual_sound_card", "card", "evening"}  # what they call, or are given
LONG = {"subprocess", "Terminal", "sync_playwright", "given", "sound"}  # what modules that take long name
TESTS = Path(__file__).parent


@cache
def names_of(module: str) -> dict[str, set[str]]:
    """By function, the names in it and of what it is given; by "", those of the whole module (tests/<module>)."""
    tree = ast.parse((TESTS / Path(module).name).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name: _names(node) for node in functions} | {"": _names(tree)}


def _names(tree: ast.AST) -> set[str]:
    found = (getattr(node, "id", getattr(node, "arg", getattr(node, "attr", None))) for node in ast.walk(tree))
    imported = (a.name for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for a in node.names)
    return {name for name in (*found, *imported) if isinstance(name, str)}


def share_of(nodeid: str) -> tuple[bool, bool, str]:
    """In which order, and with which others, a test is run: live, in a module that does not take long, and where."""
    module, _, rest = nodeid.partition("::")
    names = names_of(module)
    uses = names.get(rest.partition("[")[0], set())
    live = "virtual_sound_card" in names[""] and not LIVE.isdisjoint(uses)
    return not live, not live and LONG.isdisjoint(names[""]), "sound card" if live else module


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: share_of(item.nodeid)[:2])


class Sharing(LoadScopeScheduling):
    """Hands out what belongs together as one. (Marks for groups do nothing with this pytest-xdist and pytest 9.)"""

    def _split_scope(self, nodeid: str) -> str:
        return share_of(nodeid)[2]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Sharing:
    config.option.loadscopereorder = False
    return Sharing(config, log)


@pytest.fixture(scope="module", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "CONFIG", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        yield
