"""Earcons and the beds of the night: heard by numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from narrator.core.errors import DeviceError
from narrator.stage.clock import VirtualClock
from narrator.stage.live import LiveMouth
from narrator.voice.ambience import SCENES, Ambience
from narrator.voice.earcons import EARCONS, earcon


def level(samples: np.ndarray) -> float:
    return 20 * np.log10(np.sqrt((samples.astype(float) ** 2).mean()) + 1e-12)


@pytest.mark.parametrize("name", EARCONS)
@pytest.mark.parametrize("rate", [16000, 44100, 48000])
def test_an_earcon_is_short_soft_and_has_no_click(name: str, rate: int) -> None:
    sound = earcon(name, rate).samples.astype(float) / 32768
    assert abs(sound[0]) < 1e-3
    assert abs(sound[-1]) < 1e-3
    assert np.abs(sound[-rate // 500 :]).max() < 0.005
    assert 0.05 < np.abs(sound).max() < 0.35
    assert abs(sound.mean()) < 1e-3
    limit = 3.0 if name == "gong" else 0.35
    assert earcon(name, rate).seconds < limit


def test_the_earcons_asked_for_are_there_and_differ() -> None:
    assert set(EARCONS) == {"listen", "understood", "not_understood", "tick", "gong"}
    assert len({earcon(name).samples.tobytes() for name in EARCONS}) == 5
    assert earcon("gong").seconds > 1.5
    with pytest.raises(DeviceError, match="no earcon 'fanfare': choose listen"):
        earcon("fanfare")


@pytest.mark.parametrize("scene", SCENES)
def test_a_bed_depends_on_its_seed_and_not_on_how_it_is_asked_for(scene: str) -> None:
    whole = Ambience(scene, 7).block(48000)
    again = Ambience(scene, 7)
    pieces = np.concatenate([again.block(size) for size in (1, 959, 40, 7000, 20000, 20000)])
    assert np.array_equal(whole, pieces)
    assert whole.dtype == np.float32
    assert not np.array_equal(whole, Ambience(scene, 8).block(48000))


@pytest.mark.parametrize("scene", SCENES)
def test_a_bed_is_even_soft_and_seamless(scene: str) -> None:
    sound = Ambience(scene, 1).block(48000 * 60)
    assert -42 < level(sound) < -27
    seconds = [level(part) for part in sound.reshape(60, -1)[1:]]
    assert max(seconds) - min(seconds) < 16  # gusts, never a hole
    assert np.abs(sound).max() < 0.4
    step = np.abs(np.diff(sound))
    half = round(0.085 * 48000)
    seams = step[half - 1 :: half]
    assert seams.mean() < 1.25 * step.mean()  # where blocks meet is like everywhere else


def test_the_night_keeps_something_where_taps_and_cards_sound() -> None:
    sound = Ambience("night", 1).block(48000 * 10)
    power = np.abs(np.fft.rfft(sound)) ** 2
    pitch = np.fft.rfftfreq(len(sound), 1 / 48000)
    share = power[(pitch > 1000) & (pitch < 6000)].sum() / power.sum()
    assert share > 0.02


def test_it_never_comes_back() -> None:
    sound = Ambience("wind", 2).block(48000 * 40)
    one = sound[:48000] - sound[:48000].mean()
    size = 1 << 21
    cross = np.fft.irfft(np.fft.rfft(sound, size) * np.conj(np.fft.rfft(one, size)), size)[24000 : 48000 * 39]
    assert np.abs(cross).max() < 0.5 * (one @ one)


class Beds:
    """The part of a loudspeaker that plays the scene."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, int]] = []

    def ambience(self, scene: str | None, seed: int = 0) -> None:
        self.asked.append((scene, seed))


def test_an_evening_has_nights_of_its_own_and_the_same_ones_when_it_is_resumed() -> None:
    """The seed is the evening's, which the journal keeps."""
    heard = []
    for seed in (5, 5, 6):
        speaker: Any = Beds()
        mouth = LiveMouth(VirtualClock(), None, speaker, seed)  # type: ignore[arg-type]
        for scene in ("night", "night", ""):
            mouth.scene(scene)
        assert speaker.asked == [("night", seed), (None, seed)]
        heard.append(Ambience("night", speaker.asked[0][1]).block(4800).tobytes())
    assert heard[0] == heard[1] != heard[2]


def test_an_unknown_scene() -> None:
    with pytest.raises(DeviceError, match="no ambience 'disco': choose night"):
        Ambience("disco")
