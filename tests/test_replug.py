"""Plugs that are pulled in the middle of a real evening, on a virtual sound card; devices that are missing, or odd."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from live_play import LiveEvening
from soundcard import SoundCard, thrice, virtual_sound_card
from test_voice_speaker import found
from voice_card_player import sweep

from narrator.voice.clip import resampled

pytestmark = pytest.mark.sound
BOTH = ("speaker", "microphone")


@pytest.fixture
def card() -> Iterator[SoundCard]:
    with virtual_sound_card() as card:
        yield card


def test_a_sentence_cut_by_a_pulled_plug_is_said_again(
    card: SoundCard, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with card.record() as tape:
        evening = LiveEvening(card, tape, tmp_path)
        try:
            first = evening.wait_for("Tour un")
            evening.wait_for_sound(1.0)
            pulled = time.monotonic()
            card.unplug("microphone", "speaker")
            evening.wait_for("plus de haut-parleur")
            noticed = time.monotonic() - pulled
        except BaseException:
            evening.end()
            raise
    time.sleep(1.5)
    card.plug(*BOTH)
    plugged = time.monotonic()
    with card.record() as tape:
        evening.tape = tape
        try:
            evening.wait_for("Me revoilà")
            back = time.monotonic() - plugged
            assert noticed < 30  # a second or two where nothing else runs
            assert back < 30
            evening.wait_for(first)
            evening.wait_for_sound(1.0)
            evening.wait_for("Alice, qui proposes-tu")
            assert evening.lines.count(first) == 2  # once cut, once whole
            record_property("plug pulled in mid-sentence: noticed after, s", f"{noticed:.2f}")
            record_property("plug put back: speaks again after, s", f"{back:.2f}")
            record_property("sentences said again", evening.lines.count(first) - 1)
            evening.wait_for_silence()
            evening.say("je propose Chloé")
            evening.wait_for("Alice propose Chloé")
        finally:
            evening.end()
    assert evening.process.returncode == 0


def test_an_utterance_cut_by_a_pulled_plug_is_asked_for_again(card: SoundCard, tmp_path: Path) -> None:
    with card.record() as tape:
        evening = LiveEvening(card, tape, tmp_path)
        try:
            question = evening.wait_for("Alice, qui proposes-tu")
            evening.wait_for_silence()
            evening.say("je propose Chloé", wait=False)
            time.sleep(0.6)
            card.unplug(*BOTH)
        except BaseException:
            evening.end()
            raise
    time.sleep(1.0)
    card.plug(*BOTH)
    with card.record() as tape:
        evening.tape = tape
        try:
            evening.wait_for("Je vous entends de nouveau")
            evening.wait_for(question)
            evening.wait_for_silence()
            evening.say("je propose Chloé")
            evening.wait_for("Alice propose Chloé")
        finally:
            evening.end()


def test_with_neither_the_keyboard_and_the_screen_lead_until_there_is_sound(card: SoundCard, tmp_path: Path) -> None:
    card.unplug(*BOTH)
    evening = LiveEvening(card, None, tmp_path, typing=True)
    try:
        evening.wait_for("impossible d’ouvrir un haut-parleur")
        evening.wait_for("impossible d’ouvrir un micro")
        evening.wait_for("Tour un")
        evening.type("je propose Chloé")
        evening.wait_for("Alice propose Chloé")
        evening.type("on vote")
        evening.wait_for("Combien de oui")
        card.plug(*BOTH)
        with card.record() as tape:
            evening.tape = tape
            evening.wait_for("Me revoilà")
            evening.wait_for_sound()
            evening.wait_for_silence()
            evening.say("quatre oui, trois non")
            evening.wait_for("Le gouvernement est accepté")
    finally:
        evening.end()


def only(card: SoundCard, direction: str) -> None:
    """A machine that has nothing but a loudspeaker ("playback"), or nothing but a microphone ("capture")."""
    one_way = f"{{ type asym {direction}.pcm {{ type pulse }} }}"
    (card.folder / "asound.conf").write_text(
        f"pcm.!default {one_way}\npcm.pulse {one_way}\nctl.!default {{ type pulse }}\n"
    )


def test_without_a_microphone_it_speaks_and_the_keyboard_leads(card: SoundCard, tmp_path: Path) -> None:
    only(card, "playback")
    with card.record() as tape:
        evening = LiveEvening(card, tape, tmp_path, typing=True)
        try:
            evening.wait_for("impossible d’ouvrir un micro")
            evening.wait_for("Alice, qui proposes-tu")
            evening.wait_for_silence()
            evening.type("je propose Chloé")
            evening.wait_for_sound()
            evening.wait_for("Alice propose Chloé")
        finally:
            evening.end()


def test_without_a_loudspeaker_it_writes_and_listens(card: SoundCard, tmp_path: Path) -> None:
    only(card, "capture")
    with card.record() as tape:
        evening = LiveEvening(card, tape, tmp_path, typing=True)
        try:
            evening.wait_for("impossible d’ouvrir un haut-parleur")
            evening.wait_for("Alice, qui proposes-tu")
            time.sleep(6.0)  # it is read, at the speed of reading aloud
            evening.say("je propose Chloé")
            evening.wait_for("◂ je propose chloé")
            evening.wait_for("Alice propose Chloé")
        finally:
            evening.end()
        assert np.abs(tape.samples).max() == 0


ODD = """
import sys, sounddevice
class Odd:
    '''A sound card of 44100 Hz and two channels, and nothing else.'''
    def __init__(self, real): self.real = real
    def __call__(self, **wanted):
        if wanted["samplerate"] != 44100 or wanted["channels"] != 2:
            raise sounddevice.PortAudioError("Invalid sample rate")
        return self.real(**wanted)
sounddevice.OutputStream, sounddevice.InputStream = Odd(sounddevice.OutputStream), Odd(sounddevice.InputStream)
sys.argv = sys.argv[1:]
import runpy
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@thrice
def test_a_loudspeaker_of_another_rate_plays_the_same(card: SoundCard, tmp_path: Path) -> None:
    odd = tmp_path / "odd.py"
    odd.write_text(ODD)
    player = Path(__file__).with_name("voice_card_player.py")
    with card.record() as tape:
        environment = card.env | {"PYTHONPATH": os.pathsep.join([str(player.parent.parent), str(player.parent)])}
        run = subprocess.run(
            [sys.executable, str(odd), str(player), "one"], env=environment, capture_output=True, text=True, timeout=120
        )
        time.sleep(0.3)
    assert run.returncode == 0, run.stderr
    facts = json.loads(run.stdout.splitlines()[-1])
    clip = resampled(sweep(2.0), card.rate)
    at, likeness = found(tape.samples.astype(float), clip.samples.astype(float))
    assert likeness > 0.98
    last = tape.started + (at + len(clip.samples)) / card.rate
    assert -0.05 < facts["ends"][0] - last < 0.2


LISTEN = """
import sys, time
from narrator.ear.mic import Microphone
with Microphone() as microphone:
    microphone.blocks.get(timeout=60)
    print("ready", flush=True)
    end, data = time.monotonic() + 4, b""
    while time.monotonic() < end:
        data += microphone.blocks.get(timeout=60).samples.tobytes()
sys.stdout.write(data.hex())
"""


@thrice
def test_a_microphone_of_another_rate_hears_the_same(card: SoundCard, tmp_path: Path) -> None:
    odd, listener = tmp_path / "odd.py", tmp_path / "listen.py"
    odd.write_text(ODD)
    listener.write_text(LISTEN)
    environment = card.env | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    process = subprocess.Popen(
        [sys.executable, str(odd), str(listener)], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        sound = resampled(sweep(1.0), 16000)
        card.play_to_microphone(sound.samples, 16000)
        heard, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    samples = np.frombuffer(bytes.fromhex(heard), np.int16)
    assert found(samples.astype(float), sound.samples.astype(float))[1] > 0.95


@thrice
def test_a_sleepy_loudspeaker_gets_time_to_wake_and_is_kept_awake(card: SoundCard, tmp_path: Path) -> None:
    """As devices.toml says; before the sound there is the noise that keeps it awake, and not one click."""
    config = tmp_path / "narrator" / "devices.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text('["ALSA: default"]\nlead = 0.8\nawake = 12\n')
    player = Path(__file__).with_name("voice_card_player.py")
    root = str(player.parent.parent)
    with card.record() as tape:
        run = subprocess.run(
            [sys.executable, str(player), "one"],
            env=card.env | {"PYTHONPATH": root, "XDG_CONFIG_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        time.sleep(0.3)
    assert run.returncode == 0, run.stderr
    facts = json.loads(run.stdout.splitlines()[-1])
    samples, clip = tape.samples.astype(float), resampled(sweep(2.0), card.rate)
    at, likeness = found(samples, clip.samples.astype(float))
    assert likeness > 0.98
    start = tape.started + at / card.rate - facts["played"]
    assert 0.8 < start < 1.3
    before = samples[at - round(0.7 * card.rate) : at - 100]
    assert 3 < np.abs(before).max() <= 13
    assert -0.03 < facts["ends"][0] - (tape.started + (at + len(clip.samples)) / card.rate) < 0.2
