"""`narrator names`: players say their names; how they said them is kept in the table file and listened for."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from narrator.core.errors import NarratorError
from narrator.ear.mic import Microphone
from narrator.ear.phones import PhoneEar
from narrator.ear.trial import read_sound
from narrator.stage.tables import read_table, table_path, write_table
from narrator.words import words

TIMES = 3  # how often each player says her name
PATIENCE = 20.0  # seconds of waiting for a name
MOST = 4  # ways kept for one name


def teach_names(table: Path | None, wavs: list[Path], player: str | None, microphone: str | None) -> None:
    """Raises NarratorError for who does not play, recordings without a name in them, or a silent microphone."""
    path = table_path(table)
    setting = read_table(path)
    if player is not None and player not in setting.players:
        raise NarratorError(f"{path}: “{player}” does not play here; there are: {', '.join(setting.players)}")
    if wavs and player is None:
        raise NarratorError("whose name do the recordings say? give --player NAME")
    ear, heard = PhoneEar(setting.language), dict(setting.heard)
    for name in [player] if player else setting.players:
        recorded = [phones for file in wavs for phones in ear.names(read_sound(file))]
        ways = recorded if wavs else _spoken(ear, name, microphone)
        if not ways:
            raise NarratorError(f"no name was heard for “{name}”: say it alone, close to the microphone")
        heard[name] = tuple(dict.fromkeys([*ways, *heard.get(name, ())]))[:MOST]
        print(f"{name}: {' · '.join(ways)}")
    migrated = write_table(replace(setting, heard=heard), path)
    print(migrated or words("names_kept", path=path))


def _spoken(ear: PhoneEar, name: str, device: str | None) -> list[str]:
    print(words("names_say", name=name, times=TIMES))
    with Microphone(device) as microphone:
        ways: list[str] = []
        for phones in _utterances(ear, microphone):
            print(f"  {phones}")
            ways.append(phones)
            if len(ways) == TIMES:
                break
    return ways


def _utterances(ear: PhoneEar, microphone: Microphone) -> Iterator[str]:
    listener, until = ear.listen(), time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            block = microphone.blocks.get(timeout=1.0)
        except queue.Empty:
            continue
        utterance = listener.accept(block.samples)
        if utterance and utterance.text:
            until = time.monotonic() + PATIENCE
            yield utterance.text
