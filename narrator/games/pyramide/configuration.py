"""What a table chose: its plan, who begins where, and a secret deal if somebody wrote one down.

Options: `numbers`, `ranks`, `draw_ranks`, `offices`, `districts`, `placements`; secret ones: `roles`, `cells`,
`prophecies`. A role may be two at once ("henchman+courtesan"); "serpent" is a henchman.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from narrator.core.errors import RuleError
from narrator.games.pyramide.deal import check
from narrator.games.pyramide.draws import Draws, spread
from narrator.games.pyramide.plan import Plan, found, read_plan
from narrator.games.pyramide.points import Scale, read_scale
from narrator.games.pyramide.ranks import RANKS, District, Office, Pyramid, Rank
from narrator.games.pyramide.roles import SPECIAL, Deal, Prophecies, Role

VOTES = ("ear", "eye", "typed")
_Id = TypeVar("_Id", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class House:
    """One table's arrangements. `deal` is None where the narrator deals, or the game master types it."""

    plan: Plan
    scale: Scale
    seats: tuple[str, ...]
    ranks: Mapping[str, Rank]
    offices: Mapping[Office, str]
    districts: Mapping[str, District]
    placements: Mapping[str, District]
    return_always: bool
    typed: bool  # the game master types the deal in
    deal: Deal | None

    def founded(self, draws: Draws) -> Pyramid:
        """The pyramid before the first turn."""
        return found(self.plan, self.seats, draws, self.ranks, self.offices, self.districts)


def read_house(seats: Sequence[str], options: Mapping[str, Any], facts: Mapping[str, Any]) -> House:
    """Raises RuleError, saying what to write, for a table that cannot be played."""
    names = tuple(seats)
    if options["vote"] not in VOTES:
        raise RuleError(f"vote “{options['vote']}” does not exist: choose {', '.join(VOTES)}")
    if options["deal"] not in ("narrator", "master"):
        raise RuleError(f"deal “{options['deal']}” does not exist: choose narrator or master")
    if not 1 <= options["beat"] <= 20:
        raise RuleError(f"beat is the seconds of a seat's vote, from 1 to 20, not {options['beat']}")
    plan = read_plan(len(names), facts, options["numbers"])
    ranks = _players(names, options["ranks"], "ranks", Rank)
    if not ranks and not options["draw_ranks"]:
        order = [rank for rank in RANKS for _ in range(plan.count(rank))]
        ranks = dict(zip(names, order, strict=True))
    house = House(
        plan,
        read_scale({**facts["points"], **options["points"]}),
        names,
        ranks,
        _offices(names, options["offices"]),
        _players(names, options["districts"], "districts", District),
        _players(names, options["placements"], "placements", District),
        options["return_every_turn"],
        options["deal"] == "master" and not options["roles"],
        None,
    )
    pyramid = house.founded(spread(0.0))  # refuses what does not fit together
    dealt = read_deal(names, options) if options["roles"] else None
    if dealt is not None:
        check(plan, pyramid, dealt)
    return replace(house, deal=dealt)


def _players(names: Sequence[str], given: Mapping[str, Any], what: str, kind: type[_Id]) -> dict[str, _Id]:
    chosen = {}
    for player, value in given.items():
        if player not in names:
            raise RuleError(f"{what}: “{player}” is not one of the players")
        chosen[player] = _id(what, value, kind)
    return chosen


def _id(what: str, value: Any, kind: type[_Id]) -> _Id:
    try:
        return kind(value)
    except ValueError:
        raise RuleError(f"{what}: {value!r} is not one of {', '.join(kind)}") from None


def _offices(names: Sequence[str], given: Mapping[str, Any]) -> dict[Office, str]:
    offices = {_id("offices", office, Office): player for office, player in given.items()}
    for player in offices.values():
        if player not in names:
            raise RuleError(f"offices: “{player}” is not one of the players")
    return offices


def read_deal(names: Sequence[str], options: Mapping[str, Any]) -> Deal:
    """A deal that was written down. Raises RuleError for a role that does not exist."""
    roles = {player: _roles(names, player, value) for player, value in options["roles"].items()}

    def holding(*wanted: Role) -> tuple[str, ...]:
        return tuple(player for player, held in roles.items() if any(role in wanted for role in held))

    lieutenants = holding(Role.LIEUTENANT)
    cells = {lieutenant: [] for lieutenant in lieutenants}  # type: dict[str, list[str]]
    for henchman in holding(Role.HENCHMAN, Role.SERPENT):
        leader = options["cells"].get(henchman)
        if leader is None:
            raise RuleError(f"cells: whose henchman is “{henchman}”? write one of the lieutenants")
        if leader not in cells:
            raise RuleError(f"cells: whose henchman is “{henchman}”? write one of the lieutenants, not “{leader}”")
        cells[leader].append(henchman)
    specials = {player: role for player, held in roles.items() for role in held if role in SPECIAL}
    told = options["prophecies"]
    if strange := [key for key in told if key not in ("life", "death", "glory")]:
        raise RuleError(f"prophecies: “{strange[0]}” is not one of life, death, glory")
    return Deal(
        "".join(holding(Role.HARPY)[:1]),
        lieutenants,
        tuple(tuple(cell) for cell in cells.values()),
        "".join(holding(Role.SERPENT)[:1]),
        specials,
        Prophecies(**{key: str(player) for key, player in told.items()}),
        tuple(specials.values()),
    )


def _roles(names: Sequence[str], player: str, value: Any) -> tuple[Role, ...]:
    if player not in names:
        raise RuleError(f"roles: “{player}” is not one of the players")
    return tuple(_id("roles", part.strip(), Role) for part in str(value).split("+"))
