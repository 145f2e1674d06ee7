"""A simulated table: players with hidden roles and real cards, who answer the narrator as people do.

The driver calls, in this order: on_understood(meaning) for every meaning that was understood, right or wrong;
on_state(view) after every event that the game received; on_mistake(...) if the meaning was not what was said;
on_floor(...) each time the narrator falls silent and waits. What on_floor returns replaces everything that was still to
be said. `view` is what everybody may know: the game's public facts by name.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from narrator.core.phrases import Meaning
from narrator.core.script import ANY
from narrator.library import Production
from narrator.rehearsal.answers import Answers
from narrator.rehearsal.course import Course
from narrator.rehearsal.hands import Hands
from narrator.rehearsal.manners import Manners
from narrator.rehearsal.roles import DINARZADE, GIAFAR, LOVER, Minds, deal
from narrator.rehearsal.talk import Act, Talk

__all__ = ["Act", "SimulatedTable"]

NOTICES = 0.5  # of the narrator's mistakes


class SimulatedTable:
    """Everybody around one table."""

    def __init__(
        self,
        production: Production,
        seed: int,
        *,
        roles: Mapping[str, str] | None = None,
        course: Course | None = None,
    ) -> None:
        """`roles` and `course`: given instead of drawn and decided (see course.py)."""
        chance = random.Random(seed)  # one stream each, so that secrets do not change how people talk
        streams = [random.Random(chance.random()) for _ in range(4)]
        configuration = production.game.rules.configuration  # type: ignore[attr-defined]
        players = production.setting.players
        self.roles = dict(roles or deal(configuration, players, streams[0]))
        self.course = Course() if course is None else course
        minds = Minds(self.roles, streams[1])
        self.hands = Hands(configuration, minds, self.course, streams[2])
        self._talk = Talk(production.phrases, players, streams[3])
        self._answers = Answers(production, minds, self.hands, self.course, self._talk)
        moves = production.game.script.moves
        self._decisions = {on for _, on in moves} | {"done", "next"}
        self._confirmed = {phase for (phase, _), move in moves.items() if move.confirm}
        self._facts = {move.on for move in moves.values() if ANY in move.sources}  # asked back when said aloud
        self._last: Meaning | None = None  # what was understood last, commands aside
        self._manners = Manners()
        self._moved = False  # whether the last event changed anything

    @property
    def cards(self) -> Any:
        """The real cards."""
        return self.hands.cards

    def on_understood(self, meaning: Meaning) -> None:
        """The narrator took this for what was said."""
        self._manners.understood(meaning)
        if meaning.intent in self._decisions and meaning.intent not in ("yes", "no"):
            self._last = meaning
        self.hands.heard(meaning.intent)
        self._moved = False

    def on_state(self, view: Mapping[str, Any]) -> None:
        """The narrator says where the game is now; hands do with the cards what this calls for."""
        if self.hands.follow(view):
            self._moved = True

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        """What people say next, now that the narrator waits in `phase`."""
        self.on_state(view)
        if first := self._manners.first(
            lambda: self._talk.act(self._talk.rng.choice(view["players"]), Meaning("resume", {}), (2.0, 6.0))
        ):
            return first
        asked_back = phase in self._confirmed or (self._last is not None and self._last.intent in self._facts)
        if tuple(accepts[:2]) == ("yes", "no") and asked_back:
            return self._answers.confirmation(view, phase, self._last)
        return self._answers.on_floor(view, phase, accepts)

    def on_mistake(self, heard: Meaning, meant: Meaning | None) -> list[Act]:
        """Something else happened than was asked for: half of the time somebody objects, else they live with it."""
        if not self._moved or heard.intent not in self._decisions or heard == meant:
            return []
        self.hands.doubt()
        notices = self._talk.rng.random() < NOTICES
        speaker = self._talk.rng.choice(self._talk.players)
        if notices:
            self._manners.object(self._talk.act(speaker, Meaning("undo", {}), (0.4, 1.8), "objection"))
        return self._manners.objection()

    def check(self, public_state: Mapping[str, Any]) -> str | None:
        """The difference between the real cards and the narrator's count, as one sentence; None if there is none.

        After a mistake that nobody noticed, the table first sets the facts right.
        """
        boards = public_state["boards"]
        counted = {
            "pile": public_state["pile"],
            "discard": public_state["discard"],
            "interventionist": boards["interventionist"],
            "pacifist": boards["pacifist"],
        }
        real = self.hands.cards.counts()
        if counted == real:
            return None
        if self.hands.doubtful:
            return None
        differences = ", ".join(
            f"{heap}: {real[heap]} on the table, {counted[heap]} for the narrator"
            for heap in real
            if real[heap] != counted[heap]
        )
        return f"turn {public_state['turn']}, {public_state['phase']}: {differences}"

    def fits(self, roles: Mapping[str, str]) -> bool:
        """Whether the same public course would be truthful with these roles: no answer would have been another."""
        return all(
            (roles[player] == role) is answer for role, player, answer in self._answers.truths
        ) and self._silence_fits(roles)

    def _silence_fits(self, roles: Mapping[str, str]) -> bool:
        """Where nobody revealed herself, l'Amoureuse or Dinarzade must have been in exile."""
        return all(
            any(role in (LOVER, DINARZADE) and player in exiled for player, role in roles.items())
            for exiled in self._answers.silences
        )

    @property
    def special(self) -> dict[str, str]:
        """Who holds the roles that change what is asked aloud or done in secret."""
        return {role: player for player, role in self.roles.items() if role in (DINARZADE, GIAFAR, LOVER)}
