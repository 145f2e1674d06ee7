"""Typography of spoken lines: what a reader of the screen would stumble over, in French and in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

_CHOICE = re.compile(r"\{[a-z_]\w*(?::\w+)?\?([^{}|]*)\|([^{}|]*)\}")
_HOLE = re.compile(r"[{\[][a-z_]\w*(?::\w+)?[}\]]")
_RULES: dict[str, tuple[tuple[str, str], ...]] = {
    "fr": (
        (r"(?<![\u00a0\u202f])[?!;:]", "a no-break space stands before ? ! ; :"),
        (r"«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»", "a no-break space stands inside « »"),
        (r"'", "the apostrophe is ’"),
    ),
    "en": (
        (r"[\s\u00a0\u202f][?!;:]", "no space stands before ? ! ; :"),
        (r"'", "the apostrophe is ’"),
        (r"[«»]", "quotation marks are “ ”"),
    ),
}
_EVERY = ((r'"', "quotation marks are curly or « »"), (r"\.\.\.", "three dots are one sign: …"))


def slips(text: str, language: str) -> Iterator[str]:
    """What is not set well in a line, as it is written in a language file; one short sentence each."""
    bare = _HOLE.sub("x", _CHOICE.sub(r"\1 \2", text))
    for pattern, says in (*_RULES.get(language, ()), *_EVERY):
        if re.search(pattern, bare):
            yield says
    if "  " in text:
        yield "there are two spaces in a row"
