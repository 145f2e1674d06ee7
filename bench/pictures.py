"""Makes the pictures of the documentation, from evenings that are really played: `python -m bench.pictures [name …]`.

Each picture is a function that is given the file to write, under PICTURES; another one is one more line there. Needs
the extra `dev` and a Chromium; nothing of it is needed to play.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.golden import GOLDEN, typed
from bench.terminal_svg import svg_of
from narrator.conductor import Conductor
from narrator.core.layout import surroundings
from narrator.core.setting import Setting
from narrator.diagram import draw
from narrator.library import stage
from narrator.setup import sample_setting
from narrator.stage.journal import Journal
from narrator.stage.scripted import Prompter, SilentMouth
from narrator.stage.tables import read_table
from narrator.story.command import write_story
from narrator.views.desk import Desk
from narrator.views.picture import picture
from narrator.web.address import address_of
from narrator.web.server import WebView

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LARGEST = 300_000  # bytes of a picture
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Léa")
COURT = Setting("sultan", "fr", NAMES[:8], "Alice", {"giafar": True})
TALES = (
    "je propose Chloé\n6 oui, 2 non\nconte pacifiste\nje propose David\n3 oui, 5 non\nje propose Emma\n5 oui, 3 non\n"
    "conte interventionniste\nje propose Hugo\n(+37s)\ncombien de temps\n"
)
TOWN = Setting("clocktower", "fr", NAMES, "", {"vote": "ear"})
NIGHT = "mj> Gaëlle meurt\n" + "mj> suivant\n" * 2 + "mj> la partie continue\n"
BALLOT = NIGHT + "Alice nomme Chloé\non vote\noui\noui\nnon\noui\n"


def played(setting: Setting, sentences: str) -> Desk:
    """The desk after these sentences of scripted play."""
    production = stage(setting)
    prompter = Prompter(production, sentences.splitlines(), io.StringIO(), state=False)
    desk = Desk(production)
    conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (desk,), seed=1)
    prompter.conductor = desk.conductor = conductor
    conductor.run(production.game.opening(skip_setup=True))
    return desk


def captions(file: Path) -> None:
    desk = played(COURT, TALES)
    grid = picture(desk.snapshot, surroundings(desk.production.layout), 170, 48)
    file.write_text(svg_of(grid, "dark"), encoding="utf-8")


def web_phone(file: Path) -> None:
    _photograph(file, played(COURT, TALES), 360, 740, "light")


def web_tv(file: Path) -> None:
    _photograph(file, played(TOWN, BALLOT), 1280, 720, "dark")


def story(file: Path) -> None:
    """The page of an evening that is also a test."""
    setting = read_table(GOLDEN / "clocktower-7.fr.toml")
    production = stage(setting)
    with tempfile.TemporaryDirectory() as folder, _browser() as browser:
        journal = Journal.begin(setting, 1, skip_setup=False, path=Path(folder) / "2026-10-31-soiree.jsonl")
        prompter = Prompter(production, typed("clocktower-7.fr"), io.StringIO(), state=False)
        prompter.conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (), journal, 1)
        prompter.conductor.run(production.game.opening())
        page_file = Path(folder) / "story.html"
        write_story(journal.path, [page_file])
        page = browser.new_page(viewport={"width": 900, "height": 1500}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.screenshot(path=file)


def machine(file: Path) -> None:
    """A day and a night of Village, as graphviz draws them."""
    draw(stage(sample_setting("village")).game, file)


#: Name of the file -> what writes it.
PICTURES: Mapping[str, Callable[[Path], None]] = {
    "machine.svg": machine,
    "story.png": story,
    "captions.svg": captions,
    "web-phone.png": web_phone,
    "web-tv.png": web_tv,
}


def _photograph(file: Path, desk: Desk, width: int, height: int, theme: str) -> None:
    """The page of an evening in headless Chromium."""
    with _served(desk) as url, _browser() as browser:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
        page.goto(url)
        page.wait_for_selector("#seats li")
        page.wait_for_timeout(500)
        page.screenshot(path=file)


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def _served(desk: Desk) -> Iterator[str]:
    production = desk.production
    words = surroundings(production.layout)
    view = WebView(address_of("0", lan=False), words, production.setting.language, mastered=False)
    view.start()
    view.show(desk.snapshot)
    try:
        yield view.url
    finally:
        view.close()


def chromium() -> str:
    """Where the browser is."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise SystemExit("a browser is needed: apt install chromium")


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        if name not in PICTURES:
            raise SystemExit(f"there is no picture “{name}”; there are: {', '.join(PICTURES)}")
        file = FOLDER / name
        PICTURES[name](file)
        size = file.stat().st_size
        print(f"{file.relative_to(FOLDER.parent.parent)}: {size // 1000} kB")
        if size > LARGEST:
            raise SystemExit(f"{name} has {size} bytes, more than {LARGEST}")


if __name__ == "__main__":
    main(sys.argv[1:])
