"""Au chevet du Sultan."""

from narrator.games.sultan.rules import SultanRules as build_rules
from narrator.games.sultan.view import public_state

__all__ = ["build_rules", "public_state"]
