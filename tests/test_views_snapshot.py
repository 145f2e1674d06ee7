"""The public snapshot: right, in step with the voice, plain data, for every game; never a word of what is private."""

from __future__ import annotations

import io
import json
import random
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from evening import table
from hypothesis import given, settings
from hypothesis import strategies as st
from showing import Showing
from town import MORE, ROLES, town

from bench.golden import GOLDEN, typed
from narrator.conductor import Conductor
from narrator.core.errors import ScriptError
from narrator.core.layout import KINDS, Layout, read_layout, surroundings
from narrator.core.script import Source
from narrator.library import game_ids, languages_of, stage
from narrator.setup import sample_setting
from narrator.stage.scripted import Prompter, SilentMouth
from narrator.stage.tables import read_table
from narrator.views.desk import Desk
from narrator.views.snapshot import Sheet, Snapshot, Timer

EVENINGS = sorted(path.stem for path in GOLDEN.glob("*.toml"))


def marks(snapshot: Snapshot) -> dict[str, str]:
    """Who has which signs."""
    return {seat.name: "".join(mark.sign for mark in seat.marks) for seat in snapshot.seats if seat.marks}


# ---- what is drawn


def test_a_turn_of_the_sultan_is_drawn_as_it_is_told() -> None:
    show = Showing(table(7))
    assert show.now.title == "Au chevet du Sultan"
    assert [seat.name for seat in show.now.seats] == ["Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle"]
    assert marks(show.now) == {"Alice": "▸♛"}
    assert show.now.timer is None
    now = show.say("je propose Chloé")
    assert (now.phase, now.heard, marks(now)["Chloé"]) == ("Discussion", "je propose Chloé", "◇")
    assert now.timer == Timer(120.0, 120.0, True)
    assert show.say("qu'est-ce qu'on peut dire").heard == "qu’est-ce qu’on peut dire"
    show.say("(+30s)", "combien de temps")
    assert show.now.timer is not None
    assert show.now.timer.left == pytest.approx(90.0)
    now = show.say("4 oui, 3 non")
    assert now.vote is not None
    assert (now.vote.yes, now.vote.no, now.vote.voters, now.vote.about) == (4, 3, 7, "Chloé")
    now = show.say("conte pacifiste")
    assert [(board.filled, len(board.cells)) for board in now.boards] == [(1, 6), (0, 5)]
    assert now.boards[0].cells[0] == "A"
    assert {counter.word: counter.value for counter in now.counters}["Pioche"] == 14
    assert marks(now) == {"Alice": "⊘", "Bob": "▸♛", "Chloé": "⊘"}
    assert now.vote is None


def test_a_vote_of_the_town_comes_in_seat_by_seat() -> None:
    show = Showing(town(7))
    show.night("Bob")
    assert show.now.phase == "Discussion"
    assert marks(show.now)["Bob"] == "✝●"
    show.say("Alice nomme Chloé", "on vote", "oui")
    assert show.now.vote is not None
    assert (show.now.vote.yes, show.now.vote.hands, show.now.vote.needed) == (1, ("David",), 3)
    assert marks(show.now)["David"] == "✓"
    assert marks(show.now)["Emma"] == "▸"
    assert show.now.timer is None  # the beat of a seat is no clock


def test_purses_and_strokes_of_the_executioner() -> None:
    show = Showing(table(5, game="bourreau"))
    show.say("sans effet", "Bob regarde", "Chloé regarde", "David regarde", "Emma regarde", "sans effet")
    assert show.now.phase == "Les exécutions"
    assert show.now.seats[0].value == "5\u00a0♔"
    show.say("j'exécute Bob", "c'est fait", "joli chapeau", "non")
    assert "✝" in marks(show.now)["Bob"]


def test_nothing_is_seen_before_it_is_heard() -> None:
    """Facts wait for the lines that were said before them: the vote is still there while its refusal is told."""
    show = Showing(table(7))
    show.say("je propose Chloé", "3 oui, 4 non")
    told = {shot.said.text: shot for shot in show.shots}
    refused = next(shot for text, shot in told.items() if "refusé" in text)
    assert refused.vote is not None
    assert refused.vote.no == 4
    turn = next(shot for text, shot in told.items() if text.startswith("Tour deux"))
    assert turn.vote is None
    assert "♛" in marks(turn)["Bob"]
    assert "♛" in marks(refused)["Alice"]


def test_pause_and_mute_are_seen_and_the_clock_stands_still() -> None:
    show = Showing(table(7))
    now = show.say("je propose Chloé", "(+20s)", "pause")
    assert now.paused
    assert now.timer is not None
    assert not now.timer.running
    show.say("(+500s)")
    assert show.say("reprends").timer == Timer(120.0, pytest.approx(100.0), True)
    assert show.say("coupe le son").muted


def test_a_minute_more_makes_the_clock_longer() -> None:
    show = Showing(table(7))
    now = show.say("je propose Chloé", "encore une minute")
    assert now.timer is not None
    assert now.timer.left == pytest.approx(180.0)
    assert now.timer.total >= now.timer.left


def test_undo_is_drawn_too() -> None:
    show = Showing(table(7))
    before = marks(show.now)
    show.say("je propose Chloé")
    assert marks(show.now) != before
    show.say("annule")
    assert marks(show.now) == before


def test_a_timer_runs_on_for_who_looks_later_and_faster_in_a_rehearsal() -> None:
    assert Timer(60, 30, True).after(10).left == 20
    assert Timer(60, 30, True, rate=4).after(5).left == 10
    assert Timer(60, 30, True).after(100).left == 0
    assert Timer(60, 30, False).after(10).left == 30


def test_nights_are_dark_and_days_are_not() -> None:
    show = Showing(town(7))
    assert show.now.dark
    assert show.now.timer is None
    show.night()
    assert not show.now.dark


def test_a_view_that_fails_is_dropped_and_the_evening_goes_on() -> None:
    show = Showing(table(7))
    calls = []

    def broken(snapshot: Snapshot) -> None:
        calls.append(snapshot.number)
        raise RuntimeError("a projector that caught fire")

    show.desk.views.append(broken)
    show.say("je propose Chloé", "4 oui, 3 non")
    assert len(calls) == 1
    assert show.now.vote is not None


# ---- for every game and language


def replayed(name: str) -> tuple[list[Snapshot], list[Sheet], Desk]:
    production = stage(read_table(GOLDEN / f"{name}.toml"))
    prompter = Prompter(production, typed(name), io.StringIO(), state=False)
    desk, shots, sheets = Desk(production), [], []  # type: ignore[var-annotated]
    desk.views.append(shots.append)
    desk.masters.append(sheets.append)
    conductor = Conductor(production, prompter.clock, SilentMouth(prompter.clock), None, (desk,), seed=1)
    prompter.conductor = desk.conductor = conductor
    conductor.run(production.game.opening())
    return shots, sheets, desk


@pytest.mark.parametrize("name", EVENINGS)
def test_whole_evenings_can_be_drawn(name: str) -> None:
    shots, _, desk = replayed(name)
    assert len(shots) > 20
    for shot in shots:
        assert json.loads(json.dumps(shot.plain()))["number"] == shot.number
        assert [seat.name for seat in shot.seats]
        assert all(mark.kind in KINDS and mark.sign and mark.word for seat in shot.seats for mark in seat.marks)
        assert all(0 <= board.filled <= len(board.cells) for board in shot.boards)
        assert "{" not in json.dumps([shot.phase, shot.texts]).replace("{}", "")
    assert [shot.number for shot in shots] == sorted({shot.number for shot in shots})
    assert surroundings(desk.production.layout)["paused"]


@pytest.mark.parametrize("game", game_ids())
def test_every_language_has_every_word(game: str) -> None:
    words = [surroundings(stage(sample_setting(game, None, lang)).layout) for lang in languages_of(game)]
    assert all(set(one) == set(words[0]) and all(one.values()) for one in words)


def test_a_snapshot_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Showing(table(5)).now.phase = "elsewhere"  # type: ignore[misc]


# ---- secrets


def whole_day(holders: dict[str, str], secrets: int, course: int) -> Showing:
    """One public course, whatever the roles are and the Storyteller enters in secret."""
    public, secret = random.Random(course), random.Random(secrets)
    show = Showing(town(8, holders=holders))
    dying = public.sample(MORE[:8], public.randrange(3))
    for _ in range(secret.randrange(6)):
        name = secret.choice([player for player in MORE[:8] if player not in dying])
        show.say(*secret.choice(((f"mj> {name} meurt", f"mj> {name} ne meurt pas"), ("mj> grimoire",), ("mj> fiche",))))
    show.night(*dying)
    if secret.random() < 0.5:
        show.say("mj> où en est-on")
    nominator, nominee = public.sample([player for player in MORE[:8] if player not in dying], 2)
    show.say(f"{nominator} nomme {nominee}", "on vote", *public.choices(("oui", "non"), k=9))
    return show


def without_sheet(show: Showing) -> list[Any]:
    return [shot.plain() for shot in show.shots]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_what_everybody_sees_does_not_depend_on_what_is_secret(course: int, one: int, other: int) -> None:
    """Neither what is drawn nor how often, so that not even the traffic of the page tells."""
    dealt = list(ROLES)
    random.Random(one).shuffle(dealt)
    first = whole_day(dict(zip(MORE, ROLES, strict=False)), one, course)
    second = whole_day(dict(zip(MORE, dealt, strict=False)), other, course)
    assert without_sheet(first) == without_sheet(second) == without_sheet(whole_day({}, one, course))


def answered(after: float, answer: str) -> Showing:
    """A death is told, and the Storyteller answers so many seconds later whether the game goes on."""
    show = Showing(town(7))
    show.say("mj> Bob meurt")
    while show.conductor.floor.phase == "night":
        show.say("mj> suivant")
    assert show.conductor.floor.phase == "verdict"
    assert show.now.timer is None
    silent = len(show.shots)
    show.say(f"(+{after}s)", "mj> fiche")
    assert len(show.shots) == silent
    show.say(answer)  # the rest of the silence passes by itself
    assert show.shots[silent].said != show.shots[silent - 1].said  # the next thing that is seen is the next one heard
    return show


@pytest.mark.parametrize("answer", ["mj> la partie continue", "mj> le bien gagne"])
def test_when_the_storyteller_answers_is_not_seen(answer: str) -> None:
    """The silence after a death lasts as long whenever he answers, and the page is as still: no clock, no news."""
    first, *others = [without_sheet(answered(after, answer)) for after in (0.5, 5, 11)]
    assert others == [first, first]


def test_the_same_state_is_not_sent_twice_but_a_repeated_sentence_is() -> None:
    show = Showing(table(7))
    show.say("je propose Chloé")
    before = len(show.shots)
    show.say("(+10s)", "n’importe quoi")
    assert len(show.shots) > before  # a refusal was said
    before = len(show.shots)
    show.say("répète", "répète")
    assert len(show.shots) > before
    assert len({shot.number for shot in show.shots}) == len(show.shots)


def test_the_masters_sheet_has_his_secrets_and_the_snapshots_none() -> None:
    show = Showing(town(8, roles=True))
    show.say("mj> Bob meurt", "mj> grimoire")
    sheet = show.sheets[-1]
    assert any("Bob" in entry.lines for entry in sheet.entries if entry.word == "Mourront à l’aube")
    grimoire = next(entry for entry in sheet.entries if entry.word == "Grimoire")
    assert len(grimoire.lines) == 8
    names = {line.split(" = ")[1] for line in grimoire.lines}
    public = json.dumps([shot.plain() for shot in show.shots], ensure_ascii=False)
    assert not [name for name in names if name in public]
    assert "✝" not in public
    assert sheet.whispers


@pytest.mark.parametrize("kind", ["seat", "counter", "board", "vote", "value", "text"])
def test_a_layout_cannot_name_a_private_fact(kind: str) -> None:
    source, layout_of = clocktower()
    entry = {
        "seat": {"fact": "dying", "kind": "note", "sign": "x", "word": "dead"},
        "counter": {"fact": "dying", "word": "dead"},
        "board": {"fact": "dying", "word": "dead", "of": 3},
        "vote": {"in": ["seat"], "yes": "dying"},
        "value": {"fact": "dying", "sign": "x", "word": "dead"},
        "text": {"word": "dead", "when": "dying_any"},
    }[kind]
    single = kind in ("value", "vote")
    with pytest.raises(ScriptError, match="no public fact"):
        layout_of(replace(source, data={**source.data, "show": {kind: entry if single else [entry]}}))


def test_a_word_everybody_reads_cannot_be_filled_with_a_secret() -> None:
    source, _ = clocktower()
    production = stage(town(7))
    texts = [Source("fr.toml", {"show": {"dead": "{dying}"}}, {("show", "dead"): 7})]
    rules: Any = production.game.rules
    with pytest.raises(ScriptError, match="nothing is known as “dying”") as caught:
        read_layout(source, "fr", texts, production.game.script, rules.fact_names, rules.private_fact_names)
    assert caught.value.line == 7


def clocktower() -> tuple[Source, Any]:
    production = stage(town(7))
    rules: Any = production.game.rules
    source = production.game.script.source

    def layout_of(changed: Source) -> Layout:
        words = Source("fr.toml", {"show": {word: word for word in ("dead", "x")}}, {})
        return read_layout(changed, "fr", [words], production.game.script, rules.fact_names, rules.private_fact_names)

    return source, layout_of


# ---- faults of a layout


@pytest.mark.parametrize(
    ("show", "says"),
    [
        ({"chair": []}, "nothing a view draws"),
        (
            {"seat": [{"fact": "dead", "kind": "note", "sign": "x", "word": "dead", "colour": "red"}]},
            "is not known here",
        ),
        ({"seat": [{"fact": "dead", "kind": "note", "sign": "x"}]}, "needs “word”"),
        ({"seat": [{"fact": "dead", "kind": "hat", "sign": "x", "word": "dead"}]}, "a mark is one of"),
        ({"seat": [{"fact": "dead", "kind": "note", "sign": "xx", "word": "dead"}]}, "one character"),
        ({"seat": [{"fact": "dead", "kind": "note", "sign": "x", "word": "deaf"}]}, "is not written under [show]"),
        ({"counter": [{"fact": "dead", "word": "dead", "in": ["noon"]}]}, "there is no phase “noon”"),
        ({"counter": [{"fact": 3, "word": "dead"}]}, "must be a text"),
        ({"counter": {"fact": "dead"}}, "of its own"),
        ({"vote": {"yes": "votes"}}, "needs “in”"),
        ({"vote": [{"yes": "votes"}]}, "there is one [show.vote] only"),
    ],
)
def test_faults_of_a_layout_are_told(show: dict[str, Any], says: str) -> None:
    source, layout_of = clocktower()
    with pytest.raises(ScriptError) as caught:
        layout_of(replace(source, data={**source.data, "show": show}))
    assert says in caught.value.message


def test_a_game_without_a_layout_is_drawn_all_the_same() -> None:
    source, _ = clocktower()
    data = {key: value for key, value in source.data.items() if key != "show"}
    production = stage(town(7))
    texts = [Source("fr.toml", {"show": {"out": "hors jeu"}}, {})]
    rules: Any = production.game.rules
    layout = read_layout(replace(source, data=data), "fr", texts, production.game.script, rules.fact_names)
    assert {item.fact for item in layout.seats} == {"dead", "exiled"}
