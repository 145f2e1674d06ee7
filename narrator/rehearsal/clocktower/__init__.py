"""The simulated table of Blood on the Clocktower: players who accuse and vote aloud, and a Storyteller at his keys."""

from narrator.rehearsal.clocktower.people import ClocktowerTable

__all__ = ["ClocktowerTable"]
