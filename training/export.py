"""A trained model as voices/<language>/ear: Kaldi's binary model, its configuration, ear.toml.

Phones are numbered as narrator.ear.models counts them: silence, then each phone at the beginning, end, inside of and
alone in a word; one state each, the four share an output.
"""

from __future__ import annotations

import hashlib
import math
import re
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training import kaldi as k
from training.body import TUNED, Body
from training.language import LANGUAGES, model
from training.network import NARROW, PRIOR_FLOOR, PRIOR_SCALE, REACH, Ear, load

_PLACES = 4
_MFCC = (
    "--use-energy=false\n--num-mel-bins=40\n--num-ceps=40\n--low-freq=20\n--high-freq=7600\n"
    "--allow-upsample=true\n--allow-downsample=true\n"
)
_NEVER = "".join(f"--endpoint.rule{i}.min-trailing-silence=1000\n" for i in range(1, 5))
_DECODING = (
    "--min-active=200\n--max-active=3000\n--beam=14.0\n--lattice-beam=12.0\n--phone-determinize=false\n"
    "--acoustic-scale=0.6\n--frame-subsampling-factor=3\n--endpoint.silence-phones=1\n"
    f"{_NEVER}--endpoint.rule5.min-utterance-length=1000\n"
)


def export(language: str, trained: Path, folder: Path, prior_scale: float = PRIOR_SCALE) -> None:
    """Writes am/, conf/ and ear.toml into `folder`. Raises OSError."""
    body = Body()
    ear, prior = load(trained, body)
    data = b"\0B" + _transitions(len(model(language).phones)) + _network(body, ear, prior, prior_scale)
    for part in ("am", "conf"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "am/final.mdl").write_bytes(data)
    (folder / "conf/mfcc.conf").write_text(_MFCC)
    (folder / "conf/model.conf").write_text(_DECODING)
    digest = f'sha256 = "{hashlib.sha256(data).hexdigest()}"   # of am/final.mdl'
    facts = LANGUAGES[language].template.read_text(encoding="utf-8")
    (folder / "ear.toml").write_text(facts.replace("format = 1\n", f"format = 1\n{digest}\n"), encoding="utf-8")


def _transitions(phones: int) -> bytes:
    """Kaldi's transition model: one state a phone, out of it or once more with equal chances."""
    outputs = [0] + [o for o in range(1, phones + 1) for _ in range(_PLACES)]
    total = len(outputs)
    topology = (
        k.token("<Topology>")
        + k.integers(range(1, total + 1))
        + k.integers([-1] + [0] * total)
        + k.integer(1)
        + k.integer(2)
    )
    topology += k.integer(0) + k.integer(2) + k.integer(0) + k.single(0.5) + k.integer(1) + k.single(0.5)
    topology += k.integer(-1) + k.integer(0) + k.token("</Topology>")
    triples = b"".join(k.integer(n) + k.integer(0) + k.integer(output) for n, output in enumerate(outputs, 1))
    chances = k.vector([0] + [math.log(0.5)] * (2 * total))
    return (
        k.token("<TransitionModel>") + topology
        + k.token("<Triples>") + k.integer(total) + triples + k.token("</Triples>")
        + k.token("<LogProbs>") + chances + k.token("</LogProbs>") + k.token("</TransitionModel>")
    )  # fmt: skip


def _network(body: Body, ear: Ear, prior: NDArray[np.float64], prior_scale: float) -> bytes:
    components = [*_kept(body, ear), *_head(ear, prior, prior_scale)]
    last = f"tdnnf{TUNED[-1]}.noop"
    beside = ", ".join(f"Offset(head.narrow, {3 * r})" if r else "head.narrow" for r in REACH)
    config = [
        "input-node name=input dim=40",
        "component-node name=lda component=lda input=Append(Offset(input, -1), input, Offset(input, 1))",
        *(
            line
            for line in body.network.config.split("\n")
            if (m := re.search(r"component-node name=(\S+)", line)) and _stays(m[1])
        ),
        f"component-node name=head.narrow component=head.narrow input={last}",
        f"component-node name=head.hidden component=head.hidden input=Append({beside})",
        "component-node name=head.relu component=head.relu input=head.hidden",
        "component-node name=output.affine component=output.affine input=head.relu",
        "output-node name=output input=output.affine objective=linear",
    ]
    reach = k.integer(1 + 3 + 3 * len(TUNED) + 3 * max(REACH))
    return (
        k.token("<Nnet3>") + ("\n" + "\n".join(config) + "\n\n").encode()
        + k.token("<NumComponents>") + k.integer(len(components))
        + b"".join(k.token("<ComponentName>") + k.token(name) + data for name, data in components) + k.token("</Nnet3>")
        + k.token("<LeftContext>") + reach + k.token("<RightContext>") + reach + k.token("<Priors>") + k.vector([])
    )  # fmt: skip


def _stays(name: str) -> bool:
    layer = re.match(r"tdnnf(\d+)\.", name)
    return name.startswith("tdnn1.") or (layer is not None and int(layer[1]) <= TUNED[-1])


def _kept(body: Body, ear: Ear) -> list[tuple[str, bytes]]:
    """The body's layers, the tuned ones with their new numbers, the i-vector's share folded away."""
    lda = body.network.components["lda"]
    new: dict[str, dict[str, NDArray[np.float32]]] = {}
    for number in TUNED:
        layer, name = ear.layers[str(number)], f"tdnnf{number}"
        scale, offset = (t.detach().numpy() for t in (layer.log_scale.exp(), layer.offset))
        old = body.network.components[f"{name}.batchnorm"]
        variance = np.maximum((old["<TargetRms>"] / scale) ** 2 - old["<Epsilon>"], 1e-8)
        new[f"{name}.linear"] = {"<LinearParams>": layer.low.detach().numpy()}
        new[f"{name}.affine"] = {
            "<LinearParams>": layer.high.detach().numpy(),
            "<BiasParams>": layer.bias.detach().numpy(),
        }
        new[f"{name}.batchnorm"] = {"<StatsMean>": -offset / scale, "<StatsVar>": variance}
    kept = [(name, body.network.replaced(name, new.get(name, {}))) for name in body.network.spans if _stays(name)]
    return [("lda", _affine(lda["<LinearParams>"][:, :120], lda["<BiasParams>"])), *kept]


def _head(ear: Ear, prior: NDArray[np.float64], prior_scale: float) -> list[tuple[str, bytes]]:
    """The head as affine maps, its norm folded into the last, what is common made a little less likely."""
    head = ear.head
    scale = (head.norm.weight / torch.sqrt(head.norm.running_var + head.norm.eps)).detach().numpy()
    offset = head.norm.bias.detach().numpy() - head.norm.running_mean.numpy() * scale
    weights = head.out.weight.detach().numpy()
    bias = head.out.bias.detach().numpy() + weights @ offset - prior_scale * np.log(prior + PRIOR_FLOOR)
    assert head.narrow.out_features == NARROW
    return [
        ("head.narrow", _affine(head.narrow.weight.detach().numpy(), head.narrow.bias.detach().numpy())),
        ("head.hidden", _affine(head.hidden.weight.detach().numpy(), head.hidden.bias.detach().numpy())),
        ("head.relu", _relu(head.hidden.out_features)),
        ("output.affine", _affine(weights * scale, bias)),
    ]


def _affine(weights: NDArray[np.float32], bias: NDArray[np.float32]) -> bytes:
    return (
        k.token("<FixedAffineComponent>") + k.token("<LinearParams>") + k.matrix(weights)
        + k.token("<BiasParams>") + k.vector(bias) + k.token("</FixedAffineComponent>")
    )  # fmt: skip


def _relu(size: int) -> bytes:
    empty = k.vector([])
    return (
        k.token("<RectifiedLinearComponent>") + k.token("<Dim>") + k.integer(size) + k.token("<ValueAvg>") + empty
        + k.token("<DerivAvg>") + empty + k.token("<Count>") + k.double(0) + k.token("<OderivRms>") + empty
        + k.token("<OderivCount>") + k.double(0) + k.token("<NumDimsSelfRepaired>") + k.double(0)
        + k.token("<NumDimsProcessed>") + k.double(0) + k.token("</RectifiedLinearComponent>")
    )  # fmt: skip
