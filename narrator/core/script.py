"""Plain data (a parsed game.toml) -> Script: phases, moves, queries. Checks all; a fault names file and line.

A *phase* says its steps one by one, then waits in one of four ways (`flow`):
  auto       goes on by itself: fires `done` when its steps are over
  checklist  holds after every step until "suivant" / "c'est fait", then fires `done`
  hands      after its steps, waits for "c'est fait" ("suivant" hurries the next step), then fires `done`
  floor      waits for the sentences that its moves accept (the default)
A *move* answers a trigger (an intent, `done`, `time_up`): `check` may refuse it, `confirm` asks once more,
`do` changes the state, `echo` says what was understood, the first destination of `to` whose `when` holds is
the next phase (none: the phase stays). Checks, actions and conditions are those of the game's rules.

A game with a human master has a second channel. A `private` move answers only what came from the master's keys; its
`whisper` and the `whisper` of a step go to the master's screen. Its trigger is kept apart as "mj:<intent>".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from narrator.core.errors import ScriptError
from narrator.core.hints import nearest, not_known

FLOWS = ("auto", "checklist", "hands", "floor")
ANY = "*"  # in `from`: every phase
MASTER = "mj:"  # before the trigger of a private move
GENERAL = ("undo", "skip", "more_time")  # intents that every game understands in every phase


@dataclass(frozen=True)
class Source:
    """A parsed file with the line (1-based) of each table and key, so that faults can be pointed at."""

    file: str
    data: Mapping[str, Any]
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, *path: str | int) -> int:
        """The line of the longest known part of `path`, 0 if none is known."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def fault(self, message: str, *path: str | int) -> ScriptError:
        return ScriptError(message, self.file, self.line(*path))


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a phase, then `pause` seconds for hands and eyes (scaled by the pace).

    `whisper` goes to the game master's screen, `cue` is an earcon before the line; either may stand alone, and so may
    a pause. `jitter`: the share by which chance changes the pause. A pause written as [least, most] is drawn between
    the two whatever the pace (not `paced`). `mask`: the night gets louder meanwhile, so that hands are not heard.
    """

    say: str = ""
    pause: float = 0.0
    when: str = ""
    ask: bool = False
    whisper: str = ""
    cue: str = ""
    jitter: float = 0.0
    paced: bool = True
    mask: bool = False


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    steps: tuple[Step, ...] = ()
    flow: str = "floor"
    remind: str = ""  # line said again when nobody speaks
    remind_after: float = 40.0
    limit: float | str = 0.0  # seconds until `time_up`, or the name of an option or of a clock of the rules
    limit_dwell: bool = False
    patient: bool = False  # the limit waits for who is speaking
    clock: str = ""  # the limit goes on where another phase with this clock left it
    warn: str = ""  # line said `warn_before` seconds before the limit
    warn_before: float = 30.0
    warnings: tuple[tuple[float, str], ...] = ()  # more of them: (seconds before the limit, line)
    talk: bool = False
    eyes_closed: bool = False  # the ear invites nothing: a voice would give its owner away
    brisk: bool = False  # the ear opens at our last sample
    seals: bool = False  # no public undo reaches back over what the master did here
    deaf_to: frozenset[str] = frozenset()  # may be typed but is not listened for
    scene: str = ""
    lead: float = 0.0  # seconds of the scene before the first word
    mask: bool = False  # of every pause and while it waits: needs a scene
    jitter: float = 0.0  # of every pause; by default the game's
    final: bool = False


@dataclass(frozen=True, slots=True)
class Destination:
    phase: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    on: str
    sources: frozenset[str]
    to: tuple[Destination, ...] = ()
    check: str = ""
    confirm: str = ""
    confirm_when: str = ""
    do: str = ""
    echo: str = ""
    private: bool = False  # only from the game master's keys
    whisper: str = ""  # said to the game master's screen


@dataclass(frozen=True)
class Script:
    """A game as data. `moves[phase, trigger]` is the one move that answers a trigger in a phase."""

    game: str
    seats: range
    phases: Mapping[str, Phase]
    moves: Mapping[tuple[str, str], Move]
    queries: Mapping[str, str]  # intent -> line that answers it
    options: Mapping[str, Any]
    facts: Mapping[str, Any]
    source: Source
    first_phase: str
    skip_to: str  # where an evening starts whose setup is done already
    private_queries: Mapping[str, str] = field(default_factory=dict)  # intent -> line whispered to the master
    secret: tuple[str, ...] = ()  # options that only the master may see

    @property
    def mastered(self) -> bool:
        """Whether a human master leads this game through a channel of his own."""
        return any(move.private for move in self.moves.values())

    def lines_used(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Every line id that the phases, moves and queries name, with the path of its mention."""
        for n, phase in enumerate(self.phases.values()):
            steps = (line for step in phase.steps for line in (step.say, step.whisper))
            for line in (*steps, phase.remind, phase.warn, *(line for _, line in phase.warnings)):
                if line:
                    yield line, ("phase", n)
        for n, entry in enumerate(self.source.data.get("move", ())):
            for key in ("confirm", "echo", "whisper"):
                if entry.get(key):
                    yield entry[key], ("move", n)
        for kind, queries in (("query", self.queries), ("private_query", self.private_queries)):
            for intent, line in queries.items():
                yield line, (kind, intent)


@dataclass(frozen=True)
class Names:
    """What the rules of a game offer to its script."""

    checks: Collection[str]
    actions: Collection[str]
    conditions: Collection[str]
    clocks: Collection[str] = ()


def read_script(source: Source, names: Names) -> Script:
    """Build and check a Script from a file that shapes.check_game() let pass.

    Raises ScriptError (file and line) at the first fault.
    """
    data = source.data
    low, high = data["players"]
    _share(source, data.get("jitter", 0.0), "jitter")
    phases = {}
    for n, entry in enumerate(data["phase"]):
        phase = _phase(source, n, entry, names)
        if phase.name in phases:
            raise source.fault(f"phase “{phase.name}” is written twice", "phase", n)
        phases[phase.name] = phase
    moves = _moves(source, phases, names)
    for key in ("start", "skip_setup"):
        if data.get(key, data["start"]) not in phases:
            raise source.fault(f"“{data[key]}” is not a phase", key)
    for n, phase in enumerate(phases.values()):
        for needed, trigger in ((phase.flow != "floor", "done"), (bool(phase.limit), "time_up")):
            answer = moves.get((phase.name, trigger))
            if needed and (answer is None or not answer.to):
                raise source.fault(
                    f"phase “{phase.name}” ends by “{trigger}”, but no move says where that leads", "phase", n
                )
        if isinstance(phase.limit, str) and phase.limit not in (*data.get("options", {}), *names.clocks):
            raise source.fault(f"limit “{phase.limit}” is not one of the options", "phase", n, "limit")
    _reachable(source, phases, moves)
    heard = {on for _, on in moves} | {*data.get("query", {}), *GENERAL}
    for n, phase in enumerate(phases.values()):
        for intent in phase.deaf_to:
            if intent not in heard:
                raise source.fault(f"deaf_to: no move answers “{intent}”", "phase", n, "deaf_to")
    return Script(
        game=data["game"],
        seats=range(low, high + 1),
        phases=phases,
        moves=moves,
        queries=dict(data.get("query", {})),
        options=data.get("options", {}),
        facts=data.get("facts", {}),
        source=source,
        first_phase=data["start"],
        skip_to=data.get("skip_setup", data["start"]),
        private_queries=dict(data.get("private_query", {})),
        secret=tuple(data.get("secret", ())),
    )


def _only(source: Source, entry: Mapping[str, Any], known: Collection[str], *path: str | int) -> None:
    for key in entry:
        if key not in known:
            raise source.fault(f"“{key}” is not known here; {not_known(key, known)}", *path, key)


_PHASE_TYPES: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "steps": (list,),
    "flow": (str,),
    "remind": (str,),
    "remind_after": (int, float),
    "limit": (int, float, str),
    "limit_dwell": (bool,),
    "warn": (str,),
    "warn_before": (int, float),
    "warnings": (list,),
    "patient": (bool,),
    "clock": (str,),
    "brisk": (bool,),
    "seals": (bool,),
    "talk": (bool,),
    "eyes_closed": (bool,),
    "deaf_to": (list,),
    "scene": (str,),
    "lead": (int, float),
    "mask": (bool,),
    "jitter": (int, float),
    "final": (bool,),
}


def _phase(source: Source, n: int, entry: Mapping[str, Any], names: Names) -> Phase:
    path = ("phase", n)
    _only(source, entry, tuple(_PHASE_TYPES), *path)
    if not isinstance(entry.get("name"), str):
        raise source.fault("a phase needs a name", *path)
    for key, value in entry.items():
        if not isinstance(value, _PHASE_TYPES[key]):
            raise source.fault(f"“{key}” has a value of the wrong kind", *path, key)
    if entry.get("flow", "floor") not in FLOWS:
        raise source.fault(f"flow “{entry['flow']}” is not one of {', '.join(FLOWS)}", *path, "flow")
    usual = {"jitter": entry.get("jitter", source.data.get("jitter", 0.0)), "mask": entry.get("mask", False)}
    _share(source, usual["jitter"], *path, "jitter")
    steps = tuple(_step(source, s, (*path, "steps", i), names, usual) for i, s in enumerate(entry.get("steps", ())))
    if not entry.get("scene") and (usual["mask"] or any(step.mask for step in steps)):
        raise source.fault("“mask” needs a “scene”: it makes its sound louder", *path, "mask")
    plain = {k: v for k, v in entry.items() if k not in ("steps", "deaf_to", "warnings")}
    warnings = tuple(_warning(source, w, (*path, "warnings")) for w in entry.get("warnings", ()))
    return Phase(**plain, steps=steps, deaf_to=frozenset(entry.get("deaf_to", ())), warnings=warnings)


def _warning(source: Source, entry: Any, path: tuple[str | int, ...]) -> tuple[float, str]:
    match entry:
        case {"before": int() | float() as before, "say": str() as line} if len(entry) == 2:
            return float(before), line
    raise source.fault("a warning is { before = seconds, say = line id }", *path)


def _step(source: Source, entry: Any, path: tuple[str | int, ...], names: Names, usual: Mapping[str, Any]) -> Step:
    """`usual`: the phase's own jitter and mask."""
    if isinstance(entry, str):
        return Step(entry)
    texts = [entry.get(key) for key in ("say", "whisper", "cue") if key in entry] if isinstance(entry, dict) else [""]
    if not all(isinstance(text, str) and text for text in texts) or not (texts or entry.get("pause")):
        raise source.fault(
            "a step is a line id or { say = …, pause = seconds, when = condition, ask = true }; "
            "whisper = … or cue = … may stand for say, and a pause may stand alone",
            *path,
        )
    _only(source, entry, ("say", "whisper", "cue", "pause", "when", "ask", "jitter", "mask"), *path)
    _known(source, entry.get("when", ""), names.conditions, "condition", *path)
    pause, jitter, paced = _pause(source, entry, path, usual)
    said = (entry.get("say", ""), pause, entry.get("when", ""), bool(entry.get("ask", False)))
    mask = bool(entry.get("mask", usual["mask"])) and pause > 0
    return Step(*said, entry.get("whisper", ""), entry.get("cue", ""), jitter, paced, mask)


def _pause(
    source: Source, entry: Mapping[str, Any], path: tuple[str | int, ...], usual: Mapping[str, Any]
) -> tuple[float, float, bool]:
    """Seconds, share by which chance changes them, and whether the pace scales them."""
    match entry.get("pause", 0.0):
        case [int() | float() as least, int() | float() as most] if 0 <= least <= most > 0:
            middle = (least + most) / 2
            return middle, (most - least) / 2 / middle, False
        case int() | float() as pause if pause >= 0:
            jitter = entry.get("jitter", usual["jitter"])
            _share(source, jitter, *path)
            return float(pause), float(jitter) if pause else 0.0, True
    raise source.fault("“pause” must be a number of seconds, or two: [least, most]", *path)


def _share(source: Source, value: Any, *path: str | int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
        raise source.fault("“jitter” is a share, from 0 to less than 1", *path)


def _known(source: Source, name: str, known: Collection[str], kind: str, *path: str | int) -> None:
    if not isinstance(name, str) or (name and name.removeprefix("not ") not in known):
        hint = nearest(str(name).removeprefix("not "), known)
        meant = f"; did you mean “{hint}”?" if hint else ""
        raise source.fault(f"{kind} “{name}” does not exist in the rules of this game{meant}", *path)


def _moves(source: Source, phases: Mapping[str, Phase], names: Names) -> dict[tuple[str, str], Move]:
    moves: dict[tuple[str, str], Move] = {}
    general: dict[tuple[str, str], Move] = {}
    for n, entry in enumerate(source.data["move"]):
        path = ("move", n)
        known_keys = ("on", "from", "to", "check", "confirm", "confirm_when", "do", "echo", "private", "whisper")
        _only(source, entry, known_keys, *path)
        if "on" not in entry or "from" not in entry:
            raise source.fault("a move needs “on” (its trigger) and “from” (its phases)", *path)
        starts = _texts(source, entry["from"], *path, "from")
        for start in starts:
            if start != ANY and start not in phases:
                raise source.fault(f"“{start}” is not a phase", *path, "from")
        to = tuple(_destination(source, d, phases, names, (*path, "to")) for d in _listed(entry.get("to", [])))
        if to and to[-1].when:
            raise source.fault(
                "the last destination of a move may have no “when”: something must always hold", *path, "to"
            )
        for key, known in (
            ("check", names.checks),
            ("do", names.actions),
            ("confirm_when", names.conditions),
        ):
            _known(source, entry.get(key, ""), known, key, *path, key)
        texts = {key: str(entry.get(key, "")) for key in ("check", "confirm", "confirm_when", "do", "echo", "whisper")}
        private = _private(source, entry, path)
        for on in _texts(source, entry["on"], *path, "on"):
            on = MASTER + on if private else on
            move = Move(on, frozenset(starts), to, **texts, private=private)
            for start in phases if ANY in starts else starts:
                table = general if ANY in starts else moves
                if (start, on) in table:
                    raise source.fault(f"two moves answer “{on}” in phase “{start}”", *path)
                table[start, on] = move
    return {**general, **moves}


def _private(source: Source, entry: Mapping[str, Any], path: tuple[str | int, ...]) -> bool:
    private = entry.get("private", False)
    if not isinstance(private, bool):
        raise source.fault("“private” is true or false", *path, "private")
    if "confirm" in entry and private:
        raise source.fault("a private move asks nothing back aloud: take “confirm” away", *path, "confirm")
    if "whisper" in entry and not private:
        raise source.fault("only a private move has a “whisper”", *path, "whisper")
    return private


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _texts(source: Source, value: Any, *path: str | int) -> list[str]:
    texts = _listed(value)
    if not texts or not all(isinstance(t, str) and t for t in texts):
        raise source.fault(f"“{path[-1]}” must be a name or a list of names", *path)
    return texts


def _destination(
    source: Source, entry: Any, phases: Mapping[str, Phase], names: Names, path: tuple[str | int, ...]
) -> Destination:
    where = {"phase": entry} if isinstance(entry, str) else entry
    if not isinstance(where, dict) or where.get("phase") not in phases:
        raise source.fault(f"destination {entry!r} is not a phase", *path)
    _only(source, where, ("phase", "when"), *path)
    _known(source, where.get("when", ""), names.conditions, "condition", *path)
    return Destination(where["phase"], where.get("when", ""))


def _reachable(source: Source, phases: Mapping[str, Phase], moves: Mapping[tuple[str, str], Move]) -> None:
    reached, todo = set(), [source.data["start"], source.data.get("skip_setup", source.data["start"])]
    while todo:
        phase = todo.pop()
        if phase not in reached:
            reached.add(phase)
            todo += [d.phase for (start, _), move in moves.items() if start == phase for d in move.to]
    for n, name in enumerate(phases):
        if name not in reached:
            raise source.fault(f"no move leads to phase “{name}”", "phase", n)
