"""A simulated game master: at the keyboard, with the sheet of all roles; enters what comes in secret, corrects ballots.

One key at a time: what is entered next follows from where the evening stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.core.errors import ScriptError
from narrator.games.pyramide.deal import deal, vacant_cells
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.ranks import Rank
from narrator.games.pyramide.roles import Deal, Role
from narrator.games.pyramide.specials import ASKERS
from narrator.games.pyramide.state import Meereen
from narrator.library import Production
from narrator.rehearsal.pyramide.minds import Minds, View

TYPES = 4.0  # seconds for a sentence that somebody has whispered
HANDS_OUT = 12.0  # … for everybody to read a slip
LEADS = 2.0  # … until “suivant”
Entry = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Key:
    """What is entered after `delay` seconds."""

    delay: float
    text: str


class Master:
    def __init__(self, production: Production, minds: Minds, seed: int, *, leisure: bool = False) -> None:
        """`leisure`: the night is left to last as long as its clock."""
        self._rules: Any = production.game.rules
        self._forms, self._minds = production.phrases.forms, minds
        self._seed, self._leisure = seed, leisure

    def next_key(self, state: Meereen) -> Key | None:
        """None: nothing before something happens."""
        view = self._rules.view(state)
        if state.hidden.dealt:
            self._minds.deal = state.deal  # the slips are handed out, and read
        phase = state.phase
        if phase == "deal_typed":
            return self._first(self._typed_deal(state))
        if phase == "deal_told":
            return self._key(HANDS_OUT, "next")
        if phase in ("night", "curfew"):
            return self._first(self._night(state, view), leads=phase == "curfew" or not self._leisure)
        if phase == "hands":
            return self._first(self._hands(state, view))
        if phase == "ballots":
            return self._first(self._ballots(state, view))
        if phase == "readback":
            return self._first(self._corrections(state, view), leads=False)
        if phase == "return_talk":
            return self._first(self._returns(state, view))
        return self._first(self._fallen(state), leads=False) if phase in ("pleas", "campaign") else None

    def _first(self, entries: Iterator[Entry], *, leads: bool = True) -> Key | None:
        """The first thing that is missing; when nothing is, the master leads on."""
        for intent, slots in entries:
            return self._key(TYPES, intent, **slots)
        return self._key(LEADS, "next") if leads else None

    # ---- secrets

    def _typed_deal(self, state: Meereen) -> Iterator[Entry]:
        wanted = deal(self._rules.house.plan, state.pyramid, spread(self._seed % 1009 / 1009))
        known = state.deal
        for leader in wanted.lieutenants:
            if leader not in known.lieutenants:
                yield "is_role", {"player": leader, "role": "lieutenant"}
        if known.harpy != wanted.harpy:
            yield "is_role", {"player": wanted.harpy, "role": "harpy"}
        yield from self._typed_cells(wanted, known)
        for player, role in wanted.specials.items():
            if known.specials.get(player) != role:
                yield "is_role", {"player": player, "role": str(role)}

    def _typed_cells(self, wanted: Deal, known: Deal) -> Iterator[Entry]:
        for leader, cell in zip(wanted.lieutenants, wanted.cells, strict=True):
            for player in cell:
                if player not in known.henchmen:
                    yield "is_henchman", {"player": player, "other": leader}
        if known.serpent != wanted.serpent:
            yield "is_serpent", {"player": wanted.serpent, "role": "serpent"}

    def _night(self, state: Meereen, view: View) -> Iterator[Entry]:
        for asker, role in state.deal.specials.items():
            if role in ASKERS and asker in view["living"] and asker not in state.hidden.asked:
                about = {"player": asker, "other": self._minds.asks_about(view, asker)}
                camp = {"camp": "harpy"} if role == Role.COURTESAN else {}
                yield ("ask_camp" if camp else "ask_role"), {**about, **camp}
        guarded = self._minds.guards(view)
        if guarded and state.deal.holder(Role.BELWAS) in view["living"] and state.hidden.guarded != guarded:
            yield "guard", {"player": guarded}
        sent = [(squad.members, squad.target) for squad in state.hidden.squads]
        for members, target in self._minds.squads(view):
            if (members, target) not in sent:
                yield "squad", {"players": members, "player": target}

    def _fallen(self, state: Meereen) -> Iterator[Entry]:
        """The harpy names a henchman for each lieutenant who fell."""
        able = [player for player in state.deal.henchmen if state.pyramid.alive(player)]
        if able and state.pyramid.alive(state.deal.harpy):
            for fallen in vacant_cells(state.deal, state.pyramid):
                yield "succeed", {"player": able[0], "other": fallen}

    def _returns(self, state: Meereen, view: View) -> Iterator[Entry]:
        for offer in state.hidden.offers:
            if offer.accepted is None:
                yield ("accepts" if self._minds.returns(view, offer.player) else "declines"), {"player": offer.player}

    # ---- ballots

    def _hands(self, state: Meereen, view: View) -> Iterator[Entry]:
        """By rank, for the choice that is called."""
        up = [player for player in view["living"] if self._minds.vote(view, player) == view["choice"]]
        noted = state.vote.hands.get(view["choice"], {})
        for rank in Rank:
            number = sum(state.pyramid.ranks[player] == rank for player in up)
            if number and noted.get(rank) != number:
                yield "hands", {"n": number, "rank": str(rank)}

    def _ballots(self, state: Meereen, view: View) -> Iterator[Entry]:
        for player in view["living"]:
            wanted = self._minds.vote(view, player)
            if wanted and state.vote.votes.get(player) != wanted:
                yield "votes", {"player": player, "other": wanted}

    def _corrections(self, state: Meereen, view: View) -> Iterator[Entry]:
        """Ballots that were misheard: whoever was noted wrongly comes to the master."""
        if self._rules.options["vote"] != "ear":
            return
        for player in view["living"]:
            wanted = self._minds.vote(view, player)
            if state.vote.votes.get(player, "") != wanted:
                yield ("votes", {"player": player, "other": wanted}) if wanted else ("abstains", {"player": player})

    # ---- sentences

    def _key(self, delay: float, intent: str, **slots: Any) -> Key:
        for form in self._forms:
            if form.intent == intent and all(slots.get(name) == value for name, value in form.fixed.items()):
                text = form.text
                for name, value in slots.items():
                    text = text.replace("{" + name + "}", ", ".join(value) if isinstance(value, tuple) else str(value))
                if "{" not in text and all(_stands(value, text, form.fixed) for value in slots.values()):
                    return Key(delay, text)
        raise ScriptError(f"no sentence means “{intent}” {slots}")


def _stands(value: Any, text: str, fixed: Mapping[str, Any]) -> bool:
    return value in fixed.values() or all(
        part in text for part in (value if isinstance(value, tuple) else (str(value),))
    )


__all__ = ["Key", "Master"]
