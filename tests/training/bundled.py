"""The bundled weights as torch's, so that a reader can be taught more without being taught anew."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from shared.language.embedding.weights import PublishedWeights
from tests.training.model import Reader
from tests.training.vocabulary import pieces_of


def kept_of(tokenizer: Path, weights: PublishedWeights) -> list[int]:
    """Return which of the encoder's pieces a bundled tokenizer kept, in its order."""
    places = {piece: place for place, (piece, _) in reversed(list(enumerate(pieces_of(weights))))}
    return [places[piece] for piece, _ in json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]]


def state_of(path: Path, reader: Reader) -> dict[str, Tensor]:
    """Return a reader's state as bundled weights have it: eight bits of it are left, as good a start as any.

    Raises:
        ValueError: when a weight is not found there, or has another shape.
    """
    graph = onnx.load(str(path)).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    made = {output: node for node in graph.node for output in node.output}
    state = {name: torch.from_numpy(arrays[name].copy()) for name in reader.state_dict() if name in arrays}

    def upstream(output: str, kind: str) -> onnx.NodeProto:
        node = made[output]
        while node.op_type != kind:
            node = next(made[name] for name in node.input if name in made)
        return node

    for node in graph.node:
        bias = next((name for name in node.input if name in state and name.endswith(".bias")), None)
        if node.op_type != "Add" or bias is None:
            continue
        [product] = [name for name in node.input if name != bias]
        weight = upstream(product, "MatMulInteger").input[1]
        base = weight.removesuffix("_quantized")
        values = (arrays[weight].astype(np.float32) - arrays[f"{base}_zero_point"]) * arrays[f"{base}_scale"]
        state[bias.removesuffix("bias") + "weight"] = torch.from_numpy(values.T.copy())
    for name in reader.state_dict():
        if name not in state and f"{name}_quantized" in arrays:
            scale, zero = arrays[f"{name}_scale"], arrays[f"{name}_zero_point"].astype(np.float32)
            state[name] = torch.from_numpy((arrays[f"{name}_quantized"].astype(np.float32) - zero) * scale)
    for name, value in reader.state_dict().items():
        if name in state and len(state[name]) < len(value) and state[name].shape[1:] == value.shape[1:]:
            state[name] = torch.cat([state[name], value[len(state[name]) :]])  # tasks and labels added since
        if name not in state or state[name].shape != value.shape:
            raise ValueError(f"{name} is not in {path}")
    return state
