"""The loudspeaker's sound is led back into the microphone of a real evening, 6 dB softer: it is never heard."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from live_play import LiveEvening
from soundcard import SoundCard, Tape, virtual_sound_card

pytestmark = pytest.mark.sound
PROBE = (str(Path(__file__).with_name("live_probe.py")),)


def last_sound(tape: Tape, before: float) -> float:
    """time.monotonic() of the last sample that is more than the noise that keeps the speaker awake."""
    while tape.started + len(tape.samples) / tape.rate < before:  # the recorder is behind where the machine is busy
        time.sleep(0.05)
    samples = tape.samples[: round((before - tape.started) * tape.rate)].astype(int)
    return tape.started + int(np.flatnonzero(np.abs(samples) > 6)[-1]) / tape.rate


def openings(evening: LiveEvening) -> list[float]:
    return [float(line.split()[1]) for line in evening.lines if line.startswith("opens ")]


def first_gap(evening: LiveEvening, tape: Tape) -> float:
    """Seconds from the last sample of the first question, or of the earcon behind it, to the opening of the gate."""
    evening.wait_for("Alice, qui proposes-tu comme Narratrice")
    evening.wait_for("opens ")
    opened = openings(evening)[-1]
    return opened - last_sound(tape, opened)


def lead_back(card: SoundCard, milliseconds: int = 30) -> None:
    """−6 dB are half the amplitude: 79 % on PulseAudio's cubic scale. Not sooner than so many milliseconds."""
    delay = f"latency_msec={milliseconds}"
    card._control("load-module", "module-loopback", "source=speaker.monitor", "sink=microphone", delay, "remix=no")
    for line in card._control("list", "short", "sink-inputs").splitlines():
        if "loopback" in line:
            card._control("set-sink-input-volume", line.split()[0], "-6dB")


def test_the_narrator_does_not_hear_itself_and_listens_as_soon_as_it_is_silent(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with virtual_sound_card() as card, card.record() as tape, card.record("microphone.monitor") as leaked:
        lead_back(card)
        evening = LiveEvening(card, tape, tmp_path, program=PROBE)
        try:
            gaps = []
            for sentence, answer in (
                ("je propose Chloé", "Discutez-en"),
                ("on vote", "Combien de oui"),
                ("quatre oui, trois non", "Le gouvernement est accepté"),
            ):
                if not gaps:
                    evening.wait_for("Alice, qui proposes-tu comme Narratrice")
                evening.wait_for("opens ")
                opened = openings(evening)[-1]
                gaps.append(opened - last_sound(tape, opened))
                evening.wait_for_silence()
                evening.say(sentence)
                evening.wait_for(answer)
            evening.wait_for_silence()
            heard = [line for line in evening.lines if line.startswith("◂")]
        finally:
            evening.end()
        assert heard == ["◂ je propose chloé", "◂ on vote", "◂ quatre oui trois non"]
        ours = np.abs(leaked.samples.astype(int))
        assert (ours > 1000).sum() > card.rate  # it was led back indeed
        record_property("gate reopens after the last sound, s", " ".join(f"{gap:.2f}" for gap in gaps))
        record_property("real evening, loudspeaker led back at −6 dB: events of its own", len(heard) - 3)
        assert min(gaps) > 0.0, gaps
        assert min(gaps) < 0.3, gaps  # the best one: the machine is shared
