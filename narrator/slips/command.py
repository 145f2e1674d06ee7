"""`narrator slips`: the secret slips of a table, dealt beforehand, or of an evening that has begun.

A table without roles is dealt here, once and for all: the deal is written into the table file, which only its owner
can read from then on, and the evening plays with it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from narrator.core.errors import ScriptError
from narrator.core.game import fold
from narrator.core.setting import Setting
from narrator.games.pyramide.configuration import House
from narrator.games.pyramide.deal import deal, drawn_prophecies
from narrator.games.pyramide.draws import Draws, spread
from narrator.games.pyramide.ranks import Office, Pyramid
from narrator.games.pyramide.roles import Deal, Prophecies, Role
from narrator.games.pyramide.state import Meereen
from narrator.library import stage
from narrator.slips.content import frame, slip_lines, slips
from narrator.slips.paper import pdf_of, write_private
from narrator.stage.journal import read_journal
from narrator.stage.tables import read_table, staged, table_path, write_table

GAME = "pyramide"
FILE = "slips.pdf"


def write_slips(
    table: Path | None, out: Path, *, journal: Path | None = None, seed: int | None = None, font: Path | None = None
) -> Path:
    """The PDF of everybody's slip (of an evening: of all who live), in the folder `out`; its path.

    `seed` fixes the deal of a table without roles.
    Raises NarratorError for another game, for an evening in which nothing is dealt yet, or a disk that refuses.
    """
    if journal is not None:
        language, pyramid, dealt, turn = _of_evening(journal)
    else:
        (language, pyramid, dealt), turn = _of_table(table_path(table), seed), 0
    lines = slip_lines(language)
    return write_private(pdf_of(slips(pyramid, dealt, lines, turn), frame(lines), font), out, FILE)


def _of_evening(journal: Path) -> tuple[str, Pyramid, Deal, int]:
    record = read_journal(journal)
    game = stage(record.setting).game
    state = fold(game, record.events, record.skip_setup).state
    if not isinstance(state, Meereen):
        raise ScriptError("this is not an evening of La Grande Pyramide", str(journal))
    if not state.hidden.dealt:
        raise ScriptError("in this evening nothing has been dealt yet", str(journal))
    return record.setting.language, state.pyramid, state.deal, state.turn


def _of_table(path: Path, seed: int | None) -> tuple[str, Pyramid, Deal]:
    setting = read_table(path)
    if setting.game != GAME:
        raise ScriptError(f"slips are for the game “{GAME}”, this table plays “{setting.game}”", str(path))
    house = _house(setting, path)
    draws = spread(random.Random(seed).random() if seed is not None else random.SystemRandom().random())
    pyramid = house.founded(draws)
    if house.deal is None and house.typed:
        raise ScriptError(
            "the game master deals at this table: write “roles” into it, or print from the journal", str(path)
        )
    dealt = _foretold(house.deal, pyramid, draws) if house.deal else deal(house.plan, pyramid, draws)
    pinned = replace(setting, options={**setting.options, **options_of(pyramid, dealt)})
    if pinned != setting:
        write_table(pinned, path, secret=True)
    house = _house(pinned, path)  # as the evening will read it
    return setting.language, house.founded(spread(0.0)), house.deal or dealt


def _house(setting: Setting, path: Path) -> House:
    return staged(setting, path).game.rules.house  # type: ignore[attr-defined, no-any-return]


def _foretold(dealt: Deal, pyramid: Pyramid, draws: Draws) -> Deal:
    """A deal that somebody wrote down, with Quaithe's prophecies if they left those to chance."""
    quaithe = dealt.holder(Role.QUAITHE)
    if not quaithe or dealt.prophecies != Prophecies():
        return dealt
    return replace(dealt, prophecies=drawn_prophecies(pyramid, quaithe, draws))


def options_of(pyramid: Pyramid, dealt: Deal) -> Mapping[str, Any]:
    """A pyramid before its first turn and its deal as a table's options, which give both back."""
    roles = {player: _roles(dealt, player) for player in pyramid.seats}
    said = dealt.prophecies
    prophecies = {"life": said.life, "death": said.death, "glory": said.glory}
    return {
        "ranks": {player: str(rank) for player, rank in pyramid.ranks.items()},
        "offices": {str(office): pyramid.offices[office] for office in Office},
        "districts": {player: str(district) for player, district in pyramid.council},
        "roles": {player: role for player, role in roles.items() if role},
        "cells": {p: leader for leader, cell in zip(dealt.lieutenants, dealt.cells, strict=True) for p in cell},
        "prophecies": {name: player for name, player in prophecies.items() if player},
    }


def _roles(dealt: Deal, player: str) -> str:
    order = Role.SERPENT if player == dealt.serpent else dealt.order(player)
    return "+".join(role for role in (order, dealt.specials.get(player)) if role)
