"""The simulated table of any game that is data only: it reads in the script what may be said, and what that does."""

from narrator.rehearsal.plain.people import PlainTable

__all__ = ["PlainTable"]
