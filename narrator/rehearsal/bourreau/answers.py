"""What the players of a table of Le Bourreau say in each phase; small methods, one per phase of the game.

Nobody here waits for anything: each call gives what is still to be said. Choices are made once for a situation and
kept, so that a sentence that was not understood is said again; whatever delays the evening happens once at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from narrator.core.phrases import Meaning
from narrator.rehearsal.bourreau.hands import Hands
from narrator.rehearsal.bourreau.truth import CENTRE
from narrator.rehearsal.talk import Act, Kind, Talk

View = Mapping[str, Any]
T = TypeVar("T")

#: What anybody may ask the narrator for, and how often of a hundred situations.
COMMANDS = {
    "repeat": 6,
    "status": 4,
    "purses": 4,
    "who_left": 4,
    "which_cards": 3,
    "time_left": 1,
    "help": 1,
    "pause": 1,
}
ASKS, ILLEGAL, CHATS, DOZES = 0.06, 0.04, 0.5, 0.02
DOZE_SECONDS = 80.0
GAMES = 2  # of an evening
NAMED, EFFECT = 0.45, 0.8  # of gallows cards: told by title, by effect; else drawn by the narrator
STOPS = 0.45  # after each execution
EFFECTS = ("extra", "look", "swap", "reveal", "pass_left", "forbid_swap", "forbid_look", "nothing")
_QUIET = frozenset(("table_setup", "deal", "interrogation", "over"))


def elided(text: str, name: str) -> str:
    """As French people say it: "au tour d'Emma", "au tour de Bob", whichever of the two was written."""
    vowel = name[:1].lower() in "aeiouyéè" and name != ""
    wrong, right = ("tour de ", "tour d'") if vowel else ("tour d'", "tour de ")
    return text.replace(wrong + name, right + name)


class Answers:
    """The policy of a table: situation -> what is said."""

    def __init__(self, hands: Hands, talk: Talk, cards: Sequence[str]) -> None:
        """`cards`: the gallows cards that can be told by their titles."""
        self._hands, self._talk, self._cards = hands, talk, tuple(cards)
        self._kept: dict[tuple[Any, ...], Any] = {}
        self.view: View = {}
        self.phase = ""
        self.meant: Meaning | None = None  # the last decision that somebody announced
        self._phases: dict[str, Callable[[], list[Act]]] = {
            name: getattr(self, "_" + name)
            for name in (
                *("ask_executioner", "table_setup", "roles", "items", "no_pardon", "no_mundane", "draw_item", "deal"),
                *("gallows", "choose", "hand_work", "passing", "actions", "acting", "interrogation"),
                *("executions", "gesture", "reveal", "centre", "doubt", "shield_strike", "pardon_sure", "role_ask"),
                *("who_parasite", "who_mimic", "ask_role", "doubt_role", "ask_cheese", "again"),
            )
        }

    def on_floor(self, view: View, phase: str, accepts: Sequence[str]) -> list[Act]:
        """Everything that is still to be said in this phase."""
        self.view, self.phase = view, phase
        speaks = self._phases.get(phase)
        if speaks is None:
            return []
        if phase not in _QUIET and self._once("command", ASKS):
            return [self._command()]
        acts = speaks()
        if phase not in _QUIET and self._once("doze", DOZES):
            acts = [replace(a, delay=a.delay + DOZE_SECONDS) for a in acts]
        if phase in ("gallows", "actions", "acting", "executions") and self._once("talk", CHATS):
            talk = self._talk.table_talk(self._alive(), self._talk.rng.uniform(4.0, 16.0), accepts)
            later = max((act.delay for act in talk), default=0.0) + 4.0
            acts = [*talk, *(replace(a, delay=a.delay + later) for a in acts)]
        return acts

    def confirmation(self, view: View, phase: str, asked: Meaning | None) -> list[Act]:
        """The narrator asks whether it understood what ends a game."""
        self.view, self.phase = view, phase
        right = asked is None or asked == self.meant
        return [self._talk.act(self._anybody(), Meaning("yes" if right else "no", {}))]

    # ---- small pieces

    def _here(self) -> tuple[Any, ...]:
        """The situation: what a decision is kept for."""
        view = self.view
        return (
            *(view["turn"], self.phase, view["owed"], view["acted"], view["executed"], view["target"], view["asked"]),
            *(view["items_missing"], view["roles_missing"], view["actor"], view["dead"], self._hands.attempts),
        )

    def _decide(self, what: str, choose: Callable[[], T]) -> T:
        key = (what, *self._here())
        if key not in self._kept:
            self._kept[key] = choose()
        return self._kept[key]  # type: ignore[no-any-return]

    def _once(self, what: str, likely: float) -> bool:
        key = ("once", what, *self._here())
        happens = self._talk.rng.random() < likely and key not in self._kept
        if happens:
            self._kept[key] = True
        return happens

    def _alive(self) -> list[str]:
        return [p for p in self.view["players"] if p not in self.view["dead"]]

    def _anybody(self) -> str:
        return str(self._talk.rng.choice(self._alive()))

    def _say(self, speaker: str, intent: str, kind: Kind = "answer", **slots: Any) -> list[Act]:
        """One sentence, in whichever form is listened for."""
        meaning = Meaning(intent, slots)
        if kind == "answer":
            self.meant = meaning
        act = self._talk.act(speaker, meaning, kind=kind)
        return [replace(act, text=elided(act.text, slots.get("player", "")))]

    def _boss(self, intent: str, kind: Kind = "answer", **slots: Any) -> list[Act]:
        return self._say(self.view["executioner"] or self._anybody(), intent, kind, **slots)

    def _either(self, speaker: str, one: str, other: str, **slots: Any) -> list[Act]:
        """Two ways of saying it."""
        return self._say(
            speaker, self._decide("form", lambda: one if self._talk.rng.random() < 0.6 else other), **slots
        )

    def _command(self) -> Act:
        intents = [c for c in COMMANDS if self._talk.knows(Meaning(c, {}))]
        intent = self._talk.rng.choices(intents, [COMMANDS[c] for c in intents])[0]
        return self._talk.act(self._anybody(), Meaning(intent, {}), (0.8, 3.0))

    def _step(self) -> list[Act]:
        intent = "done" if self._talk.rng.random() < 0.2 else "next"
        return [self._talk.act(self._anybody(), Meaning(intent, {}), (2.0, 6.0))]

    def _yes_or_no(self, speaker: str, yes: bool) -> list[Act]:
        return self._say(speaker, "yes" if yes else "no")

    def _pick(self, what: str, choices: Sequence[str]) -> str:
        return self._decide(what, lambda: self._talk.rng.choice(list(choices)))

    # ---- setup

    _table_setup = _deal = _step

    def _ask_executioner(self) -> list[Act]:
        if self._decide("lots", lambda: self._talk.rng.random() < 0.3):
            return self._say(self._anybody(), "draw_lots")
        first = self._pick("first", self.view["players"])
        return self._either(self._anybody(), "is_executioner", "is_name", player=first)

    def _roles(self) -> list[Act]:
        told = self.view["seats"] - self.view["roles_missing"]
        return self._say(self._anybody(), "role", role=self._hands.roles[told])

    def _items(self) -> list[Act]:
        told = self.view["seats"] - self.view["items_missing"]
        return self._say(self._anybody(), "item", item=self._hands.items[told])

    def _no_pardon(self) -> list[Act]:
        return self._say(self._anybody(), "done")

    def _no_mundane(self) -> list[Act]:
        return self._boss("item", item=self._decide("out", self._hands.removable))

    def _draw_item(self) -> list[Act]:
        return self._boss("item", item=self._decide("new", self._hands.another))

    # ---- gallows and actions

    def _gallows(self) -> list[Act]:
        way = self._decide("way", self._talk.rng.random)
        left = [card for card in self._cards if card not in self._hands.out]
        if way < NAMED and left:
            return self._boss("gallows", card=self._pick("card", left))
        if way < EFFECT:
            return self._boss("effect", effect=self._pick("effect", EFFECTS))
        return self._boss("draw_lots")

    def _choose(self) -> list[Act]:
        if self._once("wrong", ILLEGAL):
            return self._boss("choose", "illegal", player=self.view["executioner"])
        return self._either(
            self.view["executioner"], "choose", "is_name", player=self._pick("who", self.view["prisoners"])
        )

    def _hand_work(self) -> list[Act]:
        return self._say(self.view["target"], "done")

    def _passing(self) -> list[Act]:
        return self._say(self._anybody(), "done")

    def _actions(self) -> list[Act]:
        view = self.view
        if self._once("question", 0.06):
            return self._boss("interrogate", player=self._pick("questioned", view["prisoners"]))
        if view["acted"] and self._once("wrong", ILLEGAL):
            again = [p for p in view["acted"] if p not in view["owed"]]
            if again:
                return self._boss("call_turn", "illegal", player=self._talk.rng.choice(again))
        who = self._pick("who", view["owed"])
        if self._decide("called", lambda: self._talk.rng.random() < 0.6):
            return self._boss("call_turn", player=who)
        return self._say(who, f"act_{self._action()}", player=who)

    def _acting(self) -> list[Act]:
        actor, what = self.view["actor"], self._action()
        if self._decide("own words", lambda: self._talk.rng.random() < 0.7):
            return self._say(actor, f"i_{what}")
        return self._say(actor, "done")

    def _action(self) -> str:
        if self.view["no_swap"]:
            return "look"
        return "swap" if self.view["no_look"] else self._pick("action", ("swap", "look"))

    def _interrogation(self) -> list[Act]:
        if self._decide("silence", lambda: self._talk.rng.random() < 0.3):
            return self._talk.table_talk(self._alive(), 100.0, ("end_interrogation", "done", "next", "skip"))
        talk = self._talk.table_talk(self._alive(), 25.0, ("end_interrogation", "done", "next", "skip"))
        ends = self._boss("end_interrogation")[0]
        return [*talk, replace(ends, delay=ends.delay + 32.0)]

    # ---- executions

    def _executions(self) -> list[Act]:
        view = self.view
        done = [*view["executed"]]
        if self._once("wrong", ILLEGAL):
            if not done:
                return self._boss("stop", "illegal")
            return self._boss("execute", "illegal", player=self._talk.rng.choice([*done, view["executioner"]]))
        enough = self._decide("enough", lambda: self._talk.rng.random() < STOPS)
        if done and enough:
            return self._boss("stop")
        return self._boss("execute", player=self._pick("victim", view["unharmed"]))

    def _gesture(self) -> list[Act]:
        target = self.view["target"]
        if self._decide("hasty", lambda: self._talk.rng.random() < 0.3):
            return self._say(target, "item", item=self._hands.cards.items[target])
        return self._say(self.view["striker"], "done")

    def _reveal(self) -> list[Act]:
        return self._say(self.view["target"], "item", item=self._hands.cards.items[self.view["target"]])

    def _centre(self) -> list[Act]:
        return self._say(self.view["target"], "item", item=self._hands.cards.items[CENTRE])

    def _doubt(self) -> list[Act]:
        cards, target = self._hands.cards.items, self.view["target"]
        true = self.view["shown"] == cards[target] and self.view["centre"] in ("", cards[CENTRE])
        return self._yes_or_no(target, true)

    def _shield_strike(self) -> list[Act]:
        victim = self._pick("victim", self.view["neighbours"])
        return self._either(self.view["striker"], "execute", "is_name", player=victim)

    def _pardon_sure(self) -> list[Act]:
        return self._yes_or_no(self.view["target"], self._hands.cards.counts_as(self.view["target"]) == "pardon")

    def _role_ask(self) -> list[Act]:
        target = self.view["target"]
        role = self._hands.cards.roles[target]
        return self._say(target, f"am_{role}" if role in ("princess", "fool") else "no")

    def _who_parasite(self) -> list[Act]:
        cards = self._hands.cards
        holders = [p for p in cards.holders("parasite") if p in self.view["unharmed"]]
        if holders:
            return self._either(holders[0], "has_parasite", "is_name", player=holders[0])
        return self._say(self._anybody(), "in_centre" if cards.items[CENTRE] == "parasite" else "nobody")

    def _who_mimic(self) -> list[Act]:
        holders = [p for p in self._hands.cards.holders("mimic") if p in self.view["unharmed"]]
        if holders:
            return self._either(holders[0], "has_mimic", "is_name", player=holders[0])
        return self._say(self._anybody(), "nobody")

    # ---- the end

    def _ask_role(self) -> list[Act]:
        player = self.view["asked"]
        return self._say(player, f"am_{self._hands.cards.roles[player]}")

    def _doubt_role(self) -> list[Act]:
        player = self.view["asked"]
        return self._yes_or_no(player, self._hands.cards.roles[player] == self.view["claim"])

    def _ask_cheese(self) -> list[Act]:
        fool = self.view["declared_fool"]
        return self._yes_or_no(fool, self._hands.cards.counts_as(fool) == "cheese")

    def _again(self) -> list[Act]:
        if self.view["turn"] >= GAMES:
            return self._boss("end_evening")
        others = [p for p in self.view["players"] if p != self.view["executioner"]]
        return self._either(self.view["executioner"], "succeed", "is_name", player=self._pick("successor", others))
