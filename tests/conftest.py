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

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from platformdirs import user_cache_dir

from narrator.voice.choice import VARIABLE

os.environ[VARIABLE] = "system"
os.environ.setdefault("PIP_CACHE_DIR", user_cache_dir("pip"))  # what was fetched once need not be fetched by each
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")

LIVE = {"LiveEvening", "virtual_sound_card", "card", "evening"}  # what they call, or are given
LONG = {"subprocess", "Terminal", "sync_playwright", "given"}  # what modules that take long import


@pytest.fixture(scope="module", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CACHE", "CONFIG", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name.lower())))
        yield


def is_live(test: pytest.Function) -> bool:
    """Whether it plays or listens on a sound card made of software."""
    uses = {*test.fixturenames, *test.function.__code__.co_names}
    return hasattr(test.module, "virtual_sound_card") and not LIVE.isdisjoint(uses)


def takes_long(test: pytest.Function) -> bool:
    return test.get_closest_marker("sound") is not None or not LONG.isdisjoint(vars(test.module))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = [item for item in items if isinstance(item, pytest.Function)]
    long = {test.module for test in tests if takes_long(test)}
    live = {test for test in tests if is_live(test)}
    for test in tests:
        test.add_marker(pytest.mark.xdist_group("sound card" if test in live else test.module.__name__))
    items.sort(key=lambda item: (item not in live, getattr(item, "module", None) not in long))
