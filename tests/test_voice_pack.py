"""A voice that was recorded: what is recorded of a line, how it is put together again, and what a pack may not do."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tomli_w

from narrator.core.errors import DeviceError, ScriptError
from narrator.core.lines import Lines
from narrator.core.script import Source
from narrator.ear.mic import Block
from narrator.ear.vad import RATE
from narrator.voice.cache import Studio
from narrator.voice.clip import Clip, sounding, to_float, to_int16
from narrator.voice.loudness import SPEECH_LUFS, loudness
from narrator.voice.pack import FILE, GAP, NAMES, Pack, name_file, squeezed, variants_of
from narrator.voice.profile import load_profile
from narrator.voice.recording import Item, Session, Shelf, TakeError, cleaned, items_of, take, write_wav

LINES = {
    "close_eyes": "Que tout le monde ferme les yeux.",
    "both_open": "Pacifistes, {breath}ouvrez les yeux.",
    "propose": "{gv}, qui proposes-tu comme Narratrice\u202f?",
    "count_is": "{yes} oui, {no} non.",
    "turn": "Tour {turn}. {gv?oui|non}",
    "c_after": "À la gauche {gv:de}.",
    "close": "{pacifists?Pacifiste, [breath]referme|Pacifistes, [breath]refermez} les yeux.",
    "recap": "{a?1|2} {b?3|4} {c?5|6}",
}
FR = load_profile("fr")


def tone(pitch: float, seconds: float = 0.5, level: float = 0.3, rate: int = RATE) -> np.ndarray:
    return (level * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def spoken(pitch: float, seconds: float = 0.5) -> Clip:
    return Clip(to_int16(tone(pitch, seconds)), RATE)


def pitch_of(sound: np.ndarray, rate: int) -> float:
    return float(np.argmax(np.abs(np.fft.rfft(sound))) * rate / len(sound))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "mamie", "fr", "sultan", LINES)


def filled(shelf: Shelf, names: tuple[str, ...] = ("Alice", "quatre", "deux")) -> Pack:
    """A pack in which every recording has a pitch of its own: 300, 400, … in the order of the items."""
    for number, item in enumerate(items_of(LINES, names)[0]):
        shelf.keep(item, spoken(300 + 100 * number))
    return Pack(shelf.folder)


class Text:
    """A synthesiser that says what it was asked."""

    engine = "text"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def render(self, text: str, *, rate: int | None = None) -> Clip:
        self.asked.append(text)
        return spoken(100)

    def close(self) -> None: ...


# ---- what is recorded


def test_a_line_is_recorded_whole_in_parts_or_not_at_all() -> None:
    items, left = items_of(LINES, ("Alice",))
    assert [(item.file, item.text) for item in items] == [
        ("names/alice.wav", "Alice"),
        ("close_eyes.wav", "Que tout le monde ferme les yeux."),
        ("both_open.wav", "Pacifistes, ouvrez les yeux."),
        ("propose.2.wav", "qui proposes-tu comme Narratrice\u202f?"),
        ("count_is.2.wav", "oui"),
        ("count_is.3.wav", "non."),
        ("turn~1.1.wav", "Tour"),
        ("turn~1.2.wav", "oui"),
        ("turn~2.1.wav", "Tour"),
        ("turn~2.2.wav", "non"),
        ("c_after.1.wav", "À la gauche"),
        ("close~1.wav", "Pacifiste, referme les yeux."),
        ("close~2.wav", "Pacifistes, refermez les yeux."),
    ]
    assert left == 1
    assert variants_of("recap", LINES["recap"]) == ()


def test_names_make_file_names_of_their_own() -> None:
    assert name_file("Chloé") == "chloé.wav"
    assert name_file("../../etc") == "etc.wav"
    assert name_file("Léa B.", ["léa-b.wav"]) == "léa-b-2.wav"
    assert name_file("…") == "name.wav"


# ---- what is played


def test_a_recorded_line_is_played_and_a_rewritten_one_is_not(shelf: Shelf, tmp_path: Path) -> None:
    synth = Text()
    studio = Studio(FR, synth, tmp_path / "clips", pack=filled(shelf))
    assert studio.clip(LINES["close_eyes"]).rate == RATE
    assert studio.clip("que tout le monde  ferme les yeux.").rate == RATE  # spaces and capitals do not count
    assert studio.clip("Pacifistes, \u2063ouvrez les yeux.").rate == RATE
    assert synth.asked == []
    studio.clip("Que tout le monde ferme les deux yeux.")
    studio.clip("Tour trois. Oui")
    assert synth.asked == ["Que tout le monde ferme les deux yeux.", "Tour trois. Oui"]
    assert studio.clip("Tour deux. Non").rate == RATE
    assert studio.clip("Pacifistes, \u2063refermez les yeux.").rate == RATE
    assert len(synth.asked) == 2
    studio.ahead([LINES["close_eyes"]])
    assert studio.wait_ahead(5)
    assert len(synth.asked) == 2
    studio.close()


def test_names_and_numbers_are_put_into_their_places(shelf: Shelf) -> None:
    pack = filled(shelf)
    clip = pack.clip("Quatre oui, deux non.")
    assert clip is not None
    sound = to_float(clip.samples)
    start, end = sounding(sound)
    step = round((0.5 + GAP) * RATE)
    assert (end - start) / RATE == pytest.approx(4 * 0.5 + 3 * GAP, abs=0.02)
    order = [pitch_of(sound[start + at * step + 800 :][:6000], RATE) for at in range(4)]
    assert order == pytest.approx([400, 900, 500, 1000], abs=4)  # quatre, oui, deux, non
    assert np.abs(np.diff(sound)).max() < 0.5
    lines = Lines("fr", [Source("x", {"lines": LINES}, {})])
    assert pack.clip(lines.spoken("propose", {"gv": "Alice"})) is not None
    assert pack.clip(lines.spoken("propose", {"gv": "Bob"})) is None  # a name that was not recorded
    assert pack.clip("Sept oui, deux non.") is None


def test_a_recording_that_is_damaged_or_gone_is_left_to_the_synthesiser(shelf: Shelf) -> None:
    filled(shelf)
    (shelf.folder / "close_eyes.wav").write_bytes(b"noise")
    (shelf.folder / NAMES / "alice.wav").unlink()
    pack = Pack(shelf.folder)
    assert pack.clip(LINES["close_eyes"]) is None
    assert pack.clip("Alice, qui proposes-tu comme Narratrice\u202f?") is None
    assert pack.clip("Deux oui, deux non.") is not None


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"pack": 2}, "not a voice pack"),
        ({"lines": {}}, "not a voice pack"),
        ({"pack": 1, "lines": {"../x": "Bob"}}, "“../x” is not the name of a line"),
        ({"pack": 1, "lines": {"x": 3}}, "must be a table of texts"),
        ({"pack": 1, "names": {"Bob": "../../etc/passwd.wav"}}, "must be a .wav file in names/"),
        ({"pack": 1, "names": {"Bob": "bob.txt"}}, "must be a .wav file in names/"),
        ({"pack": 1, "names": "all"}, "must be a table of texts"),
    ],
)
def test_a_pack_that_is_no_pack_says_where(tmp_path: Path, data: dict[str, object], says: str) -> None:
    (tmp_path / FILE).write_text(tomli_w.dumps(data), encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        Pack(tmp_path)
    assert says in str(caught.value)
    assert str(tmp_path / FILE) in str(caught.value)


def test_no_file_outside_the_pack_is_opened(shelf: Shelf, tmp_path: Path) -> None:
    filled(shelf)
    outside = tmp_path / "secret.wav"
    write_wav(outside, spoken(100))
    (shelf.folder / "close_eyes.wav").unlink()
    (shelf.folder / "close_eyes.wav").symlink_to(outside)
    assert Pack(shelf.folder).clip(LINES["close_eyes"]) is None


# ---- how a take becomes a recording


def blocks_of(sound: np.ndarray) -> queue.Queue[Block]:
    """What a microphone would give. The first block was heard before the take and must not be in it."""
    blocks: queue.Queue[Block] = queue.Queue()
    for at in range(0, len(sound), 800):
        blocks.put(Block(to_int16(sound[at : at + 800]), at / RATE))
    return blocks


class Slow(queue.Queue[Block]):
    """Blocks that come only once the queue was emptied, as from a device."""

    def __init__(self, sound: np.ndarray) -> None:
        super().__init__()
        self._later = blocks_of(sound)
        self.put(Block(to_int16(tone(5000, 0.05)), 0.0))

    def get(self, block: bool = True, timeout: float | None = None) -> Block:
        return super().get_nowait() if not self.empty() else self._later.get(block, 0.1)

    def get_nowait(self) -> Block:
        return super().get(False)


def room(seconds: float, level: float = 0.001) -> np.ndarray:
    return (np.random.default_rng(1).standard_normal(round(seconds * RATE)) * level).astype(np.float32)


@pytest.mark.parametrize("level", [0.02, 0.1, 0.6])
def test_a_take_ends_in_silence_is_trimmed_and_levelled(level: float) -> None:
    hum = 0.02 * np.sin(2 * np.pi * 30 * np.arange(6 * RATE) / RATE)
    sound = room(6) + hum.astype(np.float32)
    sound[RATE : RATE + RATE // 2] += tone(400, 0.5, level)
    sound[5 * RATE :] += tone(900, 1, level)  # said long after: not part of the take
    clip = take(Slow(sound), 20)
    assert clip.seconds == pytest.approx(0.5 + 2 * 0.06 + 0.03 + 0.08, abs=0.06)
    whole = to_float(clip.samples)
    assert loudness(whole, RATE) == pytest.approx(SPEECH_LUFS, abs=0.5)
    assert pitch_of(whole, RATE) == pytest.approx(400, abs=5)
    assert whole[0] == whole[-1] == 0


def test_what_is_no_take() -> None:
    with pytest.raises(TakeError) as nothing:
        take(Slow(room(8)), 20)
    assert nothing.value.reason == "nothing"
    click = room(8)
    click[RATE] = 0.8
    with pytest.raises(TakeError):
        take(Slow(click), 20)
    with pytest.raises(TakeError) as loud:
        cleaned(to_int16(np.clip(tone(400, 1, 1.5), -1, 1)), RATE)
    assert loud.value.reason == "loud"
    with pytest.raises(DeviceError, match="the microphone gives nothing"):
        take(queue.Queue(), 1)


# ---- a person goes through the lines


class Person:
    """Types these answers, and speaks at 300, 400, … Hz."""

    def __init__(self, *answers: str, bad: tuple[int, ...] = ()) -> None:
        self.answers, self.bad = list(answers), bad
        self.takes, self.played, self.told, self.counts = 0, 0, [], 0

    def session(self, shelf: Shelf) -> Session:
        def count_in() -> None:
            self.counts += 1

        def play(clip: Clip) -> None:
            self.played += 1

        told: Callable[..., None] = lambda key, **facts: self.told.append(key)  # noqa: E731
        return Session(shelf, self.listen, play, count_in, lambda key: self.answers.pop(0), told)

    def listen(self, letters: int) -> Clip:
        self.takes += 1
        if self.takes in self.bad:
            raise TakeError("nothing")
        return spoken(200 + 100 * self.takes)


def test_a_person_records_again_skips_and_stops(shelf: Shelf) -> None:
    items, _ = items_of(LINES, ("Alice",))
    person = Person("", "", "", "r", "", "s", "", "", "q", bad=(1,))
    # Alice: nothing heard, then kept; close_eyes: again, then kept; both_open: skipped; propose: kept; then enough.
    person.answers = ["", "", "", "", "r", "", "s", "", "", "q"]
    assert person.session(shelf).run(items) == 3
    assert person.answers == []
    assert "record_nothing" in person.told
    pack = Pack(shelf.folder)
    assert pack.clip("Que tout le monde ferme les yeux.") is not None
    assert pack.clip("Alice, qui proposes-tu comme Narratrice\u202f?") is not None
    assert pack.clip("Pacifistes, ouvrez les yeux.") is None
    assert person.counts == person.takes == person.played + 1
    # Another day: only what is missing is asked for.
    later = Person("s", "", "", "q")
    assert later.session(Shelf(shelf.folder, "fr", "sultan", LINES)).run(items) == 4
    assert later.takes == 1


def test_a_rewritten_line_is_recorded_anew(shelf: Shelf) -> None:
    filled(shelf)
    changed = {**LINES, "count_is": "{yes} pour, {no} contre."}
    again = Shelf(shelf.folder, "fr", "sultan", changed)
    items, _ = items_of(changed, ())
    missing = [item for item in items if not again.has(item)]
    assert [item.text for item in missing] == ["pour", "contre."]
    again.keep(missing[0], spoken(900))
    assert Pack(shelf.folder).clip("Quatre pour, deux contre.") is None  # half a line is none
    again.keep(missing[1], spoken(950))
    assert Pack(shelf.folder).clip("Quatre pour, deux contre.") is not None


def test_a_disk_that_refuses_and_a_pack_of_another_language(shelf: Shelf, tmp_path: Path) -> None:
    filled(shelf)
    with pytest.raises(ScriptError, match="speaks 'fr', not 'en'"):
        Shelf(shelf.folder, "en", "sultan", LINES)
    (tmp_path / "file").write_text("", encoding="utf-8")
    full = Shelf(tmp_path / "file", "fr", "sultan", LINES)
    with pytest.raises(DeviceError, match="cannot be kept"):
        full.keep(Item("Bob", "names/bob.wav", name="Bob"), spoken(300))


def test_spelling_is_compared_as_it_is_heard() -> None:
    assert squeezed("  Que\u00a0Bob \n vienne\u202f! ") == "que bob vienne !"
