"""`narrator voices`: lists, tries, chooses and records who speaks."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path

from narrator.core.errors import DeviceError, NarratorError
from narrator.core.lines import number_words
from narrator.core.setting import Setting
from narrator.ear.mic import Microphone
from narrator.faults import told
from narrator.library import game_folder, languages_of, read_source, stage
from narrator.setup import sample_setting
from narrator.stage.tables import clean_names, read_table
from narrator.voice.choice import choose, chosen, find, next_better, offers, open_voice, packs
from narrator.voice.clip import Clip
from narrator.voice.pack import packs_folder
from narrator.voice.profile import load_profile
from narrator.voice.recording import Session, Shelf, items_of, take, write_wav
from narrator.voice.speaker import Speaker
from narrator.words import words

COUNT_IN = 3  # ticks before a take
NUMBERS = 12  # the highest one that is recorded
_PACK = re.compile(r"[\w-]{1,40}")


def list_voices(language: str) -> None:
    """One line a voice, a star before the one that speaks; then how to get a better one."""
    load_profile(language)
    wanted = chosen(language)
    names = [offer.name for offer in offers(language)]
    speaks = _speaking(wanted, language)
    for name in (*names, *packs(language)):
        print(words("voice_here" if name == speaks else "voice_there", name=name))
    if better := next_better(language):
        print(words("better_voice", how=told(better)))


def _speaking(wanted: str, language: str) -> str:
    """The name of the voice that would speak now: the one chosen, or the best if that is gone."""
    if wanted.startswith("pack:"):
        return wanted.partition("+")[0]
    try:
        return find(wanted, language).name
    except DeviceError:
        return offers(language)[0].name


def say(text: str, name: str, language: str, wav: Path | None) -> None:
    """Speaks aloud with the voice called `name` ("": the chosen one), or into a WAV file. Raises NarratorError."""
    profile = load_profile(language)
    studio = open_voice(profile, name or chosen(language))
    try:
        clip = studio.clip(text)
        if wav is None:
            with Speaker() as speaker:
                _heard(speaker, clip)
        else:
            write_wav(wav, clip)
    except OSError as error:
        raise NarratorError(f"{wav}: the file cannot be written ({error.strerror})") from None
    finally:
        studio.close()


def use(name: str, language: str) -> None:
    """Remembers who speaks. Raises NarratorError for a voice that is not there."""
    load_profile(language)
    print(words("voice_chosen", name=choose(name, language), lang=language))


def record(
    name: str,
    game: str,
    language: str,
    names: str,
    table: Path | None,
    microphone: str | None,
    loudspeaker: str | None,
) -> None:
    """Walks a person through the lines of a game. Raises NarratorError for an unfit name, game or device."""
    if not _PACK.fullmatch(name):
        raise NarratorError(f"the voice cannot be called “{name}”: use up to 40 letters, digits, - or _")
    setting = read_table(table) if table else sample_setting(game, language=language)
    players = clean_names([one for one in names.split(",") if one.strip()]) if names else ()
    players = players or (setting.players if table else ())
    templates = _templates(replace(setting, game=game, language=language) if not table else setting)
    shelf = Shelf(packs_folder() / name, setting.language, setting.game, templates)
    items, left = items_of(templates, dict.fromkeys((*players, *_numbers(setting.language))))
    print(words("record_hello", count=len(items), left=left))
    with Speaker(loudspeaker) as speaker:
        mic = Microphone(microphone)
        try:
            mic.start()
            session = Session(
                shelf,
                lambda letters: take(mic.blocks, letters),
                lambda clip: _heard(speaker, clip),
                lambda: _count_in(speaker),
                lambda key: input(words(key)).strip().lower(),
                lambda key, **facts: print(words(key, **facts)),
            )
            kept = session.run(items)
        except (KeyboardInterrupt, EOFError):
            kept = sum(shelf.has(item) for item in items)
        finally:
            mic.close()
    print("\n" + words("record_done", kept=kept, count=len(items), folder=shelf.folder, name=name))


def _numbers(language: str) -> list[str]:
    """The numbers of an evening in words, in both genders where there are two."""
    return [number_words(number, language, form) for number in range(NUMBERS + 1) for form in ("", "f")]


def _templates(setting: Setting) -> dict[str, str]:
    """The lines of a game and of every table, as they are written; the game's own come first."""
    if setting.language not in languages_of(setting.game):
        raise NarratorError(f"there is no game “{setting.game}” in “{setting.language}”")
    own = read_source(game_folder(setting.game) / f"{setting.language}.toml").data.get("lines", {})
    return {**own, **stage(setting).lines.templates}


def _heard(speaker: Speaker, clip: Clip) -> None:
    """Plays a clip and waits until it has left the loudspeaker."""
    done = threading.Event()
    speaker.play(clip, done.set)
    done.wait(clip.seconds + 5.0)


def _count_in(speaker: Speaker) -> None:
    for _ in range(COUNT_IN):
        done = threading.Event()
        speaker.earcon("tick", done.set)
        done.wait(2.0)
        threading.Event().wait(0.4)
