"""Plugs on a stand-in for PortAudio that, like the real one, learns of devices only when it is started again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from narrator.core.errors import DeviceError
from narrator.stage import portaudio
from narrator.stage.devices import Device
from narrator.stage.portaudio import Plug, Soundcards, list_devices
from narrator.voice.clip import Clip, to_float
from narrator.voice.mixer import Mixer
from narrator.voice.output import Fitted

HDMI, USB, MIC = "HDMI (hw:0,3)", "USB Speaker (hw:1,0)", "Mic (hw:2,0)"


class Stream:
    def __init__(self, card: Card, name: str, beat: Callable[[], None]) -> None:
        self.card, self.name, self.beat, self.closed = card, name, beat, False
        card.streams.append(self)

    @property
    def active(self) -> bool:
        return not self.closed

    def abort(self, ignore_errors: bool = True) -> None: ...

    def close(self, ignore_errors: bool = True) -> None:
        self.closed = True


class Card:
    """`there`: what is plugged in; `known`: what PortAudio saw when it was started last."""

    PortAudioError = OSError

    def __init__(self, *there: str) -> None:
        self.there, self.known, self.starts = list(there), list(there), 1
        self.streams: list[Stream] = []

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": "ALSA"}]

    def query_devices(self, number: int | None = None, kind: str = "") -> Any:
        rows = []
        for index, name in enumerate(self.known):
            inputs = int(name == MIC)
            row = {"index": index, "name": name, "hostapi": 0, "default_samplerate": 48000.0}
            row |= {"max_input_channels": inputs, "max_output_channels": 1 - inputs}
            rows.append(row | {"default_high_input_latency": 0.1, "default_high_output_latency": 0.1})
        if kind:
            if found := [row for row in rows if row[f"max_{kind}_channels"]]:
                return found[0]
            raise OSError("Error querying device -1")
        return rows

    def _terminate(self) -> None:
        for stream in self.streams:
            stream.closed = True

    def _initialize(self) -> None:
        self.known, self.starts = list(self.there), self.starts + 1

    def open(self, device: Device, beat: Callable[[], None]) -> Stream:
        assert self.known[device.number] == device.name  # numbers are those of the last start
        if device.name not in self.there:
            raise OSError("Device unavailable")
        return Stream(self, device.name, beat)

    def pulse(self) -> None:
        for stream in self.streams:
            if stream.active and stream.name in self.there:
                stream.beat()


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Card:
    card = Card(HDMI, USB, MIC)
    monkeypatch.setattr(portaudio, "sounddevice", lambda: card)
    monkeypatch.setattr(portaudio, "fresh_devices", lambda: [[0, name] for name in card.there])
    monkeypatch.setattr(portaudio, "STALLED", 2.0)  # longer than a busy machine stands still
    monkeypatch.setattr(portaudio, "LOOK_EVERY", 0.2)
    monkeypatch.setattr(portaudio, "TICK", 0.02)
    return card


class Owner:
    def __init__(self, card: Card, cards: Soundcards, direction: Any, wish: str | None = None) -> None:
        self.told: list[str] = []
        self.busy = False
        self.plug = Plug(
            direction,
            wish,
            lambda device: card.open(device, self.plug.beat),
            self.told.append,
            lambda: not self.busy,
        )
        cards.attach(self.plug)

    @property
    def name(self) -> str:
        return self.plug.device.name if self.plug.device and self.plug.stream else ""


def run(card: Card, until: Callable[[], bool], patience: float = 60.0) -> float:
    """Seconds until it is so, the streams beating meanwhile."""
    began = time.monotonic()
    while not until():
        assert time.monotonic() - began < patience
        card.pulse()
        time.sleep(0.01)
    return time.monotonic() - began


def test_a_loudspeaker_that_is_pulled_is_replaced_by_the_other_and_taken_again_when_it_is_back(card: Card) -> None:
    cards = Soundcards()
    speaker, mic = Owner(card, cards, "output", "USB"), Owner(card, cards, "input")
    run(card, lambda: speaker.plug.beaten and mic.plug.beaten)
    assert (speaker.name, mic.name) == (USB, MIC)
    card.there.remove(USB)
    run(card, lambda: speaker.told == ["lost", "changed"])
    assert (speaker.name, mic.name) == (HDMI, MIC)
    card.there.insert(0, USB)  # with another number than before
    run(card, lambda: speaker.name == USB and speaker.told[-1] == "back")
    run(card, lambda: mic.plug.alive)
    assert mic.name == MIC
    assert "lost" not in mic.told  # it was opened again with the rest, and nobody need know
    assert card.starts > 1
    for owner in (speaker, mic):
        cards.detach(owner.plug)
    assert all(stream.closed for stream in card.streams)


def test_portaudio_is_not_restarted_under_somebody_who_speaks(card: Card) -> None:
    cards = Soundcards()
    speaker, mic = Owner(card, cards, "output"), Owner(card, cards, "input")
    run(card, lambda: speaker.plug.beaten and mic.plug.beaten)
    speaker.busy = True
    card.there.remove(MIC)
    run(card, lambda: mic.told == ["lost"])
    card.there.insert(0, MIC)
    card.known = [HDMI, USB]  # PortAudio, started while it was away, would not know it
    end = time.monotonic() + 1.0
    run(card, lambda: time.monotonic() > end)
    assert speaker.told == []
    assert card.starts == 1
    assert mic.name == ""
    speaker.busy = False
    run(card, lambda: mic.told == ["lost", "back"])
    assert speaker.told == []
    for owner in (speaker, mic):
        cards.detach(owner.plug)


def test_a_missing_microphone_is_waited_for(card: Card) -> None:
    card.there.remove(MIC)
    card._initialize()
    told: list[str] = []
    cards = Soundcards()
    plug = Plug("input", None, lambda device: card.open(device, plug.beat), told.append)
    with pytest.raises(DeviceError, match="a microphone cannot be opened"):
        cards.attach(plug)
    cards.await_device(plug)
    card.there.append(MIC)
    run(card, lambda: told == ["back"])
    cards.detach(plug)


def test_devices_are_listed_by_direction(card: Card) -> None:
    assert [d.name for d in list_devices("output")] == [HDMI, USB]
    assert [d.title for d in list_devices("input")] == [f"ALSA: {MIC}"]
    assert list_devices("output")[0].default


def test_the_mixer_at_another_rate_is_the_same_sound_and_is_kept_awake() -> None:
    mixer, seconds = Mixer(48000), 1.0
    at = np.arange(round(48000 * seconds)) / 48000
    mixer.play(Clip((8000 * np.sin(2 * np.pi * 700 * at)).astype(np.int16), 48000))
    fitted = Fitted(mixer, 44100)
    sound = to_float(np.concatenate([fitted.render(882) for _ in range(60)]))
    spectrum = np.abs(np.fft.rfft(sound[8000:40000]))
    assert np.argmax(spectrum) * 44100 / 32000 == pytest.approx(700, abs=2)
    assert 0 <= fitted.held < 0.1
    silent = Fitted(Mixer(48000), 48000, awake=12)
    noise = np.concatenate([silent.render(960) for _ in range(500)])  # longer than the noise that is repeated
    assert 0 < np.abs(noise).max() <= 12
    assert len(np.unique(noise)) > 20
    assert np.abs(Fitted(Mixer(48000), 48000).render(960)).max() == 0
