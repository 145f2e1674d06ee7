"""Names of past tables, the newest first, so that nobody types them twice: kept by setup, and read from the journals.

They never leave the machine. A file that is damaged or cannot be written is as good as none: only typing is lost.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from platformdirs import user_state_path

from narrator.core.errors import NarratorError
from narrator.stage.journal import evenings_folder
from narrator.stage.tables import clean_names

MOST = 200
JOURNALS = 40  # evenings looked into
_HEAD = 200_000  # bytes of a journal's first line


def names_file() -> Path:
    """One name a line."""
    return user_state_path("narrator", appauthor=False) / "names.txt"


def past_names() -> tuple[str, ...]:
    """Everybody who played here, the newest first."""
    return tuple(islice(dict.fromkeys(filter(_fit, (*_kept(), *_played()))), MOST))


def keep_names(names: Iterable[str]) -> None:
    """Put these names in front of those known."""
    kept = list(dict.fromkeys((*names, *_kept())))[:MOST]
    path = names_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text("".join(name + "\n" for name in kept), encoding="utf-8")
        os.replace(new, path)


def _kept() -> list[str]:
    try:
        with names_file().open(encoding="utf-8") as file:
            return file.read(_HEAD).splitlines()
    except (OSError, ValueError):
        return []


def _played() -> Iterator[str]:
    for path in sorted(evenings_folder().glob("*.jsonl"), reverse=True)[:JOURNALS]:
        with contextlib.suppress(OSError, ValueError, TypeError, LookupError), path.open(encoding="utf-8") as file:
            yield from json.loads(file.readline(_HEAD))["players"]


def _fit(name: object) -> bool:
    try:
        return isinstance(name, str) and clean_names([name]) == (name,)
    except NarratorError:
        return False
