"""Who holds which card at a simulated table, who dies at night, whom people accuse and how they vote.

The cards are dealt as the game's file says. The camp with the fewest cards kills; the others mostly do not know whom to
condemn. A decision is made once for its situation and kept, so that a sentence said again means the same.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from narrator.core.table import Table
from narrator.games.plain.facts import Sheet
from narrator.games.plain.nouns import End
from narrator.games.plain.state import Party, Trial

View = Mapping[str, Any]
T = TypeVar("T")
SPARED = 0.15  # of the nights, nobody dies
RIGHT = 0.4  # … of the accusations hit one of the camp with the fewest cards
CONDEMNS = (0.35, 0.6, 0.75)  # shares of the voters who say yes


class Minds:
    """The secrets of one table."""

    def __init__(self, sheet: Sheet, rng: random.Random) -> None:
        self.sheet, self.rng = sheet, rng
        cards = [role for role, number in sheet.dealt.items() for _ in range(number)] or [""] * len(sheet.seats)
        rng.shuffle(cards)
        self.cards: dict[str, str] = dict(zip(sheet.seats, cards, strict=True))
        camps = Counter(self.camp(player) for player in sheet.seats)
        self.hunters = min(camps, key=lambda camp: camps[camp]) if len(camps) > 1 else ""
        self._decided: dict[tuple[Any, ...], Any] = {}

    def camp(self, player: str) -> str:
        roles = {role.id: role.camp for role in self.sheet.nouns.roles}
        return roles.get(self.cards[player], "")

    def decide(self, key: tuple[Any, ...], choose: Callable[[], T]) -> T:
        if key not in self._decided:
            self._decided[key] = choose()
        return self._decided[key]  # type: ignore[no-any-return]

    def victim(self, view: View, phase: str) -> str:
        """Who is found dead, or taken along; "" for nobody."""
        prey = [player for player in view["living"] if self.camp(player) != self.hunters]

        def choose() -> str:
            return self.rng.choice(prey) if prey and self.rng.random() >= SPARED else ""

        return self.decide(("victim", phase, view["night"], len(view["dead"])), choose)

    def accused(self, view: View) -> str:
        """Whom somebody is going to accuse; "" when today's accusations are over."""
        named = len(view["named"])

        def choose() -> str:
            if named >= 1 and (named >= 3 or self.rng.random() < 0.4):
                return ""
            open_to = [player for player in view["living"] if player not in view["named"]]
            guilty = [player for player in open_to if self.camp(player) == self.hunters]
            chosen = guilty if guilty and self.rng.random() < RIGHT else open_to
            return self.rng.choice(chosen) if chosen else ""

        return self.decide(("accused", view["day"], len(view["dead"]), named), choose)

    def hands(self, view: View) -> frozenset[str]:
        """Who means to vote yes on the present accusation."""
        voters = self.voters(view)

        def choose() -> frozenset[str]:
            share = self.rng.choice(CONDEMNS)
            return frozenset(player for player in voters if self.rng.random() < share)

        return self.decide(("hands", view["day"], view["accused"], len(view["named"]), view["votes"]), choose)

    def tallies(self, view: View) -> dict[str, int]:
        """How many voices everybody gets when each voter points at somebody."""
        voters = self.voters(view)

        def choose() -> dict[str, int]:
            return dict(Counter(self.rng.choice([p for p in view["living"] if p != v] or [v]) for v in voters))

        return self.decide(("tallies", view["day"], len(view["dead"]), view["votes"]), choose)

    def voters(self, view: View) -> tuple[str, ...]:
        return self.sheet.voters(self._party(view))

    def condemns(self, view: View) -> bool:
        """Whether the vote that is open will condemn, if the narrator counts as people vote."""
        yes, voters = len(self.hands(view)), len(self.voters(view))
        return 2 * yes > voters

    def end(self, view: View) -> End | None:
        """The end that has come by the real cards, whatever was told."""
        return self.sheet.decided(self._party(view))

    def _party(self, view: View) -> Party:
        """The state as everybody could see it if all the dead had shown their cards."""
        roles = tuple((player, self.cards[player]) for player in view["dead"])
        counters = tuple((one.id, view[one.id]) for one in self.sheet.nouns.counters)
        return Party(
            "",
            table=Table(self.sheet.seats),
            turn=view["day"],
            night=view["night"],
            dark=view["dark"],
            dead=tuple(view["dead"]),
            roles=roles,
            counters=counters,
            trial=Trial(accused=view["accused"]),
        )
