"""Whole games of Village by random sentences, possible and not, with undo; counted again by an account of our own."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from evening import Evening
from hypothesis import given, settings
from hypothesis import strategies as st
from test_village_rules import village

from narrator.core.game import fold

ROLES = {"un loup": "wolf", "la voyante": "seer", "le chasseur": "hunter", "la guérisseuse": "healer"}
ROLES["un villageois"] = "villager"


@dataclass(frozen=True)
class Account:
    """What an attentive player would have written down."""

    players: tuple[str, ...]
    cards: dict[str, int]
    dead: tuple[str, ...] = ()
    shown: dict[str, str] = field(default_factory=dict)
    accused: str = ""
    roll: dict[str, bool] = field(default_factory=dict)
    end: str = ""

    @property
    def living(self) -> list[str]:
        return [player for player in self.players if player not in self.dead]

    def left(self, *roles: str) -> int:
        return sum(self.cards[role] for role in roles) - sum(role in roles for role in self.shown.values())


class Game:
    """An evening and its account, kept apart."""

    def __init__(self, seed: int, players: int) -> None:
        self.chance = chance = random.Random(seed)
        options = {
            "with_healer": chance.random() < 0.5,
            "with_hunter": chance.random() < 0.5,
            "first_blood": chance.random() < 0.5,
            "vote": chance.choice(("count", "roll")),
            "tie": chance.choice(("nobody", "again")),
        }
        self.evening = Evening(village(players, **options))
        wolves = 1 + (players >= 8) + (players >= 12) + (players >= 17)
        cards = {"wolf": wolves, "seer": 1, "healer": options["with_healer"], "hunter": options["with_hunter"]}
        cards = {role: int(number) for role, number in cards.items()}
        cards["villager"] = players - sum(cards.values())
        self.account = Account(self.evening.production.setting.players, cards)
        self.tie_again = options["tie"] == "again"
        self.asked_back = ""  # what was said before “oui ou non”: whoever says it again means yes

    def sentence(self) -> str:
        """Something that could be said here, mostly; now and then nonsense."""
        chance, account, phase = self.chance, self.account, self.evening.phase
        anybody, somebody = chance.choice(account.players), chance.choice(account.living or account.players)
        if chance.random() < 0.08:
            return chance.choice((f"{anybody} est mort", f"j'accuse {anybody}", "on vote", "oui", "non", "un loup"))
        if self.evening.course.state.ask is not None:
            return "oui" if chance.random() < 0.8 else "non"
        number = chance.randint(0, len(account.living))
        return {
            "news": chance.choice((f"{somebody} est morte", f"{anybody} est mort", "personne n'est mort")),
            "role": chance.choice((*ROLES, *ROLES, "passe")),
            "hunter": chance.choice((f"j'emporte {somebody}", "personne")),
            "ended": chance.choice(("oui", "oui", "non")),
            "discussion": chance.choice((f"j'accuse {somebody}", "aux accusations", "on va dormir")),
            "accusing": chance.choice((f"j'accuse {somebody}", f"j'accuse {anybody}", "on va dormir")),
            "defence": chance.choice(("on vote", "on vote", "je retire l'accusation")),
            "count": f"{number} contre {len(account.living) - number + chance.choice((0, 0, 0, 1))}",
            "half": "2 contre 2",
            "seat": chance.choice(("oui", "non")),
            "readback": chance.choice(("passe", "passe", f"{anybody} aussi", f"pas {anybody}")),
        }.get(phase, "suivant")

    def step(self) -> None:
        if self.chance.random() < 0.06:
            self.undo()
            return
        sentence, before = self.sentence(), self.evening.course.state
        accepted = self.evening.say(sentence)
        if accepted and self.evening.course.state.ask is not None:
            self.asked_back = _meant(sentence)
            return
        if not accepted:
            return
        self.account = self._noted(sentence, before, self.evening.course.state)
        self.check()

    def undo(self) -> None:
        """Whatever is taken back, the account is what the state before the decision was."""
        past = self.evening.course.past
        self.evening.say("annule")
        if past is not None and self.evening.course.state.ask is None:
            state = self.evening.course.state
            shown = dict(state.roles)
            self.account = replace(self.account, dead=state.dead, shown=shown, accused=state.trial.accused, end="")
            if state.trial.rolled:
                passed = {player: player in state.trial.hands for player in state.trial.passed}
                extra = {player: True for player in state.trial.hands if player not in passed}
                self.account = replace(self.account, roll={**passed, **extra})
        self.check()

    # ---- what the sentence meant, by rules written once more

    def _noted(self, sentence: str, before: Any, after: Any) -> Account:
        account, phase, asked = self.account, before.phase, before.ask
        if asked is not None and _meant(sentence) == self.asked_back:
            return self._confirmed(asked, "oui")
        if asked is not None and sentence in ("oui", "non"):
            return self._confirmed(asked, sentence)
        if phase == "role" and sentence in ROLES:
            return replace(account, shown={**account.shown, account.dead[-1]: ROLES[sentence]})
        if phase in ("discussion", "accusing") and sentence.startswith("j'accuse"):
            return replace(account, accused=sentence.removeprefix("j'accuse "))
        if phase == "defence" and sentence == "je retire l'accusation":
            return replace(account, accused="")
        if phase == "defence" and sentence == "on vote":
            return replace(account, roll={})
        if phase == "count":
            yes, no = (int(word) for word in sentence.split(" contre "))
            assert yes + no == len(account.living)
            return self._voted(yes, no, before.trial.votes)
        if phase == "seat":
            return replace(account, roll={**account.roll, before.trial.seat: sentence == "oui"})
        if phase == "readback":
            return self._read_back(sentence, before)
        if phase == "ended" and sentence == "oui":
            return replace(account, end="village" if account.left("wolf") == 0 else "pack")
        return account

    def _confirmed(self, asked: Any, sentence: str) -> Account:
        account = self.account
        if sentence != "oui" or asked.intent not in ("dies", "takes"):
            return account
        return replace(account, dead=(*account.dead, asked.slots["player"]))

    def _read_back(self, sentence: str, before: Any) -> Account:
        account = self.account
        if sentence.endswith(" aussi"):
            return replace(account, roll={**account.roll, sentence.removesuffix(" aussi"): True})
        if sentence.startswith("pas "):
            return replace(account, roll={**account.roll, sentence.removeprefix("pas "): False})
        yes = sum(account.roll[player] for player in account.living)
        return self._voted(yes, len(account.living) - yes, before.trial.votes)

    def _voted(self, yes: int, no: int, votes: int) -> Account:
        account = self.account
        if yes > no:
            return replace(account, dead=(*account.dead, account.accused), accused="")
        if yes == no and self.tie_again and votes == 1:
            return replace(account, roll={})
        return replace(account, accused="")

    # ---- what must hold

    def check(self) -> None:
        state, account = self.evening.state, self.account
        assert state["dead"] == list(account.dead), self.evening.spoken[-4:]
        assert state["living"] == account.living
        assert state["roles"] == account.shown
        assert (state["accused"] or "") == account.accused
        if state["phase"] in ("discussion", "accusing", "news", "night") and not self.evening.course.state.denied:
            assert account.left("wolf") > 0
            assert account.left("wolf") < account.left("seer", "healer", "hunter", "villager")
        assert (state["end"]["how"] if state["end"] else "") == account.end
        for role, number in account.cards.items():
            assert sum(one == role for one in account.shown.values()) <= number


def _meant(sentence: str) -> str:
    return sentence.replace("morte", "mort")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(6, 18))
def test_the_narrator_counts_as_an_attentive_player_does(seed: int, players: int) -> None:
    game = Game(seed, players)
    for _ in range(160):
        if game.evening.ends:
            break
        game.step()


@pytest.mark.parametrize("seed", range(4))
def test_a_journal_is_the_evening(seed: int) -> None:
    """The fold of everything that happened is the state, undone decisions included."""
    game = Game(seed, 9)
    for _ in range(120):
        game.step()
    evening = game.evening
    assert fold(evening.game, evening.log, skip_setup=True).state == evening.course.state
