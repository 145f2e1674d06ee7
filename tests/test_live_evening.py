"""A real evening on a virtual sound card: a proposal and a count are heard, and answered aloud."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from live_play import LiveEvening
from soundcard import virtual_sound_card


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
