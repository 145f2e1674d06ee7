"""The sound check of `narrator check`: a tone and a sentence are played, recorded, measured and heard.

Everything is measured at the microphone: noise with nobody speaking, level of our own tone, clipping, and the time from
playing to hearing (the loop). What the loop takes beyond what the devices report is remembered for the gate.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from narrator.core.errors import DeviceError
from narrator.ear.choice import Ear
from narrator.ear.mic import Microphone
from narrator.ear.vad import RATE
from narrator.stage.devices import remember
from narrator.voice.clip import Clip, resampled
from narrator.voice.output import BLOCK
from narrator.voice.speaker import Speaker

TONE_SECONDS, QUIET_SECONDS, WAIT = 0.8, 1.0, 3.0
HEARD = 0.3  # likeness of the recording to the tone from which on it is ours
NOISY, FAINT, CLIPPED, LATE = -45.0, 10.0, 0.001, 0.12  # dBFS; dB over the noise; share of samples; seconds
HIDDEN = 0.03  # seconds that are worth remembering


@dataclass(frozen=True, slots=True)
class Trial:
    """A sentence that is to be heard: how we say it, and the ear with all that it listens for meanwhile."""

    text: str
    said: Clip
    ear: Ear
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SoundCheck:
    """dBFS and seconds; None where it could not be measured."""

    loudspeaker: str
    microphone: str
    loop: float | None
    reported: float
    level: float | None
    noise: float
    clipping: float
    heard: str
    expected: str
    underruns: int
    overruns: int

    @property
    def advice(self) -> tuple[str, ...]:
        """Keys of words: what to change, the most important first."""
        if self.loop is None:
            return ("advice_noisy", "advice_unheard") if self.noise > NOISY else ("advice_unheard",)
        found = {
            "advice_clipped": self.clipping > CLIPPED,
            "advice_noisy": self.noise > NOISY,
            "advice_faint": self.level is not None and self.level < self.noise + FAINT,
            "advice_sentence": bool(self.expected) and self.heard != self.expected,
            "advice_late": self.loop > self.reported + LATE,
            "advice_busy": self.underruns + self.overruns > 0,
        }
        return tuple(key for key, so in found.items() if so)

    def figures(self) -> Mapping[str, Any]:
        """For --json."""
        return {**asdict(self), "advice": list(self.advice)}


def tone() -> Clip:
    """A sweep that resembles nothing else, nor itself a moment later."""
    at = np.arange(round(TONE_SECONDS * RATE)) / RATE
    phase = 2 * np.pi * (300 * at + (4000 - 300) / (2 * TONE_SECONDS) * at**2)
    ease = np.minimum(1, np.minimum(at, TONE_SECONDS - at) / 0.02)
    return Clip((8000 * np.sin(phase) * ease).astype(np.int16), RATE)


def check_sound(speaker: Speaker, microphone: Microphone, trial: Trial | None) -> SoundCheck:
    """Takes about six seconds. `trial`: None where nothing can listen. Both devices are open."""
    before = microphone.overruns
    record(microphone, 0.3)  # the first blocks of a device are often odd
    quiet, _ = record(microphone, QUIET_SECONDS)
    sound = tone()
    played, heard, began = _played(speaker, microphone, sound)
    at, likeness = found(heard, resampled(sound, RATE).samples)
    loop = began + at / RATE - played - BLOCK / 2 if likeness > HEARD else None
    part = heard[at : at + len(sound.samples)]
    sentence = ""
    if trial is not None and loop is not None:
        sentence = _understood(trial, quiet, _played(speaker, microphone, trial.said)[1])
    _remember_hidden(speaker, loop)
    return SoundCheck(
        loudspeaker=speaker.device.title if speaker.device else "",
        microphone=microphone.device.title if microphone.device else "",
        loop=None if loop is None else round(loop, 3),
        reported=round(speaker.latency, 3),
        level=None if loop is None else round(decibels(part), 1),
        noise=round(decibels(quiet), 1),
        clipping=round(float(np.mean(np.abs(heard.astype(int)) >= 32700)), 4) if len(heard) else 0.0,
        heard=sentence,
        expected=trial.text if trial is not None else "",
        underruns=speaker.underruns,
        overruns=microphone.overruns - before,
    )


def record(microphone: Microphone, seconds: float) -> tuple[NDArray[np.int16], float]:
    """What is in the air from now on, and when it began (time.monotonic). Raises DeviceError if nothing comes."""
    wanted, blocks, began = time.monotonic(), [], 0.0
    while True:
        try:
            block = microphone.blocks.get(timeout=WAIT)
        except queue.Empty:
            raise DeviceError("the microphone gives no sound: plug it in again, or choose another one") from None
        if block.began < wanted - 0.06:
            continue
        began = began or block.began
        blocks.append(block.samples)
        if block.began - began > seconds:
            return np.concatenate(blocks), began


def _played(speaker: Speaker, microphone: Microphone, clip: Clip) -> tuple[float, NDArray[np.int16], float]:
    """When it was given to the loudspeaker, what the microphone heard until a second after it, and from when on."""
    out = threading.Event()
    clip = speaker.prepare(clip)
    lead = speaker.lead
    played = time.monotonic()
    speaker.play(clip, out.set)
    heard, began = record(microphone, lead + clip.seconds + 1.0)
    out.wait(WAIT)
    return played + lead, heard, began


def found(heard: NDArray[np.int16], sound: NDArray[np.int16]) -> tuple[int, float]:
    """Where the sound is in the recording, in samples, and how alike they are there (1: the same)."""
    recording, wanted = heard.astype(float), sound.astype(float)
    size = 1 << (len(recording) + len(wanted)).bit_length()
    cross = np.fft.irfft(np.fft.rfft(recording, size) * np.conj(np.fft.rfft(wanted, size)), size)[: len(recording)]
    at = int(np.abs(cross).argmax())
    part = recording[at : at + len(wanted)]
    power = float(np.sqrt((part @ part) * (wanted @ wanted)))
    return at, abs(float(part @ wanted[: len(part)])) / power if power else 0.0


def decibels(samples: NDArray[np.int16]) -> float:
    """RMS, dB of full scale; -96 for silence."""
    power = float(np.mean((samples.astype(float) / 32768) ** 2)) if len(samples) else 0.0
    return max(-96.0, 10 * float(np.log10(power + 1e-12)))


def _understood(trial: Trial, quiet: NDArray[np.int16], heard: NDArray[np.int16]) -> str:
    """What the ear makes of the recording, with a moment of the room before it."""
    listener = trial.ear.open(trial.sentences)
    said = [listener.accept(quiet), listener.accept(heard), listener.accept(quiet), listener.finish()]
    return next((one.text for one in said if one is not None and one.text), "")


def _remember_hidden(speaker: Speaker, loop: float | None) -> None:
    """A loudspeaker that says less than it takes: what is missing counts for the gate from the next evening on."""
    device = speaker.device
    if loop is not None and device is not None and abs(loop - speaker.latency) > HIDDEN:
        hidden = min(max(0.0, loop - speaker.latency + speaker.hidden), 2.0)
        remember({device.title: {"hidden": round(hidden, 3)}})
