"""Only "pause" and "stop" may interrupt the narrator while it speaks, and only where its own voice is taken out."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ear_sound import say
from live_play import LiveEvening
from soundcard import virtual_sound_card
from test_conductor import Stage
from test_live_echo import lead_back

from narrator.ear.choice import guard_ear
from narrator.ear.echo import EchoCanceller, Reference, Steady
from narrator.ear.mic import Block
from narrator.ports import Interrupted
from narrator.rehearsal.leak import Leak
from narrator.rehearsal.room import Room
from narrator.rehearsal.tape import Tape
from narrator.rehearsal.voices import RATE
from narrator.stage.guard import Guard
from narrator.voice.mixer import Mixer
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

WORDS = ("pause", "stop")
CALLS = ((9.0, "pause"), (14.0, "stop"), (20.0, "pause"), (27.0, "stop"), (35.0, "pause"), (43.0, "stop"))
LATE = 0.012  # seconds by which the clocks of the devices disagree


def scene(*, called: bool) -> tuple[np.ndarray, np.ndarray]:
    """What the loudspeaker plays and the microphone hears: 50 s of the narrator, and somebody who wants silence."""
    room = Room(1)
    tape, mixer, at = Tape(1, room), Mixer(RATE), 0.5
    lines = ("La nuit tombe sur le palais. Que tout le monde ferme les yeux.", "Vous pouvez dire « on vote ».") * 10
    with Synth(load_profile("fr")) as synth:
        for line in lines:
            clip = synth.render(line)
            tape.clip(at, clip)
            at += clip.seconds + 0.4
    total = 50 * RATE
    played, todo = [], list(tape.events)
    for start in range(0, total, 320):
        while todo and todo[0][0] * RATE <= start:
            tape.perform(mixer, todo.pop(0)[1])
        played.append(mixer.render(320))
    heard = Leak(tape, room).render(0, total).astype(np.int32) + room.bed(total, 0)
    for when, word in CALLS if called else ():
        voice = say(word, "max")
        voice = voice * 5000 / np.sqrt(np.mean(voice[np.abs(voice) > 200] ** 2))
        start = round(when * RATE)
        heard[start : start + len(voice)] += voice.astype(np.int32)
    return np.concatenate(played), np.clip(heard, -32768, 32767).astype(np.int16)


class Tapped:
    """A canceller, or none, whose output is kept."""

    def __init__(self, canceller: EchoCanceller | None) -> None:
        self.out: list[np.ndarray] = []
        self._canceller = canceller

    def clean(self, block: Block) -> np.ndarray:
        self.out.append(self._canceller.clean(block) if self._canceller else block.samples)
        return self.out[-1]


def guarded(played: np.ndarray, heard: np.ndarray, *, cancelled: bool = True) -> tuple[np.ndarray, list[str]]:
    """What is left of the microphone's sound, and the calls that are understood in it."""
    reference, filled = Reference(RATE), 0
    tap: Any = Tapped(EchoCanceller(reference) if cancelled else None)
    guard, said = Guard(tap, WORDS, lambda: guard_ear("fr", WORDS)), []
    guard.listen()
    for start in range(0, len(heard), 800):
        while filled < min(start + 2400, len(played)):  # the loudspeaker's buffer is filled ahead
            reference.take(100.0 + filled / RATE, played[filled : filled + 320])
            filled += 320
        said.append(guard.hear(Block(heard[start : start + 800], 100.0 + start / RATE + LATE)))
    guard.close()
    return np.concatenate(tap.out), [one for one in said if one]


def decibels(sound: np.ndarray) -> float:
    return 20 * float(np.log10(np.sqrt(np.mean(sound.astype(float) ** 2)) + 1))


@pytest.mark.sound
def test_the_narrators_voice_goes_and_calls_for_silence_stay(record_property: Callable[[str, object], None]) -> None:
    played, heard = scene(called=True)
    clean, after = guarded(played, heard)
    part = slice(16 * RATE, 19 * RATE)  # it has got to know the room, and nobody calls
    gone = decibels(heard[part]) - decibels(clean[part])
    _, before = guarded(played, heard, cancelled=False)
    record_property("echo cancellation, dB", f"{gone:.0f}")
    calls = f"{len(after)} of {len(CALLS)} (without: {len(before)})"
    record_property("“pause” and “stop” heard over the narrator's voice", calls)
    assert gone > 15
    assert len(after) >= 4
    assert len(before) <= 1
    assert set(after) <= set(WORDS)


@pytest.mark.sound
def test_nobody_called_and_nothing_was_heard(record_property: Callable[[str, object], None]) -> None:
    _, heard = guarded(*scene(called=False))
    record_property("… heard though nobody said it", len(heard))
    assert heard == []


def test_a_reference_is_silent_where_nothing_was_played_and_finds_its_time_again() -> None:
    reference, tone = Reference(RATE), np.full(320, 1000, np.int16)
    for n in range(50):
        reference.take(10.0 + n * 0.02, tone)
    assert np.abs(reference.between(9.0, 1600)).max() == 0
    assert reference.between(10.5, 160).min() > 900
    reference.take(60.0, tone)
    assert np.abs(reference.between(10.5, 160)).max() == 0


def stamps(begins: np.ndarray) -> np.ndarray:
    """What PulseAudio says of blocks of 20 ms that begin then: 4 ms late for 3 s of 15, 18 ms for a moment."""
    said = begins + np.random.default_rng(1).normal(0, 2e-4, len(begins))
    n = np.arange(len(begins))
    said[n % 750 >= 600] += 0.004
    said[n % 97 == 0] += 0.018
    return said


def test_a_devices_jumping_stamps_make_no_jumps_and_its_crystal_is_learnt() -> None:
    for drift in (0.0, 1e-4, -1e-4):
        begins = 5e4 + np.arange(5000) * 0.02 * (1 + drift)
        clock = Steady(RATE)
        taken = np.array([clock.began(stamp, 320) for stamp in stamps(begins)])
        known = slice(1000, None)  # after 20 s
        assert np.abs(taken - begins)[known].max() < 0.001
        per_second = np.diff((taken - begins)[known][::50])
        assert np.abs(per_second).mean() < 0.6 / RATE  # a drift of 100 millionths is 1.6 samples


def test_lost_sound_is_a_gap_after_half_a_second_and_a_pause_at_once() -> None:
    begins = 5e4 + np.arange(4000) * 0.02
    begins[2000:] += 0.03
    begins[3000:] += 10
    clock = Steady(RATE)
    off = np.array([clock.began(stamp, 320) for stamp in stamps(begins)]) - begins
    assert np.abs(off[1000:2000]).max() < 0.001
    assert np.abs(off[2030:3000]).max() < 0.002
    assert np.abs(off[3060:]).max() < 0.002


def test_what_a_reference_holds_stays_when_its_device_corrects_itself() -> None:
    reference = Reference(RATE)
    sound = np.arange(1, 16001, dtype=np.int16)
    begins = 5e4 + np.arange(50) * 0.02 - np.where(np.arange(50) < 10, 0.0, 0.04)
    for n, begin in enumerate(begins):
        reference.take(begin, sound[n * 320 : n * 320 + 320])
    held = reference.between(5e4 - 0.04, 16000)
    assert np.count_nonzero(held) > 15000
    steps = np.diff(held[held > 0].astype(int))
    assert np.count_nonzero(np.abs(steps) > 10) == 1
    assert steps.max() == pytest.approx(640, abs=10)  # the 40 ms that could not have been out


def test_only_a_call_for_silence_interrupts() -> None:
    said = Stage((1.0, Interrupted("je propose chloé"))).run(5)
    assert not any("propose Chloé" in text for text in said)
    evening = Stage((1.0, Interrupted("stop")))
    said = evening.run(20)
    assert said[1].startswith("Pause")
    assert evening.conductor.paused
    late = Stage((25.0, Interrupted("stop")))  # when it is silent the ear is open: the ordinary way
    late.run(30)
    assert not late.conductor.paused


@pytest.mark.sound
def test_a_real_evening_is_interrupted_in_mid_sentence(tmp_path: Path) -> None:
    """A call may be missed, and the machine is shared: over a sentence of some eight seconds, until one is heard."""
    with virtual_sound_card() as card, card.record() as tape:
        lead_back(card)
        evening = LiveEvening(card, tape, tmp_path, typing=True)
        paused = False
        try:
            evening.wait_for("Alice, qui proposes-tu comme Narratrice")
            for later in np.linspace(0.5, 3.0, 20):  # not always over the same word
                evening.wait_for_silence()
                evening.type("aide")
                evening.wait_for("Je peux entendre")
                evening.wait_for_sound(0.5)
                time.sleep(float(later))
                evening.say("pause", loud=200)
                evening.wait_for_silence()
                evening.type("où en est-on")
                evening.wait_for("Tour un")
                paused = any(line.startswith("Pause. Dites") for line in evening.lines)
                if paused:
                    break
            heard = {line for line in evening.lines if line.startswith("◂") and "…" not in line}
        finally:
            evening.end()
    assert paused
    assert heard == {"◂ pause"}
