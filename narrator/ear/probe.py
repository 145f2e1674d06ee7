"""A model of others is tried before it is trusted, in a process of its own: vosk ends the process on some faults (half
a graph is one), and an evening must not end so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from narrator.core.errors import ModelError
from narrator.ear.stock import StockModel, inspect

_TRY = """
import json, sys
from narrator.ear.vosk_api import load_vosk
folder, rate, grammar = sys.argv[1:]
vosk = load_vosk()
vosk.SetLogLevel(-1)
recognizer = vosk.KaldiRecognizer(vosk.Model(folder), int(rate), *([grammar] if grammar else []))
recognizer.AcceptWaveform(b"\\1\\0\\2\\0\\0\\0\\3\\0" * int(rate))
json.loads(recognizer.FinalResult())
print("heard")
"""


def tried(folder: Path) -> StockModel:
    """The model in a folder, which vosk has listened with. Raises ModelError if it holds none, or a damaged one."""
    model = inspect(folder)
    grammar = json.dumps(list(model.words[:1]), ensure_ascii=False) if model.dynamic else ""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-c", _TRY, str(folder.resolve()), str(model.rate), grammar]
    try:
        run = subprocess.run(command, capture_output=True, env=environment, check=False)
        good = run.returncode == 0 and run.stdout.endswith(b"heard\n")
    except OSError:
        return model  # no room for another process: it is believed
    if not good:
        raise ModelError(f"vosk cannot listen with the model in {folder}: it is damaged, get it again")
    return model
