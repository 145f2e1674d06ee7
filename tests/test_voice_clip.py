"""Sound files, trimming, loudness and resampling, on samples made here."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import numpy as np
import pytest

from narrator.voice.clip import (
    LEAD,
    PEAK,
    SPEECH_RMS,
    TAIL,
    Clip,
    eased,
    framed,
    levelled,
    read_clip,
    resampled,
    silence,
    to_int16,
    trimmed,
)


def tone(pitch: float, seconds: float, rate: int, level: float = 0.5) -> np.ndarray:
    return (level * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


@pytest.mark.parametrize(
    ("source", "target"), [(22050, 48000), (16000, 48000), (22050, 44100), (48000, 16000), (24000, 48000)]
)
def test_resampling_keeps_length_pitch_and_level(source: int, target: int) -> None:
    clip = resampled(Clip(to_int16(tone(1000, 1.337, source)), source), target)
    assert clip.rate == target
    assert clip.seconds == pytest.approx(1.337, abs=1.5 / target)
    wanted = tone(1000, 1.337, target)
    middle = slice(2000, -2000)
    got = clip.samples[middle].astype(float) / 32767
    count = len(wanted) - 4000
    assert np.abs(got[:count] - wanted[middle][: len(got)]).max() < 0.01


def test_resampling_nothing_and_the_same_rate() -> None:
    clip = silence(0.1, 48000)
    assert resampled(clip, 48000) is clip
    assert len(resampled(Clip(np.zeros(0, np.int16), 22050), 48000).samples) == 0


def test_resampling_does_not_wrap_the_end_to_the_start() -> None:
    samples = np.zeros(22050, np.int16)
    samples[-400:] = 20000
    assert np.abs(resampled(Clip(samples, 22050), 48000).samples[:2000]).max() < 200


def test_trimming_cuts_silence_only() -> None:
    sound = tone(440, 0.5, 22050)
    sound[:200] *= 0.01  # a soft start, 40 dB down, is sound
    padded = np.concatenate([np.zeros(5000, np.float32), sound, np.zeros(9000, np.float32)])
    assert len(sound) - 20 <= len(trimmed(padded)) <= len(sound)
    assert len(trimmed(np.zeros(500, np.float32))) == 0
    assert len(trimmed(np.zeros(0, np.float32))) == 0


def test_a_frame_has_its_margins_and_no_click() -> None:
    out = framed(np.full(22050, 0.5, np.float32), 22050)
    assert len(out) == 22050 + round(LEAD * 22050) + round(TAIL * 22050)
    assert np.abs(np.diff(out)).max() < 0.03
    assert out[0] == out[-1] == 0


@pytest.mark.parametrize("level", [0.001, 0.05, 0.9])
def test_every_line_gets_the_same_loudness(level: float) -> None:
    out = levelled(np.concatenate([tone(300, 1, 22050, level), np.zeros(22050, np.float32)]), 22050)
    assert np.sqrt((out[:22050] ** 2).mean()) == pytest.approx(SPEECH_RMS, rel=0.05)


def test_peaks_are_bent_never_cut() -> None:
    sound = tone(300, 1, 22050, 0.02)
    sound[5000] = 0.9
    out = levelled(sound, 22050)
    assert np.abs(out).max() <= PEAK
    ramp = np.linspace(-4, 4, 1000, dtype=np.float32)
    bent = eased(ramp)
    assert (np.diff(bent) >= 0).all()
    assert np.abs(bent).max() <= 1
    assert np.array_equal(bent[np.abs(ramp) < 0.69], ramp[np.abs(ramp) < 0.69])


def test_silence_stays_silence() -> None:
    assert not levelled(np.zeros(1000, np.float32), 22050).any()
    assert len(levelled(np.zeros(0, np.float32), 22050)) == 0


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2])
def test_wav_of_any_width(tmp_path: Path, width: int, channels: int) -> None:
    values = np.array([0, 1000, -1000, 32000, -32000], np.int32)
    wide = values << 16
    raw = np.repeat(wide, channels).astype("<i4").view(np.uint8).reshape(-1, 4)[:, 4 - width :]
    raw = raw ^ 0x80 if width == 1 else raw
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((channels, width, 8000, 0, "NONE", ""))
        file.writeframes(raw.tobytes())
    clip = read_clip(tmp_path / "a.wav")
    assert clip.rate == 8000
    assert np.abs(clip.samples - values).max() < (256 if width == 1 else 1)


@pytest.mark.parametrize("order", [">", "<"])
def test_aiff_as_macos_writes_it(tmp_path: Path, order: str) -> None:
    values = np.array([0, 1000, -1000, 32000], np.int16)
    rate = struct.pack(">HQ", 16383 + 14, 22050 << (63 - 14))
    common = struct.pack(">hIh", 1, 4, 16) + rate + (b"sowt\0\0" if order == "<" else b"")
    sound = bytes(8) + values.astype(f"{order}i2").tobytes()
    body = b"".join(name + struct.pack(">I", len(data)) + data for name, data in ((b"COMM", common), (b"SSND", sound)))
    kind = b"AIFC" if order == "<" else b"AIFF"
    (tmp_path / "a.wav").write_bytes(b"FORM" + struct.pack(">I", len(body) + 4) + kind + body)
    clip = read_clip(tmp_path / "a.wav")
    assert clip.rate == 22050
    assert clip.samples.tolist() == values.tolist()


@pytest.mark.parametrize("data", [b"", b"RIFF", b"no sound at all, none", b"FORM\0\0\0\4AIFF"])
def test_what_is_no_sound_file_is_said_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(data)
    with pytest.raises(ValueError, match="sound"):
        read_clip(tmp_path / "a.wav")
