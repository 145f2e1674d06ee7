"""What holds for every test: the voice that every machine has speaks, and at once, unless a test asks for another."""

from __future__ import annotations

import os

from narrator.voice.choice import VARIABLE

os.environ[VARIABLE] = "system"
