"""The page in a browser: headless Chromium, at the sizes of a phone, a tablet and a television.

The evening is the real one (conductor, rules, lines) on a virtual clock; the page gets it from the real server.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from evening import table
from playwright.sync_api import Browser, Page, expect, sync_playwright
from showing import Showing
from town import town

from bench.pictures import FLAGS, chromium
from narrator.core.layout import surroundings
from narrator.setup import sample_setting
from narrator.views.snapshot import Said, Seat
from narrator.web.address import Address, address_of
from narrator.web.server import WebView

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "television": (1920, 1080)}
PATIENT = 60_000.0  # ms: the machine is shared


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser
        browser.close()


class Room:
    """An evening with its page; `faults`: whatever a browser complained about or asked of anybody else."""

    def __init__(self, show: Showing, browser: Browser) -> None:
        self.show, self._browser = show, browser
        self.faults: list[str] = []
        self.view = self._serve(address_of("0", lan=False))

    def page(self, size: str = "phone", *, master: bool = False, at: str = "", **context: Any) -> Page:
        width, height = SIZES[size]
        page = self._browser.new_page(viewport={"width": width, "height": height}, **context)
        page.set_default_timeout(PATIENT)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("request", self._watch)
        page.goto(at or (self.view.master_url if master else self.view.url))
        page.wait_for_selector("#seats li")
        return page

    def restart(self) -> None:
        """The server goes and comes back at the same address, as after a power cut of the router."""
        address, tokens = self.view.address, (self.view.token, self.view.master_token)
        self.view.close()
        self.view = self._serve(address, tokens)

    def _serve(self, address: Address, tokens: tuple[str, str] | None = None) -> WebView:
        production = self.show.desk.production
        words, mastered = surroundings(production.layout), production.game.script.mastered
        view = WebView(address, words, production.setting.language, mastered=mastered)
        if tokens:
            view.token, view.master_token = tokens
        view.start()
        self.show.desk.views, self.show.desk.masters = [view.show], [view.sheet]
        view.show(self.show.now)
        return view

    def _watch(self, request: Any) -> None:
        if not request.url.startswith(f"http://127.0.0.1:{self.view.address.port}/"):
            self.faults.append(request.url)


@pytest.fixture
def sultan(browser: Browser) -> Iterator[Room]:
    room = Room(Showing(table(7)), browser)
    yield room
    room.view.close()


@pytest.fixture
def tower(browser: Browser) -> Iterator[Room]:
    room = Room(Showing(town(8, roles=True)), browser)
    yield room
    room.view.close()


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    return [box for node in page.locator(selector).all() if (box := node.bounding_box())]  # type: ignore[misc]


def overlapping(rows: list[dict[str, float]]) -> list[tuple[int, int]]:
    def apart(a: dict[str, float], b: dict[str, float]) -> bool:
        return (
            a["x"] + a["width"] <= b["x"] + 1
            or b["x"] + b["width"] <= a["x"] + 1
            or a["y"] + a["height"] <= b["y"] + 1
            or b["y"] + b["height"] <= a["y"] + 1
        )

    return [(i, j) for i, a in enumerate(rows) for j, b in enumerate(rows[:i]) if not apart(a, b)]


def test_an_evening_is_followed_on_a_phone(sultan: Room) -> None:
    page, show = sultan.page(), sultan.show
    expect(page.locator("#phase")).to_have_text("Proposition")
    expect(page.locator("#sentence")).to_contain_text("qui proposes-tu comme Narratrice")
    assert page.locator("html").get_attribute("lang") == "fr"
    show.say("je propose Chloé")
    expect(page.locator("#phase")).to_have_text("Discussion")
    expect(page.locator("#seats li", has_text="Chloé")).to_contain_text("◇ Proposée")
    expect(page.locator("#timer")).to_be_visible()
    show.say("4 oui, 3 non")
    expect(page.locator("#counts")).to_have_text("4 oui 3 non")
    expect(page.locator("#about")).to_have_text("Vote, Chloé")
    expect(page.locator("#timer")).to_be_hidden()
    show.say("conte pacifiste")
    expect(page.locator(".board").first.locator("li.filled")).to_have_count(1)
    expect(page.locator("#counters div", has_text="Pioche").locator("dd")).to_have_text("14")
    show.say("pause")
    expect(page.locator("#state")).to_have_text("❚❚ Pause")
    assert sultan.faults == []


def test_the_clock_runs_in_the_page_and_stands_in_a_pause(sultan: Room) -> None:
    sultan.show.say("je propose Chloé")
    page = sultan.page()
    before = page.locator("#clock").inner_text()
    page.wait_for_function("before => document.getElementById('clock').textContent !== before", arg=before)
    sultan.show.say("pause")
    expect(page.locator("#stopped")).to_have_text("à l’arrêt")
    share = page.locator("#timer").evaluate("node => node.style.getPropertyValue('--share')")
    assert 0 < float(share) <= 100


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [5, 10])
def test_nobody_sits_on_anybody_and_nothing_is_cut_off(browser: Browser, size: str, seats: int) -> None:
    room = Room(Showing(table(seats, "Gaëlle" if seats > 6 else "Alice")), browser)
    try:
        room.show.say("je propose Chloé", "5 oui, 0 non" if seats == 5 else "10 oui, 0 non")
        page = room.page(size)
        expect(page.locator("#vote")).to_be_visible()
        rows = boxes(page, "#seats li")
        assert len(rows) == seats
        assert overlapping(rows) == []
        assert overlapping([*rows, *boxes(page, "#counts")]) == []
        width = SIZES[size][0]
        assert all(row["x"] >= 0 and row["x"] + row["width"] <= width for row in rows)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if size == "television":
            assert page.evaluate("document.documentElement.scrollHeight") <= SIZES[size][1]
    finally:
        room.view.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_full_town_fits(browser: Browser, size: str) -> None:
    room = Room(Showing(town(15)), browser)
    try:
        room.show.night("Bob", "Emma")
        room.show.say("Alice nomme Chloé", "on vote", "oui", "oui", "non", "oui")
        page = room.page(size)
        expect(page.locator("#needed")).to_have_text("il en faut 7")
        assert overlapping(boxes(page, "#seats li")) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
        assert room.faults == []
    finally:
        room.view.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", [38, 120])
def test_a_crowd_is_listed(browser: Browser, size: str, seats: int) -> None:
    room = Room(Showing(sample_setting("pyramide", seats, "fr")), browser)
    try:
        page = room.page(size)
        rows = boxes(page, "#seats li")
        assert len(rows) == seats
        assert overlapping(rows) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    finally:
        room.view.close()


def test_letters_are_large_on_a_television(sultan: Room) -> None:
    page = sultan.page("television")
    sizes = {
        selector: float(page.locator(selector).first.evaluate("n => parseFloat(getComputedStyle(n).fontSize)"))
        for selector in ("#sentence", "#seats .name", "#seats .mark", "#counters dd")
    }
    assert sizes["#sentence"] >= 48
    assert sizes["#seats .name"] >= 32
    assert sizes["#seats .mark"] >= 22
    assert sizes["#counters dd"] >= 32


def test_light_and_dark_follow_the_system_and_the_switch(sultan: Room) -> None:
    page = sultan.page(color_scheme="dark")

    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert paper() == "rgb(20, 18, 15)"
    page.click("#theme")
    assert paper() == "rgb(250, 246, 238)"
    page.reload()
    page.wait_for_selector("#seats li")
    assert paper() == "rgb(250, 246, 238)"  # remembered
    page.click("#theme")
    page.emulate_media(color_scheme="light")
    assert paper() == "rgb(20, 18, 15)"
    assert sultan.page(color_scheme="light").evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(250, 246, 238)"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_its_ground(sultan: Room, theme: str) -> None:
    """WCAG AA for every colour that letters have: 4.5 to 1."""
    page = sultan.page(color_scheme=theme)
    colours = page.evaluate(
        """() => {
          const style = getComputedStyle(document.documentElement);
          const at = (name) => style.getPropertyValue(name).trim();
          const names = ["paper", "card", "ink", "soft", "accent", "accent-ink", "go", "stop", "sand"];
          return Object.fromEntries(names.map((n) => [n, at("--" + n)]));
        }"""
    )

    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)] if len(colour) == 7 else [1.0, 1.0, 1.0]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        light, dark = sorted((luminance(colours[one]), luminance(colours[other])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    for ground in ("paper", "card"):
        for ink in ("ink", "soft", "accent", "go", "stop"):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    assert contrast("accent-ink", "accent") >= 4.5
    assert contrast("paper", "stop") >= 4.5
    assert contrast("ink", "sand") >= 4.5


def test_it_is_read_aloud_by_a_screen_reader(sultan: Room) -> None:
    page = sultan.page()
    assert page.locator("#sentence").get_attribute("aria-live") == "polite"
    tree = page.locator("body").aria_snapshot()
    for part in ('heading "Au chevet du Sultan"', 'button "Partager"', 'button "Clair ou sombre"', "Grande Vizir"):
        assert part in tree
    assert page.locator("#seats").evaluate("node => node.tagName") == "OL"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "share"


def test_it_speaks_the_language_of_the_table(browser: Browser) -> None:
    room = Room(Showing(table(5, language="en")), browser)
    try:
        page = room.page()
        assert page.locator("html").get_attribute("lang") == "en"
        expect(page.locator("#phase")).to_have_text("Proposal")
        assert page.locator("#theme").get_attribute("title") == "Light or dark"
    finally:
        room.view.close()


def test_it_comes_back_by_itself(sultan: Room) -> None:
    page = sultan.page()
    sultan.restart()
    expect(page.locator("#lost")).to_be_visible(timeout=PATIENT)
    sultan.show.say("je propose Chloé")
    expect(page.locator("#phase")).to_have_text("Discussion", timeout=3 * PATIENT)
    expect(page.locator("#lost")).to_be_hidden()


def test_it_comes_back_after_sleep(sultan: Room) -> None:
    """A phone that slept has a dead connection that nobody told it of."""
    page = sultan.page()
    page.context.set_offline(True)
    sultan.show.say("je propose Chloé")
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#phase")).to_have_text("Discussion", timeout=PATIENT)


def test_the_code_can_be_shown_and_closed(sultan: Room) -> None:
    page = sultan.page()
    page.click("#share")
    expect(page.locator("#qr")).to_be_visible()
    page.wait_for_function("document.getElementById('qr').naturalWidth > 50")
    page.click("#code button")
    expect(page.locator("#qr")).to_be_hidden()
    assert sultan.faults == []


def test_a_television_of_the_network_shows_the_code_all_the_time(browser: Browser) -> None:
    room = Room(Showing(table(7)), browser)
    try:
        assert room.page("television").locator("#corner").is_hidden()  # for this machine only: of no use to a phone
        room.view.address = replace(room.view.address, name="192.0.2.7")
        page = room.page("television", at=f"http://127.0.0.1:{room.view.address.port}/{room.view.token}/")
        expect(page.locator("#corner")).to_be_visible()
        page.wait_for_function("document.querySelector('#corner img').naturalWidth > 50")
        phone = room.page("phone", at=f"http://127.0.0.1:{room.view.address.port}/{room.view.token}/")
        expect(phone.locator("#corner")).to_be_hidden()
    finally:
        room.view.close()


def test_eyes_are_closed_and_so_is_the_page_but_not_the_masters(tower: Room) -> None:
    page, sheet = tower.page("television"), tower.page(master=True)
    expect(page.locator("#night")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.getElementById('night')).backgroundColor") == "rgb(0, 0, 0)"
    expect(page.locator("#sentence")).to_be_visible()
    expect(sheet.locator("#night")).to_be_hidden()
    tower.show.say("mj> Bob meurt")
    expect(sheet.locator("#entries")).to_contain_text("Mourront à l’aube")
    expect(sheet.locator("#whispers li").first).to_contain_text("Bob")
    assert page.locator("#sheet").is_hidden()
    assert "Grimoire" not in page.content()
    tower.show.night()
    expect(page.locator("#night")).to_be_hidden()
    expect(page.locator("#seats li", has_text="Bob")).to_contain_text("✝ Parmi les morts")
    assert tower.faults == []


def test_a_name_is_text_and_never_markup(browser: Browser) -> None:
    show = Showing(table(5))
    room = Room(show, browser)
    try:
        page = room.page()
        view = room.view
        evil = "<img src=x onerror=document.title='broken'>"
        view.show(replace(show.now, said=Said(evil), seats=(Seat(evil),), texts=(evil,)))
        expect(page.locator("#sentence")).to_have_text(evil)
        assert page.locator("img[src=x]").count() == 0
        assert "broken" not in page.title()
    finally:
        room.view.close()
