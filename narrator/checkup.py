"""`narrator check`: looks at everything an evening needs and says in plain words what is missing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.ear.mic import Microphone
from narrator.ear.models import has_ear
from narrator.ear.recognizer import TableEar
from narrator.library import game_ids, languages_of, stage
from narrator.setup import sample_setting
from narrator.stage.journal import evenings_folder
from narrator.stage.tables import read_table
from narrator.voice.choice import next_better, open_chosen
from narrator.voice.profile import load_profile
from narrator.voice.speaker import Speaker
from narrator.words import words


def check_everything(table: Path | None, language: str) -> bool:
    """Print one line a thing; True if all is well."""
    console, bad = Console(highlight=False, soft_wrap=True), 0
    setting = read_table(table) if table else None
    for name, look in _looks(setting, setting.language if setting else language):
        try:
            answer, style, mark = look(), "green", words("ok")
        except NarratorError as error:
            answer, style, mark, bad = str(error), "yellow", words("bad"), bad + 1
        line = Text.assemble((f"{mark:>7} ", style), name, f": {answer}" if answer else "")
        console.print(line)
    console.print(words("check_done") if not bad else words("check_not_done", count=bad))
    return not bad


def _looks(setting: Setting | None, language: str) -> Iterator[tuple[str, Callable[[], str]]]:
    yield words("check_scripts"), lambda: _scripts(setting)
    yield words("check_voice", lang=language), lambda: _voice(language)
    yield words("check_ear", lang=language), lambda: _ear(setting, language)
    yield words("check_output"), _output
    yield words("check_input"), _input
    yield words("check_journal"), _journal


def _scripts(setting: Setting | None) -> str:
    if setting:
        stage(setting)
    for game in game_ids():
        for language in languages_of(game):
            stage(sample_setting(game, language=language))
    return ", ".join(f"{game} ({', '.join(languages_of(game))})" for game in game_ids())


def _voice(language: str) -> str:
    """The voice that will speak says something; and how to get a better one."""
    with tempfile.TemporaryDirectory() as folder:
        studio = open_chosen(load_profile(language), Path(folder))
        try:
            seconds = studio.seconds("Bonsoir." if language == "fr" else "Good evening.")
        finally:
            studio.close()
    better = next_better(language)
    return f"{studio.voice}, {seconds:.1f} s" + (f". {words('better_voice', how=better)}" if better else "")


def _ear(setting: Setting | None, language: str) -> str:
    if not has_ear(language):
        return words("check_keyboard_only")
    setting = setting or sample_setting("sultan", language=language)
    phrases = stage(setting).phrases
    sentences = phrases.sentences()
    ear = TableEar(language, sentences, setting.says, fillers=phrases.fillers)
    ear.close()
    return f"{len(sentences)} ♪"


def _output() -> str:
    speaker = Speaker()
    try:
        return f"{speaker.rate} Hz, {1000 * speaker.latency:.0f} ms"
    finally:
        speaker.close()


def _input() -> str:
    microphone = Microphone()
    try:
        microphone.start()
        block = microphone.blocks.get(timeout=2.0)
        return f"{len(block)} × int16"
    except OSError as error:
        raise NarratorError(str(error)) from None
    finally:
        microphone.close()


def _journal() -> str:
    folder = evenings_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"ok")
    except OSError as error:
        raise NarratorError(f"{folder} cannot be written ({error.strerror}): evenings could not be resumed") from None
    return str(folder)
