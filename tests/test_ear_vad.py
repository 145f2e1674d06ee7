"""Where speech begins and ends, the half-duplex gate and the resampler: streams in, lists out."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.ear.gate import Gate
from narrator.ear.mic import Resampler
from narrator.ear.vad import FRAME, RATE, Began, Ended, Goes, Paused, Span, Vad, VadSettings, levels

SETTINGS = VadSettings()


def noise(seconds: float, rms: float, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, rms, round(seconds * RATE)).clip(-32000, 32000).astype(np.int16)


def spans(audio: np.ndarray, block: int = 800) -> list[Span]:
    vad = Vad(SETTINGS)
    found = [span for at in range(0, len(audio), block) for span in vad.feed(audio[at : at + block])]
    return [*found, *vad.flush()]


@pytest.mark.parametrize("rms", [0, 1, 10, 60, 250, 1500])
def test_steady_noise_of_any_level_is_silence(rms: float):
    assert [s for s in spans(noise(10, rms)) if isinstance(s, Began)][1:] == []
    if rms <= 60:
        assert spans(noise(10, rms)) == []


@pytest.mark.parametrize("floor", [0, 5, 40])
@pytest.mark.parametrize("block", [1, 160, 799, 16000])
def test_a_burst_is_found_with_what_came_before_it(floor: float, block: int):
    quiet, burst = noise(1, floor), noise(0.6, 2000, 1)
    found = spans(np.concatenate([quiet, burst, noise(1, floor, 2)]), block)
    kinds = [type(s) for s in found if not isinstance(s, Goes)]
    assert kinds == [Began, Paused, Ended]
    began, ended = found[0], found[-1]
    assert isinstance(began, Began)
    assert isinstance(ended, Ended)
    assert began.sample == pytest.approx(RATE, abs=2 * FRAME)
    assert ended.sample == pytest.approx(1.6 * RATE, abs=2 * FRAME)
    assert ended.loud == pytest.approx(0.6, abs=0.05)
    assert len(began.audio) == round(SETTINGS.pre_roll * RATE)
    heard = len(began.audio) + sum(len(s.audio) for s in found if isinstance(s, Goes))
    assert heard / RATE == pytest.approx(SETTINGS.pre_roll + 0.6 + SETTINGS.trailing, abs=0.08)


def test_a_short_pause_does_not_end_it_and_a_long_one_does():
    def burst() -> np.ndarray:
        return noise(0.4, 2000)

    short, long = noise(SETTINGS.trailing - 0.1, 5), noise(SETTINGS.trailing + 0.1, 5)
    audio = np.concatenate([noise(1, 5), burst(), short, burst(), long, burst()])
    ends = [s for s in spans(audio) if isinstance(s, Ended)]
    assert len(ends) == 2


def test_whoever_has_heard_enough_ends_it_at_a_pause():
    audio = np.concatenate([noise(1, 5), noise(0.4, 2000), noise(1, 5)])
    ends = []
    for patient in (True, False):
        vad, at = Vad(SETTINGS), 0
        for at in range(0, len(audio), FRAME):
            found = []
            for span in vad.feed(audio[at : at + FRAME]):
                found.append(span)
                if isinstance(span, Paused) and not patient:
                    vad.enough()
            if any(isinstance(span, Ended) for span in found):
                break
        ends.append(at / RATE)
    assert ends[0] - ends[1] == pytest.approx(SETTINGS.trailing - SETTINGS.brisk, abs=0.03)
    assert ends[1] - 1.4 == pytest.approx(SETTINGS.brisk, abs=0.05)
    assert SETTINGS.brisk <= 0.4


def test_speech_from_the_first_sample_is_not_taken_for_the_floor():
    found = spans(np.concatenate([noise(1.0, 2000), noise(1, 10)]))
    assert isinstance(found[0], Began)
    assert isinstance(found[-1], Ended)
    assert len(found[0].audio) >= 0.18 * RATE


def test_a_room_that_grows_loud_is_learnt_again():
    audio = np.concatenate([noise(3, 5), noise(8, 400)])
    found = [s for s in spans(audio) if not isinstance(s, Goes | Paused)]
    assert [type(s) for s in found] == [Began, Ended]
    assert found[1].sample < 6 * RATE


def test_a_low_voice_is_found_in_a_room_that_hisses():
    """Pink noise 15 dB under it: nearly all that a first difference leaves of the two is the noise."""
    pink = np.fft.irfft(np.fft.rfft(noise(4, 1000)) / np.sqrt(np.arange(4 * RATE // 2 + 1) + 100))
    at = np.arange(RATE) / RATE
    voice = sum(np.sin(2 * np.pi * 110 * k * at) / k for k in range(2, 9))  # a man's vowel, up to 900 Hz
    room = pink / pink.std() * 200
    room[2 * RATE : 3 * RATE] += voice / voice.std() * 200 * 10 ** (15 / 20)
    audio = room.astype(np.int16)
    hissing, voiced = np.subtract(levels(audio[40000:40320]), levels(audio[16000:16320]))
    assert hissing < SETTINGS.opens_above[0]
    assert voiced > SETTINGS.opens_above[1]
    began, *_, ended = (span for span in spans(audio) if isinstance(span, Began | Ended))
    assert isinstance(began, Began)
    assert began.sample == pytest.approx(2 * RATE, abs=2 * FRAME)
    assert ended.sample == pytest.approx(3 * RATE, abs=2 * FRAME)


def test_the_gate_drops_while_closed_and_for_a_tail_of_samples():
    gate = Gate(tail_seconds=0.25)
    block = np.arange(1600, dtype=np.int16)
    assert gate.open
    assert len(gate.through(block)) == 1600
    gate.close()
    assert not gate.open
    assert len(gate.through(block)) == 0
    gate.reopen()
    passed = [len(gate.through(block)) for _ in range(4)]
    assert passed == [0, 0, 800, 1600]
    assert gate.open


def test_the_gate_closed_again_in_its_tail_starts_over():
    gate = Gate(tail_seconds=0.1)
    block = np.zeros(800, np.int16)
    gate.close()
    gate.reopen()
    gate.through(block)
    gate.close()
    gate.reopen()
    assert [len(gate.through(block)) for _ in range(3)] == [0, 0, 800]
    gate.reopen()
    assert len(gate.through(block)) == 800


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100, 48000, 96000])
def test_resampling_keeps_a_tone_whatever_the_blocks(rate: int):
    tone = 1000.0
    audio = (10000 * np.sin(2 * np.pi * tone * np.arange(2 * rate) / rate)).astype(np.int16)
    resampler, rng, out, at = Resampler(rate), np.random.default_rng(0), [], 0
    while at < len(audio):
        size = int(rng.integers(1, 3000))
        out.append(resampler.feed(audio[at : at + size]))
        at += size
    heard = np.concatenate(out)
    wanted = 10000 * np.sin(2 * np.pi * tone * np.arange(len(heard)) / RATE)
    assert len(heard) == pytest.approx(2 * RATE - resampler.late * RATE, abs=1)
    assert np.abs(heard[200:-200] - wanted[200:-200]).max() < 15


@pytest.mark.parametrize("rate", [8000, 22050, 44100, 48000, 96000])
def test_resampling_is_late_by_the_same_few_milliseconds_at_every_block(rate: int):
    resampler, given, taken = Resampler(rate), 0, 0
    for _ in range(40):
        assert resampler.late == pytest.approx(given / rate - taken / RATE)
        given += rate // 20
        taken += len(resampler.feed(np.zeros(rate // 20, np.int16)))
        assert 0.005 <= resampler.late < 0.005 + 2 / min(rate, RATE)


def test_resampling_does_not_fold_what_16_khz_cannot_hold():
    hiss = (10000 * np.sin(2 * np.pi * 11000 * np.arange(48000) / 48000)).astype(np.int16)
    assert np.abs(Resampler(48000).feed(hiss)[200:-200]).max() < 20
