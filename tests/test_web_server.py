"""The page for the phones, from the network's side: who may look, what is sent, and that nothing slows the evening."""

from __future__ import annotations

import ast
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from evening import table
from showing import Showing
from town import town

import narrator
from narrator.core.errors import DeviceError, NarratorError
from narrator.core.layout import surroundings
from narrator.core.setting import Setting
from narrator.stage.tables import write_table
from narrator.views.snapshot import Sheet, Snapshot
from narrator.web import server
from narrator.web.address import Address, address_of, lan_name
from narrator.web.server import ASSETS, HEADERS, WebView

LOOPBACK = address_of("0", lan=False)


def opened(show: Showing) -> WebView:
    setting = show.desk.production.setting
    mastered = show.desk.production.game.script.mastered
    view = WebView(LOOPBACK, surroundings(show.desk.production.layout), setting.language, mastered=mastered)
    view.start()
    show.desk.views.append(view.show)
    show.desk.masters.append(view.sheet)
    view.show(show.now)
    return view


@pytest.fixture(scope="module")
def sultan() -> Iterator[tuple[Showing, WebView]]:
    show = Showing(table(7))
    view = opened(show)
    yield show, view
    view.close()


@pytest.fixture(scope="module")
def tower() -> Iterator[tuple[Showing, WebView]]:
    show = Showing(town(8, roles=True))
    view = opened(show)
    yield show, view
    view.close()


def ask(view: WebView, path: str, method: str = "GET") -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", view.address.port, timeout=60)
    connection.request(method, path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), text


class Stream:
    """What a browser receives, event by event."""

    def __init__(self, view: WebView, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", view.address.port, timeout=60)
        self._connection.request("GET", f"/{token}/stream")
        self._answer = self._connection.getresponse()
        self.headers = dict(self._answer.getheaders())
        assert self._answer.status == 200

    def next(self, *events: str) -> tuple[str, Any]:
        """The next of these events."""
        name, beats = "", 0
        while line := self._answer.readline().decode().rstrip("\n"):
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                self._answer.readline()
                beats += name == "beat"
                assert beats < 6, f"{events} did not come for a minute"
                if not events or name in events:
                    return name, json.loads(line[6:])
        raise EOFError

    def until(self, number: int) -> dict[str, Any]:
        """The first state that is at least this new."""
        while True:
            _, state = self.next("state")
            if state["number"] >= number:
                return dict(state)

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


# ---- who may look


def test_the_page_and_all_it_needs_are_served(sultan: tuple[Showing, WebView]) -> None:
    view = sultan[1]
    for asset, (_, kind) in ASSETS.items():
        status, headers, text = ask(view, f"/{view.token}/{asset}")
        assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
        assert text
        assert {name: headers[name] for name in HEADERS} == HEADERS


def test_without_the_token_there_is_nothing(sultan: tuple[Showing, WebView]) -> None:
    view = sultan[1]
    wrong = ("", "x", view.token[:-1], view.token + "x", view.token.swapcase(), "%00", "é", "..", "stream")
    for token in wrong:
        for rest in ("", "/", "/stream", "/qr.svg", "/app.js", "/../app.js", "/server.py"):
            status, headers, text = ask(view, f"/{token}{rest}".replace("é", "%C3%A9"))
            assert status == 404, (token, rest)
            assert view.token not in text
            assert headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert ask(view, f"/{view.token}/server.py")[0] == 404
    assert ask(view, f"/{view.token}/..%2fserver.py")[0] == 404


def test_it_can_only_be_read(sultan: tuple[Showing, WebView]) -> None:
    view = sultan[1]
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        for path in (f"/{view.token}/", f"/{view.token}/stream"):
            assert ask(view, path, method)[0] == 405


def test_tokens_are_long_random_and_compared_in_constant_time() -> None:
    one, other = (WebView(LOOPBACK, {}, "fr", mastered=True) for _ in range(2))
    tokens = {one.token, one.master_token, other.token, other.master_token}
    assert len(tokens) == 4
    assert all(len(token) >= 22 for token in tokens)
    tree = ast.parse(Path(server.__file__).read_text(encoding="utf-8"))
    audience = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "_audience")
    calls = [n.func.attr for n in ast.walk(audience) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    assert calls.count("compare_digest") == 2
    assert not [n for n in ast.walk(audience) if isinstance(n, ast.Compare)]


def test_the_public_link_never_shows_the_sheet_and_the_masters_does(tower: tuple[Showing, WebView]) -> None:
    show, view = tower
    public, master = Stream(view, view.token), Stream(view, view.master_token)
    assert public.next("hello")[1]["master"] is False
    assert master.next("hello")[1]["master"] is True
    show.say("mj> Bob meurt", "mj> grimoire")
    _, sheet = master.next("sheet")
    while "Mourront" not in json.dumps(sheet):
        _, sheet = master.next("sheet")
    assert any(entry["lines"] == ["Bob"] for entry in sheet["entries"])
    show.night()
    seen = []
    while not seen or seen[-1][1].get("number", 0) < show.now.number:
        seen.append(public.next("state", "sheet"))
    assert {name for name, _ in seen} == {"state"}
    text = json.dumps(seen, ensure_ascii=False)
    grimoire = next(entry["lines"] for entry in sheet["entries"] if entry["word"] == "Grimoire")
    secrets = [line.split(" = ")[1] for line in grimoire]
    assert secrets
    assert not [secret for secret in secrets if secret in text]
    for stream in (public, master):
        stream.close()


def test_a_game_without_a_master_has_one_address(sultan: tuple[Showing, WebView]) -> None:
    view = sultan[1]
    assert view.master_url == ""
    assert ask(view, "//")[0] == 404


def test_the_code_leads_to_the_table_and_never_to_the_sheet(tower: tuple[Showing, WebView]) -> None:
    view = tower[1]
    codes = [ask(view, f"/{token}/qr.svg")[2] for token in (view.token, view.master_token)]
    assert codes[0] == codes[1] == view.address.svg(view.token)
    assert codes[0] != view.address.svg(view.master_token)
    assert not re.findall(r"(?:href|src)=|url\(|https?://(?!www\.w3\.org/2000/svg)", codes[0])


# ---- what is sent


def test_the_last_state_comes_at_once_and_news_as_they_happen(sultan: tuple[Showing, WebView]) -> None:
    show, view = sultan
    stream = Stream(view, view.token)
    assert stream.headers["Content-Type"] == "text/event-stream"
    assert stream.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    name, hello = stream.next()
    assert (name, hello["language"], hello["words"]["paused"]) == ("hello", "fr", "Pause")
    assert stream.next("state")[1]["title"] == "Au chevet du Sultan"
    show.say("je propose Chloé")
    state = stream.until(show.now.number)
    assert state["phase"] == "Discussion"
    assert state["timer"]["running"]
    stream.close()


def test_a_clock_has_gone_on_for_who_comes_later() -> None:
    show = Showing(table(5))
    view = opened(show)
    began = time.monotonic()
    show.say("je propose Chloé")
    time.sleep(1.1)
    stream = Stream(view, view.token)
    left = stream.next("state")[1]["timer"]["left"]
    assert 120.0 - (time.monotonic() - began) - 0.1 <= left <= 118.9
    stream.close()
    view.close()


def test_who_falls_behind_gets_the_last_state_and_slows_nobody() -> None:
    """One viewer never reads, and the server itself stands still: five thousand states are handed over all the same,
    nothing piles up, and the other viewer then sees the last one."""
    show = Showing(table(5))
    view = opened(show)
    asleep = socket.create_connection(("127.0.0.1", view.address.port))
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    asleep.sendall(f"GET /{view.token}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    awake = Stream(view, view.token)
    awake.next("state")
    loop: Any = view._loop
    still, go_on = threading.Event(), threading.Event()
    loop.call_soon_threadsafe(lambda: (still.set(), go_on.wait()))
    assert still.wait(60)
    for number in range(1, 5001):
        view.show(Snapshot(number + 1000, "fr", "T", texts=("x" * 500,)))
    waiting = len(loop._ready)
    go_on.set()
    assert waiting < 20  # calls for the loop: one told it that there is news
    assert awake.until(6000)["number"] == 6000
    assert view.viewers == 2
    asleep.close()
    awake.close()
    view.close()


def test_viewers_are_counted_and_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST", 3)
    show = Showing(table(5))
    view = opened(show)
    streams = [Stream(view, view.token) for _ in range(3)]
    for stream in streams:
        stream.next("state")
    assert ask(view, f"/{view.token}/stream")[0] == 503
    streams.pop().close()
    deadline = time.monotonic() + 60
    while view.viewers == 3 and time.monotonic() < deadline:
        show.say("répète")
        time.sleep(0.05)
    Stream(view, view.token).close()
    view.close()


def test_closing_says_goodbye() -> None:
    others = set(threading.enumerate())
    view = opened(Showing(table(5)))
    stream = Stream(view, view.token)
    stream.next("state")
    view.close()
    assert stream.next("bye")[0] == "bye"
    assert set(threading.enumerate()) <= others
    view.show(Snapshot(9, "fr", "T"))  # too late, and no harm
    view.close()


# ---- where it is opened


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        view = WebView(address_of(str(port), lan=False), {}, "fr", mastered=False)
        with pytest.raises(DeviceError, match=rf"127\.0\.0\.1:{port} \(.+\): the evening goes on without"):
            view.start()
        view.show(Snapshot(1, "fr", "T"))
        view.close()


@pytest.mark.parametrize(
    ("wish", "lan", "host", "port"),
    [
        ("8000", False, "127.0.0.1", 8000),
        ("", True, "0.0.0.0", 8420),
        ("8000", True, "0.0.0.0", 8000),
        ("192.0.2.7:81", False, "192.0.2.7", 81),
        ("[::1]:8000", False, "::1", 8000),
        ("localhost:8000", True, "localhost", 8000),
    ],
)
def test_only_this_machine_unless_asked(wish: str, lan: bool, host: str, port: int) -> None:
    address = address_of(wish, lan=lan)
    assert (address.host, address.port) == (host, port)


@pytest.mark.parametrize("wish", ["eight", "127.0.0.1", "70000", "a:b:c"])
def test_what_is_no_address_is_told(wish: str) -> None:
    with pytest.raises(NarratorError, match="write a port"):
        address_of(wish, lan=False)


def test_the_name_of_this_machine_on_the_network() -> None:
    assert lan_name("192.0.2.7") == "192.0.2.7"
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", lan_name("0.0.0.0"))
    assert Address("::", 80, "::1").url("t") == "http://[::1]:80/t/"
    assert Address("0.0.0.0", 80, "192.0.2.7").lan
    assert not LOOPBACK.lan


def test_the_code_of_the_terminal_is_a_square_of_the_address() -> None:
    address = Address("0.0.0.0", 8420, "192.168.100.200")
    rows = address.qr("x" * 22).plain.splitlines()
    assert len(set(map(len, rows))) == 1
    assert abs(len(rows[0]) - 2 * len(rows)) <= 2
    assert set("".join(rows)) <= set(" ▀▄█")


# ---- nothing from outside, nothing unasked


@pytest.mark.parametrize("name", sorted(name for name, _ in ASSETS.values()))
def test_nothing_is_loaded_from_outside(name: str) -> None:
    text = files("narrator.web").joinpath(name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(
        r"https?:|//\w+\.\w+|@import|<script(?![^>]*\bsrc=)|\bon\w+=\"|style=\"|innerHTML|eval\(", text
    )


def test_the_server_is_imported_only_where_it_is_asked_for() -> None:
    code = "import sys, narrator.cli, narrator.play, narrator.rehearsal.evening; print('aiohttp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr
    named = [
        path.name
        for path in Path(narrator.__file__).parent.rglob("*.py")
        if re.search(r"^(import|from) (aiohttp|segno)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sorted(named) == ["address.py", "server.py"]


def test_play_with_a_page_whose_port_is_taken_goes_on(tmp_path: Path) -> None:
    setting = tmp_path / "t.toml"
    write_table(Setting("sultan", "fr", ("Alice", "Bob", "Chloé", "David", "Emma"), "Alice"), setting)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "narrator",
                "play",
                "--typed",
                "--skip-setup",
                "--table",
                str(setting),
                "--web",
                port,
            ],
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
            input="je propose Chloé\n",
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    assert port in done.stdout
    assert "Tour un" in done.stdout


def test_views_and_fast_play_contradict_each_other(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "narrator", "play", "--typed", "--fast", "--web", "0"]
    done = subprocess.run(
        command, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "--fast" in done.stderr


def test_sheets_are_plain_data() -> None:
    assert Sheet(1, ("a",)).plain() == {"number": 1, "whispers": ("a",), "entries": ()}
