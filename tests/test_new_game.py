"""`narrator new-game`: what it writes passes the check, plays and rehearses at once; what it refuses, it explains."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from evening import NAMES, Evening
from own_game import looked_at, own_game
from test_check_game import narrator

from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.library import languages_of, stage
from narrator.rehearsal.proof import rehearsed
from narrator.workshop.new_game import Wish, new_game

PLAYERS = ", ".join(NAMES[:6])


@pytest.mark.parametrize(("low", "high"), [(3, 3), (3, 20), (4, 8), (5, 12), (6, 6), (7, 18), (20, 20)])
def test_whatever_the_numbers_it_passes_the_check(tmp_path: Path, low: int, high: int) -> None:
    game = own_game(tmp_path, players=f"{low}-{high}")
    look = looked_at(game)
    assert look.findings == []
    for seats in range(low, high + 1):
        rules = stage(Setting(str(game), "fr", tuple(f"Zoé {n}" for n in range(seats)))).game.rules
        dealt = rules.sheet.dealt  # type: ignore[attr-defined]
        assert sum(dealt.values()) == seats
        assert 0 < dealt["shadow"] < dealt["friend"]


@pytest.mark.parametrize("languages", ["fr", "en", "fr,en", "en, fr"])
def test_it_is_written_in_the_languages_asked_for(tmp_path: Path, languages: str) -> None:
    game = own_game(tmp_path, languages)
    assert languages_of(str(game)) == tuple(sorted(one.strip() for one in languages.split(",")))
    assert looked_at(game).findings == []


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (Wish("village"), "there is a game called “village” already"),
        (Wish("my game!"), "no name for a game"),
        (Wish("my-game", players="5"), "write the fewest and the most"),
        (Wish("my-game", players="9-5"), "write the fewest and the most"),
        (Wish("my-game", players="2-9"), "from 3 to 20"),
        (Wish("my-game", language="it"), "a new game is written in en, fr"),
        (Wish("my-game", title="a\nb"), "one line"),
    ],
)
def test_what_cannot_be(tmp_path: Path, wish: Wish, says: str) -> None:
    with pytest.raises(NarratorError, match=says):
        new_game(wish, ask=False, here=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    game = own_game(tmp_path)
    (game / "fr.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(NarratorError, match="is there already"):
        own_game(tmp_path)
    assert (game / "fr.toml").read_text(encoding="utf-8") == "mine"


def test_a_title_is_a_text(tmp_path: Path) -> None:
    new_game(Wish("my-game", 'The "old" \\ house', "5-9", "en"), ask=False, here=tmp_path)
    players = NAMES[:5]
    assert stage(Setting(str(tmp_path / "my-game"), "en", players)).title == 'The "old" \\ house'


def playing(tmp_path: Path, players: int = 5, **options: object) -> Evening:
    game = own_game(tmp_path)
    evening = Evening(Setting(str(game), "fr", NAMES[:players], "", options))
    assert evening.phase == "talk"
    return evening


def test_a_whole_evening(tmp_path: Path) -> None:
    evening = playing(tmp_path)
    evening.all("on vote", "Bob trois voix", "Alice une voix")
    assert evening.state["tallies"] == {"Bob": 3, "Alice": 1}
    assert not evening.say("Chloé deux voix")  # six voices of five players
    assert evening.lines == ["count_mismatch"]
    evening.all("Bob quatre voix")
    assert evening.phase == "card"
    assert evening.state["dead"] == ["Bob"]
    evening.all("un des nôtres")
    assert (evening.phase, evening.state["day"]) == ("talk", 2)
    evening.all("on vote", "4 voix pour Chloé", "une ombre")
    assert evening.phase == "ended"
    assert evening.lines[-1] == "light_is_near"
    evening.all("oui")
    assert evening.state["end"] == {"how": "light", "winners": ["friends"]}


def test_two_quiet_days_end_it(tmp_path: Path) -> None:
    """The counter counts what happens, and what is undone it has not counted."""
    evening = playing(tmp_path)
    evening.all("on vote", "Bob deux voix", "Alice deux voix", "c'est tout")
    assert (evening.phase, evening.state["counters"]) == ("talk", {"quiet": 1})
    evening.all("on vote", "c'est tout")
    assert evening.state["counters"] == {"quiet": 2}
    assert evening.phase == "ended"
    assert evening.say("annule")
    assert evening.state["counters"] == {"quiet": 1}
    evening.all("Bob cinq voix", "un des nôtres")
    assert evening.state["counters"] == {"quiet": 0}


@pytest.mark.sound
def test_it_is_rehearsed_in_every_language(tmp_path: Path) -> None:
    game = own_game(tmp_path)
    proofs = list(rehearsed(str(game), ("fr", "en"), seed=4))
    assert [(one.language, one.players) for one in proofs] == list(itertools.product(("fr", "en"), (5, 10)))
    assert [one.trouble for one in proofs] == [""] * 4
    titles = {"la lumière revient", "les ombres l’emportent", "the light comes back", "the shadows win"}
    assert {one.end for one in proofs} <= titles


# ---- the commands


def test_from_nothing_to_the_first_word(tmp_path: Path) -> None:
    made = narrator(
        tmp_path, "new-game", "my-game", "--title", "The Shadows", "--players", "5-8", "--lang", "en", "--yes"
    )
    assert made.returncode == 0, made.stderr
    assert "narrator check my-game/" in made.stdout
    assert sorted(path.name for path in (tmp_path / "my-game").iterdir()) == ["en.toml", "game.toml"]
    assert narrator(tmp_path, "check", "my-game/").returncode == 0
    ready = narrator(tmp_path, "setup", "--game", "./my-game", "--yes", "--players", PLAYERS, "--out", "table.toml")
    assert ready.returncode == 0, ready.stderr
    played = narrator(tmp_path, "play", "--typed", "--fast", "--table", "table.toml")
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith("Good evening. There are six of you: Alice, Bob")
    table = (tmp_path / "table.toml").read_text(encoding="utf-8")
    (tmp_path / "my-game" / "table.toml").write_text(
        table.replace(str((tmp_path / "my-game").resolve()), "../my-game"), encoding="utf-8"
    )
    assert 'game = "../my-game"' in (tmp_path / "my-game" / "table.toml").read_text(encoding="utf-8")
    played = narrator(tmp_path, "play", "--typed", "--fast", "--table", "my-game/table.toml")
    assert played.stdout.startswith("Good evening.")
    drawn = narrator(tmp_path, "diagram", "./my-game")
    assert "talk --> point" in drawn.stdout
    again = narrator(tmp_path, "new-game", "my-game", "--yes")
    assert again.returncode == 1
    assert "is there already" in again.stderr
