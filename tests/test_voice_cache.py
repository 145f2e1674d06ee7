"""Lines kept in memory and on disk, and rendered ahead."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from narrator.core.errors import DeviceError
from narrator.voice import cache, patience
from narrator.voice.cache import Studio
from narrator.voice.clip import Clip
from narrator.voice.profile import load_profile
from narrator.voice.synth import Synth

FR = load_profile("fr")


class Counter:
    """Renders a clip as long as the text, and notes what it was asked."""

    engine = "counter"

    def __init__(self, delay: float = 0) -> None:
        self.asked: list[tuple[str, int | None]] = []
        self.delay, self.closed, self.broken = delay, False, False

    def render(self, text: str, *, rate: int | None = None) -> Clip:
        self.asked.append((text, rate))
        time.sleep(self.delay)
        if self.broken:
            raise DeviceError("the engine is broken")
        return Clip(np.arange(100 * (1 + len(text)), dtype=np.int16), 22050)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def synth() -> Counter:
    return Counter()


@pytest.fixture
def studio(synth: Counter, tmp_path: Path) -> Iterator[Studio]:
    studio = Studio(FR, synth, tmp_path / "voice")
    yield studio
    studio.close()


def until(true: Callable[[], object]) -> None:
    """Waits for it; a machine may be slow."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_line_is_rendered_once(studio: Studio, synth: Counter) -> None:
    assert studio.clip("Bob") is studio.clip("Bob")
    assert studio.seconds("Bob") == pytest.approx(400 / 22050)
    assert synth.asked == [("Bob", FR.rate)]


def test_it_survives_the_evening(studio: Studio, synth: Counter, tmp_path: Path) -> None:
    clip = studio.clip("Bob")
    later = Studio(FR, synth, tmp_path / "voice")
    again = later.clip("Bob")
    assert (again.rate, again.samples.tolist()) == (clip.rate, clip.samples.tolist())
    assert len(synth.asked) == 1
    assert [path.suffix for path in files(tmp_path)] == [".clip"]


def test_what_is_said_the_same_is_kept_once(studio: Studio, synth: Counter) -> None:
    assert studio.clip("«\u00a0Bob\u00a0»\u202f!") is studio.clip("Bob !")
    assert len(synth.asked) == 1


def test_all_that_changes_the_sound_changes_the_key(synth: Counter, tmp_path: Path) -> None:
    profiles = [
        FR,
        replace(FR, voices=("x",)),
        replace(FR, pitch=1),
        replace(FR, volume=0.1),
        replace(FR, pauses=replace(FR.pauses, comma=1.0)),
        replace(FR, says={"bob": "robert"}),
    ]
    for profile in profiles:
        Studio(profile, synth, tmp_path).clip("Bob")
    Studio(FR, synth, tmp_path).clip("Bob", pace=1.2)
    assert len(synth.asked) == len(profiles) + 1
    assert synth.asked[-1] == ("Bob", round(FR.rate * 1.2))


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other", "folder"])
def test_a_damaged_file_is_rendered_again(synth: Counter, tmp_path: Path, damage: str) -> None:
    wanted = Studio(FR, synth, tmp_path).clip("Bob").samples.tolist()
    (path,) = files(tmp_path)
    data = path.read_bytes()
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        middle = bytes([data[200] ^ 1])
        path.write_bytes(
            {"cut": data[:-5], "flip": data[:200] + middle + data[201:], "empty": b""}.get(damage, b"x" * 99)
        )
    assert Studio(FR, synth, tmp_path).clip("Bob").samples.tolist() == wanted
    assert len(synth.asked) == 2
    if damage != "folder":
        assert path.read_bytes() == data


def test_a_disk_that_refuses_is_done_without_and_says_so_once(
    synth: Counter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way, as a folder without rights is")
    studio = Studio(FR, synth, tmp_path / "file" / "voice")
    with caplog.at_level(logging.WARNING):
        for text in ("Bob", "Sally", "Bob"):
            assert studio.clip(text).seconds > 0
    assert len(synth.asked) == 2
    assert len(caplog.records) == 1
    assert "stay in memory" in caplog.text


def test_a_full_disk_leaves_nothing_half_written(
    synth: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    assert Studio(FR, synth, tmp_path).clip("Bob").seconds > 0
    assert "No space left" in caplog.text
    assert files(tmp_path) == []


def test_ahead_renders_in_order_in_the_background(studio: Studio, synth: Counter) -> None:
    studio.ahead(["un", "deux"])
    studio.ahead(text for text in ("trois", "un"))
    assert studio.wait_ahead(60)
    assert [text for text, _ in synth.asked] == ["un", "deux", "trois"]
    studio.clip("deux")
    assert len(synth.asked) == 3


def test_what_is_wanted_now_passes_what_is_rendered_ahead(tmp_path: Path) -> None:
    synth = Counter(delay=0.05)
    studio = Studio(FR, synth, tmp_path)
    studio.ahead(f"ligne {number}" for number in range(60))
    until(lambda: synth.asked)
    studio.clip("maintenant")
    assert ("maintenant", FR.rate) in synth.asked[:30]  # behind a few lines on a busy machine, never behind all
    studio.forget_ahead()
    assert studio.wait_ahead(60)
    assert len(synth.asked) < 60
    studio.close()


def test_a_known_line_does_not_wait_at_all(tmp_path: Path) -> None:
    slow = Slow()
    slow.let.set()
    studio = Studio(FR, slow, tmp_path)
    studio.clip("connu")
    slow.let.clear()
    studio.ahead(["autre"])
    until(lambda: slow.begun == 2)
    studio.clip("connu")
    assert slow.asked == [("connu", FR.rate)]  # the other one is still under way
    slow.let.set()
    studio.close()


def test_two_threads_that_want_the_same_line(tmp_path: Path) -> None:
    synth = Counter(delay=0.05)
    studio = Studio(FR, synth, tmp_path)
    threads = [threading.Thread(target=studio.clip, args=("Bob",)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(synth.asked) == 1


def test_a_broken_engine_stops_a_wish_but_not_the_studio(studio: Studio, synth: Counter) -> None:
    synth.broken = True
    studio.ahead(["un"])
    assert studio.wait_ahead(60)
    with pytest.raises(DeviceError, match="broken"):
        studio.clip("un")
    synth.broken = False
    assert studio.clip("un").seconds > 0
    studio.ahead(["deux"])
    assert studio.wait_ahead(60)
    assert len(synth.asked) == 4


def test_memory_and_disk_have_an_end(synth: Counter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MEMORY_BYTES", 3000)
    studio = Studio(FR, synth, tmp_path)
    for number in range(10):
        studio.clip(f"ligne {number}")
    assert studio._held <= 3000
    cache._make_room(tmp_path, 4000)
    assert 0 < len(files(tmp_path)) <= 2
    assert studio.clip("ligne 9").seconds > 0


def test_samples_cannot_be_spoilt(studio: Studio) -> None:
    with pytest.raises(ValueError, match="read-only"):
        studio.clip("Bob").samples[0] = 1


def test_close_closes_only_what_it_made(studio: Studio, synth: Counter) -> None:
    studio.ahead(["un"])
    studio.close()
    studio.ahead(["deux"])
    assert not synth.closed


@pytest.mark.sound
def test_with_the_real_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "La nuit tombe sur le palais."
    first = Studio(FR, folder=tmp_path)
    sound = first.clip(text)
    first.close()
    with Synth(FR) as synth:
        second = Studio(FR, synth, tmp_path)
        with monkeypatch.context() as nothing:
            nothing.setattr(synth, "render", None)  # it is not asked again
            assert np.array_equal(second.clip(text).samples, sound.samples)
        assert second.clip(text, pace=0.8).seconds > 1.1 * sound.seconds


# ---- a voice that cannot keep up


class Slow(Counter):
    """Renders a line when it is let."""

    engine = "slow"

    def __init__(self) -> None:
        super().__init__()
        self.let, self.begun = threading.Event(), 0

    def render(self, text: str, *, rate: int | None = None) -> Clip:
        self.begun += 1
        self.let.wait(60)
        if self.closed:
            raise DeviceError("it was closed")
        return replace(super().render(text, rate=rate), rate=24000)

    def close(self) -> None:
        super().close()
        self.let.set()


def test_a_table_does_not_wait_for_a_slow_voice_and_its_work_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(patience, "GRACE", 0.05)
    monkeypatch.setattr(patience, "LETTERS", 1000)
    slow, spare = Slow(), Counter()
    studio = Studio(FR, slow, tmp_path, spare=lambda: spare)
    assert studio.now("Bob").rate == 22050  # the spare's
    monkeypatch.setattr(patience, "GRACE", 3600.0)
    assert studio.now("Alice").rate == 22050  # while one is late, nobody waits
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "this machine is too slow for its voice"  # told once
    ]
    slow.let.set()
    assert studio.clip("Bob").rate == 24000
    until(lambda: studio.now("Alice").rate == 24000)  # in time again
    assert slow.asked == [("Bob", FR.rate), ("Alice", FR.rate)]
    studio.close()


def test_an_evening_ends_although_a_line_is_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "GRACE", 0.05)
    made: list[Counter] = []

    def spare() -> Counter:
        made.append(Counter())
        return made[-1]

    slow = Slow()
    studio = Studio(FR, slow, tmp_path, spare=spare, owned=True)
    assert studio.now("Bob").rate == 22050
    studio.close()
    assert slow.closed
    assert [one.closed for one in made] == [True]  # none was made after the end


def test_the_spare_speaks_for_a_voice_that_cannot_start(tmp_path: Path) -> None:
    class Dead(Counter):
        @property
        def engine(self) -> str:  # type: ignore[override]
            raise DeviceError("no speech engine can be loaded")

    spare = Counter()
    studio = Studio(FR, Dead(), tmp_path, spare=lambda: spare)
    assert studio.now("Bob").rate == studio.clip("Bob").rate == 22050
    assert spare.asked == [("Bob", FR.rate)]
    studio.close()


def test_a_voice_without_a_spare_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "GRACE", 0.0)
    studio = Studio(FR, Counter(0.2), tmp_path)
    assert studio.now("Bob").rate == 22050


def test_a_long_line_is_waited_for_longer() -> None:
    assert patience.bearable("") == patience.GRACE
    assert patience.bearable("a" * 150) == patience.GRACE + 10
