"""The real path to a loudspeaker: sounddevice, PortAudio, ALSA, PulseAudio, and what a microphone would
hear."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from soundcard import SoundCard, thrice, virtual_sound_card
from voice_card_player import sweep

from narrator.core.errors import DeviceError
from narrator.voice.clip import resampled
from narrator.voice.speaker import Speaker

PLAYER = Path(__file__).with_name("voice_card_player.py")
ROOT = PLAYER.parent.parent

pytestmark = pytest.mark.sound


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundCard]:
    with virtual_sound_card(tmp_path_factory.mktemp("card")) as card:
        yield card


def environment(card: SoundCard) -> dict[str, str]:
    return card.env | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}


def heard(card: SoundCard, act: str) -> tuple[dict[str, Any], np.ndarray, float]:
    """What the player reports, the recording (float) and the time of its first sample."""
    with card.record() as tape:
        run = subprocess.run(
            [sys.executable, str(PLAYER), act],
            env=environment(card),
            capture_output=True,
            text=True,
            timeout=120,
        )
        time.sleep(0.3)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1]), tape.samples.astype(float), tape.started


def found(recording: np.ndarray, sound: np.ndarray) -> tuple[int, float]:
    """Where the sound is in the recording, and how alike the two are there (1: the same)."""
    size = 1 << (len(recording) + len(sound)).bit_length()
    cross = np.fft.irfft(np.fft.rfft(recording, size) * np.conj(np.fft.rfft(sound, size)), size)[: len(recording)]
    at = int(cross.argmax())
    part = recording[at : at + len(sound)]
    return at, float(part @ sound[: len(part)] / np.sqrt((part @ part) * (sound @ sound)))


@thrice
def test_a_clip_arrives_whole_and_its_end_is_told_when_it_is_out(card: SoundCard) -> None:
    facts, recording, started = heard(card, "one")
    clip = resampled(sweep(2.0), card.rate)
    at, likeness = found(recording, clip.samples.astype(float))
    assert likeness > 0.99
    last = started + (at + len(clip.samples)) / card.rate
    assert -0.03 < facts["ends"][0] - last < 0.15  # the recorder's own clock is good to about 20 ms
    assert facts["ends"][0] - facts["played"] >= 2.0
    assert started + at / card.rate - facts["played"] < 0.25
    assert facts["underruns"] == 0
    assert facts["rate"] == 48000


@thrice
def test_a_pause_in_mid_sentence_loses_nothing(card: SoundCard) -> None:
    facts, recording, _ = heard(card, "pause")
    assert facts["early"] == 0
    sound = resampled(sweep(2.0), card.rate).samples.astype(float)
    half = round(0.85 * card.rate)
    first, likeness_before = found(recording, sound[:half])
    second, likeness_after = found(recording, sound[-half:])
    assert likeness_before > 0.99
    assert likeness_after > 0.99
    gap = (second - first) / card.rate - (len(sound) - half) / card.rate
    assert 0.9 < gap < 1.2


@thrice
def test_stop_cuts_at_once_and_ends_all_that_waited(card: SoundCard) -> None:
    facts, recording, started = heard(card, "stop")
    loud = np.flatnonzero(np.abs(recording) > 200)
    assert started + loud[-1] / card.rate - facts["stopped"] < 0.25
    assert len(facts["ends"]) == 2
    assert np.abs(np.diff(recording[loud[-1] - 500 : loud[-1] + 500])).max() < 1500  # the tone's own slope: no click


@thrice
def test_earcons_ambience_and_volume_reach_the_loudspeaker(card: SoundCard) -> None:
    facts, recording, _ = heard(card, "everything")
    assert len(facts["ends"]) == 2
    assert np.abs(recording).max() > 2000
    assert facts["underruns"] == 0


@thrice
@pytest.mark.parametrize("pulled", [("speaker",), ("speaker", "microphone")], ids=["another stays", "none stays"])
def test_a_loudspeaker_that_goes_away_ends_nothing_and_is_found_again(tmp_path: Path, pulled: tuple[str, ...]) -> None:
    with virtual_sound_card(tmp_path) as card:
        player = subprocess.Popen(
            [sys.executable, str(PLAYER), "unplugged"],
            env=environment(card),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert player.stdin is not None
        assert player.stdout is not None
        try:
            for word, act in (("ready", card.unplug), ("silent", card.plug)):
                assert player.stdout.readline().strip() == word
                act(*pulled)
                player.stdin.write("\n")
                player.stdin.flush()
            with card.record() as tape:
                out, err = player.communicate(timeout=120)
            assert player.returncode == 0, err
        finally:
            player.kill()
        facts = json.loads(out.splitlines()[-1])
        assert facts["without_device"]
        assert facts["with_device"]
        assert found(tape.samples.astype(float), resampled(sweep(1.0), card.rate).samples.astype(float))[1] > 0.98


@thrice
def test_a_close_in_mid_sentence_leaves_nobody_waiting(card: SoundCard) -> None:
    facts, recording, started = heard(card, "farewell")
    assert facts["early"] == 0
    assert len(facts["ends"]) == 2
    assert max(facts["ends"]) - facts["closing"] < 1.5
    loud = np.flatnonzero(np.abs(recording) > 200)
    assert started + loud[-1] / card.rate - facts["closing"] < 0.3


def test_no_portaudio_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(DeviceError, match="libportaudio2"):
        Speaker()


def test_an_unknown_device_is_one_clear_sentence() -> None:
    with pytest.raises(DeviceError, match="the loudspeaker “no such thing” cannot be opened"):
        Speaker(device="no such thing")


def test_nothing_is_left_running(tmp_path: Path) -> None:
    with virtual_sound_card(tmp_path) as card, card.record() as tape:
        card.play_to_microphone(np.zeros(1600, np.int16))
        assert tape.rate == card.rate
    assert not card.folder.exists()
    users = subprocess.run(["pgrep", "-f", str(card.folder)], capture_output=True, text=True, check=False)
    assert users.stdout == ""


@thrice
def test_what_is_said_into_the_microphone_is_heard_at_its_source(card: SoundCard) -> None:
    sound = resampled(sweep(1.0), 16000)
    with card.record("microphone.monitor", 16000) as tape:
        card.play_to_microphone(sound.samples, 16000)
        time.sleep(0.3)
    assert found(tape.samples.astype(float), sound.samples.astype(float))[1] > 0.95  # half a sample beside costs 0.03
