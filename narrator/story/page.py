"""A story as one HTML page that holds all it needs, and as JSON and CSV for those who count."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from narrator.story.plots import Pairs, course, governed, together
from narrator.story.telling import Story
from narrator.story.words import page_word, team

_COLUMNS = ("at", "turn", "kind", "people", "counts", "answers", "outcome")
_FAINTEST, _STRONGEST = 0.08, 0.75  # of a cell's colour


def html(story: Story, date: str) -> str:
    """The page; names and sentences are escaped."""
    word = partial(page_word, story.language)
    deeds = [told.deed for told in story.deeds]
    tables = (
        ("together", "together_note", together(story.players, deeds)),
        ("governed", "governed_note", governed(story.players, deeds)),
    )
    # A page needs no second template: whoever voted with names is told of by the first table.
    shown = next(([one] for one in tables if one[2] is not None), [])
    folder = FileSystemLoader(Path(__file__).parent)
    template = Environment(loader=folder, autoescape=True, undefined=StrictUndefined).get_template("page.html")
    return template.render(
        story=story, date=date, word=word, clock=_clock, heat=_heat, tables=shown,
        winners=", ".join(team(story.language, winner) for winner in story.winners),
        course=course(story.turns, {gauge: word(gauge) for turn in story.turns for gauge in turn.gauges}),
    )  # fmt: skip


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _heat(cell: float, pairs: Pairs) -> float:
    most = 1.0 if pairs.shares else max(c for row in pairs.cells for c in row if c is not None)
    return _FAINTEST + (_STRONGEST - _FAINTEST) * cell / most


def as_json(story: Story) -> str:
    """Everything, for programs."""
    return json.dumps(asdict(story), ensure_ascii=False, indent=1) + "\n"


def as_csv(story: Story) -> str:
    """The deeds, one a row; lists are joined by ";", pairs by "="."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for told in story.deeds:
        d = told.deed
        pairs = (";".join(f"{a}={b}" for a, b in rows_of) for rows_of in (d.counts, d.answers))
        rows.writerow([round(told.at, 1), told.turn, d.kind, ";".join(d.people), *pairs, d.outcome])
    return out.getvalue()
