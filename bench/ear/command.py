"""What the commands of this bench are asked alike: a language, folders of recordings, the ear, how much of the sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.ear.words import WORDS
from narrator.ear import models


def arguments(about: str | None) -> argparse.ArgumentParser:
    """A parser with what every command takes."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(WORDS))
    parser.add_argument("--people", type=Path, help="folder of the GCompris recordings")
    parser.add_argument("--prompts", type=Path, help="folder with Asterisk's unpacked prompts")
    parser.add_argument("--ear", type=Path, help="another model folder than the one shipped")
    parser.add_argument(
        "--quick", type=float, default=1.0, metavar="SHARE", help="of every set, evenly: 0.2 to compare"
    )
    return parser


def listen_with(folder: Path | None) -> None:
    """Hear with the model in this folder instead of the one shipped."""
    if folder:
        models.ear_folder = lambda language: folder.absolute()
