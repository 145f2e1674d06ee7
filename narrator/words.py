"""What the command line says to whoever runs the machine, in the language of the locale (French or English)."""

from __future__ import annotations

import os
import re

from narrator import command_words, host_words, machine_words

_FR = {**host_words.FR, **command_words.FR, **machine_words.FR}
_EN = {**host_words.EN, **command_words.EN, **machine_words.EN}

_ONE_OR_MANY = re.compile(r"\{(\w+)\?([^{}|]*)\|([^{}|]*)\}")  # as in the lines: "{count?point|points}"


def locale_language() -> str:
    """ "fr" where the locale is French, else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        if value := os.environ.get(name):
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


def words(key: str, **facts: object) -> str:
    """The text called `key` in the language of the locale."""
    return words_in(locale_language(), key, **facts)


def words_in(language: str, key: str, /, **facts: object) -> str:
    """The same in a language; in English where it is neither French nor English."""
    text = (_FR if language == "fr" else _EN)[key]
    if not facts:
        return text

    def agreed(match: re.Match[str]) -> str:
        number = facts[match[1]]
        return match[2] if number == 1 or (number == 0 and language == "fr") else match[3]

    return _ONE_OR_MANY.sub(agreed, text).format(**facts)
