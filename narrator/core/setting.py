"""Who plays what tonight: the answers of the setup, as the table file keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Setting:
    """`players` clockwise; `first` opens the game ("": asked or drawn); `says`: how a name is written as it is said;
    `heard`: more ways in which a name was said, as phones of the language's ear ("z o e")."""

    game: str
    language: str
    players: tuple[str, ...]
    first: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)
    pace: str = "normal"  # or "calm", "brisk"
    heard: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
