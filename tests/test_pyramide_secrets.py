"""Two channels in Meereen: nothing secret is heard, shown or journaled in public, whatever the game master enters."""

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
from meereen import NINETEEN, PLOT, Evening, meereen

from narrator.core.events import Heard, Ordered, Rolled
from narrator.core.game import fold
from narrator.core.setting import Setting
from narrator.play import Wishes, lead_evening
from narrator.stage.journal import SEED, Journal, private_path, read_journal
from narrator.stage.tables import write_table

MANY = settings(max_examples=8, deadline=None, derandomize=True)
LOW = NINETEEN[5:]  # graces and beasts


def plot(chance: random.Random, doomed: list[str]) -> dict[str, Any]:
    """Some deal of the nineteen. No great master is a Son, so that one can be elected; of those who die aloud in this
    course one at most is a Son, none is the harpy: what the rules make public is the same."""
    while True:
        names = chance.sample(LOW, len(LOW))
        sons, free = names[:7], names[7:]
        if sons[0] not in doomed and len(set(sons) & set(doomed)) < 2:
            break
    harpy, one, other, *henchmen = sons
    roles = {harpy: "harpy", one: "lieutenant", other: "lieutenant", **dict.fromkeys(henchmen, "henchman")}
    roles[henchmen[0]] = "serpent"
    roles |= dict(zip(free, chance.sample(("quaithe", "pyat_pree", "belwas", "courtesan", "hizdahr"), 4), strict=False))
    return {"roles": roles, "cells": {henchman: (one, other)[n % 2] for n, henchman in enumerate(henchmen)}}


def idle(evening: Evening, chance: random.Random) -> None:
    """Anything that the game master may enter and that comes to nothing aloud."""
    for _ in range(chance.randrange(7)):
        one, other, third = chance.sample(NINETEEN, 3)
        sentence = chance.choice(
            (
                f"qui est {one}",
                f"que sait {one}",
                "rôles",
                "total",
                "où en est-on",
                f"escouade {one} contre {other}",
                f"escouade {one}, {third} contre {other}",
                f"pas d'escouade contre {one}",
                f"Belwas protège {one}",
                f"{one} interroge {other}",
                f"{one} demande si {other} est loyal",
                f"{one} remplace {other}",
                f"{one} accepte",
                "n’importe quoi",
            )
        )
        before, past = len(evening.public), evening.course.past
        evening.say(f"mj> {sentence}")
        if evening.course.past is not past and chance.random() < 0.3:
            evening.all("mj> annule")
        assert evening.public[before:] == [], sentence  # no line, no earcon, no floor, no timer


def murder(evening: Evening, victim: str) -> None:
    """Squads that kill just this one, whatever was sent before: as many Sons of this deal as it takes."""
    private, living = evening.private, evening.state["living"]
    for squad in private["squads"]:
        evening.all(f"mj> pas d'escouade contre {squad['target']}")
    sons = [private["harpy"], *private["lieutenants"], *(p for cell in private["cells"] for p in cell)]
    free = [p for p in sons if p in living and p != victim]
    evening.all(f"mj> escouade {', '.join(free)} contre {victim}", "mj> total")


def play(setting: Setting, secrets: int, course: int) -> Evening:
    """One public course (drawn from `course`), whatever the deal is and whatever is entered in secret."""
    public, secret = random.Random(course), random.Random(secrets)
    evening = Evening(setting, seed=course, draws={"fate": 0.99})  # nobody is offered the return
    if public.random() < 0.5:
        evening.all("mj> Bob meurt")
    for victim, accused in zip(_doomed(course)[:2], _doomed(course)[2:], strict=True):
        evening.all("les grands maîtres à la Plaza", "les grâces à la Plaza", "les bêtes à la Plaza")
        idle(evening, secret)
        evening.all("c'est fait")
        idle(evening, secret)
        murder(evening, victim)
        idle_questions(evening, secret)
        assert not evening.say("annule")  # somebody at the table tries
        evening.all("mj> suivant")
        assert not evening.say("annule")
        _day(evening, public, secret, accused)
        evening.through()
    return evening


def _doomed(course: int) -> list[str]:
    """Two who are murdered, two who are executed."""
    return random.Random(f"doomed {course}").sample(LOW, 4)


def _day(evening: Evening, public: random.Random, secret: random.Random, accused: str) -> None:
    state, others = evening.state, public.sample(["Emma", "Chloé"], 2)
    council = [p for p in state["living"] if state["ranks"][p] == "councillor"]
    evening.accuse(accused, *others[: len(council) - 1])
    idle(evening, secret)
    evening.ballot({player: accused for player in NINETEEN if public.random() < 0.8})
    idle(evening, secret)
    if evening.phase == "campaign":
        evening.ballot({player: public.choice(evening.state["vote"]["choices"]) for player in NINETEEN})
    idle(evening, secret)


def idle_questions(evening: Evening, chance: random.Random) -> None:
    """Whatever special roles ask just now; one in three is asked by who may."""
    askers = [p for p, role in evening.private["specials"].items() if role in ("quaithe", "pyat_pree", "courtesan")]
    for asker in askers:
        other = chance.choice([p for p in NINETEEN if p != asker])
        heard = len(evening.public)
        evening.say(f"mj> {asker} interroge {other}")
        evening.say(f"mj> {asker} demande si {other} est un fils")
        assert evening.public[heard:] == []


@MANY
@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_one_public_course_sounds_the_same_whatever_is_secret(course: int, one: int, other: int) -> None:
    doomed = _doomed(course)
    evenings = [
        play(meereen(**{**PLOT, "prophecies": {}, **plot(random.Random(deal), doomed)}), secrets, course)
        for deal, secrets in ((one, one), (other, one + 1), (other + 1, other))
    ]
    first = evenings[0]
    assert first.state["turn"] == 3
    for evening in evenings[1:]:
        assert evening.public == first.public
        assert evening.state == first.state
    journals = [[e for e in evening.log if not getattr(e, "private", False)] for evening in evenings]
    assert journals[0] == journals[1] == journals[2]  # nor does the public journal tell
    assert evenings[0].private["harpy"] not in doomed


def test_the_sound_of_a_deal_does_not_tell_the_deal() -> None:
    """However it falls: one draw, in secret, then the same words."""
    first, second = (Evening(meereen(38, plot=False), draws={"fate": deal}, begin=False) for deal in (0.1, 0.9))
    assert first.private["harpy"] != second.private["harpy"]
    assert first.public == second.public


def test_the_return_sounds_the_same_whatever_the_dice_say_until_somebody_comes_back() -> None:
    heard = []
    for offered in (0.0, 0.95):
        evening = Evening(draws={"fate:offered:Rosa:": offered, "fate:joins:Rosa:": 0.0, "fate:gains:Rosa:": 0.0})
        evening.to_night()
        evening.strike("Chloé, David contre Rosa")
        evening.through(wanted="return_talk")
        evening.say("mj> Rosa accepte")
        heard.append(list(evening.public))
    assert heard[0] == heard[1]


def test_a_spoken_line_cannot_even_name_a_secret() -> None:
    """What a line may be filled with is the public view; its names and those of the private view do not meet."""
    evening = Evening()
    rules = evening.game.rules
    assert not rules.fact_names & rules.private_fact_names  # type: ignore[attr-defined]
    for secret in ("harpy", "serpent", "cells", "squads", "answer", "offered", "news", "his_roles", "lessons"):
        assert secret not in rules.view(evening.course.state)
        assert secret in rules.private_fact_names  # type: ignore[attr-defined]


def test_the_public_view_never_looks_at_what_is_hidden() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> escouade Chloé, David contre Rosa", "mj> Belwas protège Rosa", "mj> Hugo interroge Chloé")
    state, other = evening.course.state, Evening(meereen(plot=False)).course.state
    changed = state.hide(**{name: getattr(other.hidden, name) for name in type(other.hidden).__slots__})
    assert changed.hidden != state.hidden
    rules, module = evening.game.rules, evening.production.rules_module
    assert rules.view(changed) == rules.view(state)
    assert module.public_state(changed) == module.public_state(state)


# ---- undo by channel


@pytest.mark.parametrize("squads", [(), ("mj> escouade Chloé, David contre Rosa",)])
def test_a_public_undo_at_night_is_refused_whether_or_not_squads_were_entered(squads: tuple[str, ...]) -> None:
    """Else the table could find out by trying."""
    evening = Evening()
    evening.to_night()
    evening.all(*squads)
    assert not evening.say("annule")
    assert evening.lines == ["nothing_to_undo"]
    assert evening.phase == "night"
    assert len(evening.private["squads"]) == len(squads)


def test_a_secret_undo_takes_back_the_last_squad_and_is_not_heard() -> None:
    evening = Evening()
    evening.to_night()
    evening.all("mj> escouade Chloé contre Rosa", "mj> escouade David contre Simon")
    heard = len(evening.public)
    evening.all("mj> annule")
    assert evening.public[heard:] == []
    assert [squad["target"] for squad in evening.private["squads"]] == ["Rosa"]


def test_a_question_taken_back_may_be_asked_again_and_falls_as_it_fell() -> None:
    evening = Evening()
    evening.all("mj> Inès interroge Rosa")
    first = evening.hint
    evening.all("mj> annule")
    assert evening.private["asked"] == []
    evening.all("mj> Inès interroge Rosa")
    assert evening.hint == first


def test_a_public_undo_does_what_the_master_did_since_again() -> None:
    evening = Evening()
    evening.all("Hugo à la Plaza", "mj> Belwas protège Rosa", "mj> Inès interroge Rosa", "annule")
    assert "Hugo" not in evening.state["districts"]
    assert evening.private["guarded"] == "Rosa"
    assert evening.private["asked"] == ["Inès"]


def test_nobody_undoes_last_night_aloud() -> None:
    evening = Evening()
    evening.to_night()
    evening.strike("Chloé, David contre Rosa")
    before = evening.state
    assert not evening.say("annule")
    assert evening.state == before
    evening.all("j'accuse Simon", "annule")
    assert evening.state["accused"] == []


# ---- the journal: two files, one count


def written(evening: Evening, folder: Path) -> Path:
    path = folder / "e.jsonl"
    secret = (*evening.game.script.secret, SEED)
    journal = Journal.begin(evening.production.setting, 7, skip_setup=True, path=path, secret=secret)
    for n, event in enumerate(evening.log):
        journal.write(event, float(n))
    return path


def secret_evening() -> Evening:
    evening = Evening()
    evening.to_night()
    evening.strike("Chloé, David contre Rosa")
    evening.through()
    return evening


def test_both_files_together_are_the_evening(tmp_path: Path) -> None:
    evening = secret_evening()
    record = read_journal(written(evening, tmp_path))
    assert list(record.events) == evening.log
    assert record.seed == 7
    assert record.setting == evening.production.setting
    state = fold(evening.game, record.events, True).state
    assert state == evening.course.state


def test_the_public_journal_holds_neither_the_deal_nor_the_seed_that_it_follows_from(tmp_path: Path) -> None:
    path = written(secret_evening(), tmp_path)
    assert stat.S_IMODE(os.stat(private_path(path)).st_mode) == 0o600
    public = path.read_text(encoding="utf-8")
    for secret in ("squad", "private", "roles", "cells", "fate", "harpy"):
        assert secret not in public
    assert json.loads(public.splitlines()[0])[SEED] == 0
    assert '"fate"' in private_path(path).read_text(encoding="utf-8")


def test_an_evening_of_the_command_hides_its_seed_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole way: a dealt evening, cut, then gone on with; the deal is the one that was dealt."""
    table, journal = tmp_path / "t.toml", tmp_path / "e.jsonl"
    write_table(meereen(plot=False), table)
    typed = tmp_path / "typed.txt"

    def told(text: str, **wishes: Any) -> str:
        typed.write_text(text, encoding="utf-8")
        with typed.open(encoding="utf-8") as file:
            monkeypatch.setattr("sys.stdin", file)
            lead_evening(Wishes(fast=True, typed=True, journal=journal, **wishes))
        return capsys.readouterr().out

    begun = told("suivant\nsuivant\nmj> rôles\nmj> suivant\nHugo à la Plaza\n", table=table, seed=11)
    assert json.loads(journal.read_text(encoding="utf-8").splitlines()[0])[SEED] == 0
    assert read_journal(journal).seed == 11
    resumed = told("mj> rôles\nc'est fait\n", resume=True)
    deal = next(line for line in begun.splitlines() if "Harpie\u00a0: " in line)
    assert deal in resumed
    assert "Reprise" in resumed


def test_a_cut_while_a_die_is_in_the_air_throws_it_again() -> None:
    evening = Evening()
    evening.all("mj> Inès interroge Rosa")
    events = evening.log[:-1]
    assert isinstance(evening.log[-1], Rolled)
    course = fold(evening.game, events, True)
    _, effects = evening.game.receive(course, Ordered("resume"))
    assert [effect.what for effect in effects if hasattr(effect, "choices")] == ["fate"]


def test_private_words_from_the_table_are_no_sentence() -> None:
    evening = Evening()
    evening.to_night()
    evening.perform(Heard("squad", {"players": ["Chloé", "David"], "player": "Rosa"}))
    assert evening.private["squads"] == []


@pytest.mark.parametrize(
    ("sentence", "stranger"),
    [
        ("escouade Malik, Farid contre Zorro", "Zorro"),
        ("Escouade Malik, Faridd et Léa contre Rosa", "Faridd"),
        ("escouade Zorro contre Rosa", "Zorro"),
        ("Zorro remplace David", "Zorro"),
        ("escouade Élé-Onore contre Rosa", "Élé-Onore"),
        ("qui est la dame en vert", "la dame en vert"),
        ("escouade Malik et Farid contre Rosa", ""),
        ("escouade contre Rosa", ""),
        ("il fait nuit", ""),
    ],
)
def test_the_master_is_told_which_name_nobody_has(sentence: str, stranger: str) -> None:
    evening = Evening()
    evening.to_night()
    legal = evening.game.private_intents(evening.course.state)
    assert evening.production.phrases.unknown_among(sentence, legal) == stranger


@pytest.mark.parametrize("sentence", ["qui est Karim", "total", "rôles", "Malik remplace David", "Rosa accepte"])
def test_what_only_the_master_may_say_means_nothing_from_anybody_else(sentence: str) -> None:
    evening = Evening()
    before = evening.course
    assert not evening.say(sentence)
    assert evening.course == before
