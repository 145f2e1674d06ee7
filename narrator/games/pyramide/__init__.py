"""La Grande Pyramide: thirty-eight seats, four ranks, and a human game master who knows who is a Son of the Harpy."""

from narrator.games.pyramide.chronicle import deeds, gauges
from narrator.games.pyramide.desk import private_state
from narrator.games.pyramide.rules import PyramideRules
from narrator.games.pyramide.view import public_state

build_rules = PyramideRules

__all__ = ["build_rules", "deeds", "gauges", "private_state", "public_state"]
