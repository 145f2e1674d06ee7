"""A simulated table's round: proposal, discussion, vote, the tales and the veto."""

from __future__ import annotations

from collections.abc import Callable

from narrator.core.phrases import Meaning
from narrator.rehearsal.table import Situation, Table
from narrator.rehearsal.talk import Act

DISCUSSION = (10.0, 40.0)  # seconds of table talk before somebody wants to vote
BREATH = (0.15, 0.7)  # seconds between the two halves of a count
VETO_FROM = 5


class Governing:
    """Situation -> what is said, for the phases of a turn."""

    def __init__(self, table: Table) -> None:
        self._table, self._talk, self._minds = table, table.talk, table.minds
        names = ["proposal", "discussion", "vote", "half_count", "slave", "draw", "choice", "veto", "veto_refused"]
        self.phases: dict[str, Callable[[Situation], list[Act]]] = {name: getattr(self, "_" + name) for name in names}

    # ---- before the vote

    def _proposal(self, situation: Situation) -> list[Act]:
        view, gv = situation.view, situation.view["gv"]
        forbidden = [gv, *view["exiled"], *view["departed"], *view["barred"]]
        if situation.once("forbidden", 0.12):
            player = self._talk.rng.choice(forbidden)
            return [self._table.wrong(situation, gv, Meaning("propose", {"player": player}))]
        player = self._proposed(situation)
        act = self._table.said(gv, Meaning("propose", {"player": player}), (0.8, 4.0))
        return [*self._table.remark(situation, 0.08, (gv,)), act]

    def _proposed(self, situation: Situation) -> str:
        view = situation.view
        candidates = list(view["eligible"]) or situation.others(view["gv"])
        player = self._table.course.decide(
            f"proposes {situation.phase}",
            view,
            lambda: self._minds.proposes(view, view["gv"], candidates),
            situation.attempt,
        )
        return player if player in candidates else candidates[0]

    def _discussion(self, situation: Situation) -> list[Act]:
        """Table talk, then somebody wants to vote; or the time runs out; or the Grande Vizir thinks again."""
        rng = self._talk.rng
        seconds = rng.uniform(*DISCUSSION) / situation.floors**2
        first = situation.floors == 1
        acts = self._talk.table_talk(situation.present, seconds, situation.accepts)
        if situation.once("more time", 0.04):
            return [*acts, self._talk.act(situation.anybody, Meaning("more_time", {}), (seconds, seconds + 2))]
        if first and situation.once("thinks again", 0.06) and "propose" in situation.accepts:
            return [*acts, *self._thinks_again(situation, seconds)]
        if first and situation.once("lets time run out", 0.08):
            return acts
        meaning = Meaning("call_vote", {})
        return [*acts, self._talk.act(situation.anybody, meaning, (seconds + 0.5, seconds + 2.5))]

    def _thinks_again(self, situation: Situation, seconds: float) -> list[Act]:
        """Another name, or the proposal is taken back."""
        gv = situation.view["gv"]
        player = self._talk.rng.choice(list(situation.view["eligible"]) or [gv])
        meaning = Meaning("propose", {"player": player})
        if self._talk.rng.random() < 0.3:
            meaning = Meaning("undo", {})
        return [self._table.said(gv, meaning, (seconds, seconds + 2.0))]

    # ---- the vote

    def _votes(self, situation: Situation) -> tuple[int, int]:
        view, voters = situation.view, situation.present
        return self._table.course.decide("votes", view, lambda: self._minds.votes(view, voters))

    def _vote(self, situation: Situation) -> list[Act]:
        yes, no = self._votes(situation)
        if situation.once("miscounts", 0.1):
            return [self._table.wrong(situation, situation.anybody, self._miscount(situation, yes, no))]
        caller = situation.anybody
        halved, flipped = self._talk.rng.random() < 0.3, self._talk.rng.random() < 0.15
        if halved:
            half = Meaning("count_no", {"no": no}) if flipped else Meaning("count_yes", {"yes": yes})
            return [self._table.said(caller, half, (1.5, 4.0), "half")]
        meaning = Meaning("count", {"yes": yes, "no": no})
        act = self._table.said(caller, meaning, (1.5, 4.0))
        return [*self._table.remark(situation, 0.1, (caller,)), act]

    def _miscount(self, situation: Situation, yes: int, no: int) -> Meaning:
        """One card too few was counted; or too many, where the table has a number for it."""
        seats, more = situation.view["seats"], self._talk.rng.random() < 0.5
        if (more and yes < seats) or not yes:
            return Meaning("count", {"yes": yes + 1, "no": no})
        return Meaning("count", {"yes": yes - 1, "no": no})

    def _half_count(self, situation: Situation) -> list[Act]:
        """The other half after a breath; sometimes it is thought needless."""
        yes, no = self._votes(situation)
        said = self._table.meant
        caller = self._table.speaker or situation.anybody
        if self._talk.rng.random() < 0.15:
            return []
        rest_is_yes = said is not None and said.intent == "count_no"
        rest = Meaning("count_yes", {"yes": yes}) if rest_is_yes else Meaning("count_no", {"no": no})
        return [self._talk.act(caller, rest, BREATH, "half")]

    # ---- the tales

    def _slave(self, situation: Situation) -> list[Act]:
        pile = self._table.hands.cards.tales.pile
        tale = pile[-1] if pile else "pacifist"
        return [self._table.said(situation.anybody, Meaning("tale", {"tale": tale}), (2.0, 5.0))]

    def _draw(self, situation: Situation) -> list[Act]:
        gv = situation.view["gv"]
        if situation.once("goes on", 0.12):
            return [self._talk.act(gv, Meaning("done", {}), (6.0, 10.0))]
        return self._tale(situation, (12.0, 20.0))

    def _choice(self, situation: Situation) -> list[Act]:
        return self._tale(situation, (4.0, 9.0))

    def _tale(self, situation: Situation, hands: tuple[float, float]) -> list[Act]:
        """Two tales are discarded; the third is read, unless the government would rather veto it. The table talks."""
        view = situation.view
        narratrice = view["narratrice"] or situation.anybody
        talk = self._table.remark(situation, 0.3, (view["gv"], narratrice))
        hand_over = view["giafar"] and view["interventionist"] == 4 and view["pacifist"] == 5
        tale = self._table.hands.keep(view, hand_over)
        if self._wants_veto(situation, narratrice, tale):
            return [*talk, self._table.said(narratrice, Meaning("ask_veto", {}), hands)]
        too_early = view["pacifist"] < VETO_FROM or situation.phase == "veto_refused"
        if situation.once("asks out of turn", 0.03) and too_early:
            return [self._table.wrong(situation, narratrice, Meaning("ask_veto", {}))]
        meaning = Meaning("tale", {"tale": tale})
        return [*talk, self._table.said(narratrice, meaning, hands)]

    def _wants_veto(self, situation: Situation, narratrice: str, tale: str) -> bool:
        view = situation.view
        if not view["veto"] or situation.phase == "veto_refused":
            return False
        return self._table.course.decide("asks veto", view, lambda: self._minds.vetoes(narratrice, tale))

    def _veto(self, situation: Situation) -> list[Act]:
        view, gv = situation.view, situation.view["gv"]
        tale = self._table.hands.keep(view)
        accepts = self._table.course.decide("answers veto", view, lambda: self._minds.vetoes(gv, tale))
        short = self._talk.rng.random() < 0.2
        intent = ("yes" if accepts else "no") if short else "accept_veto" if accepts else "refuse_veto"
        return [self._table.said(gv, Meaning(intent, {}), (2.0, 5.0))]

    def _veto_refused(self, situation: Situation) -> list[Act]:
        return self._tale(situation, (1.0, 4.0))
