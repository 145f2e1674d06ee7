"""Au chevet du Sultan."""

from narrator.games.sultan.chronicle import deeds, gauges
from narrator.games.sultan.rules import SultanRules
from narrator.games.sultan.view import public_state

build_rules = SultanRules

__all__ = ["build_rules", "deeds", "gauges", "public_state"]
