"""Recording a voice: which lines and names, one take after another, and what becomes of a take.

Rules. A take is bounded by silence: it ends when the speaker has been quiet for a while, or at its limit. It is freed
of rumble, trimmed to the voice over the room's own noise, and made as loud as every other line; what is too quiet to be
a voice, or cut off at full scale, is no take. Every accepted take is on disk before the next one begins, so that a
person may stop at any time and go on another day.
"""

from __future__ import annotations

import queue
import wave
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from narrator.core.errors import DeviceError, ScriptError
from narrator.ear.vad import RATE
from narrator.voice.clip import Clip, Floats, Samples, faded, framed, to_float, to_int16
from narrator.voice.loudness import evened
from narrator.voice.pack import FILE, NAMES, Pack, name_file, variants_of, write_index

if TYPE_CHECKING:
    from narrator.ear.mic import Block

QUIET = 1.2  # seconds of silence that end a take
LONGEST = 4.0  # seconds of a take, and for every letter:
PER_LETTER = 0.14
NOTHING = 6.0  # seconds in which somebody should have begun
MARGIN = 0.06  # seconds kept around the voice
_FRAME = 0.02
_OVER_NOISE = 9.0  # dB by which a voice is louder than the room
_UNDER_PEAK = 40.0  # dB under the loudest moment: no voice any more
_SOFTEST = -50.0  # dBFS: less is no voice
_RUMBLE = 70.0  # Hz
_FULL = 0.995


@dataclass(frozen=True)
class Item:
    """Something to record: `text` as it is read, into `file`. `line` or `name` says what it belongs to."""

    text: str
    file: str
    line: str = ""
    name: str = ""


class TakeError(Exception):
    """Not a take: `reason` is "nothing" or "loud"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def items_of(templates: Mapping[str, str], names: Iterable[str]) -> tuple[tuple[Item, ...], int]:
    """What can be recorded of a game's lines, names first, and how many lines are left to the synthesiser."""
    items: list[Item] = []
    for name in names:
        file = name_file(name, (item.file.partition("/")[2] for item in items))
        items.append(Item(name, f"{NAMES}/{file}", name=name))
    left = 0
    for line, template in templates.items():
        variants = variants_of(line, template)
        left += not variants
        items += [Item(_read_aloud(p.text), p.file, line=line) for parts in variants for p in parts if p.file]
    return tuple(items), left


def _read_aloud(text: str) -> str:
    return text.lstrip(" ,;:.?!…\u00a0\u202f").rstrip(" ,;:\u00a0\u202f")


def take(blocks: queue.Queue[Block], letters: int) -> Clip:
    """Listens until the speaker has finished. `blocks`: of a running microphone; what it heard before is dropped.

    Raises TakeError, or DeviceError for a microphone that gives nothing.
    """
    while not blocks.empty():
        blocks.get_nowait()
    return cleaned(np.concatenate(list(_heard(blocks, LONGEST + PER_LETTER * letters))), RATE)


def _heard(blocks: queue.Queue[Block], limit: float) -> Iterator[Samples]:
    """Blocks up to the silence after the voice. The room's noise is the softest that was heard so far."""
    heard = quiet = 0.0
    noise, began = 0.0, False
    while heard < limit:
        try:
            block = blocks.get(timeout=2.0).samples
        except queue.Empty:
            raise DeviceError("the microphone gives nothing: is it plugged in?") from None
        yield block
        seconds, level = len(block) / RATE, _voice_level(to_float(block))
        heard += seconds
        noise = level if heard <= seconds else min(noise, level)
        voiced = level > max(noise + _OVER_NOISE, _SOFTEST)
        began = began or voiced
        quiet = 0.0 if voiced else quiet + seconds
        if (began and quiet > QUIET) or (not began and heard > NOTHING):
            return


def cleaned(samples: Samples, rate: int) -> Clip:
    """A take as it is kept. Raises TakeError. `samples`: int16 mono; `rate`: Hz."""
    sound = to_float(samples)
    if np.count_nonzero(np.abs(sound) > _FULL) > 3:
        raise TakeError("loud")
    sound = _without_rumble(sound, rate)
    start, end = voiced(sound, rate)
    if start == end:
        raise TakeError("nothing")
    spoken = faded(sound[start:end].copy(), rate)
    return Clip(to_int16(framed(evened(spoken, rate), rate)), rate)


def voiced(sound: Floats, rate: int) -> tuple[int, int]:
    """Where the voice begins and ends, with MARGIN; (0, 0) when nobody speaks."""
    size = round(_FRAME * rate)
    frames = sound[: len(sound) // size * size].reshape(-1, size)
    if not len(frames):
        return 0, 0
    levels = 10 * np.log10((frames.astype(np.float64) ** 2).mean(axis=1) + 1e-12)
    floor = max(float(np.percentile(levels, 10)) + _OVER_NOISE, float(levels.max()) - _UNDER_PEAK, _SOFTEST)
    loud = levels > floor
    steady = np.flatnonzero(np.convolve(loud, np.ones(3), "same") >= 2)  # a click alone is no voice
    if not len(steady):
        return 0, 0
    margin = round(MARGIN * rate)
    return max(0, int(steady[0]) * size - margin), min(len(sound), int(steady[-1] + 1) * size + margin)


def _without_rumble(sound: Floats, rate: int) -> Floats:
    """Nothing below the voice: mains hum's lowest part, steps, a table that is knocked."""
    spectrum = np.fft.rfft(sound)
    pitch = np.fft.rfftfreq(len(sound), 1 / rate)
    spectrum *= np.clip((pitch - _RUMBLE / 2) / (_RUMBLE / 2), 0, 1)
    return np.asarray(np.fft.irfft(spectrum, len(sound)), np.float32)


def _voice_level(block: Floats) -> float:
    """dBFS of what is above the rumble."""
    power = np.abs(np.fft.rfft(block * np.hanning(len(block)))) ** 2
    above = power[np.fft.rfftfreq(len(block), 1 / RATE) > 1.5 * _RUMBLE].sum()
    return float(10 * np.log10(2 * above / (0.375 * len(block) ** 2) + 1e-12))


class Shelf:
    """A pack that is being recorded: knows what is there already, keeps what is accepted."""

    def __init__(self, folder: Path, language: str, game: str, templates: Mapping[str, str]) -> None:
        """Raises ScriptError if the folder holds a pack of another language or something broken."""
        self.folder, self.language, self.game = folder, language, game
        self._templates = templates
        self._lines: dict[str, str] = {}
        self._names: dict[str, str] = {}
        if (folder / FILE).exists():
            pack = Pack(folder)
            if pack.language != language:
                raise ScriptError(f"this pack speaks {pack.language!r}, not {language!r}", str(folder / FILE), 1)
            self._lines, self._names = dict(pack.lines), dict(pack.names)

    def has(self, item: Item) -> bool:
        """Recorded, and its words have not changed since."""
        known = item.name in self._names or self._lines.get(item.line) == self._templates.get(item.line, 0)
        return known and (self.folder / item.file).is_file()

    def keep(self, item: Item, clip: Clip) -> None:
        """Writes a take, then its words; a line is played once all its parts are there.

        Raises DeviceError or ScriptError if the disk refuses.
        """
        path = self.folder / item.file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._lines.get(item.line, "") not in ("", self._templates.get(item.line)):
                self._forget(item.line)
            write_wav(path, clip)
        except OSError as error:
            raise DeviceError(f"{path}: the recording cannot be kept ({error.strerror})") from None
        if item.name:
            self._names[item.name] = Path(item.file).name
        else:
            self._lines[item.line] = self._templates[item.line]
        self._write()

    def _forget(self, line: str) -> None:
        """The line was rewritten: what was recorded of the old words goes."""
        old = variants_of(line, self._lines.pop(line))
        self._write()
        for part in (part for parts in old for part in parts):
            if part.file:
                (self.folder / part.file).unlink(missing_ok=True)

    def _write(self) -> None:
        write_index(self.folder, self.language, self.game, self._lines, self._names)


def write_wav(path: Path, clip: Clip) -> None:
    """A 16-bit mono WAV file, whole or not at all. Raises OSError."""
    new = path.with_suffix(".part")
    with wave.open(str(new), "wb") as file:
        file.setparams((1, 2, clip.rate, 0, "NONE", ""))
        file.writeframes(clip.samples.astype("<i2").tobytes())
    new.replace(path)


@dataclass
class Session:
    """One person, one microphone, one pack.

    The ports: `listen` makes a take for so many letters, `play` sounds a clip and returns when it has been heard,
    `count_in` the same for the earcons before a take, `ask` shows a question and returns what was typed, `tell` shows
    a text (a key of words.py and its facts).
    """

    shelf: Shelf
    listen: Callable[[int], Clip]
    play: Callable[[Clip], None]
    count_in: Callable[[], None]
    ask: Callable[[str], str]
    tell: Callable[..., None]

    def run(self, items: tuple[Item, ...]) -> int:
        """Goes through what is not recorded yet; returns how many items the pack now has."""
        for number, item in enumerate(items, 1):
            if not self.shelf.has(item):
                self.tell("record_item", number=number, count=len(items), text=item.text)
                if not self._item(item):
                    break
        return sum(self.shelf.has(item) for item in items)

    def _item(self, item: Item) -> bool:
        """False when the person has had enough."""
        answer = self.ask("record_start")
        while answer not in ("q", "s", "p"):
            self.count_in()
            try:
                clip = self.listen(len(item.text))
            except TakeError as error:
                self.tell(f"record_{error.reason}")
                answer = self.ask("record_start")
                continue
            self.play(clip)
            answer = self.ask("record_keep")
            if answer == "":
                self.shelf.keep(item, clip)
                return True
        return answer != "q"
