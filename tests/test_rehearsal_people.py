"""Simulated tables lead whole evenings to a legal end through the pure engine, by text alone."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from narrator.core.effects import Effect, End, Listen, Roll, Say, Wait
from narrator.core.errors import ScriptError
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.phrases import Meaning
from narrator.core.setting import Setting
from narrator.library import Production, stage
from narrator.rehearsal.course import Course
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.people import SimulatedTable
from narrator.rehearsal.roles import deal
from narrator.rehearsal.talk import CHATTER, Act, Talk, remark

NAMES = ("Alice", "Bob", "Chloé", "David", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules")
CONDUCTORS = ("repeat", "pause", "resume", "help", "time_left", "slower", "faster", "softer", "louder")
ENDS = {"interventionist_tales", "pacifist_tales", "dinarzade_narratrice", "dinarzade_exiled"}


@cache
def production(seats: int, language: str = "fr", **options: Any) -> Production:
    return stage(Setting("sultan", language, NAMES[:seats], options=options))


@dataclass
class Evening:
    """A driver without sound: virtual seconds, one sentence after the other, what is typed is understood."""

    made: Production
    table: SimulatedTable
    chance: random.Random
    mishears: float = 0.0
    skip_setup: bool = True
    end: End | None = None
    floor: Listen | None = None
    pending: list[Act] = field(default_factory=list)
    timers: dict[str, float] = field(default_factory=dict)
    said: list[tuple[float, Say]] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    now: float = 0.0
    seen: tuple[Any, dict[str, Any]] | None = None

    def view(self) -> dict[str, Any]:
        state = self.evening.state
        if self.seen is None or self.seen[0] is not state:
            self.seen = (state, self.made.game.rules.view(state))
        return self.seen[1]

    def public(self) -> dict[str, Any]:
        return dict(self.made.rules_module.public_state(self.evening.state))

    @property
    def spoken(self) -> list[str]:
        """The narrator's lines and when each was over, in seconds."""
        return [f"{at:.3f} {self.made.lines.text(say.line, say.facts)}" for at, say in self.said]

    def play(self) -> End:
        self.evening = self.made.game.opening(self.skip_setup)
        self.send(Ordered("start"))
        for _ in range(4000):
            if self.end is not None:
                return self.end
            self.step()
        raise AssertionError(f"no end: {self.public()}\n{self.acts[-8:]}")

    def step(self) -> None:
        """The next thing in time: a sentence, or a timer."""
        timer = min(self.timers, key=lambda name: self.timers[name], default="")
        if self.pending and (not timer or self.pending[0].delay + self.opened <= self.timers[timer]):
            act = self.pending.pop(0)
            self.now = max(self.now, self.opened + act.delay)
            self.acts.append(act)
            self.hear(act)
        elif timer:
            self.now = self.timers.pop(timer)
            self.send(Elapsed(timer))
        else:
            raise AssertionError(f"nobody speaks and nothing is waited for: {self.public()}")

    def hear(self, act: Act) -> None:
        assert self.floor is not None
        if act.kind == "chatter" and " " in act.text:  # that these mean nothing is tested once for all
            return
        meaning = self.made.phrases.parse(act.text, self.floor.accepts)
        if act.kind == "chatter":
            assert meaning is None or meaning.intent not in self.floor.accepts, act
            return
        assert meaning == act.meant, act
        if self.mishears and self.chance.random() < self.mishears:
            meaning = self.misheard()
        assert meaning is not None
        if act.kind != "illegal" and meaning == act.meant:
            assert meaning.intent in (*self.floor.accepts, *CONDUCTORS), (act, self.floor)
        self.understand(meaning, act)

    def misheard(self) -> Meaning:
        """Any other sentence that is legal now."""
        assert self.floor is not None
        sentence = self.chance.choice(self.made.phrases.sentences(self.floor.hears))
        meaning = self.made.phrases.parse(sentence, self.floor.accepts)
        assert meaning is not None
        return meaning

    def understand(self, meaning: Meaning, act: Act) -> None:
        self.table.on_understood(meaning)
        if meaning.intent in CONDUCTORS:
            self.open()
            return
        before = self.evening.state
        self.receive(Heard(meaning.intent, meaning.slots, said=act.text))
        if meaning != act.meant and before != self.evening.state:
            for objection in self.table.on_mistake(meaning, act.meant):
                assert objection.meant == Meaning("undo", {})
                self.table.on_understood(objection.meant)
                self.receive(Heard("undo"))
        self.open()

    def send(self, event: Event) -> None:
        self.receive(event)
        self.open()

    def receive(self, event: Event) -> None:
        self.evening, effects = self.made.game.receive(self.evening, event)
        self.table.on_state(self.view())
        for effect in effects:
            self.perform(effect)
        for effect in effects:
            if isinstance(effect, Roll):
                self.receive(Rolled(effect.what, self.chance.choice(effect.choices)))

    def perform(self, effect: Effect) -> None:
        match effect:
            case Listen():
                self.floor, self.timers = effect, {}
            case Wait(timer, seconds, extend=True):
                if timer in self.timers:
                    self.timers[timer] += seconds
            case Wait(timer, seconds):
                self.timers[timer] = self.now + seconds
            case Say():
                self.now += 2.0
                self.said.append((self.now, effect))
            case End():
                self.end = effect
            case _:
                pass

    def open(self) -> None:
        """The narrator is silent: people go on."""
        assert self.floor is not None
        fault = self.table.check(self.public())
        assert fault is None, (fault, self.acts[-8:])
        acts = self.table.on_floor(self.view(), self.floor.phase, self.floor.accepts) if self.floor.hears else []
        self.pending, self.opened = sorted(acts, key=lambda act: act.delay), self.now

    opened: float = 0.0


def play(made: Production, seed: int, **more: Any) -> Evening:
    evening = Evening(made, SimulatedTable(made, seed), random.Random(seed + 1), **more)
    evening.play()
    return evening


SEATS = (5, 6, 7, 8, 9, 10)
KINDS = ("classic", "suggested")


def playable(seats: int, kind: str, giafar: bool, lover: bool) -> bool:
    """The rules refuse the Amoureuse below seven, and more pacifists than interventionists."""
    return not (lover and seats < 7) and not (seats == 7 and giafar and lover)


VARIANTS = [v for v in itertools.product(SEATS, KINDS, (False, True), (False, True)) if playable(*v)]


@pytest.mark.parametrize(("seats", "kind", "giafar", "lover"), VARIANTS)
def test_every_table_comes_to_a_legal_end(seats: int, kind: str, giafar: bool, lover: bool) -> None:
    made = production(seats, configuration=kind, giafar=giafar, amoureuse=lover)
    for seed in range(30):
        evening = play(made, seed, skip_setup=seed % 6 != 0)
        assert evening.end is not None
        check_end(evening, evening.end)


def check_end(evening: Evening, end: End) -> None:
    """The end is the one that the real cards and the hidden roles give."""
    roles, boards = evening.table.roles, evening.table.cards.counts()
    view = evening.view()
    assert end.how in ENDS
    assert (boards["interventionist"] == 5) is (end.how == "interventionist_tales")
    assert (boards["pacifist"] == 6) is (end.how == "pacifist_tales")
    if end.how == "dinarzade_narratrice":
        assert roles[view["narratrice"]] == "dinarzade"
    if end.how == "dinarzade_exiled":
        assert roles[view["target"]] == "dinarzade"
    giafar = roles.get(view["gv"]) == "giafar" and not view["by_slave"]
    assert ("giafar" in end.winners) is giafar
    assert all(roles[player] == "amoureuse" for player in view["departed"])


@pytest.mark.parametrize("mishears", [0.05, 0.3])
@pytest.mark.parametrize("seats", SEATS)
def test_a_narrator_that_mishears_is_led_to_an_end_all_the_same(seats: int, mishears: float) -> None:
    for seed in range(5):
        made = production(seats, configuration=KINDS[seed % 2], giafar=True)
        assert play(made, seed, mishears=mishears).end is not None


@pytest.mark.parametrize("seats", [5, 7, 10])
def test_english_tables_play_as_french_ones_do(seats: int) -> None:
    for seed in range(5):
        assert play(production(seats, "en"), seed, skip_setup=False).end is not None


def test_a_seed_plays_the_same_evening_again() -> None:
    one, other = (play(production(8), 5) for _ in range(2))
    assert one.acts == other.acts
    assert one.spoken == other.spoken
    assert play(production(8), 6).acts != one.acts


def test_tables_are_real_ones() -> None:
    """Chatter, forbidden sentences, halved counts, hesitation, commands and every power turn up."""
    evenings = [play(production(seats, configuration="suggested"), seed) for seats in SEATS for seed in range(7)]
    acts = [act for evening in evenings for act in evening.acts]
    kinds = {kind: sum(act.kind == kind for act in acts) for kind in ("answer", "illegal", "chatter", "half")}
    assert all(kinds.values())
    assert 0.4 < kinds["chatter"] / kinds["answer"] < 2.0
    said = {act.meant.intent for act in acts if act.meant is not None}
    assert said >= {"propose", "call_vote", "count", "count_yes", "count_no", "tale", "choose", "swap", "exile"}
    assert said >= {"done", "undo", "more_time", "repeat", "status", "ask_veto", "accept_veto", "refuse_veto"}
    assert said >= {"am_dinarzade", "no", "yes"}
    assert any(act.text.split()[0] in ("euh", "ben") for act in acts if act.kind == "answer")


def test_people_wait_for_the_floor_and_talk_within_human_times() -> None:
    for act in play(production(9), 3).acts:
        assert 0.1 <= act.delay < 125.0
        assert act.speaker in NAMES


@pytest.mark.parametrize("language", ["fr", "en"])
def test_chatter_is_no_sentence_for_the_narrator(language: str) -> None:
    made = production(10, language)
    talk = Talk(made.phrases, NAMES, random.Random(1))
    for line in talk.lines:
        text = remark(line, "Bob", "Emma", talk_number(language))
        assert "{" not in text
        assert made.phrases.parse(text) is None, text
    for shout in talk.shouts:
        meaning = made.phrases.parse(shout)
        assert meaning is None or meaning.intent in ("yes", "no"), shout
    for hesitation in talk.hesitations:
        sentence = talk.phrases.sentences_for(Meaning("undo", {}))[0]
        assert made.phrases.parse(f"{hesitation} {sentence}") == Meaning("undo", {}), hesitation


@pytest.mark.parametrize("chatter", sorted(CHATTER.parent.rglob("chatter.toml")), ids=lambda path: path.parent.name)
def test_chatter_leaves_vowels_out(chatter: Path) -> None:
    lines = Talk(production(7).phrases, NAMES, random.Random(1), chatter).lines
    said = [remark(line, "Alice", "Inès", "un") for line in lines] + [
        remark(line, "Bob", "Yann", "un") for line in lines
    ]
    assert not [text for text in said if re.search(r"\b(que|de) (Alice|Inès)|\b(qu|d)’(Bob|Yann)", text)]


def talk_number(language: str) -> str:
    return {"fr": "quatre", "en": "four"}[language]


def test_nobody_chatters_in_a_language_that_nobody_speaks() -> None:
    phrases = production(5).phrases
    foreign = copy(phrases)
    foreign.language = "eo"
    with pytest.raises(ScriptError, match="nobody can chatter in “eo”"):
        Talk(foreign, NAMES, random.Random(1))


# ---- secrets


@pytest.mark.parametrize("seats", SEATS)
def test_one_public_course_sounds_the_same_whoever_holds_which_role(seats: int) -> None:
    """Giafar at four and five, an exiled Amoureuse and a secret choice of tales change nothing that is spoken."""
    made = production(seats, giafar=True, amoureuse=seats > 7, configuration=KINDS[seats % 2])
    told = 0
    for seed in range(4):
        first = play(made, seed, skip_setup=False)
        for roles in other_deals(made, first, random.Random(seed)):
            table = SimulatedTable(made, seed, roles=roles, course=Course(first.table.course))
            again = Evening(made, table, random.Random(seed + 1), skip_setup=False)
            again.play()
            assert again.spoken == first.spoken
            assert again.public() == first.public()
            told += 1
    assert told >= 6


def other_deals(made: Production, evening: Evening, chance: random.Random) -> list[Mapping[str, str]]:
    """Roles with which the same public course would be as truthful."""
    configuration = made.game.rules.configuration  # type: ignore[attr-defined]
    players = made.setting.players
    deals = (deal(configuration, players, chance) for _ in range(400))
    return [roles for roles in deals if roles != evening.table.roles and evening.table.fits(roles)][:4]


def test_a_difference_of_the_counts_is_one_sentence() -> None:
    evening = play(production(6), 2)
    public = evening.public()
    assert evening.table.check(public) is None
    fault = evening.table.check({**public, "pile": public["pile"] + 1})
    assert fault is not None
    assert "pile" in fault


def test_half_of_the_mistakes_are_noticed() -> None:
    noticed = 0
    for seed in range(200):
        made = production(6)
        table = SimulatedTable(made, seed)
        opening = made.game.opening(True)
        evening, _ = made.game.receive(opening, Ordered("start"))
        evening, _ = made.game.receive(evening, Rolled("first", "Alice"))
        table.on_state(made.game.rules.view(evening.state))
        heard, meant = Meaning("propose", {"player": "Bob"}), Meaning("propose", {"player": "Emma"})
        table.on_understood(heard)
        evening, _ = made.game.receive(evening, Heard(heard.intent, heard.slots))
        table.on_state(made.game.rules.view(evening.state))
        objections = table.on_mistake(heard, meant)
        noticed += bool(objections)
        if objections:  # a driver that asks for the floor at once does not lose it
            assert table.on_floor(made.game.rules.view(evening.state), "discussion", ("call_vote",)) == objections
    assert 70 < noticed < 130


def test_an_objection_comes_before_the_end_of_a_pause_and_both_before_all_else() -> None:
    talk = Talk(production(7).phrases, NAMES, random.Random(1))
    undo, resume = (talk.act("Bob", Meaning(intent, {})) for intent in ("undo", "resume"))
    manners = Manners()
    assert manners.first(lambda: resume) == []
    manners.understood(Meaning("pause", {}))
    manners.object(undo)
    assert (manners.objects, manners.objection()) == (True, [undo])
    assert [manners.first(lambda: resume) for _ in range(2)] == [[undo], [resume]]
    manners.object(undo)
    manners.understood(Meaning("resume", {}))
    assert manners.first(lambda: resume) == []
