"""How fast an evening goes: the pace that was chosen, and how long a pause for hands and eyes lasts.

Rules. Hands and eyes take longer or shorter from pause to pause, so that no length tells whether a role was there:
every pause is drawn from one distribution, whatever is hidden. The draw depends on the evening's seed and on where the
script stands, on nothing else; so a resumed or replayed evening waits as the uncut one did.
"""

from __future__ import annotations

import random

from narrator.core.effects import Wait

PACES = (0.7, 0.85, 1.0, 1.15, 1.35)  # "plus lentement" and "plus vite" move along these
CHOICES = {"calm": 0.85, "normal": 1.0, "brisk": 1.15}  # what a table may ask for


def starting_pace(choice: str) -> int:
    """The place in PACES of a choice."""
    return PACES.index(CHOICES[choice])


def length_of(wait: Wait, pace: float, seed: int, place: str) -> float:
    """Seconds that a wait lasts. `place`: where the script stands, known to the whole table."""
    if not wait.dwell:
        return wait.seconds
    seconds = wait.seconds / pace if wait.paced else wait.seconds
    if not wait.jitter:
        return seconds
    return seconds * random.Random(f"{seed}:dwell:{place}").uniform(1 - wait.jitter, 1 + wait.jitter)
