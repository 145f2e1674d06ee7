"""The mixing desk, block by block, without a device."""

from __future__ import annotations

import numpy as np
import pytest

from narrator.voice.ambience import Ambience
from narrator.voice.clip import Clip, Floats
from narrator.voice.mixer import DUCK, DUCK_IN, DUCK_OUT, HOLD, LOUDEST, MASK, SOFTEST, Mixer

RATE = 48000


class Flat:
    """A bed that is one constant: every change of its gain is seen."""

    def __init__(self, level: float = 0.1) -> None:
        self.level = level

    def block(self, frames: int) -> Floats:
        return np.full(frames, self.level, np.float32)


def clip(samples: int, level: int = 8000) -> Clip:
    return Clip(np.full(samples, level, np.int16), RATE)


def counting(samples: int) -> Clip:
    return Clip(np.arange(1, samples + 1, dtype=np.int16), RATE)


def run(mixer: Mixer, frames: int, block: int = 480) -> np.ndarray:
    return np.concatenate([mixer.render(min(block, frames - at)) for at in range(0, frames, block)])


def test_silence_when_nothing_plays() -> None:
    mixer = Mixer(RATE)
    assert not run(mixer, 5000).any()
    assert mixer.idle
    assert mixer.render(0).shape == (0,)


@pytest.mark.parametrize("block", [1, 7, 480, 960, 100_000])
def test_a_clip_starts_in_the_first_block_and_ends_to_the_sample(block: int) -> None:
    mixer = Mixer(RATE)
    run(mixer, 1000)
    first, second = mixer.play(counting(1234)), mixer.play(counting(777))
    out, ended = [], []
    while mixer.frame < 4000:
        out.append(mixer.render(block))
        ended += mixer.take_ended()
    sound = np.concatenate(out)
    assert np.abs(sound[:1234] - np.arange(1, 1235)).max() <= 1
    assert np.abs(sound[1234 : 1234 + 777] - np.arange(1, 778)).max() <= 1
    assert not sound[2011:].any()
    assert [(one.id, one.frame, one.cut) for one in ended] == [(first, 2234, False), (second, 3011, False)]


def test_voice_and_earcon_are_summed() -> None:
    mixer = Mixer(RATE)
    mixer.play(clip(1000, 3000))
    mixer.earcon(clip(500, 2000))
    out = mixer.render(1200)
    assert np.abs(out[:500].astype(int) - 5000).max() <= 1
    assert np.abs(out[500:1000].astype(int) - 3000).max() <= 1
    assert not out[1000:].any()


def test_never_over_the_top() -> None:
    mixer = Mixer(RATE)
    for _ in range(3):
        mixer.play(clip(2000, 32767))
        mixer.earcon(clip(2000, 32767))
    mixer.ambience(Flat(0.9), fade=0.01)
    mixer.volume = LOUDEST
    out = run(mixer, 9000).astype(int)
    assert 32000 < out.max() <= 32767
    quiet = Mixer(RATE)
    quiet.play(clip(1000, 20000))
    assert np.abs(quiet.render(1000).astype(int) - 20000).max() <= 1  # and untouched below the knee


def test_a_clip_of_another_rate_is_resampled() -> None:
    mixer = Mixer(RATE)
    mixer.play(Clip((5000 * np.sin(np.arange(22050) * 0.1)).astype(np.int16), 22050))
    run(mixer, 60000)
    assert mixer.take_ended()[0].frame == 48000


def test_an_empty_clip_ends_at_once() -> None:
    mixer = Mixer(RATE)
    mixer.play(Clip(np.zeros(0, np.int16), 22050))
    mixer.render(480)
    assert [one.frame for one in mixer.take_ended()] == [0]
    assert mixer.idle


def test_speech_ducks_the_ambience_smoothly_and_it_comes_back() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.5)
    before = run(mixer, RATE)
    assert before[-1] == pytest.approx(3277, abs=2)
    mixer.play(clip(RATE, 0))
    during = run(mixer, RATE)
    assert during[-1] == pytest.approx(3277 * 10 ** (DUCK / 20), rel=0.01)
    assert np.flatnonzero(during < 450)[0] <= DUCK_IN * RATE * 1.05
    after = run(mixer, 3 * RATE)
    back = np.flatnonzero(after > 3250)[0] / RATE
    assert HOLD + DUCK_OUT - 0.05 < back < HOLD + DUCK_OUT + 0.05
    whole = np.concatenate([before, during, after]).astype(int)
    assert np.abs(np.diff(whole)).max() < 3  # no step anywhere


def test_a_short_gap_between_sentences_does_not_pump() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.01)
    run(mixer, RATE)
    mixer.play(clip(RATE, 0))
    run(mixer, RATE + round(0.2 * RATE))
    mixer.play(clip(RATE, 0))
    assert run(mixer, RATE).max() < 450


def test_beds_cross_and_go() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.5)
    run(mixer, RATE)
    mixer.ambience(Flat(-0.1), fade=0.5)
    assert run(mixer, RATE)[-1] == pytest.approx(-3277, abs=2)
    mixer.ambience(None, fade=0.5)
    assert not run(mixer, RATE)[-10:].any()


def test_a_pause_in_the_middle_loses_nothing() -> None:
    mixer = Mixer(RATE)
    number = mixer.play(clip(RATE, 8000))
    first = run(mixer, 20000)
    mixer.pause()
    held = run(mixer, RATE)
    assert np.abs(np.diff(np.concatenate([first, held]).astype(int))).max() < 50  # eased out
    assert not held[300:].any()
    assert mixer.take_ended() == []
    assert not mixer.idle
    mixer.pause()  # twice is once
    assert not run(mixer, 4800).any()
    mixer.resume()
    rest = run(mixer, RATE)
    assert rest[0] == 0
    assert np.abs(np.diff(rest[:20000].astype(int))).max() < 50
    assert np.count_nonzero(rest) == pytest.approx(28000, abs=2)  # all that was not said before
    (ended,) = mixer.take_ended()
    assert (ended.id, ended.frame) == (number, 20000 + RATE + 4800 + 28000)


def test_a_pause_silences_the_ambience_and_brings_it_back() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.01)
    run(mixer, RATE)
    mixer.pause()
    assert not run(mixer, RATE)[-100:].any()
    mixer.resume()
    assert run(mixer, RATE)[-1] == pytest.approx(3277, abs=2)


def test_what_is_played_in_a_pause_waits() -> None:
    mixer = Mixer(RATE)
    mixer.pause()
    mixer.play(counting(1000))
    assert not run(mixer, 5000).any()
    mixer.resume()
    assert np.count_nonzero(run(mixer, 5000)) >= 998


def test_stop_cuts_without_a_click_and_reports_everyone_once() -> None:
    mixer = Mixer(RATE)
    ids = [mixer.play(clip(RATE)), mixer.play(clip(RATE)), mixer.earcon(clip(RATE, 100))]
    run(mixer, 4800)
    mixer.stop()
    out = run(mixer, 4800)
    assert np.abs(np.diff(out.astype(int))).max() < 60
    assert not out[300:].any()
    ended = mixer.take_ended()
    assert sorted(one.id for one in ended) == sorted(ids)
    assert all(one.cut for one in ended)
    assert mixer.take_ended() == []
    mixer.play(counting(100))
    assert mixer.render(100)[-1] == pytest.approx(100, abs=1)


def test_stop_in_a_pause_then_something_new() -> None:
    mixer = Mixer(RATE)
    mixer.play(clip(RATE))
    run(mixer, 4800)
    mixer.pause()
    run(mixer, 4800)
    mixer.stop()
    assert not run(mixer, 480).any()
    mixer.resume()
    mixer.play(clip(1000, 5000))
    assert np.count_nonzero(run(mixer, 2000)) >= 998


def test_the_master_moves_smoothly_within_bounds() -> None:
    mixer = Mixer(RATE)
    mixer.play(clip(2 * RATE, 8000))
    run(mixer, 480)
    mixer.volume = -12
    out = run(mixer, RATE).astype(int)
    assert out[-1] == pytest.approx(8000 * 10 ** (-12 / 20), rel=0.01)
    assert np.abs(np.diff(out)).max() < 5
    mixer.volume = 1000
    assert mixer.volume == LOUDEST
    mixer.volume = -1000
    assert mixer.volume == SOFTEST


def test_real_time_and_rehearsal_hear_the_same_but_for_the_moment_of_commands() -> None:
    def evening(block: int) -> np.ndarray:
        mixer = Mixer(RATE)
        mixer.ambience(Ambience("night", 5, RATE), fade=0.3)
        first = run(mixer, 9600, block)
        mixer.play(clip(9600, 5000))
        return np.concatenate([first, run(mixer, 9600, block)])

    assert np.array_equal(evening(480), evening(960))


def test_hands_are_masked_between_sentences_and_speech_still_ducks() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.01)
    before = run(mixer, RATE)
    mixer.mask(True)
    masked = run(mixer, 2 * RATE)
    assert masked[-1] == pytest.approx(3277 * 10 ** (MASK / 20), rel=0.01)
    mixer.play(clip(RATE, 0))
    during = run(mixer, RATE)
    assert during[-1] == pytest.approx(3277 * 10 ** (DUCK / 20), rel=0.01)
    again = run(mixer, 3 * RATE)
    assert again[-1] == pytest.approx(3277 * 10 ** (MASK / 20), rel=0.01)
    mixer.mask(False)
    after = run(mixer, 2 * RATE)
    assert after[-1] == pytest.approx(3277, abs=2)
    whole = np.concatenate([before, masked, during, again, after])[RATE // 10 :].astype(int)
    assert np.abs(np.diff(whole)).max() < 12  # a ramp, nowhere a step


def test_the_mask_covers_taps_and_cards() -> None:
    """Where taps and cards sound (1 to 6 kHz) the night is raised by as much as everywhere else."""

    def treble(masking: bool) -> float:
        mixer = Mixer(RATE)
        mixer.ambience(Ambience("night", 1, RATE), fade=0.01)
        mixer.mask(masking)
        run(mixer, 2 * RATE)
        sound = run(mixer, 4 * RATE).astype(float)
        power = np.abs(np.fft.rfft(sound)) ** 2
        pitch = np.fft.rfftfreq(len(sound), 1 / RATE)
        return float(10 * np.log10(power[(pitch > 1000) & (pitch < 6000)].sum()))

    assert treble(True) - treble(False) == pytest.approx(MASK, abs=0.3)


def test_muted_is_silent_and_everything_still_ends() -> None:
    mixer = Mixer(RATE)
    mixer.ambience(Flat(0.1), fade=0.01)
    run(mixer, RATE)
    mixer.mute(True)
    fading = run(mixer, RATE)
    number = mixer.play(clip(4000, 9000))
    mixer.earcon(clip(2000, 9000))
    silent = run(mixer, RATE)
    assert not silent.any()
    assert number in [one.id for one in mixer.take_ended()]
    mixer.mute(False)
    back = run(mixer, 4 * RATE)
    assert back[-1] == pytest.approx(3277, abs=2)
    assert np.abs(np.diff(np.concatenate([fading, silent, back]).astype(int))).max() < 3
