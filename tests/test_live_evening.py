"""A real evening on a virtual sound card: a proposal and a count are heard, and answered aloud."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from live_play import LiveEvening
from soundcard import virtual_sound_card

from narrator.voice.speaker import STEP


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[LiveEvening]:
    with virtual_sound_card() as card, card.record() as tape:
        playing = LiveEvening(card, tape, tmp_path)
        try:
            yield playing
        finally:
            playing.end()


@pytest.mark.sound
def test_hears_a_proposal_and_a_count_and_speaks_back(evening: LiveEvening) -> None:
    evening.wait_for("Alice, qui proposes-tu comme Narratrice")
    evening.wait_for_silence()
    evening.say("je propose Chloé")
    evening.wait_for("◂ je propose chloé")
    evening.wait_for("Alice propose Chloé comme Narratrice.")
    evening.wait_for("Discutez-en")
    evening.wait_for_silence()
    evening.say("on vote")
    evening.wait_for("Combien de oui")
    evening.wait_for_silence()
    evening.say("quatre oui, trois non")
    evening.wait_for("Quatre oui, trois non.")
    evening.wait_for("Le gouvernement est accepté.")
    heard = [line for line in evening.lines if line.startswith("◂")]
    assert heard == ["◂ je propose chloé", "◂ on vote", "◂ quatre oui trois non"]  # nothing else was taken for speech
    evening.wait_for_silence()
    loud = np.abs(evening.tape.samples.astype(float)) > 1000
    assert loud.sum() > 5 * evening.card.rate * 0.1  # and it was spoken aloud, not only printed
    evening.end()
    assert evening.process.returncode == 0


@pytest.mark.sound
def test_the_volume_follows_the_voice(tmp_path: Path) -> None:
    """The same recap as loud as before, twice softer, not at all, and again: measured where the loudspeaker is."""
    with virtual_sound_card() as card, card.record() as tape:
        playing = LiveEvening(card, tape, tmp_path, typing=True)

        def recap(*, muted: bool = False) -> float:
            """The highest sample of all that is said from now on until it is silent."""
            playing.wait_for_silence(muted=muted)
            start = len(tape.samples)
            playing.type("où en est-on")
            playing.wait_for("Tour un")
            playing.wait_for("qui proposes-tu")
            time.sleep(4.0) if muted else playing.wait_for_sound()
            playing.wait_for_silence(muted=muted)
            return float(np.abs(tape.samples[start:].astype(int)).max())

        try:
            playing.wait_for("Alice, qui proposes-tu comme Narratrice")
            before = recap()
            playing.type("moins fort")
            playing.type("moins fort")
            playing.wait_for_sound()
            softer = recap()
            playing.type("coupe le son")
            time.sleep(4.0)
            silent = recap(muted=True)
            playing.type("remets le son")
            playing.type("plus fort")
            playing.type("plus fort")
            playing.wait_for_sound()
            again = recap()
        finally:
            playing.end()
    assert softer == pytest.approx(before * 10 ** (-2 * STEP / 20), rel=0.05)
    assert silent <= 2  # but for the noise that keeps it awake
    assert again == pytest.approx(before, rel=0.05)
