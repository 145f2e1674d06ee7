"""The simulated table of La Grande Pyramide: offices, accusers and voters who speak, and a game master at the keys."""

from narrator.rehearsal.pyramide.people import PyramideTable

__all__ = ["PyramideTable"]
