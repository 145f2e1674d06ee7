"""The gallows pile (§2): what a card is called, what is read out, what it does. Cards are data (game.toml, table file).

The rules print no card, so the house has fourteen of its own; a table file may bring those of its box instead. A title
or a text is one text, or one for each language. A card without a text is read by the executioner.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.errors import RuleError
from narrator.core.spelling import normal

EFFECTS = ("extra", "look", "swap", "reveal", "pass_left", "forbid_swap", "forbid_look", "nothing")
#: Other ways of writing them in a file.
_ALSO = {
    "extra_action": ("extra",),
    "pass": ("pass_left",),
    "forbid": ("forbid_swap", "forbid_look"),
    "none": ("nothing",),
}
FEWEST = 2  # cards: two are turned over in a game, never the same
_ARTICLES = {"fr": r"(?:le|la|les|un|une|des) |l'", "en": r"(?:the|an?) "}
_KEYS = ("title", "text", "effects")


@dataclass(frozen=True, slots=True)
class Card:
    """One gallows card; `text` is "" where nobody gave it."""

    title: str
    text: str
    effects: tuple[str, ...]


def read_deck(cards: Mapping[str, Any], language: str) -> dict[str, Card]:
    """Card ids and their cards. Raises RuleError, naming the card, for what cannot be one."""
    deck = {name: _card(name, entry, language) for name, entry in cards.items()}
    if len(deck) < FEWEST:
        raise RuleError(f"gallows: {FEWEST} cards are turned over in a game, there are {len(deck)}")
    told: dict[str, str] = {}
    for name, card in deck.items():
        same = told.setdefault(_sentence(card.title), name)
        if same != name:
            raise RuleError(f"gallows cards “{same}” and “{name}” have the same title: “{card.title}”")
    return deck


def _card(name: str, entry: Any, language: str) -> Card:
    if not isinstance(entry, Mapping):
        raise RuleError(f'gallows card “{name}”: give title = "…", text = "…" and effects = ["…"]')
    for key in entry:
        if key not in _KEYS:
            raise RuleError(f"gallows card “{name}”: “{key}” is not known, there are {', '.join(_KEYS)}")
    title = _text(name, "title", entry.get("title", ""), language)
    if not _sentence(title):
        raise RuleError(f"gallows card “{name}”: it has no title in “{language}”")
    text = _text(name, "text", entry.get("text", ""), language)
    stop = "." if text and text[-1] not in ".!?…»”" else ""
    return Card(title.removesuffix("."), text + stop, _effects(name, entry.get("effects")))


def _text(name: str, key: str, value: Any, language: str) -> str:
    """A text of its own or the one for this language."""
    found = value.get(language, "") if isinstance(value, Mapping) else value
    if not isinstance(found, str):
        raise RuleError(f'gallows card “{name}”: “{key}” must be a text, or texts by language: {{ fr = "…" }}')
    return found.strip()


def _effects(name: str, listed: Any) -> tuple[str, ...]:
    listed = [listed] if isinstance(listed, str) else listed
    if not isinstance(listed, list | tuple) or not listed or not all(isinstance(one, str) for one in listed):
        raise RuleError(f"gallows card “{name}”: effects is a list out of {', '.join(EFFECTS)}")
    found: list[str] = []
    for one in listed:
        effect = re.sub(r"[ -]", "_", one.strip().lower())
        found += _ALSO.get(effect, (effect,))
    for effect in found:
        if effect not in EFFECTS:
            raise RuleError(f"gallows card “{name}”: effect “{effect}” is not one of {', '.join(EFFECTS)}")
    return tuple(found)


# ---- what is said of them


def words_of(deck: Mapping[str, Card], language: str) -> dict[str, Any]:
    """Names and sentences that the cards add to those of the language file: a title is said with its article or not."""
    names = {f"title_{name}": card.title for name, card in deck.items()}
    names |= {f"text_{name}": card.text for name, card in deck.items() if card.text}
    return {"names": names, "sentences": {"gallows": [_said(name, card, language) for name, card in deck.items()]}}


def _said(name: str, card: Card, language: str) -> dict[str, Any]:
    whole = _sentence(card.title)
    bare = re.sub(f"^(?:{_ARTICLES.get(language, '(?!)')})", "", whole)
    says = [whole] if not bare or normal(bare) == normal(whole) else [whole, bare]
    return {"say": says, "hear": [whole], "slots": {"card": name}}


def _sentence(title: str) -> str:
    """A title as people say it: no sign that means something in a template."""
    plain = title.lower().replace("’", "'")
    return " ".join(re.sub(r"[^\w' -]", " ", plain).split())
