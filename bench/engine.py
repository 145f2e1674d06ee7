"""How fast the pure engine takes events: `python -m bench.engine`. Side by side with a bare `transitions` trigger."""

from __future__ import annotations

import platform
import random
import time

from transitions import Machine

from narrator.core.events import Elapsed, Event, Heard, Ordered
from narrator.core.game import Game
from narrator.core.phrases import Meaning
from narrator.library import stage
from narrator.setup import sample_setting

EVENTS = 60_000


def course(turns: int) -> list[Event]:
    """The events of refused and accepted governments, over and over."""
    events: list[Event] = [Ordered("start")]
    for n in range(turns):
        events += [
            Heard("status"),
            Heard("propose", {"player": ("Alice", "Bob", "Chloé", "David", "Emma")[n % 5]}),
            Heard("call_vote"),
            Elapsed("step"),
            Elapsed("step"),
            Heard("count", {"yes": 3, "no": 4}),
            Heard("undo"),
            Heard("count", {"yes": 2, "no": 5}),
            Heard("tale", {"tale": "pacifist"}),
            Heard("undo"),
            Elapsed("remind"),
        ]
    return events


def engine(game: Game, events: list[Event]) -> float:
    """Events per second."""
    evening, began = game.opening(skip_setup=True), time.perf_counter()
    for event in events:
        evening, _ = game.receive(evening, event)
    return len(events) / (time.perf_counter() - began)


def bare_trigger() -> float:
    """Triggers per second of a machine that does nothing else."""
    machine = Machine(states=["a", "b"], initial="a", auto_transitions=False, send_event=True)
    machine.add_transition("go", "a", "b", conditions=[lambda event: True])
    machine.add_transition("go", "b", "a", conditions=[lambda event: True])
    began = time.perf_counter()
    for _ in range(EVENTS):
        machine.trigger("go")
    return EVENTS / (time.perf_counter() - began)


def main() -> None:
    random.seed(1)
    production = stage(sample_setting("sultan", 7))
    events = course(EVENTS // 11)
    ours, bare = engine(production.game, events), bare_trigger()
    sentences = [production.phrases.sentences()[n % 300] for n in range(20_000)]
    began = time.perf_counter()
    understood = sum(isinstance(production.phrases.parse(s), Meaning) for s in sentences)
    parsing = len(sentences) / (time.perf_counter() - began)
    print(f"{platform.machine()}, Python {platform.python_version()}, {len(events)} events")
    print(f"engine events/s            {ours:10.0f}")
    print(f"bare transitions trigger/s {bare:10.0f}   (engine / bare = {ours / bare:.2f})")
    print(f"sentences understood/s     {parsing:10.0f}   ({understood} of {len(sentences)})")


if __name__ == "__main__":
    main()
