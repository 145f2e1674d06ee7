"""Games that are data only: a night, a day, a vote, and no Python of their own."""

from narrator.games.plain.chronicle import deeds, gauges
from narrator.games.plain.facts import public_state
from narrator.games.plain.nouns import TABLES
from narrator.games.plain.rules import PlainRules

build_rules = PlainRules

__all__ = ["TABLES", "build_rules", "deeds", "gauges", "public_state"]
