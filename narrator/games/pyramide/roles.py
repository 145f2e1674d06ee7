"""Who is what in secret: the Sons of the Harpy in their cells, the serpent, the special roles and their holders.

Text: "La Harpie", "Le serpent", "Rôles spéciaux". All of it is the game master's alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Camp(StrEnum):
    QUEEN = "queen"
    HARPY = "harpy"
    NONE = "none"  # "n'appartient à aucun camp"


class Role(StrEnum):
    HARPY = "harpy"
    LIEUTENANT = "lieutenant"
    HENCHMAN = "henchman"
    SERPENT = "serpent"
    QUAITHE = "quaithe"
    PYAT_PREE = "pyat_pree"
    BELWAS = "belwas"
    DAARIO = "daario"
    COURTESAN = "courtesan"
    HIZDAHR = "hizdahr"


@dataclass(frozen=True, slots=True)
class Special:
    """One row of the text's list: each of `most` such roles is in the game with a chance of `percent`.

    `camp` None: of whichever camp its holder is.
    """

    role: Role
    percent: int
    most: int
    camp: Camp | None


#: In the order of the text. "(33%) 0-2 Courtisane" is two draws of their own.
SPECIALS: tuple[Special, ...] = (
    Special(Role.QUAITHE, 75, 1, Camp.NONE),
    Special(Role.PYAT_PREE, 66, 1, Camp.NONE),
    Special(Role.BELWAS, 40, 1, Camp.QUEEN),
    Special(Role.DAARIO, 40, 1, Camp.QUEEN),
    Special(Role.COURTESAN, 33, 2, None),
    Special(Role.HIZDAHR, 33, 1, Camp.NONE),
)
SPECIAL: Mapping[Role, Special] = {special.role: special for special in SPECIALS}


@dataclass(frozen=True, slots=True)
class Prophecies:
    """Quaithe's: who must survive, who must be eliminated, which grace must rise."""

    life: str = ""
    death: str = ""
    glory: str = ""


@dataclass(frozen=True, slots=True)
class Deal:
    """`lieutenants[i]` has the henchmen `cells[i]`; the dead stay in their places until replaced.

    The serpent stands among the Sons, as a henchman at first. `given`: every special role ever assigned, once per
    holder, so that what its holder lost by dying is not dealt again.
    """

    harpy: str = ""
    lieutenants: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    serpent: str = ""
    specials: Mapping[str, Role] = field(default_factory=dict)
    prophecies: Prophecies = Prophecies()
    given: tuple[Role, ...] = ()
    _orders: Mapping[str, Role] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Derived once, because everything asks for it."""
        orders = dict.fromkeys(self.henchmen, Role.HENCHMAN) | dict.fromkeys(self.lieutenants, Role.LIEUTENANT)
        object.__setattr__(self, "_orders", {**orders, self.harpy: Role.HARPY})

    @property
    def henchmen(self) -> tuple[str, ...]:
        return tuple(player for cell in self.cells for player in cell)

    @property
    def sons(self) -> tuple[str, ...]:
        """Everybody of the harpy's organisation, the serpent included."""
        return tuple(player for player in (self.harpy, *self.lieutenants, *self.henchmen) if player)

    def is_son(self, player: str) -> bool:
        return player in self._orders

    def order(self, player: str) -> Role | None:
        """What the organisation takes a player for: harpy, lieutenant, henchman (the serpent is one of these), None."""
        return self._orders.get(player)

    def camp(self, player: str) -> Camp:
        """Whom a player wins with; the serpent wins with the Queen."""
        if self.is_son(player):
            return Camp.QUEEN if player == self.serpent else Camp.HARPY
        special = self.specials.get(player)
        return Camp.NONE if special is not None and SPECIAL[special].camp == Camp.NONE else Camp.QUEEN

    def loyal(self, player: str) -> bool:
        """RULINGS, for a district's +1: neither a Son nor campless; the serpent counts as a Son."""
        return not self.is_son(player) and self.camp(player) == Camp.QUEEN

    def holder(self, role: Role) -> str:
        """Who has a special role that only one can have; "" if nobody."""
        return next((player for player, held in self.specials.items() if held == role), "")
