"""A whole evening with a simulated table, through the conductor, voice and ear of a real one.

Only the clock is virtual, and the microphone is a room of synthetic people. What was said, heard and understood is
printed as it goes; at the end the figures, and a comparison of the real cards with the narrator's count at every turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from rich.console import Console
from rich.status import Status
from rich.text import Text

from narrator.conductor import Conductor
from narrator.core.effects import End, Manner
from narrator.core.errors import NarratorError
from narrator.core.phrases import Meaning
from narrator.ear.choice import table_ear
from narrator.library import Production
from narrator.ports import Mouth, Typed
from narrator.rehearsal.devices import PlayedMouth, RoomEar, Said, Table
from narrator.rehearsal.leak import Leak
from narrator.rehearsal.room import Room
from narrator.rehearsal.tables import People, table_for
from narrator.rehearsal.tally import Tally
from narrator.rehearsal.tape import Tape
from narrator.rehearsal.voices import Voices
from narrator.rehearsal.world import AudioWorld
from narrator.stage.clock import Appointment, VirtualClock
from narrator.stage.screen import harmless
from narrator.stage.scripted import SilentMouth
from narrator.voice.cache import Studio
from narrator.voice.profile import table_profile

LONGEST = 6 * 3600.0  # seconds after which an evening that does not end is called a failure


class Rehearsal:
    """One evening. Watches the conductor and makes the table act."""

    def __init__(
        self,
        production: Production,
        seed: int,
        *,
        typed: bool,
        transcript: TextIO | None = None,
        people: People | None = None,
        echo: bool = False,
        snr: float | None = None,
        studio: Studio | None = None,
        silent: bool = False,
        quiet: bool = False,
    ) -> None:
        """`people`: the table, if not one dealt from `seed`. `echo`: the microphone hears the loudspeaker.
        `snr`: of the room, in dB, if not the one of `seed`. `studio`: who speaks, if not pyttsx3; it is closed at the
        end. `silent`: nobody does, and lines take no time. `quiet`: nothing is printed as it goes.

        Raises DeviceError or ModelError if the synthesiser, espeak-ng or the ear is missing.
        """
        self.production, self.seed, self.typed = production, seed, typed
        setting = production.setting
        room = Room(seed, snr)
        self.world = AudioWorld(room)
        self.clock = VirtualClock(before=self._listen)
        self.tape, self.tally = Tape(seed, room), Tally()
        if echo:
            self.world.leak = Leak(self.tape, room)
        self.studio = None if silent else studio or Studio(table_profile(setting))
        self.mouth: Mouth = SilentMouth(self.clock)
        if self.studio:
            self.mouth = PlayedMouth(self.clock, self.studio, self.tape)
        self.ear: RoomEar | None = None
        if not typed:
            phrases = production.phrases
            ear = table_ear(
                setting.language,
                phrases.sentences(),
                setting.players,
                setting.says,
                phrases.fillers,
                heard=setting.heard,
                meaning=phrases.sense,
            )
            self.ear = RoomEar(self.clock, ear, self.world)
        self.people: Any = people or table_for(production, seed)
        self._pressing: Appointment | None = None  # what the game master is about to enter
        voices = None if typed else Voices(setting.language, setting.players, seed, setting.says)
        self.table = Table(self.clock, voices, room, self.world, self.tape, self._told)
        self.conductor = Conductor(production, self.clock, self.mouth, self.ear, (self,), None, seed)
        self.difference = ""
        self.timeline: list[tuple[float, str]] = []  # when the narrator said what
        self._transcript = transcript
        self.wait: Callable[[float], None] | None = None  # lets real time pass, where somebody looks on
        self._console = Console(highlight=False, soft_wrap=True, quiet=quiet)
        self._progress = Status("", console=self._console)  # seen on a terminal only
        self._turn = -1

    def run(self) -> End | None:
        """Play to the end; None if the evening did not come to one."""
        began = time.perf_counter()
        self.clock.at(LONGEST, self._too_long)
        self._progress.start()
        try:
            return self.conductor.run(self.production.game.opening())
        finally:
            self._progress.stop()
            self.tally.audio_seconds, self.tally.wall_seconds = self.clock.now(), time.perf_counter() - began
            if self.studio:
                self.studio.close()
            if self.ear:
                self.ear.leave()

    def figures(self, ending: End | None) -> dict[str, Any]:
        """What the report holds."""
        end = {"how": ending.how, "winners": list(ending.winners)} if ending else None
        setting = self.production.setting
        head = {"game": setting.game, "players": len(setting.players), "seed": self.seed, "end": end}
        score = self.people.figures() if hasattr(self.people, "figures") else {}
        return {**head, **self.tally.figures(), **score}

    # ---- what the conductor tells

    def spoke(self, text: str, manner: Manner) -> None:
        self.tally.spoken_lines += 1
        self.timeline.append((self.clock.now(), text))
        self._print("Narrator" if self.production.setting.language == "en" else "Narrateur", text, "bold")

    def caught(self, text: str, meaning: Meaning | None, *, typed: bool) -> None:
        said = self.table.speaking(self.ear.last if self.ear else None, typed=typed)
        act = said.act if said else None
        if meaning is not None:
            self.people.on_understood(meaning)
        if act is not None and act.meant is not None:
            self.table.judged(act, understood=meaning == act.meant)
            if meaning is None:
                self.table.say_again(act, self.production.phrases.sentences_for(act.meant))
        self._expected = (said, meaning)
        if text or (act and act.meant):
            mark = "=" if act and meaning == act.meant else "≠"
            self._print(f"  {mark}", text or "…", "green" if mark == "=" else "yellow")

    def shown(self, facts: Mapping[str, Any]) -> None:
        self.people.on_state(facts)

    def whispered(self, text: str) -> None:
        self._print("  [mj]", text, "magenta")

    def settled(self, conductor: Conductor) -> None:
        """The narrator waits: judge what just happened, compare the cards, let people speak."""
        self._judge(conductor)
        self._progress.update(
            f"{self.clock.now() / 60:.0f} min · {conductor.floor.phase} · {self.tally.spoken_lines} ♪"
        )
        state = self.production.rules_module.public_state(conductor.evening.state)
        turn = state["turn"] if "turn" in state else state["day"]
        if not self.difference and (turn != self._turn or conductor.ending is not None):
            self._turn = turn
            self.difference = self.people.check(state) or ""
        floor = conductor.floor
        accepts = ("resume",) if conductor.paused else floor.accepts
        view = self.production.game.rules.view(conductor.evening.state)
        if conductor.ending is None and (floor.hears or self.typed or conductor.paused):
            self.table.plan(self.people.on_floor(view, floor.phase, accepts))
        self._plan_keys()

    # ---- inside

    def _plan_keys(self) -> None:
        """What the game master enters next, if there is one; he sits at the keyboard even when all eyes are closed."""
        if self._pressing:
            self._pressing.cancelled = True
            self._pressing = None
        key = self.people.at_keys(self.conductor.evening.state) if hasattr(self.people, "at_keys") else None
        if key is not None:
            self._pressing = self.clock.at(self.clock.now() + key.delay, lambda: self._press(key.text))

    def _press(self, text: str) -> None:
        self._pressing = None
        self._print("  mj>", text, "magenta")
        self.clock.post(Typed(text, private=True))
        self.clock.at(self.clock.now() + 0.05, self._plan_keys)

    _expected: tuple[Said | None, Meaning | None] | None = None

    def _judge(self, conductor: Conductor) -> None:
        if self._expected is None:
            return
        (said, meaning), self._expected = self._expected, None
        wrong = self.tally.judge(said, meaning, accepted=conductor.verdict.accepted)
        if wrong and meaning is not None:
            self.people.on_mistake(meaning, said.act.meant if said else None)  # on_floor tells what they say about it

    def _told(self, said: Said) -> None:
        act = said.act
        self._print(act.speaker, act.text, "cyan" if act.meant else "dim")
        self.tally.said(said)

    def _listen(self, now: float, until: float) -> tuple[float, Any] | None:
        earlier = self.ear.listen(until) if self.ear else None
        if self.wait:
            self.wait((earlier[0] if earlier else until) - now)
        return earlier

    def _too_long(self) -> None:
        raise NarratorError(f"the evening did not end within {LONGEST / 3600:.0f} hours")

    def _print(self, who: str, text: str, style: str) -> None:
        minutes, seconds = divmod(int(self.clock.now()), 60)
        line = f"{minutes:3d}:{seconds:02d}  {who}: {harmless(text)}"
        self._console.print(Text(line, style=style))
        if self._transcript:
            self._transcript.write(line + "\n")
