"""The table, told back in a sentence or two: printed in the language of the machine, spoken in that of the game."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from narrator.choices import Menu
from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.stage.opening import wished
from narrator.voice.choice import open_chosen
from narrator.voice.profile import table_profile
from narrator.voice.speaker import Speaker
from narrator.words import locale_language, words_in

_SLACK = 5.0  # seconds after which a sentence that never ends is given up


def read_back(setting: Setting, told: Menu, language: str = "") -> str:
    """What was understood: the game, who plays, what differs from the game's own options."""
    language = language or locale_language()
    names = listed(language, setting.players)
    parts = [words_in(language, "readback", title=told.title, count=len(setting.players), names=names)]
    chosen = [told.called(option, value) for option, value in setting.options.items() if isinstance(value, str)]
    parts += [f"{text[0].upper()}{text[1:]}." for text in chosen if text]
    for key, wanted in (("readback_with", True), ("readback_without", False)):
        ticked = [
            title for name, title in told.ticks.items() if setting.options.get(name) is wanted is not told.usual[name]
        ]
        if ticked:
            parts.append(words_in(language, key, options=" ; ".join(ticked)))
    if setting.first:
        parts.append(words_in(language, "readback_first", name=setting.first))
    return " ".join(parts)


def listed(language: str, names: Iterable[str], most: int = 1000) -> str:
    """ "Alice, Bob et Chloé"; from `most` on only so many of them, and how many more."""
    every = list(names)
    if len(every) > most:
        return words_in(language, "and_others", names=", ".join(every[: most - 1]), count=len(every) - most + 1)
    if len(every) < 2:
        return "".join(every)
    return words_in(language, "readback_and", names=", ".join(every[:-1]), last=every[-1])


def speak(setting: Setting, texts: Iterable[str]) -> str:
    """Say it aloud and wait until it is said; why not, if there is no voice or no loudspeaker ("" if it was said)."""
    try:
        with Speaker(wished("output", None)) as speaker:
            studio = open_chosen(table_profile(setting))
            try:
                for text in texts:
                    clip, done = studio.clip(text), threading.Event()
                    speaker.play(clip, done.set, done.set)
                    done.wait(clip.seconds + _SLACK)
            finally:
                studio.close()
    except NarratorError as error:
        return str(error)
    return ""
