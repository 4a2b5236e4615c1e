"""Write what the embedder runs besides the published weights: `make embedder-graph`, after its shape was changed.

The graph, and the balances of its multiplications, from the largest activations that texts of authors give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from shared.language.embedding.bundled import PASSAGE_TOKENS, embeddable
from shared.language.embedding.engine import BALANCES, GRAPH, LINEAR, Words, initializers, matrix
from shared.language.embedding.weights import Numbers, PublishedWeights, Shape
from tests.evaluation.timelines import timelines

OPSET: Final = 20
IR_VERSION: Final = 9
"""Of ONNX files; onnxruntime 1.20 reads it."""
MICROSOFT: Final = "com.microsoft"
"""Domain of the operators that onnxruntime adds to the standard's."""
BALANCED: Final = ("qkv", "fi", "fo")
"""The multiplications whose inputs have channels far larger than the others."""
MIGRATED: Final = 0.75
"""How much of the difference between channels is moved from activations to weights, 0 to 1."""
AUTHOR: Final = "petunia"
"""Whose lines, of both languages, show how large activations get."""
TEXTS: Final = 300
FROM: Final = {"location": "given", "offset": "0"}
"""Where an initializer would be in a file; `Encoder` gives all of them."""


class Graph:
    """Nodes and initializers, in the order they are added.

    Args:
        shape: of the encoder.
        exact: multiply 32-bit floats.
    """

    def __init__(self, shape: Shape, *, exact: bool = False) -> None:
        self._shape = shape
        self._exact = exact
        self._nodes: list[onnx.NodeProto] = []
        self.multiplied: dict[str, str] = {}
        """Multiplication → its activations."""

    def made(self, given: Sequence[onnx.TensorProto]) -> onnx.ModelProto:
        """Return the model with its initializers: `words` (rows × tokens × width) in, `mean` (rows × width) out."""
        shape = self._shape
        constants = {"thirds": [shape.width] * 3, "over_tokens": [1]}
        x = self._norm("LayerNormalization", ["words"], "norm", domain="", axis=-1)
        for number in range(shape.layers):
            x = self._layer(f"l{number}", x)
        self._node("ReduceMean", [x, "over_tokens"], "mean", keepdims=0)
        sizes = ["rows", "tokens", shape.width]
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("words", TensorProto.FLOAT, sizes)],
            [helper.make_tensor_value_info("mean", TensorProto.FLOAT, sizes[::2])],
            [*given, *(helper.make_tensor(k, TensorProto.INT64, [len(v)], v) for k, v in constants.items())],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _layer(self, layer: str, x: str) -> str:
        parts = [f"{layer}.{part}" for part in "qkv"]
        self._nodes.append(helper.make_node("Split", [self._linear(x, layer, "qkv"), "thirds"], parts, axis=-1))
        attended = self._node("MultiHeadAttention", parts, f"{layer}.at", MICROSOFT, num_heads=self._shape.heads)
        attended = self._linear(attended, layer, "ao")
        x = self._norm("SkipLayerNormalization", [x, attended], f"{layer}.aln", domain=MICROSOFT)
        wide = self._node("Gelu", [self._linear(x, layer, "fi")], f"{layer}.gelu", MICROSOFT)
        added = [x, self._linear(wide, layer, "fo")]
        return self._norm("SkipLayerNormalization", added, f"{layer}.oln", domain=MICROSOFT)

    def _linear(self, x: str, layer: str, kind: str) -> str:
        name = f"{layer}.{kind}"
        self.multiplied[name] = x
        if self._exact:
            return self._node(
                "Add", [self._node("MatMul", [x, f"{name}.w"], f"{name}.all"), f"{name}.b"], f"{name}.out"
            )
        if kind in BALANCED:
            x = self._node("Mul", [x, f"{name}.balance"], f"{name}.in")
        inputs = [x, f"{name}.w", f"{name}.scales", "", f"{name}.b"]
        return self._node("DynamicQuantizeMatMul", inputs, f"{name}.out", MICROSOFT)

    def _norm(self, kind: str, inputs: list[str], name: str, *, domain: str, **attributes: int) -> str:
        given = [*inputs, f"{name}.w", f"{name}.b"]
        return self._node(kind, given, f"{name}.out", domain, epsilon=self._shape.epsilon, **attributes)

    def _node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: float) -> str:
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output


def largest(weights: PublishedWeights) -> dict[str, Numbers]:
    """Return the largest absolute activation of each channel, by multiplication, over the authors' lines."""
    graph = Graph(weights.shape, exact=True)
    given = {
        name: value
        for name, value in initializers(weights, {}).items()
        if not name.endswith((".scales", *(f".{kind}.w" for kind in LINEAR)))
    }
    layers = [f"l{number}" for number in range(weights.shape.layers)]
    given |= {f"{layer}.{kind}.w": matrix(weights, layer, kind).T.copy() for layer in layers for kind in LINEAR}
    model = graph.made([numpy_helper.from_array(value, name) for name, value in given.items()])
    wanted = {f"{layer}.{kind}": graph.multiplied[f"{layer}.{kind}"] for layer in layers for kind in BALANCED}
    model.graph.output.extend(helper.make_tensor_value_info(x, TensorProto.FLOAT, None) for x in wanted.values())
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    words = Words(weights)
    found: dict[str, Numbers] = {name: np.zeros(1, np.float32) for name in wanted}
    texts = [line.text for timeline in timelines(AUTHOR) for line in timeline.lines]
    for text in texts[:: max(1, len(texts) // TEXTS)]:
        given_words = words.of(words.ids("passage: " + embeddable(text), PASSAGE_TOKENS))
        for name, values in zip(wanted, session.run(list(wanted.values()), {"words": given_words}), strict=True):
            found[name] = np.maximum(found[name], np.abs(values[0]).max(0))
    return found


def balances(weights: PublishedWeights, activations: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """Return what each channel of the activations is multiplied by; their geometric mean is 1."""
    made: dict[str, Numbers] = {}
    for name, most in activations.items():
        columns = np.abs(matrix(weights, *name.split("."))).max(0)
        balance = columns ** (1 - MIGRATED) / np.maximum(most, 1e-6) ** MIGRATED
        made[name] = (balance / np.exp(np.log(balance).mean())).astype(np.float16)
    return made


def _declared(name: str, value: Any) -> onnx.TensorProto:
    """Return an initializer that is given when the graph is loaded."""
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    declared = onnx.TensorProto(name=name, data_type=kind, dims=value.shape, data_location=TensorProto.EXTERNAL)
    for key, said in {**FROM, "length": str(value.nbytes)}.items():
        declared.external_data.add(key=key, value=said)
    return declared


def main() -> None:
    weights = PublishedWeights()
    balanced = balances(weights, largest(weights))
    np.savez_compressed(BALANCES, allow_pickle=False, **balanced)
    given = initializers(weights, balanced)
    model = Graph(weights.shape).made([_declared(name, value) for name, value in given.items()])
    GRAPH.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
