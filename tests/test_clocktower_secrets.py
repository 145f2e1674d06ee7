"""Two channels: nothing secret is heard or shown, undo stays in its own channel, and a cut evening loses nothing."""

from __future__ import annotations

import json
import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from town import MORE, ROLES, Evening, town

from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.game import fold
from narrator.stage.journal import Journal, mend, private_path, read_journal

MANY = settings(max_examples=60, deadline=None, derandomize=True)

# ---- the sound of an evening does not depend on what the Storyteller does


def idle(evening: Evening, chance: random.Random, deaths: tuple[str, ...]) -> None:
    """Anything the Storyteller may enter at night that comes to nothing: these deaths stay, others are taken back."""
    todo = [f"mj> {name} meurt" for name in deaths]
    for _ in range(chance.randrange(8)):
        name = chance.choice([p for p in evening.state["living"] if p not in deaths])
        todo += chance.choice(
            (
                ["mj> grimoire"],
                ["mj> fiche"],
                ["mj> où en est-on"],
                [f"mj> {name} meurt", f"mj> {name} ne meurt pas"],
                [f"mj> {name} meurt", "mj> annule"],
                ["mj> la partie continue"],
                ["mj> n’importe quoi"],
                [f"mj> {name} n'a plus de jeton"],
                [f"mj> {name} devient noyeur"],
                [f"mj> {name} change de rôle"],
            )
        )
    for sentence in todo:
        before, whispers = len(evening.public), len(evening.whispers)
        evening.say(sentence)
        assert evening.public[before:] == [], sentence  # no line, no earcon, no floor, no timer
        assert evening.phase == "night"
        assert len(evening.whispers) > whispers or sentence.endswith(
            ("quoi", "noyeur")
        )  # nobody knows a noyeur without a script


def play(roles: dict[str, str], secrets: int, course: int, *, seats: int = 8) -> Evening:
    """One public course (drawn from `course`), whatever the roles are and the Storyteller does in secret."""
    public, secret = random.Random(course), random.Random(secrets)
    evening = Evening(town(seats, holders=roles))
    for _ in range(3):
        deaths = tuple(public.sample(evening.state["living"], public.randrange(3)))
        idle(evening, secret, deaths)
        while evening.phase == "night":
            evening.all("mj> suivant")
        if evening.phase == "verdict":
            evening.all(secret.choice(("mj> la partie continue", "mj> suivant")))
        living = evening.state["living"]
        if len(living) < 5:
            break
        yes = public.sample(living, public.randrange(len(living) + 1))
        if secret.random() < 0.5:
            evening.say("mj> où en est-on")
        evening.nominate(public.choice(living), public.choice(living), *yes)
        evening.to_night()
    return evening


@MANY
@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_one_public_course_sounds_the_same_whatever_is_secret(course: int, one: int, other: int) -> None:
    roles = list(ROLES)
    random.Random(one).shuffle(roles)
    first = play(dict(zip(MORE, ROLES, strict=False)), one, course)
    second = play(dict(zip(MORE, roles, strict=False)), other, course)
    third = play({}, one, course)
    assert first.public == second.public == third.public
    assert first.state == second.state == third.state
    journals = [[e for e in one.log if not getattr(e, "private", False)] for one in (first, second, third)]
    assert journals[0] == journals[1] == journals[2]  # nor does the public journal tell


def test_a_spoken_line_cannot_even_name_a_secret() -> None:
    """What a line may be filled with is the public view; its names and those of the private view do not meet."""
    rules = Evening(town(8, roles=True)).game.rules
    assert not rules.fact_names & rules.private_fact_names  # type: ignore[attr-defined]
    evening = Evening(town(8, roles=True))
    evening.all("mj> Bob meurt")
    for secret in ("dying", "grimoire", "sheet", "who", "suggests", "bluffs"):
        assert secret not in evening.game.rules.view(evening.course.state)


@pytest.mark.parametrize("field", ["dying", "rising", "spared", "done", "decided"])
def test_the_public_view_never_looks_at_what_is_hidden(field: str) -> None:
    evening = Evening(town(8, roles=True))
    evening.night()
    state = evening.course.state
    changed = state.hide(**{field: "good" if field == "decided" else ("Bob",)})
    assert evening.game.rules.view(changed) == evening.game.rules.view(state)
    module = evening.production.rules_module
    assert module.public_state(changed) == module.public_state(state)


# ---- undo by channel


def test_a_public_undo_leaves_a_secret_death_alone() -> None:
    evening = Evening(town(7))
    evening.all("mj> Bob meurt")
    assert not evening.say("annule")
    assert evening.private["dying"] == ["Bob"]
    evening.all("mj> annule")
    assert evening.private["dying"] == []


def test_a_public_undo_does_what_the_master_did_since_again() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("Alice nomme Bob", "mj> Chloé compte pour 2", "annule")
    assert evening.state["nominee"] is None
    assert evening.private["weights"] == {"Chloé": 2}
    assert evening.phase == "discussion"


def test_a_secret_undo_leaves_the_vote_where_it_is() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("Alice nomme Bob", "on vote", "oui", "mj> David compte pour 3", "oui", "oui")
    heard = len(evening.public)
    evening.all("mj> annule")
    assert evening.phase == "seat"
    assert evening.state["vote"] == ["Chloé", "David", "Emma"]
    assert evening.private["weights"] == {}
    assert ("say", "Je rectifie.") in evening.public[heard:]  # the count was said with the weight
    assert evening.state["count"] == 3


def test_a_secret_undo_of_what_nobody_heard_is_not_heard_either() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("Alice nomme Bob", "on vote", "oui", "mj> Gaëlle compte pour 3", "oui")
    heard = len(evening.public)
    evening.all("mj> annule")
    assert evening.public[heard:] == []


def test_what_cannot_be_done_again_is_dropped_and_told_privately() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.all("mj> Bob meurt", "mj> la partie continue", "Alice nomme Chloé")
    evening.all("annule")
    assert evening.state["nominee"] is None
    assert evening.state["dead"] == ["Bob"]
    evening = Evening(town(7))
    evening.night("Bob")
    evening.all("mj> Bob revit", "Bob nomme Chloé", "mj> annule")
    assert evening.state["dead"] == ["Bob"]
    assert evening.state["nominators"] == []
    assert "mj_lost" in evening.whispered


def test_nobody_undoes_yesterday_aloud() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.nominate("Alice", "Bob", *MORE[:5])
    evening.to_night()
    evening.night()
    before = evening.state
    assert not evening.say("annule")
    assert evening.state == before


def test_an_undo_aloud_takes_back_the_last_word_of_the_table() -> None:
    evening = Evening(town(7))
    evening.night()
    evening.nominate("Alice", "Bob", *MORE[:5])
    evening.all("Chloé nomme David", "annule")
    assert evening.state["nominees"] == ["Bob"]
    assert evening.state["votes"] == {"Bob": 5}


# ---- the journal: two files, one count


def written(evening: Evening, folder: Path) -> Path:
    setting = evening.production.setting
    journal = Journal.begin(setting, 7, skip_setup=True, path=folder / "e.jsonl", secret=("roles", "bluffs"))
    for n, event in enumerate(evening.log):
        journal.write(event, float(n))
    return folder / "e.jsonl"


def secret_evening() -> Evening:
    evening = Evening(town(8, roles=True))
    evening.night("Bob")
    evening.nominate("Alice", "Chloé", *MORE[2:8])
    evening.all("mj> Chloé ne meurt pas")
    evening.to_night()
    evening.all("mj> Emma meurt")
    return evening


def test_both_files_together_are_the_evening(tmp_path: Path) -> None:
    evening = secret_evening()
    record = read_journal(written(evening, tmp_path))
    assert list(record.events) == evening.log
    assert record.setting == evening.production.setting
    assert fold(evening.game, record.events, True).state == evening.course.state


def test_the_private_file_is_its_owners_and_the_public_one_holds_no_secret(tmp_path: Path) -> None:
    path = written(secret_evening(), tmp_path)
    assert stat.S_IMODE(os.stat(private_path(path)).st_mode) == 0o600
    public = path.read_text(encoding="utf-8")
    for secret in ("dies", "survives", "private", '"roles"', "next"):
        assert secret not in public
    assert '"dies"' in private_path(path).read_text(encoding="utf-8")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("which", ["public", "private"])
def test_a_cut_in_either_file_loses_the_cut_event_only(tmp_path: Path, share: float, which: str) -> None:
    evening, path = secret_evening(), tmp_path / "cut.jsonl"
    events = evening.log[: int(len(evening.log) * share)]
    while getattr(events[-1], "private", False) is (which == "public"):  # the file that is cut was written last
        events = events[:-1]
    journal = Journal.begin(evening.production.setting, 7, skip_setup=True, path=path, secret=("roles",))
    for n, event in enumerate(events):
        journal.write(event, float(n))
    file = path if which == "public" else private_path(path)
    file.write_bytes(file.read_bytes()[:-5])
    assert list(read_journal(path).events) == events[:-1]
    mend(path)
    Journal(path, None).write(Heard("status"), 99.0)
    assert list(read_journal(path).events) == [*events[:-1], Heard("status")]


def test_one_count_runs_over_both_files(tmp_path: Path) -> None:
    evening = secret_evening()
    path = written(evening, tmp_path)
    numbers = []
    for file in (path, private_path(path)):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        numbers += [row["n"] for row in rows if "n" in row]
    assert sorted(numbers) == list(range(1, len(evening.log) + 1))


# ---- the journal is the state, at any point and through anything


def anything(evening: Evening, chance: random.Random) -> Event:
    """Some event, legal or not, on either channel."""
    state, phrases = evening.course.state, evening.production.phrases
    kind = chance.randrange(10)
    if kind == 0:
        return Elapsed(chance.choice(["time_up", "step", "remind", "warn:60", "nonsense"]))
    if kind == 1:
        return Rolled(chance.choice(["dawn", "order"]), chance.random())
    if kind == 2:
        return Ordered("resume")
    private = kind < 6
    legal = evening.game.private_intents(state) if private else (evening.floor.accepts if evening.floor else ())
    intents = sorted(legal) if chance.random() < 0.85 and legal else sorted(phrases.intents)
    slots: dict[str, Any] = {"player": chance.choice(state.table.seats), "other": chance.choice(state.table.seats)}
    slots |= {"n": chance.randrange(9), "minutes": chance.randrange(2, 9)}
    return Heard(chance.choice(intents), slots, private)


def check(evening: Evening) -> None:
    """What always holds, counted once more in another way."""
    state, public = evening.course.state, evening.state
    seats = set(state.table.seats)
    assert set(public["living"]) | set(public["dead"]) | set(public["exiled"]) == seats
    assert not set(public["living"]) & (set(public["dead"]) | set(public["exiled"]))
    assert set(public["tokens"]) <= set(public["dead"]) | set(public["exiled"])
    assert set(public["exiled"]) <= set(public["travellers"])
    needed = max(-(-len(public["living"]) // 2), *(count + 1 for count in public["votes"].values()), 0)
    assert public["exile"] or public["to_pass"] == needed
    assert public["to_tie"] is None or public["to_tie"] == needed - 1
    assert set(public["votes"]) <= set(public["nominees"])
    assert len(public["nominees"]) == len(set(public["nominees"]))
    assert (public["end"] is not None) is (evening.phase in ("winners", "reveal", "over"))
    assert not set(public["vote"]) - seats
    if public["exile"] is False:
        assert not {p for p in public["vote"] if p in state.spent} or evening.phase in ("result", "counted")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.integers(1, 120), st.sampled_from([5, 7, 12, 15]), st.booleans())
def test_never_a_crash_never_an_illegal_state(seed: int, length: int, seats: int, roles: bool) -> None:
    chance = random.Random(seed)
    passing = [MORE[seats - 1]] if seats > 5 and chance.random() < 0.5 else []
    vote = chance.choice(["ear", "eye"])
    evening = Evening(town(seats, roles=roles and seats <= 8, travellers=passing, vote=vote))
    for _ in range(length):
        evening.perform(anything(evening, chance))
        check(evening)
    assert fold(evening.game, evening.log, True).state == evening.course.state


# ---- days, nights and votes against a model that counts by itself


class Model:
    """What a referee with a pencil would note: who lives, whose token is left, the tallies of the day, the block."""

    def __init__(self, players: tuple[str, ...]) -> None:
        self.players, self.dead, self.spent = players, [], set()  # type: ignore[var-annotated]
        self.morning()

    def morning(self) -> None:
        self.tallies: list[int] = []
        self.block, self.named, self.spoke = None, set(), set()  # type: ignore[var-annotated]

    @property
    def living(self) -> list[str]:
        return [p for p in self.players if p not in self.dead]

    def may_vote(self, player: str) -> bool:
        return player not in self.dead or player not in self.spent

    def counted(self, nominee: str, yes: set[str]) -> None:
        votes = len(yes)
        enough = 2 * votes >= len(self.living)
        high = max(self.tallies, default=0)
        if enough and votes > high:
            self.block = nominee
        elif enough and votes == high:
            self.block = None
        self.tallies.append(votes)
        self.spent |= {p for p in yes if p in self.dead}


@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from([5, 7, 12, 15]))
def test_days_and_nights_are_as_a_referee_with_a_pencil_would_have_them(seed: int, seats: int) -> None:
    chance = random.Random(seed)
    evening, model = Evening(town(seats)), Model(MORE[:seats])
    for _ in range(8):
        deaths = chance.sample(model.living, min(chance.randrange(3), len(model.living) - 1))
        evening.night(*deaths)
        model.dead += deaths
        model.morning()
        for _ in range(chance.randrange(4)):
            nominator, nominee = chance.choice(model.players), chance.choice(model.players)
            legal = nominator in model.living and nominator not in model.spoke and nominee not in model.named
            assert evening.say(f"{nominator} nomme {nominee}") is legal
            if not legal:
                continue
            model.spoke.add(nominator)
            model.named.add(nominee)
            yes = {p for p in model.players if model.may_vote(p) and chance.random() < 0.6}
            evening.all("on vote")
            evening.vote(*yes)
            model.counted(nominee, yes)
            agree(evening, model)
        if len(model.living) <= 2:
            break
        if model.block is not None and model.block not in model.dead:
            model.dead.append(model.block)
        evening.to_night()
        agree(evening, model, dusk=True)


def agree(evening: Evening, model: Model, *, dusk: bool = False) -> None:
    state = evening.state
    assert state["living"] == model.living
    assert sorted(state["dead"]) == sorted(model.dead)
    assert set(state["tokens"]) == set(model.dead) - model.spent
    if not dusk:
        assert list(state["votes"].values()) == model.tallies
        assert state["block"] == model.block
        needed = max((len(model.living) + 1) // 2, max(model.tallies, default=0) + 1)
        assert state["to_pass"] == needed


def test_what_is_entered_privately_by_day_is_not_heard_either() -> None:
    evening = Evening(town(8, roles=True))
    evening.night("Bob")
    evening.all("Alice nomme Chloé")
    quiet = ("grimoire", "fiche", "où en est-on", "Chloé ne meurt pas", "David compte pour 2")
    for sentence in quiet:
        heard = len(evening.public)
        evening.all(f"mj> {sentence}")
        assert evening.public[heard:] == [], sentence
    evening.all("mj> la partie continue")


def test_an_interrupted_night_leads_the_storyteller_on() -> None:
    evening = Evening(town(8, roles=True))
    evening.all("mj> suivant", "mj> Bob meurt")
    step = next(text for line, text in reversed(evening.whispers) if line.startswith("mj_step"))
    evening.perform(Ordered("resume"))
    assert evening.lines == ["resumed"]
    assert evening.whispers[-1][1] == step
    assert "Bob" in evening.hint
