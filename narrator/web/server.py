"""Shows an evening on the phones and the television of the room: one page and a stream of what everybody may see.

It can only be looked at: nothing that arrives here reaches the game. Whoever has the address of the table sees the
public Snapshot; a second address, the game master's alone, also shows the Sheet. The server has a thread of its own:
for each viewer only the last state counts, so that a slow phone slows nobody, and no failure here stops the evening.
Nothing is imported and no socket opened before somebody asks for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from aiohttp import web

from narrator.core.errors import DeviceError
from narrator.views.snapshot import Sheet, Snapshot
from narrator.web.address import Address
from narrator.web.tokens import MASTER, TABLE, token

log = logging.getLogger(__name__)
BEAT = 10.0  # seconds after which a viewer is told that nothing has changed
STALL = 30.0  # seconds in which a viewer must take what it was sent
MOST = 100  # viewers at a time
START = 10.0  # seconds for the server to open its port
ASSETS = {
    "": ("index.html", "text/html"),
    "style.css": ("style.css", "text/css"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    "app.js": ("app.js", "text/javascript"),
    "draw.js": ("draw.js", "text/javascript"),
    "seats.js": ("seats.js", "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(eq=False)
class _Viewer:
    """`news`: set when there is something it has not been sent."""

    master: bool
    news: asyncio.Event = field(default_factory=asyncio.Event)


class WebView:
    """The page of one evening. show() and sheet() may be called from any thread and return at once."""

    def __init__(
        self,
        address: Address,
        words: Mapping[str, str],
        language: str,
        *,
        mastered: bool,
        evening: Path | None = None,
    ) -> None:
        """`words`: the texts of the page by name. `mastered`: the game has a master, who gets a page of his own.
        `evening`: its journal, with which the addresses stay the same when it is resumed.
        """
        self.address, self._words, self._language = address, dict(words), language
        self.token = token(evening, TABLE)
        self.master_token = token(evening, MASTER) if mastered else ""
        self._snapshot: tuple[Snapshot, float] | None = None
        self._sheet: Sheet | None = None
        self._viewers: set[_Viewer] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._waking = threading.Event()  # the loop has been told already
        self._ready = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)

    # ---- from the evening

    def start(self) -> None:
        """Returns once the port is open. Raises DeviceError if it cannot be."""
        self._thread.start()
        if not self._ready.wait(START) or self._failure:
            reason = self._failure.strerror or str(self._failure) if self._failure else "no answer"
            raise DeviceError(
                f"the page for the phones cannot be opened on {self.address.bound} ({reason}): "
                "the evening goes on without; choose another port with --web"
            )

    def show(self, snapshot: Snapshot) -> None:
        self._snapshot = (snapshot, time.monotonic())
        self._wake()

    def sheet(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._wake()

    def close(self) -> None:
        """Tells the viewers and closes; does nothing if it never ran."""
        loop, stop = self._loop, self._stop
        if loop and stop and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(stop.set)
            except RuntimeError:  # it has just ended by itself
                return
            self._thread.join(timeout=3.0)

    @property
    def url(self) -> str:
        """What the players open."""
        return self.address.url(self.token)

    @property
    def master_url(self) -> str:
        """What only the game master opens; "" in a game without one."""
        return self.address.url(self.master_token) if self.master_token else ""

    @property
    def viewers(self) -> int:
        return len(self._viewers)

    # ---- the thread of the server

    def _wake(self) -> None:
        if self._loop is None or self._waking.is_set():
            return
        self._waking.set()
        try:
            self._loop.call_soon_threadsafe(self._tell)
        except RuntimeError:  # closed
            self._loop = None

    def _tell(self) -> None:
        self._waking.clear()
        for viewer in self._viewers:
            viewer.news.set()

    def _serve(self) -> None:
        try:
            asyncio.run(self._run())
        except OSError as error:
            self._failure = error
        except Exception:
            log.exception("the page for the phones has failed; the evening goes on without")
        finally:
            self._loop = None
            self._ready.set()

    async def _run(self) -> None:
        self._stop = asyncio.Event()
        app = web.Application(middlewares=[_guarded], client_max_size=1024)
        app.router.add_get("/{token}", self._page)
        app.router.add_get("/{token}/stream", self._stream)
        app.router.add_get("/{token}/qr.svg", self._qr)
        app.router.add_get("/{token}/{asset:[a-z.]*}", self._page)
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, self.address.host, self.address.port)
            await site.start()
            self.address = self.address.opened(runner.addresses[0][1])
            self._loop = asyncio.get_running_loop()
            self._ready.set()
            await self._stop.wait()
            self._tell()
        finally:
            await runner.cleanup()

    # ---- requests

    def _audience(self, request: web.Request) -> bool:
        """Whether it is the master's address. Raises HTTPNotFound for any other than the two; always looks at both."""
        given = request.match_info["token"].encode()
        public = secrets.compare_digest(given, self.token.encode())
        master = secrets.compare_digest(given, (self.master_token or secrets.token_urlsafe(16)).encode())
        if not (public or master):
            raise web.HTTPNotFound(text="404")
        return master

    async def _page(self, request: web.Request) -> web.StreamResponse:
        self._audience(request)
        asset = request.match_info.get("asset")
        if asset is None:
            raise web.HTTPTemporaryRedirect(f"/{request.match_info['token']}/")
        if asset not in ASSETS:
            raise web.HTTPNotFound(text="404")
        name, kind = ASSETS[asset]
        return web.Response(body=files("narrator.web").joinpath(name).read_bytes(), content_type=kind, charset="utf-8")

    async def _qr(self, request: web.Request) -> web.StreamResponse:
        """The address of the table, never the master's."""
        self._audience(request)
        return web.Response(text=self.address.svg(self.token), content_type="image/svg+xml")

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        viewer = _Viewer(self._audience(request))
        if len(self._viewers) >= MOST:
            raise web.HTTPServiceUnavailable(text="503", headers={"Retry-After": "30"})
        response = web.StreamResponse(headers={**HEADERS, "Content-Type": "text/event-stream"})
        self._viewers.add(viewer)
        try:
            await response.prepare(request)
            await self._feed(viewer, response)
        except (ConnectionError, TimeoutError):
            pass  # it went to sleep, or away; it comes back by itself
        finally:
            self._viewers.discard(viewer)
        return response

    async def _feed(self, viewer: _Viewer, response: web.StreamResponse) -> None:
        assert self._stop is not None
        hello = {"words": self._words, "language": self._language, "master": viewer.master, "lan": self.address.lan}
        await _send(response, "hello", hello)
        while not self._stop.is_set():
            viewer.news.clear()
            if self._snapshot:
                snapshot, since = self._snapshot
                await _send(response, "state", snapshot.after(time.monotonic() - since).plain())
            if viewer.master and self._sheet:
                await _send(response, "sheet", self._sheet.plain())
            while not self._stop.is_set():
                try:
                    await asyncio.wait_for(viewer.news.wait(), BEAT)
                    break
                except TimeoutError:
                    await _send(response, "beat", {})
        await _send(response, "bye", {})


async def _send(response: web.StreamResponse, event: str, data: Mapping[str, Any]) -> None:
    text = f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
    await asyncio.wait_for(response.write(text.encode()), STALL)


@web.middleware
async def _guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The same headers on every answer; a stream has sent its own by the time it comes back."""
    try:
        response = await handler(request)
    except web.HTTPException as refusal:
        refusal.headers.update(HEADERS)
        raise
    if not response.prepared:
        response.headers.update(HEADERS)
    return response
