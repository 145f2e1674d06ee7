"""`narrator appliance`: hello, then the evening that was cut, or a new one with the last table. systemd begins again.

One life of the process is one waiting and one evening. A crash or a power cut therefore leads back to the question
whether to go on, and so does an evening that failed.
"""

from __future__ import annotations

import signal
import time
from dataclasses import replace

from narrator.appliance.porch import Porch, log
from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.faults import told
from narrator.library import stage
from narrator.play import Wishes, lead_evening
from narrator.ports import Stop
from narrator.readback import listed
from narrator.stage.journal import Record, evenings_folder, read_journal, unfinished
from narrator.stage.tables import last_table, read_table
from narrator.words import locale_language

JUST_NOW = 600.0  # seconds since an evening ended, in which it is not a new one that begins


def run_appliance(microphone: str | None = None, loudspeaker: str | None = None) -> None:
    """Until the evening is over, or SIGTERM. Raises NarratorError where nothing can be played at all."""
    record = _interrupted()
    table = _table()
    setting = record.setting if record else table or Setting("", locale_language(), ())
    porch = Porch(setting, microphone, loudspeaker)
    signal.signal(signal.SIGTERM, lambda *_: porch.clock.post(Stop()))
    try:
        wishes = _wishes(porch, record)
    finally:
        porch.close()
    if wishes is not None:
        lead_evening(replace(wishes, microphone=microphone, loudspeaker=loudspeaker, button=True))


def _wishes(porch: Porch, record: Record | None) -> Wishes | None:
    """What is to be played; None to leave."""
    if record:
        answer = porch.ask("unfinished", "remind_unfinished", ("yes", "no"), **_facts(record.setting))
        if not answer:
            return None
        if answer == "yes":
            return Wishes(resume=True, journal=record.path) if porch.say("resumes") else None
        if not porch.say("declined"):
            return None
    if not _await_table(porch):
        return None
    setting = _table()
    name = "again" if setting and not record and _ended_just_now() else "hello"
    if not setting or not porch.ask(name, "remind_hello", ("begin",), **_facts(setting)):
        return None
    return Wishes(fresh=True) if porch.say("begins") else None


def _await_table(porch: Porch) -> bool:
    """Until there is a table that can be played; False to leave."""
    told_of = ""
    while _table() is None:
        name = "bad_table" if last_table().exists() else "no_table"
        if name != told_of and not porch.say(name):
            return False
        told_of = name
        if not porch.wait():
            return False
    return True


def _table() -> Setting | None:
    """The last table, if it can be played."""
    try:
        return stage(read_table(last_table())).setting if last_table().exists() else None
    except NarratorError as error:
        log(told(error))
        return None


def _interrupted() -> Record | None:
    """The evening that was cut, if it can be gone on with."""
    try:
        path = unfinished()
        record = read_journal(path) if path else None
        if record:
            stage(record.setting)
    except NarratorError as error:
        log(told(error))
        return None
    return record


def _ended_just_now() -> bool:
    newest = max(evenings_folder().glob("*.jsonl"), default=None)
    try:
        return newest is not None and 0 <= time.time() - newest.stat().st_mtime < JUST_NOW
    except OSError:
        return False


def _facts(setting: Setting) -> dict[str, str]:
    return {"title": stage(setting).title, "names": listed(setting.language, setting.players)}
