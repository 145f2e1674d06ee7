"""What an end is called in a summary: by [names], as "end_<id>"; else whoever won is."""

from __future__ import annotations

from narrator.core.effects import End
from narrator.library import Production
from narrator.words import words


def end_title(production: Production, ending: End | None) -> str:
    """A few words in the language of the table; in that of the locale where an evening did not end."""
    if ending is None:
        return words("rehearse_no_end")
    title = production.lines.called(f"end_{ending.how}")
    if title != f"end_{ending.how}":
        return title
    return ", ".join(map(production.lines.called, ending.winners)) or ending.how
