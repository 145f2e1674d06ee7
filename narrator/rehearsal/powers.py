"""How a simulated table exercises the powers that the narrator leads: whom it chooses, when its hands are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from narrator.core.phrases import Meaning
from narrator.rehearsal.table import Situation, Table
from narrator.rehearsal.talk import Act


class Powers:
    """Situation -> what is said, for the phases of the powers."""

    def __init__(self, table: Table) -> None:
        self._table, self._talk, self._minds = table, table.talk, table.minds
        hands = dict.fromkeys(("b_look", "power_f", "power_n", "power_p"), self._hands_done)
        self.phases: dict[str, Callable[[Situation], list[Act]]] = {
            **hands,
            "power_b": self._question_somebody,
            "power_c": self._name_vizir,
            "c_hand": self._go_on,
            "power_0": self._swap,
            "swap_move": self._go_on,
            "power_x": self._exile,
        }

    def _hands_done(self, situation: Situation) -> list[Act]:
        act = self._talk.act(situation.view["gv"], Meaning("done", {}), (3.0, 8.0))
        return [*self._table.remark(situation, 0.15, (situation.view["gv"],)), act]

    def _go_on(self, situation: Situation) -> list[Act]:
        """“C'est fait”; or nobody says so; or the next Grande Vizir is quicker than the narrator."""
        view, rng = situation.view, self._talk.rng
        how = rng.random()
        if how < 0.25:
            return []
        following = view["next_vizir"]
        candidates = [p for p in situation.present if p != following and p not in view["barred"]]
        if how < 0.45 and candidates and "propose" in situation.accepts:
            player = self._table.course.decide(
                "proposes next", view, lambda: self._minds.proposes(view, following, candidates)
            )
            return [self._table.said(following, Meaning("propose", {"player": player}), (2.0, 6.0))]
        return [self._talk.act(view["gv"], Meaning("done", {}), (3.0, 7.0))]

    def _question_somebody(self, situation: Situation) -> list[Act]:
        gv, seen = situation.view["gv"], self._table.hands.seen
        fresh = [player for player in situation.others(gv) if player not in seen]
        return self._chosen(situation, fresh, self._minds.suspects, [gv, *situation.view["exiled"], *seen])

    def _name_vizir(self, situation: Situation) -> list[Act]:
        gv = situation.view["gv"]
        return self._chosen(situation, situation.others(gv), self._minds.prefers, [gv, *situation.view["exiled"]])

    def _chosen(
        self,
        situation: Situation,
        candidates: Sequence[str],
        choose: Callable[[str, Sequence[str]], str],
        forbidden: Sequence[str],
    ) -> list[Act]:
        """“Je choisis …”: perhaps first somebody who cannot be chosen."""
        gv = situation.view["gv"]
        if situation.once("forbidden", 0.15):
            wrong = self._talk.rng.choice(sorted(set(forbidden)))
            return [self._table.wrong(situation, gv, Meaning("choose", {"player": wrong}))]
        player = self._decided(situation, candidates or situation.others(gv), choose)
        return [self._table.said(gv, Meaning("choose", {"player": player}), (2.0, 6.0))]

    def _decided(
        self, situation: Situation, candidates: Sequence[str], choose: Callable[[str, Sequence[str]], str]
    ) -> str:
        """The same choice each time, unless it was refused: then whoever has not been tried."""
        gv, tried = situation.view["gv"], situation.tried
        left = [player for player in candidates if tried.count(player) < 2] or list(candidates)
        player = self._table.course.decide(
            f"chooses {situation.phase}", situation.view, lambda: choose(gv, left), situation.attempt
        )
        if player not in left:
            player = left[0]
        tried.append(player)
        return player

    def _swap(self, situation: Situation) -> list[Act]:
        view, rng = situation.view, self._talk.rng
        gv = view["gv"]
        others = [player for player in view["players"] if player != gv]
        if situation.once("forbidden", 0.1):
            meaning = Meaning("swap", {"player": gv, "other": others[0]})
            return [self._table.wrong(situation, gv, meaning)]
        pair = rng.sample(others, 2)
        one, other = self._table.course.decide("swaps", view, lambda: pair)
        return [self._table.said(gv, Meaning("swap", {"player": one, "other": other}), (2.0, 6.0))]

    def _exile(self, situation: Situation) -> list[Act]:
        """Oneself is allowed, and rare."""
        view = situation.view
        gv, exiled = view["gv"], list(view["exiled"])
        if exiled and situation.once("forbidden", 0.15):
            wrong = self._talk.rng.choice(exiled)
            return [self._table.wrong(situation, gv, Meaning("exile", {"player": wrong}))]
        alone = situation.once("herself", 0.02)
        candidates = [gv] if alone else situation.others(gv)
        player = self._decided(situation, candidates, self._minds.suspects)
        return [self._table.said(gv, Meaning("exile", {"player": player}), (3.0, 9.0))]
