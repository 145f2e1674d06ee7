"""Every line of a game in the voice that will speak it: into WAV files, or aloud."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from narrator.core.errors import NarratorError, ScriptError
from narrator.core.lines import WHISPERED
from narrator.library import TABLE_FACTS, Production
from narrator.voice.choice import open_chosen
from narrator.voice.clip import Clip
from narrator.voice.profile import load_profile
from narrator.voice.recording import write_wav
from narrator.voice.speaker import Speaker

Play = Callable[[Clip], None]


def spoken_lines(production: Production, lines: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(a name for it, the sentence) of every line, filled for one and for many; what is whispered is left out."""
    for line in lines:
        if line.startswith(WHISPERED):
            continue
        told: list[str] = []
        for many in (False, True):
            try:
                text = production.lines.spoken(line, example_facts(production, many=many))
            except ScriptError:
                continue  # a hole that nothing fills: the lint has said so
            if text not in told:
                told.append(text)
                yield line + (f"-{len(told)}" if len(told) > 1 else ""), text


def example_facts(production: Production, *, many: bool) -> dict[str, Any]:
    """Facts of the right kind for whatever a line may name: one or several, nothing true or everything."""
    rules, players = production.game.rules, production.setting.players
    view = rules.view(production.game.opening(True).state)
    facts: dict[str, Any] = dict.fromkeys((*rules.fact_names, *TABLE_FACTS), players[0])
    facts |= {"n": 1 + many, "called": 1 + many, "count": 1 + many, "minutes": 1 + many, "most": 1 + many}
    facts |= {"other": players[1], "names": players[:2], "minutes_left": 1 + many, "seconds_left": 1 + many}
    roles = getattr(rules, "slot_values", {}).get("role", ())
    facts |= {"role": roles[0], "last_role": roles[-1]} if roles else {}
    for name, value in view.items():
        if isinstance(value, bool):
            facts[name] = many
        elif isinstance(value, int):
            facts[name] = value + many if value else 1 + many
        elif isinstance(value, tuple):
            facts[name] = (value or players)[: 2 if many else 1]
        elif value:
            facts[name] = value
    return facts


def preview(production: Production, lines: Mapping[str, Any], folder: Path | None, play: Play | None) -> list[str]:
    """Render every line; into `folder` as <language>-<line>.wav, and to `play`. Returns the names of what was made.

    Raises DeviceError without a voice, NarratorError where the folder cannot be written.
    """
    language, made = production.setting.language, []
    studio = open_chosen(load_profile(language))
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        for name, text in spoken_lines(production, lines):
            clip = studio.clip(text)
            made.append(f"{language}-{name}.wav")
            if folder is not None:
                write_wav(folder / made[-1], clip)
            if play is not None:
                play(clip)
    except OSError as error:
        raise NarratorError(f"{folder} cannot be written ({error.strerror})") from None
    finally:
        studio.close()
    return made


def aloud(speaker: Speaker) -> Play:
    """Plays a clip to its end."""

    def play(clip: Clip) -> None:
        done = threading.Event()
        speaker.play(clip, done.set)
        done.wait(clip.seconds + 5.0)

    return play
