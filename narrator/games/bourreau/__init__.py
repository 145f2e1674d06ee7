"""Le Bourreau."""

from narrator.games.bourreau.chronicle import deeds, gauges
from narrator.games.bourreau.rules import BourreauRules
from narrator.games.bourreau.view import public_state

build_rules = BourreauRules

__all__ = ["build_rules", "deeds", "gauges", "public_state"]
