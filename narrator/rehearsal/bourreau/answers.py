"""What the players of a table of Le Bourreau say in each phase; small methods, one per phase of the game."""

from __future__ import annotations

from dataclasses import replace

from narrator.games.bourreau.deck import EFFECTS
from narrator.rehearsal.bourreau.policy import ILLEGAL, Policy
from narrator.rehearsal.bourreau.truth import CENTRE
from narrator.rehearsal.talk import Act

GAMES = 2  # of an evening
NAMED, EFFECT = 0.45, 0.8  # of gallows cards: told by title, by effect; else drawn by the narrator
STOPS = 0.45  # after each execution


class Answers(Policy):
    """The policy of a table, phase by phase."""

    speaks_in = (
        *("ask_executioner", "table_setup", "roles", "items", "no_pardon", "no_mundane", "draw_item", "deal"),
        *("gallows", "choose", "hand_work", "passing", "actions", "acting", "interrogation"),
        *("executions", "gesture", "reveal", "centre", "doubt", "shield_strike", "pardon_sure", "role_ask"),
        *("who_parasite", "who_mimic", "ask_role", "doubt_role", "ask_cheese", "again"),
    )

    # ---- setup

    _table_setup = _deal = Policy._step

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
