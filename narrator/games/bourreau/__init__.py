"""Le Bourreau."""

from narrator.games.bourreau.chronicle import deeds, gauges
from narrator.games.bourreau.rules import BourreauRules
from narrator.games.bourreau.view import public_state

build_rules = BourreauRules
#: Options that name cards -> the [facts] that list them: in a table file their printed titles may stand, too.
CARD_OPTIONS = {"active_items": "items", "active_roles": "roles", "items": "items", "roles": "roles"}

__all__ = ["CARD_OPTIONS", "build_rules", "deeds", "gauges", "public_state"]
