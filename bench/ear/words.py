"""What may be said at the bench's table, in each language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """`accents` of espeak-ng, verbs before a name, a count of two numbers, what may always be said."""

    accents: tuple[str, ...]
    verbs: tuple[str, ...]
    count: str
    numbers: tuple[str, ...]
    always: tuple[str, ...]


WORDS = {
    "fr": Words(
        ("fr", "fr", "fr-be", "fr", "fr-ch"),
        ("je nomme", "je propose", "j'exile"),
        "{} oui {} non",
        (
            "zéro",
            "un",
            "deux",
            "trois",
            "quatre",
            "cinq",
            "six",
            "sept",
            "huit",
            "neuf",
            "dix",
            "onze",
            "douze",
            "treize",
            "quatorze",
            "quinze",
            "seize",
        ),
        (
            "pause",
            "reprends",
            "répète",
            "annule",
            "aide",
            "où en est-on",
            "combien de temps",
            "encore une minute",
            "passe",
            "plus lentement",
            "plus vite",
            "moins fort",
            "plus fort",
            "oui",
            "non",
            "c'est fait",
            "suivant",
            "on vote",
        ),
    ),
    "en": Words(
        ("en-us", "en", "en-us", "en-gb-x-rp"),
        ("I propose", "I nominate", "I exile"),
        "{} yes {} no",
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ),
        (
            "pause",
            "resume",
            "repeat",
            "undo",
            "help",
            "where are we",
            "how much time",
            "one more minute",
            "skip",
            "slower",
            "faster",
            "softer",
            "louder",
            "yes",
            "no",
            "it's done",
            "next",
            "let's vote",
        ),
    ),
}
