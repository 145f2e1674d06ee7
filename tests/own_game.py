"""A game of somebody's own, as `narrator new-game` writes it, to be played and to be broken."""

from __future__ import annotations

from pathlib import Path

from narrator.workshop.lint import Look, look_at
from narrator.workshop.new_game import Wish, new_game


def own_game(folder: Path, languages: str = "fr,en", players: str = "5-10") -> Path:
    return new_game(Wish("my-game", "Les Ombres", players, languages), ask=False, here=folder)


def spoilt(game: Path, file: str, old: str, new: str, count: int = 1) -> int:
    """Replace a text of one of the game's files; the line (1-based) where it was."""
    path = game / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{file} does not hold {old!r}"
    path.write_text(text.replace(old, new, count), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def looked_at(game: Path) -> Look:
    return look_at(f"{game}/")
