"""Hidden roles of a simulated table, and what they make a player want, know and do.

Nothing here is ever known to the narrator. A mind answers with decisions only; when and how they are spoken is the
table's (people.py). What a player knows of another is a camp (recognition, power B) or a suspicion from what was read.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from narrator.rehearsal.cards import INTERVENTIONIST, PACIFIST

DINARZADE, GIAFAR, LOVER = "dinarzade", "giafar", "amoureuse"
_LARGE = 7  # from seven players on, Dinarzade does not know her allies

View = Mapping[str, Any]


def deal(configuration: Any, players: Sequence[str], rng: random.Random) -> dict[str, str]:
    """A role for each player, as the box of this configuration holds them."""
    roles = [INTERVENTIONIST] * configuration.interventionists + [PACIFIST] * configuration.pacifists
    roles += [DINARZADE] + [GIAFAR] * configuration.giafar + [LOVER] * configuration.amoureuse
    rng.shuffle(roles)
    return dict(zip(players, roles, strict=True))


def camp(role: str) -> str:
    """What a vote card says at power B: Giafar and l'Amoureuse answer as interventionists do."""
    return PACIFIST if role in (PACIFIST, DINARZADE) else INTERVENTIONIST


class Minds:
    """What everybody at the table thinks."""

    def __init__(self, roles: Mapping[str, str], rng: random.Random) -> None:
        self.roles, self._rng = roles, rng
        self._suspicion = dict.fromkeys(roles, 0.0)
        self._known: dict[str, dict[str, str]] = {player: {} for player in roles}
        allies = [p for p, role in roles.items() if role in (PACIFIST, DINARZADE)]
        for player in allies:
            if roles[player] == PACIFIST or len(roles) < _LARGE:
                self._known[player] = {p: camp(roles[p]) for p in roles}
        for lover in self.holders(LOVER):
            self._known[lover] = dict.fromkeys(self.holders(DINARZADE), PACIFIST)

    def holders(self, role: str) -> list[str]:
        return [player for player, held in self.roles.items() if held == role]

    def learn(self, who: str, whom: str) -> None:
        """`who` has seen the vote card of `whom` (power B)."""
        self._known[who][whom] = camp(self.roles[whom])

    def blame(self, government: Collection[str], tale: str) -> None:
        """A tale of this colour was read by them: everybody draws conclusions."""
        for player in government:
            self._suspicion[player] += 1.0 if tale == PACIFIST else -0.7

    def trusts(self, who: str, whom: str) -> float:
        """How likely `whom` is of the pacifist camp in the eyes of `who`, 0 to 1."""
        known = self._known[who].get(whom)
        if known is not None:
            return 1.0 if known == PACIFIST else 0.0
        return min(0.9, max(0.1, 0.35 + 0.15 * self._suspicion[whom]))

    # ---- decisions

    def proposes(self, view: View, who: str, candidates: Sequence[str]) -> str:
        """A Narratrice: one's own camp, as far as one can tell; Dinarzade once she would win."""
        if view["pacifist"] >= 3 and self.roles[who] in (PACIFIST, LOVER):
            known = [p for p in candidates if self.roles[p] == DINARZADE and self.trusts(who, p) == 1.0]
            if known and self._rng.random() < 0.7:
                return known[0]
        return self._likely(who, candidates, wanted=camp(self.roles[who]) == PACIFIST)

    def votes(self, view: View, voters: Sequence[str]) -> tuple[int, int]:
        """How many cards say yes and no."""
        yes = sum(self._votes_yes(view, player) for player in voters)
        return yes, len(voters) - yes

    def _votes_yes(self, view: View, who: str) -> bool:
        government = (view["gv"], view["narratrice"])
        trust = max(self.trusts(who, p) for p in government if p != who)
        if camp(self.roles[who]) == PACIFIST:
            wish = 0.35 + 0.6 * trust
        else:
            careful = 0.5 if view["pacifist"] >= 3 else 0.0
            wish = 0.95 - careful - 0.75 * trust + 0.2 * (view["counter"] == 2)
        return self._rng.random() < wish + 0.3 * (who in government)

    def keeps(self, who: str, tales: Sequence[str]) -> str:
        """The colour that this player would like to see read, out of these."""
        wanted = camp(self.roles[who])
        other = [tale for tale in tales if tale != wanted]
        if wanted not in tales or (other and self._rng.random() < 0.12):
            return other[0]
        return wanted

    def chooses_tale(self, gv: str, narratrice: str, hand: Sequence[str], *, hand_over: bool) -> str:
        """What is left to be read of three tales, after both have discarded. `hand_over`: all three are given."""
        tales = list(hand)
        if not (hand_over and self.roles[gv] == GIAFAR):
            liked = self.keeps(gv, tales)
            others = [tale for tale in tales if tale != liked]
            tales.remove(others[0] if others else liked)
        return self.keeps(narratrice, tales)

    def vetoes(self, who: str, tale: str) -> bool:
        """Whether this player would rather not have the tale read."""
        return tale != camp(self.roles[who]) and self._rng.random() < 0.8

    def depth(self, most: int) -> int:
        """How deep a tale is slipped into a pile of `most` tales."""
        return self._rng.randint(1, max(1, most))

    def suspects(self, who: str, candidates: Sequence[str]) -> str:
        """Whom one would exile or question: of the other camp, as far as one can tell."""
        allied = camp(self.roles[who]) == PACIFIST
        safe = [p for p in candidates if not (allied and self.trusts(who, p) == 1.0)]
        return self._likely(who, safe or candidates, wanted=not allied)

    def prefers(self, who: str, candidates: Sequence[str]) -> str:
        """Whom one would like to see in office."""
        return self._likely(who, candidates, wanted=camp(self.roles[who]) == PACIFIST)

    def _likely(self, who: str, candidates: Sequence[str], *, wanted: bool) -> str:
        """One of `candidates` by chance, those of the `wanted` camp (True: pacifist) more often."""
        trust = [self.trusts(who, p) for p in candidates]
        weights = [0.05 + (t if wanted else 1.0 - t) ** 2 for t in trust]
        return self._rng.choices(list(candidates), weights)[0]
