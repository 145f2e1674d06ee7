"""The simulated table of Le Bourreau: hidden roles, real items and coins, and people who talk over them."""

from narrator.rehearsal.bourreau.people import BourreauTable

__all__ = ["BourreauTable"]
