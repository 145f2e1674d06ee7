"""What the players of a simulated table say in each phase: one small method per phase of the game.

Nobody here waits for anything: each call gives what is still to be said, and a call for the same situation
says the same again (course.py). Whatever delays the evening (a wrong sentence, a question to the narrator,
silence) happens once per situation at most, so that every evening comes to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from narrator.core.phrases import Meaning
from narrator.library import Production
from narrator.rehearsal.course import Course
from narrator.rehearsal.governing import Governing
from narrator.rehearsal.hands import Hands, View
from narrator.rehearsal.powers import Powers
from narrator.rehearsal.roles import DINARZADE, GIAFAR, LOVER, Minds
from narrator.rehearsal.table import Situation, Table
from narrator.rehearsal.talk import Act, Talk

#: What anybody may ask the narrator for, and how often of a hundred situations.
COMMANDS = {
    "repeat": 6,
    "status": 3,
    "who_eligible": 3,
    "how_many": 3,
    "time_left": 2,
    "help": 1,
    "slower": 1,
    "faster": 1,
    "softer": 1,
    "louder": 1,
    "pause": 1,
}
ASKS = 0.08
DOZES = 0.02  # nobody answers before the narrator reminds
DOZE_SECONDS = 80.0
#: Phases in which no command is given: eyes are closed, hands are busy, or nothing is waited for.
_QUIET = frozenset(
    (
        "recognition_small",
        "recognition_large",
        "countdown",
        "half_count",
        "draw_first",
        "lover",
        "c_hand",
        "swap_move",
        "over",
    )
)


class Answers:
    """The policy of a table: situation -> what is said."""

    def __init__(self, production: Production, minds: Minds, hands: Hands, course: Course, talk: Talk) -> None:
        self.truths: set[tuple[str, str, bool]] = set()  # (role, player, the answer given)
        self.silences: set[tuple[str, ...]] = set()  # who was in exile when l'Amoureuse kept silent
        self._table = Table(minds, hands, course, talk)
        governing, powers = Governing(self._table), Powers(self._table)
        self._minds, self._hands, self._talk, self._course = minds, hands, talk, course
        own = ("checklist", "ask_first", "ask_dinarzade", "exile_answer", "lover", "lover_name", "last_tale", "giafar")
        self._phases: dict[str, Callable[[Situation], list[Act]]] = {
            **{name: getattr(self, "_" + name) for name in own},
            **governing.phases,
            **powers.phases,
        }

    def on_floor(self, view: View, phase: str, accepts: Sequence[str]) -> list[Act]:
        """Everything that is still to be said in this phase."""
        situation = self._table.situation(view, phase, accepts)
        speaks = self._phases.get(phase)
        if speaks is None:
            return []
        if phase == "proposal" and self._hands.doubtful and (correction := self._correction(situation)):
            return [correction]
        if phase not in _QUIET and situation.once("command", ASKS):
            return [self._command(situation)]
        acts = speaks(situation)
        if phase not in _QUIET and situation.once("doze", DOZES):
            return [Act(a.delay + DOZE_SECONDS, a.speaker, a.text, a.meant, a.kind) for a in acts]
        return acts

    def confirmation(self, view: View, phase: str, asked: Meaning | None) -> list[Act]:
        """The narrator asks whether it understood what ends a game or a player."""
        situation = self._table.situation(view, phase, ("yes", "no"))
        meant = self._table.meant
        right = asked is None or asked == meant
        speaker = self._table.speaker or situation.anybody
        if right and phase == "power_x" and situation.once("changes her mind", 0.1):
            situation.attempt += 1
            right = False
        return [self._talk.act(speaker, Meaning("yes" if right else "no", {}))]

    def _correction(self, situation: Situation) -> Act | None:
        """What the narrator believes wrongly about the cards is said once; then the table gives in."""
        for meaning in self._hands.corrections(situation.view):
            if self._talk.knows(meaning) and situation.once(meaning.intent, 1.0):
                return self._talk.act(situation.anybody, meaning, (1.0, 3.0))
        self._hands.give_in(situation.view)
        return None

    def _command(self, situation: Situation) -> Act:
        intents = [c for c in COMMANDS if self._talk.knows(Meaning(c, {}))]
        weights = [COMMANDS[c] for c in intents]
        intent = self._talk.rng.choices(intents, weights)[0]
        return self._talk.act(situation.anybody, Meaning(intent, {}), (0.8, 3.0))

    # ---- setup

    def _checklist(self, situation: Situation) -> list[Act]:
        intent = "done" if self._talk.rng.random() < 0.2 else "next"
        return [self._talk.act(situation.anybody, Meaning(intent, {}), (3.0, 9.0))]

    def _ask_first(self, situation: Situation) -> list[Act]:
        lots, wish = self._talk.rng.random() < 0.5, self._talk.rng.choice(self._talk.players)
        if self._course.decide("lots", situation.view, lambda: lots):
            return [self._talk.act(situation.anybody, Meaning("draw_lots", {}))]
        first = self._course.decide("first", situation.view, lambda: wish)
        return [self._talk.act(situation.anybody, Meaning("is_name", {"player": first}))]

    # ---- questions that only one player can answer, and truthfully

    def _asked(self, situation: Situation, role: str, player: str, intent: str) -> list[Act]:
        view, talk = situation.view, self._talk
        answer = self._course.decide(role, view, lambda: self._minds.roles[player] == role)
        self.truths.add((role, player, answer))
        hasty = situation.once("half an answer", 0.25)
        if answer and hasty and "yes" in situation.accepts:
            return [talk.act(player, Meaning("yes", {}), kind="illegal")]  # a full sentence is wanted
        return [self._table.said(player, Meaning(intent if answer else "no", {}))]

    def _ask_dinarzade(self, situation: Situation) -> list[Act]:
        return self._asked(situation, DINARZADE, situation.view["narratrice"], "am_dinarzade")

    def _exile_answer(self, situation: Situation) -> list[Act]:
        return self._asked(situation, DINARZADE, situation.view["target"], "am_dinarzade")

    def _giafar(self, situation: Situation) -> list[Act]:
        return self._asked(situation, GIAFAR, situation.view["gv"], "am_giafar")

    # ---- l'Amoureuse

    def _lover(self, situation: Situation) -> list[Act]:
        """She knows whether she has won; if she has not, nobody speaks, or somebody goes on."""
        view, talk = situation.view, self._talk
        lover = self._course.decide("reveals", view, lambda: self._winning_lover(view))
        direct, silent = talk.rng.random() < 0.3, talk.rng.random() < 0.5
        if not lover:
            self.silences.add(tuple(view["exiled"]))
            return [] if silent else [talk.act(situation.anybody, Meaning("next", {}), (4.0, 9.0))]
        self.truths.add((LOVER, lover, True))
        meaning = Meaning("lover_is", {"player": lover}) if direct else Meaning("am_lover", {})
        return [self._table.said(lover, meaning)]

    def _lover_name(self, situation: Situation) -> list[Act]:
        lover = self._course.decide("reveals", situation.view, lambda: self._winning_lover(situation.view))
        if not lover:  # the narrator heard what nobody had said
            return [self._talk.act(situation.anybody, Meaning("no", {}))]
        intent = "lover_is" if self._talk.rng.random() < 0.4 else "is_name"
        return [self._table.said(lover, Meaning(intent, {"player": lover}))]

    def _winning_lover(self, view: View) -> str:
        lovers, loved = self._minds.holders(LOVER), self._minds.holders(DINARZADE)
        together = not set(view["exiled"]) & {*lovers, *loved}
        return lovers[0] if lovers and together and lovers[0] not in view["departed"] else ""

    # ---- the end

    def _last_tale(self, situation: Situation) -> list[Act]:
        """True if the board really holds what the narrator was told."""
        view, tales = situation.view, self._hands.cards.tales
        board: tuple[str, ...] = getattr(tales, view["winner"])
        right = bool(board) and board[-1] == view["winner"]
        giafar = self._minds.roles[view["gv"]] == GIAFAR and not view["by_slave"] and "am_giafar" in situation.accepts
        quick = self._talk.rng.random() < 0.3
        at_once = self._course.decide("giafar at once", view, lambda: giafar and quick)
        if right and at_once:
            self.truths.add((GIAFAR, view["gv"], True))
            return [self._talk.act(view["gv"], Meaning("am_giafar", {}))]
        return [self._talk.act(situation.anybody, Meaning("yes" if right else "no", {}))]
