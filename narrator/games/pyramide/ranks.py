"""The Great Pyramid: four ranks, three districts, three offices, and how seats move between them.

Text: its opening sections. The order of a turn's calls: rotated, cleared, placed …, drawn_places, killed …,
promoted …, returned_as_beast …, prestige_added. RULINGS = docs/RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from narrator.games.pyramide.draws import Draws, pick, sample


class Rank(StrEnum):
    COUNCILLOR = "councillor"
    MASTER = "master"
    GRACE = "grace"
    BEAST = "beast"


class District(StrEnum):
    MAZE = "maze"  # le Dédale de Mazdhan
    PITS = "pits"  # les Arènes
    PLAZA = "plaza"  # la Plaza Centrale

    @property
    def after(self) -> District:
        """The next one clockwise (RULINGS: Dédale, Arènes, Plaza, Dédale)."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 1) % len(_CLOCKWISE)]


class Office(StrEnum):
    """Each decides where its rank is placed."""

    SHAVEPATE = "shavepate"  # le Crâne Ras, a brass beast
    GREEN_GRACE = "green_grace"  # la Grâce Verte, a grace
    SENESCHAL = "seneschal"  # le Sénéchal, a great master


_CLOCKWISE = tuple(District)
RANKS = tuple(Rank)  # from the top
INFLUENCE: Mapping[Rank, int] = {Rank.COUNCILLOR: 10, Rank.MASTER: 4, Rank.GRACE: 2, Rank.BEAST: 1}
BELOW: Mapping[Rank, Rank] = dict(pairwise(RANKS))
ABOVE: Mapping[Rank, Rank] = {below: above for above, below in BELOW.items()}
OFFICE_RANK: Mapping[Office, Rank] = {
    Office.SHAVEPATE: Rank.BEAST,
    Office.GREEN_GRACE: Rank.GRACE,
    Office.SENESCHAL: Rank.MASTER,
}
#: Tenths added at a turn's end: "+0,2 … dans le Dédale, +0,3 dans les Arènes, +0,5 sur la Plaza Centrale".
PRESTIGE: Mapping[District, int] = {District.MAZE: 2, District.PITS: 3, District.PLAZA: 5}


@dataclass(frozen=True, slots=True)
class Pyramid:
    """What everybody may know of the seats. The dead keep the rank they died with.

    `districts` has who is placed this turn; `council` the councillors' places with their districts (a dead holder's
    until somebody is elected into it); `prestige` is in tenths.
    """

    seats: tuple[str, ...] = ()
    ranks: Mapping[str, Rank] = field(default_factory=dict)
    districts: Mapping[str, District] = field(default_factory=dict)
    offices: Mapping[Office, str] = field(default_factory=dict)
    dead: frozenset[str] = frozenset()
    council: tuple[tuple[str, District], ...] = ()
    prestige: Mapping[str, int] = field(default_factory=dict)
    _living: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _of_rank: Mapping[Rank, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Derived once, because everything asks for it."""
        living = tuple(player for player in self.seats if player not in self.dead)
        members: dict[Rank, list[str]] = {rank: [] for rank in Rank}
        for player in living:
            members[self.ranks[player]].append(player)
        object.__setattr__(self, "_living", living)
        object.__setattr__(self, "_of_rank", {rank: tuple(players) for rank, players in members.items()})

    def alive(self, player: str) -> bool:
        return player not in self.dead

    @property
    def living(self) -> tuple[str, ...]:
        """By seat."""
        return self._living

    def of_rank(self, rank: Rank) -> tuple[str, ...]:
        """The living of this rank, by seat."""
        return self._of_rank[rank]

    def influence(self, player: str) -> int:
        return INFLUENCE[self.ranks[player]]

    @property
    def available(self) -> int:
        """The influence of all the living."""
        return sum(INFLUENCE[rank] * len(players) for rank, players in self._of_rank.items())

    def holder(self, office: Office) -> str:
        """ "" while it is vacant."""
        player = self.offices.get(office, "")
        return player if player and self.alive(player) else ""

    def office_of(self, player: str) -> Office | None:
        return next((office for office in Office if player and self.holder(office) == player), None)

    @property
    def vacant_offices(self) -> tuple[Office, ...]:
        return tuple(office for office in Office if not self.holder(office))


# ---- a turn's places


def rotated(pyramid: Pyramid) -> Pyramid:
    """Each councillor goes on to the next district; a new one from the place of the one replaced (RULINGS)."""
    council = tuple((player, district.after) for player, district in pyramid.council)
    moved = {player: district for player, district in council if _sits(pyramid, player)}
    return replace(pyramid, council=council, districts={**pyramid.districts, **moved})


def cleared(pyramid: Pyramid) -> Pyramid:
    """A new turn: only the councillors stand anywhere yet."""
    kept = {p: d for p, d in pyramid.districts.items() if pyramid.ranks[p] == Rank.COUNCILLOR and pyramid.alive(p)}
    return replace(pyramid, districts=kept)


def placed(pyramid: Pyramid, player: str, district: District) -> Pyramid:
    return replace(pyramid, districts={**pyramid.districts, player: district})


def all_placed(pyramid: Pyramid, places: Mapping[str, District]) -> Pyramid:
    return replace(pyramid, districts={**pyramid.districts, **places})


def to_place(pyramid: Pyramid, office: Office) -> tuple[str, ...]:
    """Whom the holder of this office places: the living of the rank, the holder included."""
    return pyramid.of_rank(OFFICE_RANK[office])


def unplaced(pyramid: Pyramid) -> tuple[str, ...]:
    return tuple(player for player in pyramid.living if player not in pyramid.districts)


def drawn_places(pyramid: Pyramid, draws: Draws) -> Pyramid:
    """ "en cas d'absence de répartition, un tirage aléatoire la simulera": whoever stands nowhere, by seat."""
    return all_placed(pyramid, {player: pick(_CLOCKWISE, next(draws)) for player in unplaced(pyramid)})


def prestige_added(pyramid: Pyramid) -> Pyramid:
    """The end of a turn: tenths for the district one held. The dead gain nothing, nor does who stands nowhere."""
    gained = {
        player: pyramid.prestige.get(player, 0) + PRESTIGE[pyramid.districts[player]]
        for player in pyramid.living
        if player in pyramid.districts
    }
    return replace(pyramid, prestige={**pyramid.prestige, **gained})


# ---- deaths, titles


def killed(pyramid: Pyramid, *players: str) -> Pyramid:
    return replace(pyramid, dead=pyramid.dead | frozenset(players))


def promoted(pyramid: Pyramid, player: str) -> Pyramid:
    """One rank up, giving up an office; who becomes a councillor takes the first vacant place of the council.

    The district of this turn stays: prestige is for where one was. Raises KeyError for a councillor.
    """
    rank = ABOVE[pyramid.ranks[player]]
    offices = {office: holder for office, holder in pyramid.offices.items() if holder != player}
    after = replace(pyramid, ranks={**pyramid.ranks, player: rank}, offices=offices)
    if rank != Rank.COUNCILLOR:
        return after
    council = list(pyramid.council)
    vacant = next((i for i, (holder, _) in enumerate(council) if not _sits(pyramid, holder)), None)
    if vacant is None:
        return replace(after, council=(*council, (player, pyramid.districts.get(player, District.MAZE))))
    council[vacant] = (player, council[vacant][1])
    return replace(after, council=tuple(council))


def _sits(pyramid: Pyramid, player: str) -> bool:
    """Whether a place of the council is taken: its holder may have died, and come back at the bottom since."""
    return pyramid.alive(player) and pyramid.ranks.get(player) == Rank.COUNCILLOR


def appointed(pyramid: Pyramid, office: Office, player: str) -> Pyramid:
    return replace(pyramid, offices={**pyramid.offices, office: player})


def returned_as_beast(pyramid: Pyramid, player: str) -> Pyramid:
    """Alive again at the bottom, without an office and nowhere until the next turn's placing."""
    return replace(
        pyramid,
        dead=pyramid.dead - {player},
        ranks={**pyramid.ranks, player: Rank.BEAST},
        offices={office: holder for office, holder in pyramid.offices.items() if holder != player},
        districts={p: d for p, d in pyramid.districts.items() if p != player},
        council=tuple((holder if holder != player else "", district) for holder, district in pyramid.council),
    )


def council_drawn(pyramid: Pyramid, draws: Draws, given: Mapping[str, District]) -> Pyramid:
    """Where councillors start is drawn (RULINGS), where `given` does not say it: all districts before one twice."""
    councillors = pyramid.of_rank(Rank.COUNCILLOR)
    places = {player: given[player] for player in councillors if player in given}
    free = list(sample([d for d in _CLOCKWISE if d not in places.values()], len(_CLOCKWISE), draws))
    for player in councillors:
        if player not in places:
            free = free or list(sample(_CLOCKWISE, len(_CLOCKWISE), draws))
            places[player] = free.pop(0)
    council = tuple((player, places[player]) for player in councillors)
    return replace(pyramid, council=council, districts={**pyramid.districts, **places})
