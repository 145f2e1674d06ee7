"""Every rule of La Grande Pyramide at 19, 38, 100 and 200 seats: `python -m bench.pyramide`.

One line an operation: milliseconds at each size (the fastest of many rounds, since other work on the machine only
adds), and how the time grew from 19 to 200 seats beside the growth of the table itself. Growth of 1.0 is linear.
"""

from __future__ import annotations

import contextlib
import io
import math
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from narrator.core.events import Heard
from narrator.games.pyramide import ballots, deal, elections, knowledge, points, ranks, returning, specials, squads
from narrator.games.pyramide.draws import spread
from narrator.games.pyramide.plan import Plan, found, read_plan
from narrator.games.pyramide.roles import Camp, Deal, Role
from narrator.library import data_folder, read_source, stage
from narrator.rehearsal.evening import Rehearsal
from narrator.rehearsal.pyramide.people import PyramideTable
from narrator.rehearsal.talk import Act
from narrator.setup import sample_setting

SIZES = (19, 38, 100, 200)
AIM = 5.0  # ms at the largest table
LEAST_TIME = 0.15  # s for each operation and size
Operation = Callable[[], object]


def operations(plan: Plan, facts: Mapping[str, object]) -> Mapping[str, Operation]:
    """Each operation on a table of this plan, ready to be called again and again."""
    names = tuple(f"player {n}" for n in range(plan.seats))
    begun = found(plan, names, spread(0.3))
    dealt = deal.deal(plan, begun, spread(0.3))
    town = ranks.drawn_places(begun, spread(0.4))
    fallen = ranks.killed(town, town.of_rank(ranks.Rank.COUNCILLOR)[0], town.of_rank(ranks.Rank.MASTER)[0])
    sent = _squads(dealt, town)
    accused = town.living[:3]
    votes = {player: accused[n % 3] for n, player in enumerate(town.living)}
    totals = ballots.tally(town, votes)
    running = elections.candidates(fallen, ranks.Rank.COUNCILLOR)
    for_office = {player: running[n % len(running)] for n, player in enumerate(fallen.living)}
    known = knowledge.knowledge(dealt, town)
    scale = points.read_scale(facts["points"])  # type: ignore[arg-type]
    asker = deal.with_role(dealt, town, names[-1], Role.QUAITHE, spread(0.2))
    whole = squads.resolve(town, dealt, sent)

    def one_turn() -> object:
        after = ranks.killed(ranks.drawn_places(ranks.cleared(ranks.rotated(town)), spread(0.1)), accused[0])
        after = ranks.killed(after, *squads.victims(after, squads.resolve(after, dealt, sent)))
        ballots.verdict(after, plan, accused, ballots.tally(after, votes), False)
        for player in elections.drawn_graces(plan, after, spread(0.5)):
            after = ranks.promoted(after, player)
        return ranks.prestige_added(after)

    return {
        "found": lambda: found(plan, names, spread(0.3)),
        "deal": lambda: deal.deal(plan, begun, spread(0.3)),
        "check a typed deal": lambda: deal.check(plan, begun, dealt),
        "who knows whom": lambda: knowledge.knowledge(dealt, town),
        "what is new": lambda: knowledge.news({}, known),
        "rotate, clear": lambda: ranks.cleared(ranks.rotated(town)),
        "place one": lambda: ranks.placed(town, names[5], ranks.District.PLAZA),
        "draw all places": lambda: ranks.drawn_places(ranks.cleared(town), spread(0.4)),
        "prestige": lambda: ranks.prestige_added(town),
        "refuse or send a squad": lambda: squads.refusal(town, dealt, sent[:-1], sent[-1]),
        "all squads": lambda: squads.resolve(town, dealt, sent),
        "what squads betray": lambda: squads.told(whole),
        "tally": lambda: ballots.tally(town, votes),
        "verdict": lambda: ballots.verdict(town, plan, accused, totals, False),
        "election": lambda: elections.election(running, ballots.tally(fallen, for_office), 1, spread(0.5)),
        "vacancies, offices": lambda: [elections.heir_of(fallen, one, None, spread(0.5)) for one in ranks.Office],
        "promote": lambda: ranks.promoted(fallen, running[0]),
        "replace a lieutenant": lambda: deal.replaced(dealt, dealt.henchmen[0], dealt.lieutenants[0]),
        "come back": lambda: returning.come_back(fallen, dealt, names[3]),
        "join the harpy": lambda: returning.joined(fallen, dealt, names[3]),
        "a question": lambda: (specials.may_ask(town, asker, (), names[-1], names[1]), specials.exact_role(asker, "")),
        "points, ranking": lambda: points.ranking(points.scores(town, dealt, Camp.QUEEN, scale)),
        "a whole turn": one_turn,
    }


class _Watcher(PyramideTable):
    """Keeps the evening as it stands when the first seat is called."""

    rehearsal: Rehearsal
    called: Any = None

    def on_floor(self, view: Mapping[str, Any], phase: str, accepts: Sequence[str]) -> list[Act]:
        if phase == "seat" and self.called is None:
            self.called = self.rehearsal.conductor.evening
        return super().on_floor(view, phase, accepts)


def events(size: int) -> Mapping[str, Operation]:
    """What the engine does with one sentence at a table of this size, in the middle of a game."""
    production = stage(sample_setting("pyramide", size))
    people = _Watcher(production, 1, 1)
    people.rehearsal = Rehearsal(production, 1, typed=True, people=people, silent=True)
    with contextlib.redirect_stdout(io.StringIO()):
        people.rehearsal.run()
    game, players, evening = production.game, production.setting.players, people.called
    choice = evening.state.vote.choices[0]
    return {
        "parse a vote": lambda: production.phrases.parse(f"je vote {choice}", ("vote",)),
        "parse a squad": lambda: production.phrases.parse(f"escouade {', '.join(players[3:7])} contre {players[0]}"),
        "answer a seat's vote": lambda: game.receive(evening, Heard("vote", {"player": choice})),
        "public facts": lambda: game.rules.view(evening.state),
    }


def _squads(dealt: Deal, town: ranks.Pyramid) -> tuple[squads.Squad, ...]:
    """All Sons, in squads of three, each against somebody else."""
    sons = dealt.sons
    loyal = [player for player in town.living if not dealt.is_son(player)]
    groups = [sons[at : at + 3] for at in range(0, len(sons), 3)]
    return tuple(squads.Squad(group, loyal[n % len(loyal)]) for n, group in enumerate(groups))


def fastest_ms(operation: Operation) -> float:
    """Milliseconds of one call: the fastest in LEAST_TIME seconds of rounds that a clock can measure."""
    operation()
    began = time.perf_counter()
    operation()
    rounds = max(1, int(0.002 / max(time.perf_counter() - began, 1e-7)))
    times, until = [], time.perf_counter() + LEAST_TIME
    while time.perf_counter() < until or len(times) < 5:
        began = time.perf_counter()
        for _ in range(rounds):
            operation()
        times.append((time.perf_counter() - began) / rounds * 1000)
    return min(times)


def main() -> None:
    facts = read_source(data_folder("scripts") / "pyramide" / "game.toml").data["facts"]
    by_size = {size: {**operations(read_plan(size, facts), facts), **events(size)} for size in SIZES}
    print(f"{platform.machine()}, Python {platform.python_version()}, ms; growth from {SIZES[0]} to {SIZES[-1]} seats")
    print(f"{'':24}" + "".join(f"{size:>9}" for size in SIZES) + "   growth")
    slowest = steepest = 0.0
    for name in by_size[SIZES[0]]:
        times = [fastest_ms(by_size[size][name]) for size in SIZES]
        growth = math.log(times[-1] / times[0]) / math.log(SIZES[-1] / SIZES[0])
        slowest = max(slowest, times[-1])
        steepest = max(steepest, growth if name != "all squads" else 0.0)
        print(f"{name:24}" + "".join(f"{ms:9.4f}" for ms in times) + f"{growth:9.2f}")
    print(f"slowest at {SIZES[-1]}: {slowest:.2f} ms (aim: below {AIM:.0f}); steepest but for squads: {steepest:.2f}")


if __name__ == "__main__":
    main()
