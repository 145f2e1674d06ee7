"""The scenes of a night as data: what bands of noise, crackles, crickets and bells each is made of.

A script names one of these; ambience.py makes them sound.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Band:
    """Noise around `centre` Hz (`width` octaves) at `level` (RMS); gusts move level and centre by
    these shares.
    """

    centre: float
    width: float
    level: float
    gust: float = 0.0
    drift: float = 0.0


@dataclass(frozen=True)
class Scene:
    bands: tuple[Band, ...]
    crackles: float = 0.0  # a second
    crickets: float = 0.0  # level
    bells: float = 0.0  # level of a stroke


SCENES: dict[str, Scene] = {
    "night": Scene(
        (
            Band(110, 1.0, 0.014, 0.5, 0.2),
            Band(330, 0.7, 0.016, 0.8, 0.5),
            Band(620, 0.35, 0.007, 0.95, 0.6),
            Band(2600, 1.4, 0.009, 0.4, 0.2),
        ),
        crickets=0.0025,
    ),
    "wind": Scene(
        (
            Band(140, 1.0, 0.018, 0.5, 0.2),
            Band(420, 0.6, 0.018, 0.9, 0.6),
            Band(900, 0.3, 0.008, 0.95, 0.5),
            Band(3000, 1.3, 0.005, 0.6, 0.3),
        )
    ),
    "fire": Scene((Band(90, 1.2, 0.016, 0.4), Band(700, 1.5, 0.008, 0.5), Band(3500, 1.2, 0.005, 0.3)), crackles=5),
    "rain": Scene((Band(300, 1.5, 0.008, 0.3), Band(2200, 1.6, 0.016, 0.2), Band(6000, 1.0, 0.008, 0.2)), crackles=9),
    "crickets": Scene(
        (Band(180, 1.0, 0.008, 0.4, 0.2), Band(500, 0.8, 0.006, 0.6, 0.3), Band(3200, 1.3, 0.008, 0.3, 0.1)),
        crickets=0.012,
    ),
    "bells": Scene(
        (Band(120, 1.0, 0.012, 0.4, 0.2), Band(380, 0.7, 0.011, 0.7, 0.4), Band(2800, 1.3, 0.006, 0.4, 0.2)),
        bells=0.035,
    ),
}
