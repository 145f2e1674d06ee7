"""Captions: the whole terminal shows the evening, and what is typed goes to the conductor as ever.

prompt_toolkit owns the terminal (typing, sizes, restoring it whatever happens), in a thread of its own; what is drawn
is a Grid. Ctrl-C leaves and lets the evening be resumed, F2 shows the code for the phones, F3 changes light and dark.
"""

from __future__ import annotations

import _thread
import io
import logging
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory, InMemoryHistory
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.processors import PasswordProcessor, Processor
from rich.text import Text

from narrator.asking import shown
from narrator.ports import Stop, Typed
from narrator.stage.screen import harmless
from narrator.views.bigtext import wrapped
from narrator.views.grid import THEMES, Grid
from narrator.views.picture import picture
from narrator.views.snapshot import Snapshot

log = logging.getLogger(__name__)
REFRESH = 0.5  # seconds between two looks at the clock and at the size of the terminal
NEWS = 8.0  # seconds for which a piece of news stands in the last line
TAIL = 4000  # bytes of what libraries wrote meanwhile that are passed on at the end


class Captions:
    """A view. show() and tell() may be called from any thread."""

    def __init__(
        self, words: Mapping[str, str], post: Callable[[Any], None], *, masked: bool, theme: str = "auto"
    ) -> None:
        """`post` takes what is typed. `masked`: it is the game master's, nobody may read it over his shoulder."""
        self._words, self._post, self.masked, self._theme = words, post, masked, theme
        self.code: Text | None = None  # shown by F2
        self.running = False
        self._coded = self._leaving = False
        # Told behind the picture: while devices are looked for, nobody's errors reach the terminal.
        self._failed: Exception | None = None
        self._snapshot: tuple[Snapshot, float] | None = None
        self._news: list[tuple[float, str]] = []
        self._thread = threading.Thread(target=self._run, name="captions", daemon=True)
        self._app: Application[None] | None = None
        self._begun = threading.Event()
        self._errors: tuple[int, BinaryIO] | None = None

    # ---- from the evening

    def show(self, snapshot: Snapshot) -> None:
        self._snapshot = (snapshot, time.monotonic())
        if self._app:
            self._app.invalidate()
        elif self._begun.is_set() and snapshot.said.text:  # the terminal went away: at least the words
            print(harmless(snapshot.said.text), flush=True)

    def tell(self, text: str) -> None:
        self._news.append((time.monotonic(), text))
        if self._app:
            self._app.invalidate()

    def start(self) -> None:
        self._catch_errors()
        self.running = True
        self._thread.start()
        self._begun.wait(5.0)

    def stop(self) -> tuple[str, ...]:
        """Gives the terminal back; returns the news that were told meanwhile."""
        app, loop = self._app, self._app.loop if self._app else None
        if app and loop:
            with suppress(RuntimeError):  # it is closing by itself
                loop.call_soon_threadsafe(app.exit)
        if self._thread.is_alive():
            self._thread.join(3.0)
        self.running = False
        self._pass_on_errors()
        if self._failed:
            log.warning("the captions could not be drawn; the evening went on", exc_info=self._failed)
        return tuple(text for _, text in self._news)

    # ---- the terminal's thread

    def _run(self) -> None:
        try:
            self._app = self._application()
            self._app.run(pre_run=self._begun.set, handle_sigint=False)
        except Exception:
            log.exception("the captions have failed; the evening goes on")
        finally:
            self._app, self.running = None, False
            self._begun.set()

    def _application(self) -> Application[None]:
        history = DummyHistory() if self.masked else InMemoryHistory()
        buffer = Buffer(multiline=False, history=history, accept_handler=self._entered)
        processors: list[Processor] = [PasswordProcessor()] if self.masked else []
        typing = BufferControl(buffer, input_processors=processors)
        base = self._style
        screen = Window(FormattedTextControl(self._drawn, show_cursor=False), always_hide_cursor=True, style=base)
        prompt = VSplit(
            [
                Window(FormattedTextControl("› "), width=2, style=base),
                Window(typing, height=1, style=base),
                Window(FormattedTextControl(self._latest), dont_extend_width=True, style=base),
            ],
            height=1,
        )
        reads = sys.stdin is not None and sys.stdin.isatty()
        return Application(
            Layout(HSplit([screen, prompt]), focused_element=typing),
            key_bindings=self._keys(),
            full_screen=True,
            refresh_interval=REFRESH,
            terminal_size_polling_interval=REFRESH,
            input=None if reads else DummyInput(),
        )

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("c-d")
        def leave(event: Any) -> None:
            if self._leaving:
                interrupt()  # the loop is busy: now at once
            self._leaving = True
            self._post(Stop())

        @keys.add("f2")
        def code(event: Any) -> None:
            self._coded = not self._coded and self.code is not None

        @keys.add("f3")
        def theme(event: Any) -> None:
            names = list(THEMES)
            self._theme = names[(names.index(self._theme) + 1) % len(names)]

        return keys

    def _entered(self, buffer: Buffer) -> bool:
        self._coded = False
        self._post(Typed(buffer.text.strip()))
        return False  # the line is emptied

    # ---- drawing

    def _style(self) -> str:
        return _for_terminal(THEMES[self._theme].get("", ""))

    def _drawn(self) -> StyleAndTextTuples:
        size = self._app.output.get_size() if self._app else None
        if size is None:
            return []
        self._catch_errors()
        grid = self._whatever_happens(size.columns, size.rows)
        styles = {name: _for_terminal(style) for name, style in THEMES[self._theme].items()}
        fragments: StyleAndTextTuples = []
        for row in list(grid.runs())[: size.rows - 1]:
            fragments += [(styles.get(style, styles.get("", "")), shown(text)) for style, text in row]
            fragments.append(("", "\n"))
        return fragments[:-1]

    def _whatever_happens(self, width: int, height: int) -> Grid:
        """A picture that cannot be drawn is at least its sentence."""
        try:
            return self._grid(width, height)
        except Exception as error:
            self._failed = self._failed or error
            grid = Grid(width, height)
            text = self._snapshot[0].said.text if self._snapshot else ""
            for y, line in enumerate(wrapped(text, max(width - 1, 1))):
                grid.put(0, y, line, "strong")
            return grid

    def _grid(self, width: int, height: int) -> Grid:
        if self._coded and self.code is not None:
            grid = Grid(width, height)
            rows = self.code.plain.rstrip("\n").split("\n")
            for n, row in enumerate(rows):
                grid.put(max((width - len(row)) // 2, 0), max((height - len(rows)) // 2, 0) + n, row, "paper")
            return grid
        if self._snapshot is None:
            return Grid(width, height)
        snapshot, since = self._snapshot
        return picture(snapshot.after(time.monotonic() - since), self._words, width, height)

    def _latest(self) -> str:
        """The newest piece of news, for a while."""
        if not self._news or time.monotonic() - self._news[-1][0] > NEWS:
            return ""
        return f"{shown(harmless(self._news[-1][1]))} "

    # ---- what libraries write to the standard error would tear the picture

    def _catch_errors(self) -> None:
        """Again and again: PortAudio's Python layer puts the standard error back whenever it has looked for devices."""
        if not os.isatty(2):
            return
        if self._errors is None:
            self._errors = (os.dup(2), tempfile.TemporaryFile())  # noqa: SIM115 (closed in _pass_on_errors)
        os.dup2(self._errors[1].fileno(), 2)

    def _pass_on_errors(self) -> None:
        if self._errors is None:
            return
        (saved, file), self._errors = self._errors, None
        os.dup2(saved, 2)
        os.close(saved)
        file.seek(max(file.seek(0, io.SEEK_END) - TAIL, 0))
        sys.stderr.write(file.read().decode(errors="replace"))
        file.close()


def interrupt() -> None:
    """Ctrl-C for the main thread, also where it sleeps."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _for_terminal(style: str) -> str:
    """ "bold #f0b35a on #14120f" as prompt_toolkit writes it."""
    colour, _, ground = style.partition(" on ")
    words = [word for word in colour.split() if word != "dim"]
    return " ".join([*words, *([f"bg:{ground}"] if ground else [])])
