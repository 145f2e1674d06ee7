"""`narrator story`: the page of an evening, from its journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from narrator.core.errors import NarratorError
from narrator.library import stage
from narrator.stage.journal import evenings_folder, read_course
from narrator.story import page
from narrator.story.telling import Happened, Story, tell
from narrator.words import words

_FORMS: dict[str, Callable[[Story], str]] = {".json": page.as_json, ".csv": page.as_csv}


def write_story(journal: Path | None, outs: list[Path], *, secrets: bool = False) -> tuple[Path, ...]:
    """Write the story of a journal (else of the newest evening) to files; .html, .json or .csv tells the form.

    Raises NarratorError for a journal that cannot be told, an ending that is unknown, or a disk that refuses.
    """
    path = journal or newest()
    for out in outs:
        if out.suffix not in (".html", *_FORMS):
            raise NarratorError(f"{out}: a story is written as .html, .json or .csv")
    record, course = read_course(path)
    happened = [Happened(at, event) for at, event in course]
    story = tell(stage(record.setting), happened, skip_setup=record.skip_setup, secrets=secrets)
    date = "-".join(path.stem.split("-")[:3]) if path.stem[:4].isdigit() else path.stem
    written = tuple(outs) or (Path(f"{path.stem}.html"),)
    for out in written:
        text = _FORMS[out.suffix](story) if out.suffix in _FORMS else page.html(story, date)
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise NarratorError(f"{out}: the story cannot be written ({error.strerror})") from None
    return written


def newest() -> Path:
    """The journal of the newest evening. Raises NarratorError if there is none."""
    found = sorted(evenings_folder().glob("*.jsonl"))
    if not found:
        raise NarratorError(words("no_evening"))
    return found[-1]
