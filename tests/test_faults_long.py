"""A long evening: memory stays flat, timers are right, and no socket is ever opened."""

from __future__ import annotations

import gc
import heapq
import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from live_play import LiveEvening
from sockets import OFFLINE, internet_sockets
from soundcard import virtual_sound_card
from test_conductor import TABLE, FakeMouth
from test_faults_live import children

from narrator.conductor import Conductor
from narrator.ear.recognizer import TableEar
from narrator.library import stage
from narrator.ports import Caught, Stop
from narrator.stage import clock as clock_module
from narrator.stage.clock import RealClock, VirtualClock
from narrator.stage.journal import Journal
from narrator.stage.tables import write_table
from narrator.voice.cache import Studio
from narrator.voice.mixer import Mixer
from narrator.voice.profile import load_profile


def resident() -> float:
    """MB."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class RealParts(FakeMouth):
    """Renders every line with the real voice and mixes a second of it; the ear is opened in earnest and fed noise."""

    def __init__(self, clock: VirtualClock, studio: Studio, ear: TableEar) -> None:
        super().__init__(clock)
        self.studio, self.mixer, self.table_ear = studio, Mixer(16000), ear
        self.noise = np.random.default_rng(0).normal(0, 200, 4800).astype(np.int16)

    def say(self, number: int, text: str, pace: float) -> None:
        self.mixer.play(self.studio.clip(text, pace))
        self.mixer.render(16000)
        self.mixer.stop()
        super().say(number, text, pace)
        self.said = self.said[-10:]
        self.cues = self.cues[-10:]

    def open(self, sentences: tuple[str, ...], delay: float, unlikely: frozenset[str] = frozenset()) -> None:
        self.table_ear.open(sentences, unlikely).accept(self.noise)

    def close(self) -> None: ...

    @property
    def speaking(self) -> bool:
        return False


@pytest.mark.sound
def test_six_hours_take_no_more_memory_than_one(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    production = stage(TABLE)
    clock = VirtualClock()
    studio = Studio(load_profile("fr"))
    ear = TableEar("fr", production.phrases.sentences(), fillers=production.phrases.fillers)
    parts = RealParts(clock, studio, ear)
    journal = Journal.begin(TABLE, 1, skip_setup=True, path=tmp_path / "j.jsonl")
    conductor = Conductor(production, clock, parts, parts, (), journal, 1)
    said = ("où en est-on", "combien de contes", "qui peut être narratrice", "répète", "aide", "pause", "reprends", "")
    for n in range(6 * 3600 // 30):
        clock.at(20.0 + 30 * n, Caught(said[n % len(said)]))
    taken: dict[int, float] = {}
    for hour in range(1, 7):
        clock.at(hour * 3600 - 1.0, lambda hour=hour: taken.setdefault(hour, resident()))
    clock.at(6 * 3600.0, Stop())
    try:
        conductor.run(production.game.opening(True))
    finally:
        studio.close()
        ear.close()
    record_property("memory after 1 to 6 hours, MB", " ".join(f"{taken[hour]:.0f}" for hour in sorted(taken)))
    assert clock.now() == pytest.approx(6 * 3600)
    assert list(taken.values()) == pytest.approx([taken[1]] * 6, rel=0.05)


def test_a_ten_minute_timer_is_right_on_a_machine_whose_waits_are_late(
    monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """Every wait is up to 30 ms late and the machine sleeps now and then: errors must not add up."""
    now, chance = [1000.0], np.random.default_rng(1)
    monkeypatch.setattr(clock_module, "time", SimpleNamespace(monotonic=lambda: now[0]))

    class Late:
        def get(self, timeout: float) -> Any:
            now[0] += timeout + chance.uniform(0, 0.03)
            raise queue.Empty

    clock = RealClock()
    clock._posted = Late()  # type: ignore[assignment]
    for minute in range(1, 61):
        clock.at(60.0 * minute, minute)
    late = []
    for minute in range(1, 61):
        assert clock.next() == minute
        late.append(clock.now() - 60.0 * minute)
    record_property("60 timers in an hour, latest by, ms", f"{1000 * max(late):.0f}")
    assert 0 <= min(late) <= max(late) < 0.05
    assert not heapq.nsmallest(1, clock._heap)


def test_a_real_timer_is_right_within_50_ms() -> None:
    clock = RealClock()
    late = []
    for wait in (0.2, 0.3, 0.5, 1.1, 2.0):
        due = clock.now() + wait
        clock.at(due, "due")
        assert clock.next() == "due"
        late.append(clock.now() - due)
    assert 0 <= min(late) < 0.05, late  # the best one: the machine is shared


def offline(*arguments: str, text: str = "", folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, OFFLINE, *arguments],
        env={**os.environ, **{f"XDG_{name}_HOME": str(folder) for name in ("STATE", "CONFIG")}},
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_play_and_rehearse_ask_for_no_socket(tmp_path: Path) -> None:
    assert offline("--prove", folder=tmp_path).returncode == 97
    table = tmp_path / "t.toml"
    write_table(TABLE, table)
    done = offline("play", "--typed", "--fast", "--table", str(table), text="je propose Chloé\n", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    done = offline("rehearse", "sultan", "--players", "5", "--seed", "2", "--typed", folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.sound
def test_a_live_evening_has_no_internet_socket_in_python_or_below(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """Python's by an audit hook; those of libraries by /proc, in the process and in the synthesiser's."""
    with virtual_sound_card() as card, card.record() as tape:
        evening = LiveEvening(card, tape, tmp_path, program=(OFFLINE,))
        try:
            evening.wait_for("Alice, qui proposes-tu comme Narratrice")
            evening.wait_for_silence()
            evening.say("je propose Chloé")
            evening.wait_for("Alice propose Chloé")
            pids = [evening.process.pid, *children(evening.process.pid)]
            assert len(pids) > 1
            sockets = [row for pid in pids for row in internet_sockets(pid)]
            record_property("sockets of a live evening", len(sockets))
            assert sockets == []
            time.sleep(0.1)
        finally:
            evening.end()
        assert evening.process.returncode == 0
