"""What stands on each player's slip: rank, office, camp, special role, and whom the player knows.

The words are in scripts/pyramide/slips/<lang>.toml; who knows whom is games/pyramide/knowledge.py's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from narrator.core.lines import Lines
from narrator.games.pyramide.knowledge import Known, knowledge
from narrator.games.pyramide.ranks import INFLUENCE, Pyramid, Rank
from narrator.games.pyramide.roles import Camp, Deal, Role
from narrator.library import data_folder, read_source


@dataclass(frozen=True, slots=True)
class Slip:
    """One page: the player's name outside, `paragraphs` inside."""

    player: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page has: the game's name, where to fold, a warning."""

    title: str
    fold: str
    keep: str


def slip_lines(language: str) -> Lines:
    """The words of the slips. Raises ScriptError if the language has none."""
    return Lines(language, [read_source(data_folder("scripts") / "pyramide" / "slips" / f"{language}.toml")])


def frame(lines: Lines) -> Frame:
    return Frame(lines.text("title", {}), lines.text("fold", {}), lines.text("keep", {}))


def slips(pyramid: Pyramid, dealt: Deal, lines: Lines, turn: int = 0) -> tuple[Slip, ...]:
    """The slips of all who live, by seat. `turn`: of an evening that has begun; where councillors stand is told
    before the second one."""
    known, begins = knowledge(dealt, pyramid), turn <= 1
    return tuple(
        Slip(player, tuple(_paragraphs(pyramid, dealt, known.get(player, ()), lines, player, begins=begins)))
        for player in pyramid.living
    )


def _paragraphs(
    pyramid: Pyramid, dealt: Deal, known: tuple[Known, ...], lines: Lines, player: str, *, begins: bool
) -> Iterator[str]:
    rank, office = pyramid.ranks[player], pyramid.office_of(player)
    yield lines.text(f"rank_{rank}", {"influence": INFLUENCE[rank]})
    if office:
        yield lines.text(f"office_{office}", {})
    if begins and rank == Rank.COUNCILLOR:
        yield lines.text("district", {"district": pyramid.districts[player]})
    yield lines.text(_standing(dealt, player), {})
    yield from _knowing(dealt, known, lines, player)
    special = dealt.specials.get(player)
    yield lines.text(f"special_{special}" if special else "no_special", {})
    if special == Role.QUAITHE:
        yield from _prophecies(dealt, lines)


def _standing(dealt: Deal, player: str) -> str:
    if player == dealt.serpent:
        return "order_serpent"
    order = dealt.order(player)
    if order:
        return f"order_{order}"
    return "camp_none" if dealt.camp(player) == Camp.NONE else "camp_queen"


def _knowing(dealt: Deal, known: tuple[Known, ...], lines: Lines, player: str) -> Iterator[str]:
    """The harpy is told her cells one by one; everybody else whom they know, and that there is nobody else."""
    of_role = {role: tuple(one.player for one in known if one.role == role) for role in Role}
    if player == dealt.harpy:
        for leader in of_role[Role.LIEUTENANT]:
            cell = tuple(one.player for one in known if one.under == leader)
            yield lines.text("knows_cell", {"leader": leader, "players": cell})
        return
    for role in (Role.HARPY, Role.LIEUTENANT, Role.SERPENT):
        for one in of_role[role]:
            yield lines.text(f"knows_{role}", {"player": one})
    if of_role[Role.HENCHMAN]:
        yield lines.text("knows_henchmen", {"players": of_role[Role.HENCHMAN]})
    yield lines.text("knows_no_more" if known else "knows_nobody", {})


def _prophecies(dealt: Deal, lines: Lines) -> Iterator[str]:
    said = dealt.prophecies
    yield lines.text("prophecies", {})
    for name, player in (("life", said.life), ("death", said.death), ("glory", said.glory)):
        if player:
            yield lines.text(f"prophecy_{name}", {"player": player})
