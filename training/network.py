"""What is trained: layers 6 to 12 of the body and a head, on the output of layer 5 (every third frame).

The head sees two frames (60 ms) to each side through a narrow layer: 768 -> 256, five frames side by side -> 512 ->
outputs. One state a phone, plain cross-entropy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.body import BYPASS, DIM, TUNED, Body, mfcc, norm, tensor

NARROW, HIDDEN = 256, 512
PRIOR_SCALE, PRIOR_FLOOR = 0.3, 1e-2  # how much of log(prior + floor) is taken off the outputs' scores
REACH = (-2, -1, 0, 1, 2)  # frames of 30 ms that the head sees side by side


def look(x: torch.Tensor, frames: int) -> torch.Tensor:
    """batch x time x dim, seen some frames away, edges repeated."""
    if frames < 0:
        return torch.cat([x[:, :1].expand(-1, -frames, -1), x[:, :frames]], 1)
    return torch.cat([x[:, frames:], x[:, -1:].expand(-1, frames, -1)], 1) if frames else x


class Layer(nn.Module):
    """One TDNN-F layer: low (sees the frame before), high (sees the one after), its norm as scale and offset."""

    def __init__(self, body: Body, number: int) -> None:
        super().__init__()
        parts = body.network.components
        self.low = nn.Parameter(tensor(parts[f"tdnnf{number}.linear"]["<LinearParams>"]))
        self.high = nn.Parameter(tensor(parts[f"tdnnf{number}.affine"]["<LinearParams>"]))
        self.bias = nn.Parameter(tensor(parts[f"tdnnf{number}.affine"]["<BiasParams>"]))
        scale, offset = norm(body.network, f"tdnnf{number}.batchnorm")
        self.log_scale, self.offset = nn.Parameter(scale.log()), nn.Parameter(offset)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = look(x @ self.low[:, :DIM].T, -1) + x @ self.low[:, DIM:].T  # the narrow side is what is moved
        y = torch.cat([y, look(y, 1)], 2) @ self.high.T + self.bias
        return BYPASS * x + torch.relu(y) * self.log_scale.exp() + self.offset


class Head(nn.Module):
    """Frames of layer 12 -> outputs."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.narrow = nn.Linear(DIM, NARROW)
        self.hidden = nn.Linear(NARROW * len(REACH), HIDDEN)
        self.norm = nn.BatchNorm1d(HIDDEN)
        self.drop_hidden = nn.Dropout(0.2)
        self.out = nn.Linear(HIDDEN, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.narrow(self.drop(x))
        x = torch.cat([look(x, k) for k in REACH], 2)
        x = torch.relu(self.hidden(x)).flatten(0, 1)
        return self.out(self.drop_hidden(self.norm(x)))


class Ear(nn.Module):
    """batch x time x 768 -> (batch * time) x outputs."""

    def __init__(self, body: Body, outputs: int) -> None:
        super().__init__()
        self.layers = nn.ModuleDict({str(i): Layer(body, i) for i in TUNED})
        self.head = Head(outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers.values():
            x = layer(x)
        return self.head(x)


def save(ear: Ear, prior: NDArray[np.float64], file: Path) -> None:
    """Weights and how often each output is; written whole or not at all."""
    half_done = file.with_suffix(".tmp")
    torch.save({"weights": ear.state_dict(), "prior": prior, "outputs": ear.head.out.out_features}, half_done)
    half_done.rename(file)


def load(file: Path, body: Body) -> tuple[Ear, NDArray[np.float64]]:
    """What was saved, ready to listen."""
    kept: dict[str, Any] = torch.load(file, weights_only=False)
    ear = Ear(body, kept["outputs"])
    ear.load_state_dict(kept["weights"])
    return ear.eval(), kept["prior"]


class Hearer:
    """A model that scores samples (16 kHz, int16 range): frames x outputs, log probabilities."""

    def __init__(self, file: Path, body: Body) -> None:
        self._ear, _ = load(file, body)
        self._body = body

    @torch.no_grad()
    def scores(self, samples: NDArray[np.float64]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = torch.log_softmax(self._ear(self._body(mfcc(samples))[None]), 1).numpy()
        return found
