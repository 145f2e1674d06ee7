"""A simulated table of any data-only game; rehearsal/people.py says who calls what.

What a sentence is for follows from what its move does (`do`), never from its name: whoever's turn it is says the truth
of the cards, accuses, votes. Moves that do nothing known are said in turn, the least used first, so that every evening
goes on. What was meant is compared with what the narrator holds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from narrator.core.phrases import Meaning
from narrator.core.script import ANY, Move
from narrator.library import Production
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.plain.minds import Minds, View
from narrator.rehearsal.talk import Act, Talk

CHATTER = Path(__file__).with_name("chatter.toml")
NOTICES = 0.7  # of the narrator's mistakes
TALKS = (20.0, 60.0)  # seconds that people talk before somebody turns to the narrator
ANSWERS = (0.2, 1.2)  # seconds in which a voter answers to a name
TIRED = 4  # times that the same thing is said in vain before something else is tried


class PlainTable:
    """Everybody around one table."""

    def __init__(self, production: Production, seed: int) -> None:
        chance = random.Random(seed)  # one stream each, so that secrets do not change how people talk
        cards, tongues = random.Random(chance.random()), random.Random(chance.random())
        self.minds = Minds(production.game.rules.sheet, cards)  # type: ignore[attr-defined]
        self._script, self._phrases = production.game.script, production.phrases
        self._talk = Talk(production.phrases, production.setting.players, tongues, CHATTER)
        self._moves: dict[str, dict[str, Move]] = {}
        for (phase, on), move in self._script.moves.items():
            if ANY not in move.sources and ":" not in on and on != "time_up":
                self._moves.setdefault(phase, {})[on] = move
        self._decisions = {on for _, on in self._script.moves} | {"done", "next"}
        self._meant: Meaning | None = None
        self._heard: Meaning | None = None
        self._said: Counter[tuple[Any, ...]] = Counter()
        self._doomed: set[str] = set()  # who was announced dead, or condemned by what people voted
        self._manners = Manners()
        self._moved = self._doubtful = False
        self._view: View = {}
        self.fault = ""

    # ---- what the driver tells

    def on_understood(self, meaning: Meaning) -> None:
        self._manners.understood(meaning)
        if meaning.intent not in ("yes", "no", "pause", "resume"):
            self._heard = meaning
        self._moved = False

    def on_state(self, view: Mapping[str, Any]) -> None:
        self._moved |= view != self._view
        self._view = view
        for player in view["dead"]:
            if player not in self._doomed and not self._doubtful and not self.fault:
                self.fault = f"{player} is dead for the narrator, and nobody said so"

    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]:
        """Something else happened than was asked for: mostly somebody objects, else they live with it."""
        if not self._moved or heard.intent not in self._decisions or heard == meant:
            return []
        self._doubtful = True
        if self._talk.rng.random() < NOTICES:
            self._manners.object(self._say(self._anybody(self._view), Meaning("undo", {}), (0.4, 1.8)))
        return self._manners.objection()

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        """What people say next, now that the narrator waits in `phase`."""
        self.on_state(view)
        if first := self._manners.first(lambda: self._say(self._anybody(view), Meaning("resume", {}), (2.0, 5.0))):
            return first
        moves = self._moves.get(phase, {})
        if tuple(accepts[:2]) == ("yes", "no") and ("yes" not in moves or accepts.count("yes") > 1):
            right = self._heard is None or self._heard == self._meant
            return [self._say(self._anybody(view), Meaning("yes" if right else "no", {}))]
        flow = self._script.phases[phase].flow
        if flow in ("checklist", "hands"):
            return [self._say(self._anybody(view), Meaning("next", {}), (2.0, 6.0))]
        if flow == "auto" or self._script.phases[phase].eyes_closed:
            return []
        return self._speak(view, phase, moves)

    def check(self, public_state: Mapping[str, Any]) -> str | None:
        """What is wrong beyond what was misheard; None if all is well."""
        if self._doubtful:
            return None
        for player, role in public_state["roles"].items():
            if self.minds.cards[player] != role:
                return f"{player} holds {self.minds.cards[player]}, for the narrator it is {role}"
        end, real = public_state["end"], self.minds.end(self._view)
        if end and real and end["how"] != real.id:
            return f"by the cards the game ends by “{real.id}”, for the narrator by “{end['how']}”"
        return self.fault or None

    # ---- what is said

    def _speak(self, view: View, phase: str, moves: Mapping[str, Move]) -> list[Act]:
        meaning, speaker = self._wish(view, phase, moves)
        if meaning is None:
            return []
        self._said[phase, len(view["dead"]), view["day"], meaning.intent] += 1
        self._meant = meaning
        if moves[meaning.intent].do in ("answer_yes", "answer_no"):
            return [self._say(speaker, meaning, ANSWERS)]
        if not self._script.phases[phase].talk:
            return [self._say(speaker, meaning)]
        act = self._say(speaker, meaning, TALKS)
        return [*self._talk.table_talk(view["living"], act.delay - 4.0, tuple(moves)), act]

    def _wish(self, view: View, phase: str, moves: Mapping[str, Move]) -> tuple[Meaning | None, str]:
        """What somebody wants to say here, and who."""
        speaker = self._anybody(view)
        by_deed: dict[str, list[str]] = {}
        for intent, move in moves.items():
            by_deed.setdefault(move.do, []).append(intent)
        real = self.minds.end(view)
        if real and f"end_{real.id}" in by_deed:
            return self._first(by_deed[f"end_{real.id}"], {}), speaker
        if "end_game" in by_deed:
            true = real is not None and real.id == view["how"]
            return self._first(by_deed["end_game" if true else "deny_end"], {}), speaker
        if "answer_yes" in by_deed:
            deed = "answer_yes" if view["seat"] in self.minds.hands(view) else "answer_no"
            return self._first(by_deed[deed], {}), view["seat"]
        for deed, wish in (
            ("tell_role", self._role),
            ("die", self._death),
            ("tally", self._tally),
            ("count", self._count),
            ("hand_up", self._hand),
            ("accuse", self._accusation),
            ("choose", self._choice),
        ):
            tired = self._said[phase, len(view["dead"]), view["day"], by_deed.get(deed, [""])[0]] >= TIRED
            if deed in by_deed and not tired and (meaning := wish(view, phase, by_deed)) is not None:
                return meaning, view["last"] if deed == "tell_role" else speaker
        return self._go_on(view, phase, moves), speaker

    def _go_on(self, view: View, phase: str, moves: Mapping[str, Move]) -> Meaning | None:
        """A sentence without a name or a number that leads elsewhere, the least used one of those here."""
        free = [
            intent
            for intent, move in moves.items()
            if move.to and not move.do.startswith("end_") and self._talk.knows(Meaning(intent, {}))
        ]
        used = {intent: self._said[phase, len(view["dead"]), view["day"], intent] for intent in free}
        return Meaning(min(free, key=lambda intent: used[intent]), {}) if free else None

    def _first(self, intents: Sequence[str], slots: Mapping[str, Any]) -> Meaning | None:
        """The first of these sentences that this language can say with these words."""
        return next((m for intent in intents if self._talk.knows(m := Meaning(intent, slots))), None)

    # ---- one wish each: what is meant, or None if there is nothing of the kind to say

    def _role(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        return self._first(deeds["tell_role"], {"role": self.minds.cards[view["last"]]}) if view["last"] else None

    def _death(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        victim = self.minds.victim(view, phase)
        if not victim or not view["living"]:
            return None
        self._doomed.add(victim)
        return self._first(deeds["die"], {"player": victim})

    def _accusation(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        accused = self.minds.accused(view)
        return self._first(deeds["accuse"], {"player": accused}) if accused else None

    def _count(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        yes = len(self.minds.hands(view))
        self._doomed |= {view["accused"]} if self.minds.condemns(view) else set()
        return self._first(deeds["count"], {"yes": yes, "no": len(self.minds.voters(view)) - yes})

    def _hand(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        """The names that were read back are set right, one after the other."""
        wanted, read = self.minds.hands(view), view["yes_voters"]
        self._doomed |= {view["accused"]} if self.minds.condemns(view) else set()
        for player in self.minds.voters(view):
            if (player in wanted) is not (player in read):
                deed = "hand_up" if player in wanted else "hand_down"
                return self._first(deeds.get(deed, ()), {"player": player})
        return None

    def _tally(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        tallies, told = self.minds.tallies(view), dict(view["tallies"])
        most = max(tallies.values(), default=0)
        self._doomed |= {player for player, n in tallies.items() if n == most}
        left = [player for player in tallies if told.get(player) != tallies[player]]
        return self._first(deeds["tally"], {"player": left[0], "n": tallies[left[0]]}) if left else None

    def _choice(self, view: View, phase: str, deeds: Mapping[str, Sequence[str]]) -> Meaning | None:
        return self._first(deeds["choose"], {"player": self._talk.rng.choice(view["living"])})

    # ---- small pieces

    def _say(self, speaker: str, meaning: Meaning, between: tuple[float, float] = (0.8, 2.5)) -> Act:
        return self._talk.act(speaker, meaning, between)

    def _anybody(self, view: View) -> str:
        return str(self._talk.rng.choice(view["living"] or self._talk.players))
