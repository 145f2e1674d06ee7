"""What the command line asks of the views (`--captions`, `--plain`, `--web`, `--lan`), and the views of one evening."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from narrator.conductor import Conductor
from narrator.core.errors import DeviceError, NarratorError
from narrator.core.layout import surroundings
from narrator.faults import told
from narrator.library import Production
from narrator.ports import Watcher
from narrator.stage.screen import Screen
from narrator.views.desk import Desk
from narrator.views.grid import THEMES
from narrator.views.plain import Plain
from narrator.words import words

if TYPE_CHECKING:
    from narrator.views.captions import Captions
    from narrator.web.server import WebView

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Looks:
    """`web`: "[HOST:]PORT" or None; `lan`: the page is for every machine of the network; `theme`: of grid.THEMES."""

    captions: bool = False
    plain: bool = False
    web: str | None = None
    lan: bool = False
    theme: str = "auto"

    @property
    def served(self) -> bool:
        return self.web is not None or self.lan

    @property
    def covers(self) -> bool:
        """Whether nothing else should be printed meanwhile."""
        return self.plain or self.captions

    @property
    def any(self) -> bool:
        return self.captions or self.plain or self.served


class Views:
    """The screen of an evening and what was asked for beside it. begin() before the first word, close() at the end."""

    def __init__(
        self,
        looks: Looks,
        production: Production,
        post: Callable[[Any], None],
        *,
        rate: float = 1.0,
        rehearsed: bool = False,
    ) -> None:
        """`post` takes what is typed into the captions; `rehearsed`: nobody plays, there is no secret to keep.

        Raises NarratorError for wishes that contradict each other.
        """
        self.console = Console(highlight=False, soft_wrap=True)
        mastered = production.game.script.mastered and not rehearsed
        full = looks.captions and not looks.plain and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        if looks.theme not in THEMES:
            raise NarratorError(words("theme_unknown", theme=looks.theme, themes=", ".join(THEMES)))
        if full and mastered and not looks.served:
            raise NarratorError(words("captions_master"))
        self._looks, self._mastered = looks, production.game.script.mastered
        self.desk = Desk(production, rate=rate) if looks.any else None
        self.captions: Captions | None = None
        self.web: WebView | None = None
        self.screen: Screen | Plain | None = None
        page = surroundings(production.layout)
        if full:
            from narrator.views.captions import Captions

            self.captions = Captions(page, post, masked=mastered, theme=looks.theme)
        elif looks.plain or looks.captions:
            self.screen = Plain(page)
        else:
            self.screen = Screen(self.console)
        for view in (self.captions, self.screen):
            if self.desk and view is not None and not isinstance(view, Screen):
                self.desk.views.append(view.show)
        self._page = page

    @property
    def has_keyboard(self) -> bool:
        """Whether the captions read what is typed."""
        return self.captions is not None and sys.stdin is not None and sys.stdin.isatty()

    @property
    def watchers(self) -> tuple[Watcher, ...]:
        return tuple(watcher for watcher in (self.screen, self.desk) if watcher is not None)

    def tell(self, text: str) -> None:
        """News that are not the game's: devices, addresses. Never lost, even where captions cover the screen."""
        if self.captions and self.captions.running:
            self.captions.tell(text)
        else:
            self.console.print(text, style=None if self._looks.plain else "yellow", markup=False)

    def begin(self, conductor: Conductor) -> None:
        """Open the page and the captions."""
        if self.desk is None:
            return
        self.desk.conductor = conductor
        if self._looks.served:
            self._open_web(self.desk, conductor.journal.path if conductor.journal else None)
        if self.captions:
            self.captions.start()

    def close(self) -> None:
        if self.captions:
            for text in self.captions.stop():
                self.console.print(text, style="yellow", markup=False)
        if self.web:
            self.web.close()

    def _open_web(self, desk: Desk, evening: Path | None) -> None:
        """A page that cannot be opened is told of in a sentence, and the evening goes on without it."""
        try:
            from narrator.web.address import address_of
            from narrator.web.server import WebView
        except ImportError:
            self.tell(words("web_missing"))
            return
        address = address_of(self._looks.web or "", lan=self._looks.lan)
        setting = desk.production.setting
        view = WebView(address, self._page, setting.language, mastered=self._mastered, evening=evening)
        try:
            view.start()
        except DeviceError as error:
            self.tell(told(error))
            return
        self.web = view
        desk.views.append(view.show)
        desk.masters.append(view.sheet)
        self._tell_address(view)

    def _tell_address(self, view: WebView) -> None:
        self.tell(words("web_open", url=view.url))
        if view.address.lan and self.console.is_terminal and not self._looks.plain:
            self.console.print(view.address.qr(view.token))
        if view.master_url:
            self.tell(words("web_master", url=view.master_url))
            if self.captions and self.captions.masked and sys.stdin.isatty():  # before the room sees this screen
                if view.address.lan:
                    self.console.print(view.address.qr(view.master_token))
                input(words("web_master_seen") + " ")
                self.console.clear()
        if self.captions:
            self.captions.code = view.address.qr(view.token).append(f"\n{view.url}")
