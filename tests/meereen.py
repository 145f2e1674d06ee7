"""Drives La Grande Pyramide by typed sentences: "mj> …" is the game master's, everything else the table's.

Ranks follow the order of the names: at nineteen Alice and Bob sit on the Council, Chloé, David and Emma are great
masters, Farid to Jules graces, the others brass beasts. `PLOT` is a deal for that table.
"""

from __future__ import annotations

import random
from typing import Any

import town
from evening import NAMES

from narrator.core.effects import Effect, Roll
from narrator.core.events import Event, Rolled
from narrator.core.setting import Setting

NINETEEN = (*NAMES, "Karim", "Léa", "Malik", "Nina", "Oscar", "Paula", "Quentin", "Rosa", "Simon")
MANY = (*NINETEEN, *(f"{name} {n}" for n in range(2, 12) for name in NINETEEN))
COUNCIL, MASTERS, GRACES, BEASTS = NINETEEN[:2], NINETEEN[2:5], NINETEEN[5:10], NINETEEN[10:]
#: Chloé is the harpy; David leads Farid and the serpent Karim, Gaëlle leads Léa and Malik.
PLOT: dict[str, Any] = {
    "roles": {
        "Chloé": "harpy",
        "David": "lieutenant",
        "Gaëlle": "lieutenant",
        "Farid": "henchman",
        "Karim": "serpent",
        "Léa": "henchman+courtesan",
        "Malik": "henchman",
        "Hugo": "quaithe",
        "Inès": "pyat_pree",
        "Nina": "belwas",
        "Oscar": "daario",
        "Jules": "hizdahr",
    },
    "cells": {"Farid": "David", "Karim": "David", "Léa": "Gaëlle", "Malik": "Gaëlle"},
    "prophecies": {"life": "Paula", "death": "Rosa", "glory": "Farid"},
}
SONS = ("Chloé", "David", "Gaëlle", "Farid", "Karim", "Léa", "Malik")
OFFICES = {"seneschal": "David", "green_grace": "Farid", "shavepate": "Karim"}
START = {"Alice": "maze", "Bob": "pits"}


def meereen(players: int = 19, language: str = "fr", *, plot: bool = True, **options: Any) -> Setting:
    """A table; `plot`: with the deal above, known offices and known districts (nineteen only)."""
    if plot and players == 19:
        options = {**PLOT, "offices": OFFICES, "districts": START, **options}
    return Setting("pyramide", language, MANY[:players], "", options)


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\u00a0", " ")


class Evening(town.Evening):
    """`draws`: what falls on which number, by the name of the draw and its key ("fate:offered:Rosa:")."""

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        draws: dict[str, float] | None = None,
        seed: int = 1,
        begin: bool = True,
    ) -> None:
        self._seed = seed
        super().__init__(setting or meereen(), draws=draws)
        if begin:
            self.all("mj> suivant" if self.production.setting.language == "fr" else "mj> next")

    def _performed(self, effect: Effect) -> list[Event]:
        if not isinstance(effect, Roll):
            return super()._performed(effect)
        name = effect.what + effect.key
        chance = random.Random(f"{self._seed}:{name}:{self.course.state.turn}")
        value = self.draws.get(name, self.draws.get(effect.what, chance.random()))
        return [Rolled(effect.what, value, effect.private)]

    @property
    def words(self) -> str:
        """With plain spaces."""
        return plain(super().words)

    @property
    def hint(self) -> str:
        return plain(super().hint)

    # ---- shortcuts, in French

    def everybody(self, district: str) -> None:
        """Everybody below the Council is placed there: “à la Plaza”, “aux Arènes”, “au Dédale”."""
        assert self.phase == "placement", self.phase
        self.all(*(f"les {rank} {district}" for rank in ("grands maîtres", "grâces", "bêtes")))

    def to_night(self, district: str = "à la Plaza") -> None:
        self.everybody(district)
        self.all("c'est fait")
        assert self.phase == "night", self.phase

    def strike(self, *squads: str) -> None:
        """“Chloé, David contre Alice”, for each squad; then day breaks."""
        self.all(*(f"mj> escouade {squad}" for squad in squads), "mj> suivant")

    def accuse(self, *names: str) -> None:
        self.all(*(f"j'accuse {name}" for name in names))
        assert self.phase == "pleas", self.phase

    def ballot(self, votes: dict[str, str]) -> None:
        """From the talk before it to the count: who is not in `votes` abstains."""
        self.all("on vote")
        while self.phase == "seat":
            choice = votes.get(self.state["vote"]["seat"])
            self.all(f"je vote {choice}" if choice else "je m'abstiens")
        assert self.phase == "readback", self.phase
        self.all("c'est bon")

    def through(self, *, wanted: str = "placement") -> None:
        """On to the next turn: everybody abstains, whoever must be accused or named is the first that may be."""
        for _ in range(200):
            if self.phase == wanted or self.state["end"]:
                return
            self._one_step()
        raise AssertionError(self.phase)

    def _one_step(self) -> None:
        state, living = self.state, self.state["living"]
        match self.phase:
            case "placement":
                self.all("c'est fait")
            case "night" | "curfew" | "return_talk" | "interlude":
                self.all("mj> suivant")
            case "accuse":
                self.all("passe")
            case "pleas" | "campaign":
                self.ballot({})
            case "shavepate":
                self.all("je nomme " + next(p for p in living if state["ranks"][p] == "beast"))
            case _:
                raise AssertionError(self.phase)
