"""`narrator check`: looks at everything an evening needs and says in plain words what is missing."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from narrator.core.errors import NarratorError
from narrator.core.phrases import Phrases
from narrator.core.setting import Setting
from narrator.ear.choice import Ear, can_hear, table_ear
from narrator.ear.mic import Microphone
from narrator.ear.recognizer import TableEar
from narrator.ear.store import chosen
from narrator.faults import told
from narrator.library import game_ids, languages_of, stage
from narrator.setup import sample_setting
from narrator.stage.devices import Device, Direction, remember
from narrator.stage.journal import evenings_folder
from narrator.stage.opening import wished
from narrator.stage.portaudio import list_devices
from narrator.stage.screen import harmless
from narrator.stage.soundcheck import Trial, check_sound, record
from narrator.stage.tables import read_table
from narrator.voice.cache import Studio
from narrator.voice.choice import next_better, open_chosen
from narrator.voice.profile import load_profile, table_profile
from narrator.voice.speaker import Speaker
from narrator.words import words


def check_everything(
    table: Path | None,
    language: str,
    *,
    as_json: bool = False,
    microphone: str | None = None,
    loudspeaker: str | None = None,
) -> bool:
    """Print one line a thing, or everything as JSON; True if all is well."""
    console = Console(highlight=False, soft_wrap=True, quiet=as_json)
    setting = read_table(table) if table else None
    report: dict[str, Any] = {"checks": []}
    for key, name, look in _looks(setting, setting.language if setting else language, microphone, loudspeaker, report):
        try:
            answer, good = look(), True
        except NarratorError as error:
            answer, good = told(error), False
        report["checks"].append({"check": key, "ok": good, "answer": answer})
        shown = "\n".join(map(harmless, answer.split("\n")))
        mark = (f"{words('ok' if good else 'bad'):>7} ", "green" if good else "yellow")
        console.print(Text.assemble(mark, name, f": {shown}" if answer else ""))
    bad = sum(not row["ok"] for row in report["checks"])
    report["ok"] = not bad
    console.print(words("check_done") if not bad else words("check_not_done", count=bad))
    if as_json:
        print(json.dumps(report, ensure_ascii=False, indent=1))
    return not bad


def _looks(
    setting: Setting | None, language: str, microphone: str | None, loudspeaker: str | None, report: dict[str, Any]
) -> Iterator[tuple[str, str, Callable[[], str]]]:
    table = setting or sample_setting("sultan", language=language)
    yield "scripts", words("check_scripts"), lambda: _scripts(setting)
    yield "voice", words("check_voice", lang=language), lambda: _voice(language)
    yield "ear", words("check_ear", lang=language), lambda: _ear(table)
    yield "devices", words("check_devices"), lambda: _devices(report)
    yield "output", words("check_output"), lambda: _output(loudspeaker)
    yield "input", words("check_input"), lambda: _input(microphone)
    yield "sound", words("check_sound"), lambda: _sound(table, microphone, loudspeaker, report)
    yield "journal", words("check_journal"), _journal


def _devices(report: dict[str, Any]) -> str:
    """Every loudspeaker and microphone, by the names that --output and --input take."""
    every: dict[Direction, list[Device]] = {"output": list_devices("output"), "input": list_devices("input")}
    report["devices"] = {direction: [d.title for d in devices] for direction, devices in every.items()}
    rows = [
        f"\n          {words(f'check_{direction}')} {d.number}: {d.title}{' *' if d.default else ''}"
        for direction, devices in every.items()
        for d in devices
    ]
    if not rows:
        raise NarratorError(words("no_devices"))
    return "".join(rows)


def _sound(setting: Setting, asked_in: str | None, asked_out: str | None, report: dict[str, Any]) -> str:
    """Plays, records, measures, hears. Raises NarratorError with what to change."""
    studio = open_chosen(table_profile(setting))
    trial = None
    try:
        trial = _trial(setting, studio) if can_hear(setting.language) else None
        with (
            Speaker(wished("output", asked_out)) as speaker,
            Microphone(wished("input", asked_in)) as microphone,
        ):
            result = check_sound(speaker, microphone, trial)
    finally:
        studio.close()
        if trial:
            trial.ear.close()
    report["sound"] = result.figures()
    shown = words("sound_noise", noise=result.noise)
    if result.loop is not None:
        shown = words("sound_figures", loop=round(1000 * result.loop), level=result.level, noise=result.noise)
    if result.advice:
        raise NarratorError(" ".join([shown, *map(words, result.advice)]))
    return shown


def _trial(setting: Setting, studio: Studio) -> Trial:
    """A sentence of this table with its first player's name, among those with everybody else's."""
    phrases, ear = _listening(setting)
    name = setting.players[0].lower()
    longer = [text for text in phrases.sentences() if len(text.split()) > 2]
    text = next((text for text in longer if name in text), longer[0])
    meaning = phrases.parse(text)
    alike = phrases.sentences((meaning.intent,)) if meaning else (text,)
    return Trial(text, studio.clip(text), ear, alike)


def _listening(setting: Setting) -> tuple[Phrases, Ear]:
    """What can be said at this table, and its ear. Raises ModelError, DeviceError."""
    phrases = stage(setting).phrases
    sentences, fillers = phrases.sentences(), phrases.fillers
    ear = table_ear(setting.language, sentences, setting.players, setting.says, fillers, heard=setting.heard)
    return phrases, ear


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
    return f"{studio.voice}, {seconds:.1f} s" + (f". {words('better_voice', how=told(better))}" if better else "")


def _ear(setting: Setting) -> str:
    if not can_hear(setting.language):
        return words("check_keyboard_only")
    phrases, ear = _listening(setting)
    ear.close()
    count = len(phrases.sentences())
    if isinstance(ear, TableEar):
        return f"{count} ♪"
    likenesses = "".join(f"\n        {words('check_likeness', name=n, heard=h)}" for n, h in ear.heard_as.items())
    unheard = f"\n        {words('check_unheard', sentences=', '.join(ear.unheard[:5]))}" if ear.unheard else ""
    return f"{count - len(ear.unheard)} ♪ ({chosen(setting.language)}){likenesses}{unheard}"


def _output(asked: str | None) -> str:
    with Speaker(wished("output", asked)) as speaker:
        title = speaker.device.title if speaker.device else ""
        _keep("output", asked, title)
        return f"{title}, {1000 * speaker.latency:.0f} ms"


def _input(asked: str | None) -> str:
    with Microphone(wished("input", asked)) as microphone:
        record(microphone, 0.2)
        title = microphone.device.title if microphone.device else ""
        _keep("input", asked, title)
        return f"{title}, {1000 * microphone.latency:.0f} ms"


def _keep(direction: Direction, asked: str | None, title: str) -> None:
    if asked is not None:
        remember({direction: title})


def _journal() -> str:
    folder = evenings_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"ok")
    except OSError as error:
        raise NarratorError(f"{folder} cannot be written ({error.strerror}): evenings could not be resumed") from None
    return str(folder)
