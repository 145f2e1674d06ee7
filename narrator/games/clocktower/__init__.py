"""Blood on the Clocktower: the public voice and the private sheet of a human Storyteller."""

from narrator.games.clocktower.chronicle import deeds, gauges
from narrator.games.clocktower.rules import ClocktowerRules
from narrator.games.clocktower.view import private_state, public_state

build_rules = ClocktowerRules

__all__ = ["build_rules", "deeds", "gauges", "private_state", "public_state"]
