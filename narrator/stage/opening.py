"""Opening the sound devices of an evening: those asked for, remembered, or the system's; a missing one is awaited."""

from __future__ import annotations

from collections.abc import Callable

from narrator.core.errors import DeviceError
from narrator.ear.echo import EchoCanceller, Reference
from narrator.ear.mic import Microphone
from narrator.faults import told
from narrator.ports import Back, Gone
from narrator.stage.clock import Clock
from narrator.stage.devices import Device, Direction, matching, remember, remembered
from narrator.stage.hearing import LiveEar
from narrator.stage.portaudio import list_devices
from narrator.voice.speaker import Speaker
from narrator.words import words

Tell = Callable[[str], None]


def open_speaker(clock: Clock, asked: str | None, tell: Tell) -> Speaker:
    """Tells the clock when it goes and comes. Raises DeviceError if `asked` is not there, or PortAudio is missing."""
    speaker = Speaker(wished("output", asked), told=lambda what: _post(clock, "speaker", what), wait=asked is None)
    if speaker.missing:
        tell(told(speaker.missing))
    _keep("output", asked, speaker.device, tell)
    return speaker


def open_microphone(clock: Clock, asked: str | None, tell: Tell) -> Microphone:
    """Like open_speaker; it is started."""
    microphone = Microphone(
        wished("input", asked), told=lambda what: _post(clock, "microphone", what), wait=asked is None
    )
    microphone.start()
    if microphone.missing:
        tell(told(microphone.missing))
    _keep("input", asked, microphone.device, tell)
    return microphone


def open_canceller(speaker: Speaker | None) -> EchoCanceller | None:
    """With the extra `echo`, the narrator can be interrupted; None without it, or where nothing is heard anyway."""
    if speaker is None:
        return None
    reference = Reference(speaker.stream_rate)
    try:
        canceller = EchoCanceller(reference)
    except DeviceError:
        return None
    speaker.overhear(reference.take)
    return canceller


def wished(direction: Direction, asked: str | None) -> str | None:
    """What was asked for; else the device remembered, if it is there now."""
    if asked is not None:
        return asked
    title = remembered(direction)
    return title if title and matching(list_devices(direction), title) else None


def tell_glitches(speaker: Speaker | None, ear: LiveEar | None, tell: Tell) -> None:
    """At the end: how often sound was late or lost, if it was."""
    under, over = speaker.underruns if speaker else 0, ear.overruns if ear else 0
    losses = (speaker.losses if speaker else 0) + (ear.losses if ear else 0)
    if under or over or losses:
        tell(words("glitches", under=under, over=over, losses=losses))


def _keep(direction: Direction, asked: str | None, device: Device | None, tell: Tell) -> None:
    if asked is not None and device is not None:
        try:
            remember({direction: device.title})
        except DeviceError as error:
            tell(told(error))


def _post(clock: Clock, device: str, what: str) -> None:
    clock.post(Gone(device) if what == "lost" else Back(device, other=what == "changed"))
