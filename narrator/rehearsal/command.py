"""`narrator rehearse`: what to play is read, the evening played, and what was asked for is written."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from narrator.core.errors import NarratorError
from narrator.core.setting import Setting
from narrator.ear.choice import can_hear
from narrator.given import read_options
from narrator.library import stage
from narrator.rehearsal.ends import end_title
from narrator.rehearsal.evening import Rehearsal
from narrator.setup import sample_setting
from narrator.stage.tables import read_table, staged
from narrator.views.wishes import Looks, Views
from narrator.voice.choice import open_chosen, open_voice
from narrator.voice.profile import table_profile
from narrator.words import words


@dataclass(frozen=True, slots=True)
class Plan:
    """The arguments of `narrator rehearse`."""

    game: str
    players: int | None
    seed: int
    table: Path | None
    language: str
    wav: Path | None
    transcript: Path | None
    report: Path | None
    typed: bool | None
    options: tuple[str, ...]
    echo: bool = False
    voice: str = ""
    looks: Looks = field(default_factory=Looks)
    speed: float | None = None


def _writable(path: Path) -> None:
    try:
        path.open("a").close()
    except OSError as error:
        raise NarratorError(f"{path} cannot be written ({error.strerror})") from None


def rehearse_evening(plan: Plan) -> bool:
    """Play, print, write what was asked for; True if the evening ended by the rules and the cards agree."""
    from narrator.rehearsal.watched import watched  # which knows a Rehearsal

    setting = _setting(plan)
    production = staged(setting, plan.table) if plan.table else stage(setting)
    language = production.setting.language
    # A young ear is not what a rehearsal should be judged by: other languages than French listen when asked to.
    typed = not can_hear(language) or (language != "fr" if plan.typed is None else plan.typed)
    for path in filter(None, (plan.transcript, plan.report, plan.wav)):
        _writable(path)  # before the evening, not after it
    transcript = plan.transcript.open("w", encoding="utf-8") if plan.transcript else None
    views: Views | None = None
    try:
        profile = table_profile(production.setting)
        studio = open_voice(profile, plan.voice) if plan.voice else open_chosen(profile)
        rehearsal = Rehearsal(
            production,
            plan.seed,
            typed=typed,
            transcript=transcript,
            echo=plan.echo,
            studio=studio,
            quiet=plan.looks.covers,
        )
        views = watched(rehearsal, plan.looks, plan.speed)
        ending = rehearsal.run()
    finally:
        if views:
            views.close()
        if transcript:
            transcript.close()
    figures = rehearsal.figures(ending)
    if plan.report:
        plan.report.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if plan.wav:
        rehearsal.tape.write(plan.wav, rehearsal.clock.now())
    print(_told(figures, end_title(production, ending)))
    if rehearsal.difference:
        print(f"narrator: {words('cards_differ', difference=rehearsal.difference)}", file=sys.stderr)
    return ending is not None and not rehearsal.difference


def _setting(plan: Plan) -> Setting:
    if plan.table:
        return read_table(plan.table)
    return sample_setting(plan.game, plan.players, plan.language, **read_options(plan.options, plan.game))


def _told(figures: Mapping[str, Any], end: str) -> str:
    """The figures in one sentence."""
    speed, minutes = figures["audio_seconds"] / max(figures["wall_seconds"], 1e-9), figures["audio_seconds"] / 60
    return words("rehearse_figures", **{**figures, "end": end}, minutes=minutes, speed=speed)
