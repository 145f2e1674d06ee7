"""`narrator play`: chooses clock, mouth, ear and keyboard for an evening and hands them to the conductor."""

from __future__ import annotations

import random
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from narrator.conductor import Conductor
from narrator.core.errors import NarratorError, ScriptError
from narrator.core.game import fold
from narrator.core.phrases import Phrases
from narrator.core.states import Evening
from narrator.ear.choice import can_hear, guard_ear, table_ear
from narrator.ear.echo import EchoCanceller
from narrator.library import Production, stage
from narrator.ports import Stop
from narrator.stage.clock import RealClock
from narrator.stage.guard import Guard
from narrator.stage.hearing import LiveEar
from narrator.stage.journal import SEED, Journal, Record, mend, read_journal, unfinished
from narrator.stage.live import Keyboard, LiveMouth, MuteMouth, or_none
from narrator.stage.opening import open_canceller, open_microphone, open_speaker, tell_glitches
from narrator.stage.scripted import SilentMouth, prompt
from narrator.stage.tables import read_table, staged, table_path
from narrator.views.wishes import Looks, Views
from narrator.voice.choice import open_chosen
from narrator.voice.profile import table_profile
from narrator.voice.speaker import Speaker
from narrator.words import words


@dataclass(frozen=True, slots=True)
class Wishes:
    """The arguments of `narrator play`."""

    table: Path | None = None
    typed: bool = False
    fast: bool = False
    skip_setup: bool = False
    state: bool = False
    private: bool = False
    resume: bool = False
    seed: int | None = None
    journal: Path | None = None
    microphone: str | None = None
    loudspeaker: str | None = None
    pace: str | None = None
    looks: Looks = field(default_factory=Looks)
    fresh: bool = False  # a new evening, whatever is unfinished
    button: bool = False  # an empty line is a button: whatever lets the table go on


def lead_evening(wishes: Wishes) -> None:
    """Play to the end, to the end of the input, or to Ctrl-C. Raises NarratorError for what cannot be played."""
    if wishes.fast and (wishes.looks.captions or wishes.looks.served):
        raise NarratorError(words("fast_views"))
    record = _interrupted(wishes)
    if record is None:
        path = table_path(wishes.table)
        setting = read_table(path)
        setting = replace(setting, pace=wishes.pace or setting.pace)
        production = staged(setting, path)
        seed = random.SystemRandom().randrange(2**31) if wishes.seed is None else wishes.seed
        evening = production.game.opening(wishes.skip_setup)
        journal = Journal.begin(
            setting, seed, skip_setup=wishes.skip_setup, path=wishes.journal, secret=_secret(production)
        )
    else:
        production, seed = stage(record.setting), record.seed
        evening = _folded(production, record)
        mend(record.path)
        journal = Journal(record.path, None)
    begin = _play_fast if wishes.fast else _play_live
    begin(wishes, production, evening, journal, seed, resumed=record is not None and bool(record.events))


def _secret(production: Production) -> tuple[str, ...]:
    """The options that stay out of the public journal; and the seed, where secrets are drawn by it."""
    game = production.game
    return (*game.script.secret, *((SEED,) if hasattr(game.rules, "private_roll") else ()))


def _folded(production: Production, record: Record) -> Evening:
    """The state that the journal led to. Raises ScriptError if its events are not of this game."""
    try:
        return fold(production.game, record.events, record.skip_setup)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ScriptError(f"what happened in this journal is not of this game ({error!r})", str(record.path)) from None


def _interrupted(wishes: Wishes) -> Record | None:
    """The evening to go on with: asked for, or offered where somebody can answer."""
    path = wishes.journal if wishes.resume and wishes.journal else unfinished()
    if wishes.resume:
        if path is None:
            raise NarratorError(words("nothing_to_resume"))
        return read_journal(path)
    if path is None or wishes.fast or wishes.journal or wishes.fresh:
        return None
    record = read_journal(path)
    if wishes.table and read_table(wishes.table) != record.setting:
        return None  # another table's evening
    if sys.stdin is not None and sys.stdin.isatty():
        when = "-".join(path.stem.split("-")[:3])
        return record if _agreed(words("resume_question", when=when)) else None
    print(words("unfinished_note"), file=sys.stderr)
    return None


def _agreed(question: str) -> bool:
    """Yes is what Enter means, in either language."""
    while True:
        answer = input(question + " ").strip().lower()
        if answer in ("", "o", "oui", "y", "yes"):
            return True
        if answer in ("n", "non", "no"):
            return False


def _play_fast(
    wishes: Wishes, production: Production, evening: Evening, journal: Journal, seed: int, *, resumed: bool
) -> None:
    prompter = prompt(production, state=wishes.state, private=wishes.private)
    mouth = SilentMouth(prompter.clock)
    views = Views(wishes.looks, production, prompter.clock.post)
    conductor = Conductor(production, prompter.clock, mouth, None, views.watchers, journal, seed)
    prompter.conductor = conductor
    views.begin(conductor)
    conductor.run(evening, resumed=resumed)


def _open_ear(
    wishes: Wishes, production: Production, clock: RealClock, speaker: Speaker | None, tell: Callable[[str], None]
) -> LiveEar:
    """Raises ModelError or DeviceError where nothing can listen; the keyboard leads then."""
    setting, phrases = production.setting, production.phrases
    sentences = phrases.sentences()
    ear = table_ear(
        setting.language,
        sentences,
        setting.players,
        setting.says,
        phrases.fillers,
        heard=setting.heard,
        meaning=phrases.sense,
    )
    microphone = open_microphone(clock, wishes.microphone, tell)
    return LiveEar(clock, ear, microphone, _guard(open_canceller(speaker), setting.language, phrases))


def _guard(canceller: EchoCanceller | None, language: str, phrases: Phrases) -> Guard | None:
    """What lets a call for silence interrupt us; None where our own voice cannot be taken out."""
    sentences = phrases.sentences(("pause",))
    return Guard(canceller, sentences, partial(guard_ear, language, sentences)) if canceller and sentences else None


def _pressed(conductor: Conductor) -> str:
    """What a button says now: that the table goes on, that it is done, or yes. A master's Enter is his own."""
    if conductor.keys_are_private:
        return ""
    wanted = ("resume",) if conductor.paused else ("next", "done", "yes")
    accepted = [intent for intent in wanted if conductor.paused or intent in conductor.floor.accepts]
    return next(iter(conductor.production.phrases.sentences(accepted)), "")


def _play_live(
    wishes: Wishes, production: Production, evening: Evening, journal: Journal, seed: int, *, resumed: bool
) -> None:
    clock, setting = RealClock(), production.setting
    views = Views(wishes.looks, production, clock.post)
    tell = views.tell
    speaker = or_none(lambda: open_speaker(clock, wishes.loudspeaker, tell), tell)
    studio = open_chosen(table_profile(setting))
    mouth: Any = LiveMouth(clock, studio, speaker, seed) if speaker else MuteMouth()
    ear: LiveEar | None = None
    if not wishes.typed and not can_hear(setting.language):
        tell(words("english_ear"))
    elif not wishes.typed:
        ear = or_none(lambda: _open_ear(wishes, production, clock, speaker, tell), tell)
    tell(words("listening") if ear and ear.alive else words("typed_only"))
    conductor = Conductor(production, clock, mouth, ear, views.watchers, journal, seed)
    if not views.has_keyboard:
        pressed = partial(_pressed, conductor) if wishes.button else str
        Keyboard(clock, ends=wishes.typed and not (sys.stdin and sys.stdin.isatty()), pressed=pressed)
    conductor.keys_are_private = production.game.script.mastered  # the keyboard is the master's
    if conductor.keys_are_private:
        tell(words("masters_keys"))
    signal.signal(signal.SIGTERM, lambda *_: clock.post(Stop()))
    try:
        views.begin(conductor)
        if conductor.run(evening, resumed=resumed) is None:
            tell(words("left"))
    except KeyboardInterrupt:
        tell("\n" + words("left"))
    finally:
        if ear:
            ear.leave()
        if speaker:
            speaker.close()
        views.close()
        tell_glitches(speaker, ear, tell)
        studio.close()
