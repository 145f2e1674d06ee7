"""`narrator` alone, on a terminal: what makes sense now, with arrow keys.

An evening that is not finished comes first, then the last table; what there is not is not offered. What prepares leads
back to the menu, playing ends it. What went wrong is told, and the menu stays. Ctrl-C leaves from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from narrator.asking import Questions
from narrator.choices import read_menu
from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.faults import told
from narrator.library import game_ids
from narrator.readback import listed
from narrator.stage.journal import Record, evenings_folder, read_journal, unfinished
from narrator.stage.screen import harmless
from narrator.stage.tables import last_table, read_table
from narrator.words import locale_language, words

_SHOWN = 4  # names of a table, before "and three more"
_ENDLESS = 1_000_000  # questions


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the menu. `last`: nothing comes after it."""

    text: str
    act: Callable[[], object]
    last: bool = False


def run_menu(rehearse: Callable[[str], object]) -> None:
    """Until somebody plays or leaves. Raises KeyboardInterrupt for Ctrl-C, NarratorError for an evening that fails.

    `rehearse` takes the id of a game: nothing that plays knows the simulated table.
    """
    from narrator.setup import Answers, prepare_table

    while True:
        offers = [
            *_evenings(),
            Offer(words("menu_setup"), lambda: prepare_table(Answers(), out=None, ask=True)),
            Offer(words("menu_rehearse"), lambda: rehearse(_which_game())),
            Offer(words("menu_check"), _check),
            *_past(),
            Offer(words("menu_new"), _new_game),
            Offer(words("menu_leave"), lambda: None, last=True),
        ]
        chosen = _questions().choose(words("menu"), [(offer.text, offer) for offer in offers], offers[0])
        if chosen.last:
            chosen.act()
            return
        try:
            chosen.act()
        except NarratorError as error:
            print(f"narrator: {harmless(told(error))}")
        print()


def _questions() -> Questions:
    return Questions(ask=True, most=_ENDLESS)


def _evenings() -> Iterator[Offer]:
    """What can be played at once. A table or a journal that cannot be read is not offered."""
    from narrator.play import Wishes, lead_evening

    if record := _interrupted():
        text = words("menu_resume", date=date_of(record.path), **_facts(record.setting))
        yield Offer(text, lambda: lead_evening(Wishes(resume=True, journal=record.path)), last=True)
    if setting := _table():
        text = words("menu_play", **_facts(setting))
        yield Offer(text, lambda: lead_evening(Wishes(fresh=True)), last=True)


def _interrupted() -> Record | None:
    try:
        path = unfinished()
        return read_journal(path) if path else None
    except NarratorError:
        return None


def _table() -> Setting | None:
    try:
        return read_table(last_table()) if last_table().exists() else None
    except NarratorError:
        return None


def _facts(setting: Setting) -> dict[str, str]:
    language = locale_language()
    try:
        title = read_menu(setting.game, language).title
    except NarratorError:  # a game of somebody's own that is not there any more
        title = Path(setting.game).name
    return {"title": title, "names": listed(language, setting.players, _SHOWN)}


def date_of(journal: Path) -> str:
    """When an evening was, from the name of its journal, as it is written where we are."""
    parts = journal.stem.split("-")
    if len(parts) < 3 or not all(part.isdigit() for part in parts[:3]):
        return journal.stem
    return words("date", year=parts[0], month=parts[1], day=parts[2])


def _past() -> Iterator[Offer]:
    if any(evenings_folder().glob("*.jsonl")):
        yield Offer(words("menu_story"), _tell_story)


def _tell_story() -> None:
    from narrator.story.command import write_story

    for path in write_story(None, []):
        print(words("story_written", path=path.resolve()))


def _which_game() -> str:
    menus = [read_menu(game, locale_language()) for game in game_ids()]
    setting = _table()
    usual = setting.game if setting else menus[0].game
    return _questions().choose(words("q_game"), [(menu.title, menu.game) for menu in menus], usual)


def _check() -> None:
    from narrator.checkup import check_everything

    setting = _table()
    check_everything(last_table() if setting else None, locale_language())


def _new_game() -> None:
    from narrator.workshop.new_game import Wish, name_fault, new_game

    new_game(Wish(_questions().write(words("menu_own_name"), "", name_fault)), ask=True)
