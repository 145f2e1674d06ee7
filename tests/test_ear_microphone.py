"""The whole way of a voice: a PortAudio stream from a virtual sound card, the noise gate, vosk, the sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ear_sound import say, scene
from soundcard import virtual_sound_card

pytestmark = pytest.mark.sound


def test_sentences_said_into_a_microphone_are_heard():
    said = ["je propose chloé", "il fait froid ici vous ne trouvez pas", "annule", "pause"]
    audio = np.concatenate([scene(say(text, "max"), seed) for seed, text in enumerate(said)])
    with virtual_sound_card() as card:
        program = [sys.executable, str(Path(__file__).with_name("ear_microphone_player.py"))]
        root = str(Path(__file__).parent.parent)
        process = subprocess.Popen(
            program, env={**card.env, "PYTHONPATH": root}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if first.strip() == "ready":
                card.play_to_microphone(audio, 16000)
            rest, errors = process.communicate(timeout=150)
        finally:
            process.kill()
            process.wait()
    assert first.strip() == "ready", errors
    facts = json.loads(rest)
    assert facts["heard"] == ["je propose Chloé", "", "annule", "pause"]
    assert facts["loudest"] > 1000
    assert facts["since_block"] < 1
    assert facts["late"] < 3
