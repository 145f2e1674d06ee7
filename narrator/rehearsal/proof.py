"""A game rehearsed for its author: an evening for the fewest and one for the most players, typed, without a word."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from narrator.core.errors import NarratorError
from narrator.library import read_game, stage
from narrator.rehearsal.ends import end_title
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting


@dataclass(frozen=True, slots=True)
class Proof:
    """How a rehearsed evening went. `end`: its title; `trouble`: why it did not come to its end; "" if all was well."""

    language: str
    players: int
    end: str
    minutes: float
    lines: int
    trouble: str = ""


def rehearsed(game: str, languages: Sequence[str], seed: int = 1) -> Iterator[Proof]:
    """Evenings of the smallest and of the largest table in each language. Raises DeviceError without a voice."""
    for language in languages:
        for seats in dict.fromkeys(read_game(game)[0].data["players"]):
            yield _evening(game, language, seats, seed)


def _evening(game: str, language: str, seats: int, seed: int) -> Proof:
    rehearsal = Rehearsal(stage(sample_setting(game, seats, language)), seed, typed=True)
    trouble, ending = "", None
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            ending = rehearsal.run()
        except NarratorError as error:
            trouble = str(error)
    if not trouble and ending is None:
        trouble = f"it stopped in phase “{rehearsal.conductor.floor.phase}”, where nobody knows what to say"
    end, figures = end_title(rehearsal.production, ending), rehearsal.tally
    minutes = round(rehearsal.clock.now() / 60, 1)
    return Proof(language, seats, end, minutes, figures.spoken_lines, trouble or rehearsal.difference)
