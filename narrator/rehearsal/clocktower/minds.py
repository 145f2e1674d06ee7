"""Who is what in a simulated village, whom people accuse and how they vote. Nothing of it is known to the narrator.

Every decision is made once for its day and nominee and kept, so that a sentence said again means the same.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

View = Mapping[str, Any]
NOMINATIONS = (1, 2)  # a day
HASTE = 3  # from this day on the village is likely to be right


@dataclass(frozen=True, slots=True)
class Accusation:
    """What one player is going to say: `nominator` names `nominee` (or calls for an exile), and these vote yes."""

    nominator: str
    nominee: str
    yes: tuple[str, ...]
    exile: bool = False


@dataclass
class Minds:
    """The village's secrets and its courses."""

    players: Sequence[str]
    travellers: Sequence[str]
    rng: random.Random
    demon: str = ""
    days: dict[int, list[Accusation]] = field(default_factory=dict)
    deaths: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.demon:
            self.demon = self.rng.choice([p for p in self.players if p not in self.travellers])

    def plan(self, view: View) -> list[Accusation]:
        """Today's accusations, in order."""
        day = view["day"]
        if day not in self.days:
            self.days[day] = self._accusations(view)
        return self.days[day]

    def kills(self, view: View) -> tuple[str, ...]:
        """Who dies tonight: nobody in the first night, mostly one later."""
        day = view["day"]
        if day not in self.deaths:
            prey = [p for p in view["living"] if p != self.demon]
            spared = day == 0 or not prey or self.rng.random() < 0.15
            self.deaths[day] = () if spared else (self.rng.choice(prey),)
        return self.deaths[day]

    def verdict(self, view: View, dying: Sequence[str] = ()) -> str:
        """What the Storyteller answers when asked whether the game goes on."""
        living = [p for p in view["living"] if p not in dying]
        if self.demon not in living:
            return "good_wins"
        return "evil_wins" if sum(p not in self.travellers for p in living) <= 2 else "goes_on"

    def _accusations(self, view: View) -> list[Accusation]:
        made: list[Accusation] = []
        for _ in range(self.rng.randint(*NOMINATIONS)):
            nominators = [p for p in view["living"] if p not in {a.nominator for a in made}]
            named = {a.nominee for a in made} | {*self.travellers, *view["exiled"]}
            nominees = [p for p in view["living"] if p not in named]
            if not nominators or not nominees:
                break
            right = self.demon in nominees and self.rng.random() < 0.25 * max(view["day"] - HASTE + 1, 0)
            nominee = self.demon if right else self.rng.choice(nominees)
            share = 0.7 if right else self.rng.choice((0.3, 0.55, 0.75))
            made.append(Accusation(self.rng.choice(nominators), nominee, self._voters(view, share, dead=0.15)))
        here = [p for p in self.travellers if p not in view["exiled"]]
        if here and view["day"] >= 2 and self.rng.random() < 0.3:
            everybody = tuple(p for p in self.players if self.rng.random() < 0.6)
            made.append(Accusation("", self.rng.choice(here), everybody, exile=True))
        return made

    def _voters(self, view: View, share: float, dead: float) -> tuple[str, ...]:
        alive = {p for p in view["living"] if self.rng.random() < share}
        ghosts = {p for p in view["tokens"] if self.rng.random() < dead}
        return tuple(p for p in self.players if p in alive or p in ghosts)
