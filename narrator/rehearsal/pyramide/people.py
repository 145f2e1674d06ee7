"""A simulated Meereen, with the same face as the Sultan's table (rehearsal/people.py says who calls what).

What people meant is compared with what the narrator made of it: places, accusations, every seat's vote, every count;
and prestige is kept in a second set of books.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.core.phrases import Meaning
from narrator.games.pyramide.ranks import INFLUENCE, PRESTIGE, Rank
from narrator.library import Production
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.pyramide.master import Key, Master
from narrator.rehearsal.pyramide.minds import HASTE, Minds
from narrator.rehearsal.talk import Act, Talk

CHATTER = Path(__file__).with_name("chatter.toml")
ANSWERS = (0.15, 1.1)  # seconds in which a seat answers to its name
LATE = (1.8, 2.5)  # … when it hesitates
HESITATES = 0.08
TIRED = 3  # times that somebody is placed before the office gives up
_TALKS = {"pleas": 14.0, "campaign": 10.0}  # seconds until somebody calls for the vote


@dataclass
class Score:
    """What was right of what the table said."""

    placements: int = 0
    placements_right: int = 0
    accusations: int = 0
    accusations_right: int = 0
    seats: int = 0  # votes of single seats, as they stood when the count was read out
    first_right: int = 0  # … before the game master corrected any
    seats_right: int = 0
    counts: int = 0
    counts_right: int = 0


@dataclass
class Books:
    """Prestige as the table keeps it: tenths for each turn that ended."""

    gained: dict[int, dict[str, int]] = field(default_factory=dict)

    def close_turn(self, view: Mapping[str, Any]) -> None:
        where = {"in_maze": "maze", "in_pits": "pits", "in_plaza": "plaza"}
        self.gained[view["turn"]] = {
            player: PRESTIGE[district]  # type: ignore[index]  # a StrEnum's value
            for key, district in where.items()
            for player in view[key]
        }

    def difference(self, public: Mapping[str, Any]) -> str | None:
        for player, prestige in public["prestige"].items():
            own = sum(gains.get(player, 0) for gains in self.gained.values())
            if round(prestige * 10) != own:
                return f"turn {public['turn']}: {player} has {own / 10} of prestige, {prestige} for the narrator"
        if not public["ranks"]:  # before they are drawn
            return None
        living = sum(INFLUENCE[Rank(public["ranks"][player])] for player in public["living"])
        if living != public["available"]:
            return f"turn {public['turn']}: {living} points of influence, {public['available']} for the narrator"
        return None


class PyramideTable:
    """Everybody in Meereen."""

    def __init__(self, production: Production, seed: int, haste: int = HASTE, *, leisure: bool = False) -> None:
        """`haste`: from which turn on the council accuses the harpy. `leisure`: every clock is left to run out."""
        self.minds = Minds(seed, haste)
        self.master = Master(production, self.minds, seed, leisure=leisure)
        self._leisure = leisure
        self.score, self.books = Score(), Books()
        self.course: list[tuple[float, int, str]] = []  # when which phase of which turn began
        self.now: Callable[[], float] = lambda: 0.0
        self._by_ear = production.game.rules.options["vote"] == "ear"  # type: ignore[attr-defined]
        self._talk = Talk(production.phrases, production.setting.players, random.Random(seed), CHATTER)
        self._phase: tuple[int, str] = (-1, "")
        self._placed: dict[tuple[int, str], int] = {}
        self._accuses: dict[int, str] = {}  # how many are accused -> whom the next one named
        self._first: Mapping[str, str] | None = None  # votes as first read out
        self._manners = Manners()

    # ---- what the driver tells

    def on_understood(self, meaning: Meaning) -> None:
        self._manners.understood(meaning)

    def on_state(self, view: Mapping[str, Any]) -> None:
        """The narrator goes on: what it took down is judged as its phase ends."""
        phase = (view["turn"], view["phase"])
        if phase == self._phase:
            return
        self._phase = phase
        self.course.append((self.now(), *phase))
        if view["phase"] == "placed":
            self._judge_places(view)
        elif view["phase"] == "pleas":
            self._judge_accusations(view)
        elif view["phase"] == "readback":
            self._first = dict(view["votes"])
        elif view["phase"] == "counted":
            self._judge_vote(view)
        elif view["phase"] == "turn_ends":
            self.books.close_turn(view)

    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]:
        """Somebody objects to an accusation or a name that nobody spoke; votes are set right by the master."""
        if heard != meant and heard.intent in ("accuse", "accuse_seat", "name", "name_seat"):
            self._manners.object(self._talk.act(self._anybody(), Meaning("undo", {}), (0.4, 1.5), "objection"))
        return self._manners.objection()

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        """What people say next, now that the narrator waits in `phase`."""
        self.on_state(view)
        if first := self._manners.first(lambda: self._say(self._anybody(), "resume", {}, 2.0)):
            return first
        if phase == "gather":
            return [self._say(self._anybody(), "next", {}, 2.0)]
        if phase == "placement":
            return self._places(view)
        if phase == "accuse":
            return self._accusation(view)
        if phase in _TALKS:
            chat = self._talk.table_talk(view["living"], _TALKS[phase], accepts)
            if self._leisure:
                return chat
            return [*chat, self._say(self._anybody(view), "call_vote", {}, _TALKS[phase] + 1.0)]
        if phase == "seat":
            return self._answer(view)
        if phase == "shavepate":
            return [self._say(view["councillors"][0], "name", {"player": self.minds.shavepate(view)}, 1.0)]
        return []

    def at_keys(self, state: Any) -> Key | None:
        """What the game master enters next, and when; None: nothing before something happens."""
        return self.master.next_key(state)

    def check(self, public_state: Mapping[str, Any]) -> str | None:
        """What differs between the table's books and the narrator's; None if nothing does."""
        return self.books.difference(public_state)

    def figures(self) -> dict[str, int]:
        """For the report."""
        return {name: getattr(self.score, name) for name in Score.__dataclass_fields__}

    # ---- what people say

    def _places(self, view: Mapping[str, Any]) -> list[Act]:
        """The next one who does not stand where the office sends them; then it is done."""
        for speaker, player, district in self.minds.places(view):
            tries = self._placed.get((view["turn"], player), 0)
            if player not in view[f"in_{district}"] and tries < TIRED:
                self._placed[view["turn"], player] = tries + 1
                return [self._say(speaker, "place", {"player": player, "district": district}, 0.8)]
        return [] if self._leisure else [self._say(self._anybody(view), "done", {}, 1.0)]

    def _accusation(self, view: Mapping[str, Any]) -> list[Act]:
        player = self.minds.accused(view)
        self._accuses[len(view["accused"])] = player
        speaker = view["accuser"] or view["councillors"][0]
        return [self._say(speaker, "accuse", {"player": player}, 0.8)]

    def _answer(self, view: Mapping[str, Any]) -> list[Act]:
        """A name, an abstention, or silence, which is one too; called again, the number of a seat."""
        seat = view["seat"]
        choice, chance = self.minds.vote(view, seat), self.minds.chance(view, view["kind"], seat, "says")
        if not choice and chance.random() < 0.5:
            return []
        between = LATE if chance.random() < HESITATES else ANSWERS
        meaning = Meaning("vote", {"player": choice}) if choice else Meaning("abstain", {})
        if choice and seat in view["votes"]:
            meaning = Meaning("vote_seat", {"number": view["players"].index(choice) + 1})
        return [self._talk.act(seat, meaning, between)]

    def _say(self, speaker: str, intent: str, slots: Mapping[str, Any], after: float) -> Act:
        return self._talk.act(speaker, Meaning(intent, slots), (after, after + 1.2))

    def _anybody(self, view: Mapping[str, Any] | None = None) -> str:
        players: Sequence[str] = view["living"] if view else self._talk.players
        return self._talk.rng.choice(players)

    # ---- the score

    def _judge_places(self, view: Mapping[str, Any]) -> None:
        for _, player, district in self.minds.places(view):
            self.score.placements += 1
            self.score.placements_right += player in view[f"in_{district}"]

    def _judge_accusations(self, view: Mapping[str, Any]) -> None:
        for at, player in enumerate(view["accused"]):
            self.score.accusations += 1
            self.score.accusations_right += self._accuses.get(at) == player
        self._accuses = {}

    def _judge_vote(self, view: Mapping[str, Any]) -> None:
        wanted = {player: self.minds.vote(view, player) for player in view["living"]}
        if self._by_ear:
            noted, first = view["votes"], self._first or {}
            self.score.seats += len(wanted)
            self.score.first_right += sum(first.get(player, "") == choice for player, choice in wanted.items())
            self.score.seats_right += sum(noted.get(player, "") == choice for player, choice in wanted.items())
        ranks = {player: rank for rank in ("councillors", "masters", "graces", "beasts") for player in view[rank]}
        weights = dict(zip(("councillors", "masters", "graces", "beasts"), INFLUENCE.values(), strict=True))
        total = sum(weights[ranks[player]] for player, choice in wanted.items() if choice)
        self.score.counts += 1
        self.score.counts_right += view["count_total"] == total
        self._first = None


__all__ = ["PyramideTable", "Score"]
