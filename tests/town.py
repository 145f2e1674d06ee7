"""Drives Blood on the Clocktower by typed sentences: "mj> …" is the Storyteller's, everything else the table's."""

from __future__ import annotations

from typing import Any

from evening import NAMES, production

from narrator.core.effects import Cue, Effect, End, Listen, Manner, Roll, Say, Show, Wait, Whisper
from narrator.core.events import Elapsed, Event, Heard, Ordered, Rolled
from narrator.core.setting import Setting
from narrator.core.states import Evening as Course
from narrator.grimoire import bring
from narrator.library import data_folder

MORE = (*NAMES, "Karim", "Léa", "Malik", "Nina", "Oscar")
ROLES = ("noyeur", "pilleur", "boulangere", "veilleuse", "naufrage", "ravaudeuse", "gardienduphare", "horloger")


def homebrew(language: str = "fr") -> dict[str, Any]:
    """The options that our own script brings along."""
    path = data_folder("scripts") / "clocktower" / "homebrew" / f"port-brume.{language}.json"
    return bring(path, (), None)[1]


def town(
    players: int = 7,
    language: str = "fr",
    *,
    roles: bool = False,
    holders: dict[str, str] | None = None,
    **options: Any,
) -> Setting:
    """`roles`: those of our own script, by seat; `holders`: who holds which."""
    names = MORE[:players]
    if roles or holders:
        options = {**homebrew(language), "roles": holders or dict(zip(names, ROLES, strict=False)), **options}
    return Setting("clocktower", language, names, "", options)


class Evening:
    """`public`: everything the table can hear or see, in order; `whispers`: (line id, text) for the Storyteller."""

    def __init__(self, setting: Setting, *, skip_setup: bool = True, draws: dict[str, float] | None = None) -> None:
        self.production = production(setting)
        self.game = self.production.game
        self.draws = {"dawn": 0.5, "order": 0.0, **(draws or {})}
        self.course: Course = self.game.opening(skip_setup)
        self.public: list[tuple[str, Any]] = []
        self.spoken: list[tuple[str, str]] = []
        self.whispers: list[tuple[str, str]] = []
        self.log: list[Event] = []
        self.timers: dict[str, Wait] = {}
        self.floor: Listen | None = None
        self.ends: list[End] = []
        self._mark = self._whispered = 0
        self.perform(Ordered("start"))

    # ---- what happens

    def say(self, sentence: str) -> bool:
        """True if it was understood and not refused, on its own channel."""
        private = sentence.startswith("mj>")
        text = sentence.removeprefix("mj>").strip()
        legal = self.game.private_intents(self.course.state) if private else self.floor.accepts if self.floor else ()
        meaning = self.production.phrases.parse(text, legal)
        self._mark, self._whispered = len(self.spoken), len(self.whispers)
        if meaning is None or (not private and meaning.intent in self.game.masters_own):
            return False
        return self.perform(Heard(meaning.intent, meaning.slots, private, text if private else ""), mark=False)

    def all(self, *sentences: str) -> None:
        for sentence in sentences:
            assert self.say(sentence), (sentence, self.phase, self.spoken[-3:], self.whispers[-2:])

    def elapse(self, timer: str = "time_up") -> bool:
        assert timer in self.timers, (timer, self.phase, list(self.timers))
        return self.perform(Elapsed(timer))

    def perform(self, event: Event, *, mark: bool = True) -> bool:
        if mark:
            self._mark, self._whispered = len(self.spoken), len(self.whispers)
        refused, todo = False, [event]
        while todo:
            now = todo.pop(0)
            self.log.append(now)
            self.course, effects = self.game.receive(self.course, now)
            for effect in effects:
                refused |= getattr(effect, "manner", None) is Manner.REFUSE
                todo += self._performed(effect)
        return not refused

    def _performed(self, effect: Effect) -> list[Event]:
        match effect:
            case Say(line, facts):
                text = self.production.lines.text(line, facts)
                self.spoken.append((line, text))
                self.public.append(("say", text))
            case Whisper(line, facts):
                self.whispers.append((line, self.production.lines.text(line, facts)))
            case Listen(phase, _, hears, talk):
                self.floor, self.timers = effect, {}
                self.public.append(("listen", (phase, hears, talk)))
            case Wait(timer, seconds, dwell):
                self.timers[timer] = effect
                self.public.append(("wait", (timer, seconds)))
                return [Elapsed(timer)] if dwell else []
            case Roll(what):
                return [Rolled(what, self.draws[what])]
            case Cue(sound):
                self.public.append(("cue", sound))
            case Show(facts):
                if not self.public or self.public[-1] != ("show", facts):
                    self.public.append(("show", facts))
            case End():
                self.ends.append(effect)
        return []

    # ---- what is known

    @property
    def phase(self) -> str:
        return str(self.course.state.phase)

    @property
    def state(self) -> dict[str, Any]:
        return dict(self.production.rules_module.public_state(self.course.state))

    @property
    def private(self) -> dict[str, Any]:
        return dict(self.production.rules_module.private_state(self.course.state))

    def private_sheet(self) -> tuple[str, ...]:
        """Tonight's sheet as the Storyteller sees it."""
        return tuple(self.game.rules.private_view(self.course.state)["sheet"])  # type: ignore[attr-defined]

    @property
    def lines(self) -> list[str]:
        """The line ids spoken since the last event of the test."""
        return [line for line, _ in self.spoken[self._mark :]]

    @property
    def words(self) -> str:
        return " ".join(text for _, text in self.spoken[self._mark :])

    @property
    def whispered(self) -> list[str]:
        return [line for line, _ in self.whispers[self._whispered :]]

    @property
    def hint(self) -> str:
        """All that was whispered since the last event of the test."""
        return " ".join(text for _, text in self.whispers[self._whispered :])

    # ---- shortcuts

    def night(self, *deaths: str) -> None:
        """Through a night in which these die; the game goes on after it."""
        assert self.phase == "night", self.phase
        self.all(*(f"mj> {name} meurt" for name in deaths))
        for _ in range(40):
            if self.phase != "night":
                break
            self.all("mj> suivant")
        if self.phase == "verdict":
            self.all("mj> la partie continue")
        assert self.phase == "discussion", self.phase

    def vote(self, *yes: str) -> None:
        """Every seat answers as it is called; the names read back stand."""
        while self.phase == "seat":
            self.all("oui" if self.state["seat"] in yes else "non")
        assert self.phase == "readback", self.phase
        self.all("c'est bon")

    def nominate(self, nominator: str, nominee: str, *yes: str) -> None:
        self.all(f"{nominator} nomme {nominee}", "on vote")
        self.vote(*yes)

    def to_night(self) -> None:
        """No more nominations; whoever is on the block is executed, and the game goes on."""
        self.all("fin des nominations")
        if self.phase == "verdict_eve":
            self.all("mj> la partie continue")
        assert self.phase == "night", self.phase
