"""vosk models of others: looked at, unpacked without trust, kept, chosen, and listened with, missing names included."""

from __future__ import annotations

import errno
import hashlib
import http.server
import io
import json
import shutil
import stat
import threading
import wave
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from ear_sound import HELD_OUT, RATE, hear, say, scene
from ear_stock_model import write_stock_model
from typer.testing import CliRunner

from narrator.cli import app
from narrator.core.errors import DeviceError, ModelError
from narrator.ear import store
from narrator.ear.choice import can_hear, table_ear
from narrator.ear.fetch import download
from narrator.ear.nearest import Nearest, sound
from narrator.ear.stock import inspect
from narrator.ear.stock_ear import StockEar
from narrator.ear.trial import sentence_of
from narrator.ear.unpack import unpack

VOCABULARY = "je propose alice bob oui non on vote si lot joueur un deux trois quatre guy zeste il au pause"
WORDS = tuple(VOCABULARY.split(" "))
NAMES = ("Alice", "Bob", "Siloh", "Brzęczyk")
SENTENCES = [*(f"je propose {name.lower()}" for name in NAMES), "on vote", "pause", "oui", "non"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stock_model(tmp_path_factory.mktemp("stock") / "vosk-model-small-fr-9.9", WORDS)


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def zipped(folder: Path, archive: Path) -> Path:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, Path(folder.name) / path.relative_to(folder))
    return archive


# ---- what a folder holds


def test_a_model_is_described(small: Path) -> None:
    model = inspect(small)
    assert (model.dynamic, model.rate) == (True, 16000)
    assert set(model.words) == set(WORDS)


def test_the_words_within_the_graph_are_read(small: Path, tmp_path: Path) -> None:
    """As the official small models keep them: a symbol table behind the header of Gr.fst."""
    folder = write_stock_model(tmp_path / "model", ["oui", "non"])
    (folder / "graph/words.txt").unlink()
    data, table = (folder / "graph/Gr.fst").read_bytes(), b""
    for label, word in enumerate(("<eps>", "non", "oui", "[unk]")):
        table += np.int32(len(word)).tobytes() + word.encode() + np.int64(label).tobytes()
    at = 4 + 4 + 6 + 4 + 8  # magic, two names with their lengths
    head = data[: at + 4] + np.int32(1).tobytes() + data[at + 8 : at + 40]
    symbols = np.int32(2125658996).tobytes() + np.int32(1).tobytes() + b"x" + np.array([4, 4], "<i8").tobytes()
    (folder / "graph/Gr.fst").write_bytes(head + symbols + table + data[at + 40 :])
    assert inspect(folder).words == ("non", "oui")
    (folder / "graph/Gr.fst").write_bytes(head + symbols + table[:20])
    with pytest.raises(ModelError, match="damaged, get it again"):
        inspect(folder)


@pytest.mark.parametrize("lacking", ["graph/Gr.fst", "am/final.mdl", "conf/mfcc.conf"])
def test_what_is_no_model_is_one_sentence(tmp_path: Path, lacking: str) -> None:
    folder = write_stock_model(tmp_path / "model", ["oui"])
    (folder / lacking).unlink()
    with pytest.raises(ModelError) as error:
        inspect(folder)
    assert "\n" not in str(error.value)


# ---- unpacking


def hostile(archive: Path, name: str, *, mode: int = 0o100644, content: bytes = b"x") -> Path:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        info = zipfile.ZipInfo(name)
        info.external_attr, info.compress_type = mode << 16, zipfile.ZIP_DEFLATED
        file.writestr(info, content)
    return archive


@pytest.mark.parametrize("name", ["../out", "a/../../out", "/out", "..\\out", "C:\\out", "a/b/../../../out"])
def test_nothing_is_written_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelError, match="outside the model's folder"):
        unpack(hostile(tmp_path / "bad.zip", name), tmp_path / "in" / "here")
    assert not list(tmp_path.rglob("out"))
    assert not (tmp_path / "in" / "here").exists()


def test_links_bombs_and_rubbish_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="a link or a device"):
        unpack(
            hostile(tmp_path / "l.zip", "am/final.mdl", mode=stat.S_IFLNK | 0o777, content=b"/etc/passwd"),
            tmp_path / "a",
        )
    with pytest.raises(ModelError, match="no model is like that"):
        unpack(hostile(tmp_path / "b.zip", "am/final.mdl", content=bytes(50_000_000)), tmp_path / "b")
    (tmp_path / "r.zip").write_bytes(b"not a zip")
    with pytest.raises(ModelError, match="cannot be unpacked"):
        unpack(tmp_path / "r.zip", tmp_path / "c")


def test_a_good_zip_gives_the_model(small: Path, tmp_path: Path) -> None:
    folder = unpack(zipped(small, tmp_path / "m.zip"), tmp_path / "here")
    assert folder.name == small.name
    assert inspect(folder).words == inspect(small).words


@pytest.mark.parametrize("beside", ["__MACOSX/vosk/._final.mdl", "README.txt"])
@pytest.mark.parametrize("within", ["", "outer/inner/"])
def test_a_model_is_found_in_a_zip_that_people_made_again(
    small: Path, tmp_path: Path, beside: str, within: str
) -> None:
    archive = tmp_path / "again.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(beside, "x")
        for path in (p for p in small.rglob("*") if p.is_file()):
            file.write(path, within + str(Path(small.name) / path.relative_to(small)))
    assert store.add(str(archive)).name == small.name


def test_a_zip_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"other\.zip holds no vosk model"):
        store.add(str(hostile(tmp_path / "other.zip", "text.txt")))


@pytest.mark.parametrize("kept", [0, 500])
def test_half_a_graph_is_one_sentence_and_ends_nothing(small: Path, tmp_path: Path, kept: int) -> None:
    """vosk ends the process on one ("Segmentation fault")."""
    folder = shutil.copytree(small, tmp_path / "half")
    (folder / "graph/HCLr.fst").write_bytes((small / "graph/HCLr.fst").read_bytes()[:kept])
    with pytest.raises(ModelError, match=r"cannot listen with the model in .*half: it is damaged"):
        store.add(str(folder))
    with pytest.raises(ModelError, match="it is damaged"):
        table_ear("fr", ["oui"], folder=folder)
    assert store.installed() == []


def test_a_blank_line_among_the_words_is_none(tmp_path: Path) -> None:
    folder = write_stock_model(tmp_path / "model", ["oui", "non"])
    with (folder / "graph/words.txt").open("a", encoding="utf-8") as words:
        words.write("\n\n")
    assert set(inspect(folder).words) == {"oui", "non"}


# ---- adding, choosing


def test_a_model_is_added_listed_and_chosen(small: Path, tmp_path: Path) -> None:
    archive = zipped(small, tmp_path / "any.zip")
    ear = store.add(str(archive))
    assert (ear.name, ear.sha256) == (small.name, hashlib.sha256(archive.read_bytes()).hexdigest())
    assert [one.name for one in store.installed()] == [small.name]
    assert store.use(small.name) == "fr"
    assert (store.chosen("fr"), store.chosen("en")) == (small.name, store.OWN)
    assert can_hear("fr")
    heard = table_ear("fr", ["oui", "non"])
    assert isinstance(heard, StockEar)
    heard.close()
    store.use(store.OWN, "fr")
    assert store.chosen_model("fr") is None
    with pytest.raises(ModelError, match="there is no ear “nobody”"):
        store.use("nobody")
    with pytest.raises(ModelError, match="no ear of its own for the language “xx”: it has one for en, fr"):
        store.use(store.OWN, "xx")
    assert store.use(small.name, "xx") == "xx"  # whoever has a model of it may have the language
    assert store.use(store.OWN, "xx") == "xx"
    assert store.chosen("xx") == store.OWN
    with pytest.raises(ModelError, match="neither a folder"):
        store.add(str(tmp_path / "nothing"))


def test_the_commands(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    run = CliRunner()
    assert run.invoke(app, ["ears", "add", str(small)]).exit_code == 0
    assert run.invoke(app, ["ears", "use", small.name]).exit_code == 0
    listed = run.invoke(app, ["ears", "list"]).output
    assert f"→ {small.name}: dynamic graph, 16000 Hz, {len(set(WORDS))} words, sha256 " in listed
    assert "vosk-model-small-en-us-0.15: to download" in listed


# ---- downloads


class Shop(http.server.BaseHTTPRequestHandler):
    """Serves bytes and honours Range; the first answer may break off."""

    content: ClassVar[bytes] = b""
    version: ClassVar[str] = '"1"'
    breaks: ClassVar[list[int]] = []
    asked: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        if self.path == "/none.zip":
            self.send_error(404)
            return
        if self.headers.get("If-Range", self.version) != self.version:
            wanted = None
        begin = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        if begin >= len(self.content):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(self.content)}")
            self.end_headers()
            return
        self.send_response(206 if wanted else 200)
        self.send_header("ETag", self.version)
        self.send_header("Content-Length", str(len(self.content) - begin))
        self.end_headers()
        end = self.breaks.pop() if self.breaks else len(self.content)
        self.wfile.write(self.content[begin:end])

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def shop(small: Path, tmp_path: Path) -> Iterator[str]:
    Shop.content = zipped(small, tmp_path / "served.zip").read_bytes()
    Shop.breaks.clear()
    Shop.version = '"1"'
    Shop.asked.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_download_that_breaks_off_goes_on_where_it_was(shop: str, tmp_path: Path) -> None:
    Shop.breaks.append(1_000_000)
    with pytest.raises(ModelError, match="run the same command again"):
        download(shop + "/m.zip", tmp_path / "m.zip")
    assert not (tmp_path / "m.zip").exists()
    download(shop + "/m.zip", tmp_path / "m.zip")
    assert Shop.asked == [None, "bytes=1000000-"]
    assert (tmp_path / "m.zip").read_bytes() == Shop.content


def test_another_file_under_the_same_address_is_not_stitched_on(shop: str, tmp_path: Path) -> None:
    Shop.breaks.append(1_000_000)
    with pytest.raises(ModelError):
        download(shop + "/m.zip", tmp_path / "m.zip")
    Shop.content, Shop.version = b"new" * 500_000, '"2"'
    download(shop + "/m.zip", tmp_path / "m.zip")
    assert (tmp_path / "m.zip").read_bytes() == Shop.content


@pytest.mark.parametrize("more", [0, 10])
def test_what_was_there_already_is_whole_or_fetched_again(shop: str, tmp_path: Path, more: int) -> None:
    (tmp_path / "m.zip.part").write_bytes(Shop.content + bytes(more))
    download(shop + "/m.zip", tmp_path / "m.zip")
    assert (tmp_path / "m.zip").read_bytes() == Shop.content
    assert [file.name for file in tmp_path.glob("m.zip*")] == ["m.zip"]


def test_a_download_that_is_no_model_is_not_met_again(shop: str) -> None:
    good, Shop.content = Shop.content, b"<html>come back later</html>"
    with pytest.raises(ModelError, match="cannot be unpacked"):
        store.add(shop + "/m.zip")
    Shop.content = good
    assert store.add(shop + "/m.zip").sha256 == hashlib.sha256(good).hexdigest()


def test_two_addresses_with_one_name_are_two_downloads(shop: str) -> None:
    Shop.breaks.append(1_000_000)
    with pytest.raises(ModelError):
        store.add(shop + "/elsewhere/m.zip?x=1")
    assert store.add(shop + "/m.zip").sha256 == hashlib.sha256(Shop.content).hexdigest()
    assert Shop.asked == [None, None]


def test_a_full_disk_is_not_a_missing_network(shop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("narrator.ear.fetch._receive", full)
    with pytest.raises(DeviceError, match="free some disk space"):
        download(shop + "/m.zip", tmp_path / "m.zip")


def test_a_model_from_an_address(shop: str) -> None:
    ear = store.add(shop + "/m.zip")
    assert ear.source == shop + "/m.zip"
    assert ear.sha256 == hashlib.sha256(Shop.content).hexdigest()


def test_no_file_and_no_network_are_one_sentence(shop: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot be had \(404"):
        download(shop + "/none.zip", tmp_path / "x")
    with pytest.raises(ModelError, match=r"cannot be reached .*: go online"):
        download("http://127.0.0.1:9/m.zip", tmp_path / "x")
    with pytest.raises(ModelError, match="not an address"):
        download("file:///etc/passwd", tmp_path / "x")


# ---- names that a model does not know


def test_the_nearest_row_of_words() -> None:
    nearest = Nearest(WORDS, "fr")
    assert nearest.row("siloh") == ("si", "lot")
    assert nearest.row("bop") == ("bob",)
    assert nearest.row("brzęczyk") == ()


def test_sounds_are_kept_for_the_next_time(tmp_path: Path) -> None:
    cache = tmp_path / "sounds"
    first = Nearest(WORDS, "fr", cache)
    assert cache.is_file()
    assert Nearest([], "fr", cache).row("siloh") == first.row("siloh")
    cache.write_text("rubbish", encoding="utf-8")
    assert Nearest(WORDS, "fr", cache).row("siloh") == first.row("siloh")
    assert sound("Bob", "fr") == ("b", "ɔ", "b")


@pytest.fixture(scope="module")
def ear(small: Path) -> Iterator[StockEar]:
    stock = StockEar(inspect(small), "fr", SENTENCES, NAMES)
    yield stock
    stock.close()


def test_a_missing_name_is_heard_as_its_likeness_or_by_its_seat(ear: StockEar) -> None:
    assert ear.heard_as == {"siloh": "si lot", "brzęczyk": "joueur quatre"}
    assert ear.unheard == ()


@pytest.mark.sound
@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("je propose alice", "je propose alice"),
        ("je propose siloh", "je propose siloh"),
        ("je propose joueur quatre", "je propose brzęczyk"),
        ("on vote", "on vote"),
    ],
)
def test_sentences_are_heard(ear: StockEar, said: str, sentence: str) -> None:
    heard = [[u.text for u in hear(ear.open(SENTENCES), scene(say(said, v), i))] for i, v in enumerate(HELD_OUT)]
    assert heard.count([sentence]) >= 4, heard


@pytest.mark.sound
def test_word_salad_is_no_sentence(ear: StockEar) -> None:
    for said in ("propose je bob", "je propose alice bob", "vote on vote"):
        assert [u.text for u in hear(ear.open(SENTENCES), scene(say(said, "max"), 1))] == [""], said


def test_a_sentence_with_a_word_that_nothing_sounds_like_is_named(small: Path) -> None:
    stock = StockEar(inspect(small), "fr", ["oui", "j'échange"], ())
    assert stock.unheard == ("j'échange",)
    with pytest.raises(ModelError, match="'non' is not among"):
        stock.open(["non"])
    stock.close()


# ---- a folder of recordings


def record(file: Path, text: str, voice: str) -> None:
    with wave.open(str(file), "wb") as sink:
        sink.setparams((1, 2, RATE, 0, "NONE", ""))
        sink.writeframes(scene(say(text, voice), 3).tobytes())


def test_the_name_of_a_file_from_a_mac_says_its_sentence() -> None:
    assert sentence_of(Path("je propose Zoe\u0301 (2).wav")) == "je propose Zoé"


def test_recordings_are_tried_with_hesitation_and_whatever_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    for name, said in (("Je propose Alice", "euh je propose alice"), ("On vote", "alors, on vote")):
        record(tmp_path / f"{name}.wav", said, "max")
    (tmp_path / "more.txt").write_text("je propose alice\non vote\nje propose bob\n", encoding="utf-8")
    told = CliRunner().invoke(app, ["ears", "test", str(tmp_path), "--sentences", str(tmp_path / "more.txt")])
    assert "2 right of 2" in told.output, told.output
    missing = CliRunner().invoke(app, ["ears", "test", str(tmp_path / "nothing")])
    assert "is not a folder" in str(missing.exception)


def test_a_recording_whose_name_cannot_be_said_is_named_and_the_others_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    record(tmp_path / "on vote.wav", "on vote", "max")
    record(tmp_path / "李.wav", "on vote", "max")
    told = CliRunner().invoke(app, ["ears", "test", str(tmp_path)])
    assert told.exit_code == 0, told.exception
    assert "李.wav: “李” > …" in told.output
    assert "Nobody here knows how “李” is said: the ear cannot hear it." in told.output
    assert "1 right of 2" in told.output


def test_the_name_of_a_file_says_its_sentence() -> None:
    names = {"je propose Bob.wav": "je propose Bob", "on_vote-2.ogg": "on vote", "oui (3).m4a": "oui", "oov 1.wav": ""}
    assert {name: sentence_of(Path(name)) for name in names} == names


@pytest.mark.sound
@pytest.mark.parametrize("own", [True, False])
def test_recordings_are_tried(small: Path, tmp_path: Path, own: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    folder = tmp_path / "voices"
    folder.mkdir()
    for name, said in (("alice", "alice"), ("je_propose_Bob-2", "je propose bob"), ("pause", "je propose bob")):
        record(folder / f"{name}.wav", said, "max")
    record(folder / "oov talk.wav", "il fait froid dans cette maison, vous ne trouvez pas", "max")
    report = tmp_path / "report.json"
    command = ["ears", "test", str(folder), "--report", str(report), *([] if own else ["--ear", str(small)])]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "2 right of 3; 0 false of 1" in result.output
    facts = json.loads(report.read_text(encoding="utf-8"))
    assert facts["wrong"] == [{"file": "pause.wav", "said": "pause", "heard": "je propose Bob"}]
    assert (facts["right"], facts["total"], facts["oov"], facts["oov_false"]) == (2, 3, 1, [])


def test_an_empty_folder_is_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["ears", "test", str(tmp_path)])
    assert isinstance(result.exception, ModelError)
    assert "has no recordings" in str(result.exception)
    assert io.StringIO(str(result.exception)).read().count("\n") == 0
