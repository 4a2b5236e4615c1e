"""Write the graph that the embedder runs: `make embedder-graph`, after its shape was changed."""

from __future__ import annotations

from typing import Any, Final

import onnx
from onnx import TensorProto, helper

from shared.language.embedding.engine import GRAPH, initializers
from shared.language.embedding.weights import BLOCK, PublishedWeights, Shape

OPSET: Final = 20
IR_VERSION: Final = 9
"""Of ONNX files; onnxruntime 1.20 reads it."""
MICROSOFT: Final = "com.microsoft"
"""Domain of the operators that onnxruntime adds to the standard's."""
EXACT_TO_EIGHT_BITS: Final = 4
"""`accuracy_level` of a multiplication whose activations are quantized to eight bits."""
FROM: Final = {"location": "given", "offset": "0"}
"""Where an initializer would be in a file; `Encoder` gives all of them."""


class Graph:
    """Nodes and initializers, in the order they are added."""

    def __init__(self, shape: Shape, given: dict[str, Any]) -> None:
        self._shape = shape
        self._nodes: list[onnx.NodeProto] = []
        self._weights = [_declared(name, value) for name, value in given.items()]

    def made(self) -> onnx.ModelProto:
        """Return the model: `words` (rows × tokens × width) in, `mean` (rows × width) out."""
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
            [*self._weights, *(helper.make_tensor(k, TensorProto.INT64, [len(v)], v) for k, v in constants.items())],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)

    def _layer(self, layer: str, x: str) -> str:
        width, inner = self._shape.width, self._shape.inner
        qkv = self._linear(x, f"{layer}.qkv", width, 3 * width)
        parts = [f"{layer}.{part}" for part in "qkv"]
        self._nodes.append(helper.make_node("Split", [qkv, "thirds"], parts, axis=-1))
        attended = self._node("MultiHeadAttention", parts, f"{layer}.at", MICROSOFT, num_heads=self._shape.heads)
        attended = self._linear(attended, f"{layer}.ao", width, width)
        x = self._norm("SkipLayerNormalization", [x, attended], f"{layer}.aln", domain=MICROSOFT)
        wide = self._node("Gelu", [self._linear(x, f"{layer}.fi", width, inner)], f"{layer}.gelu", MICROSOFT)
        return self._norm(
            "SkipLayerNormalization",
            [x, self._linear(wide, f"{layer}.fo", inner, width)],
            f"{layer}.oln",
            domain=MICROSOFT,
        )

    def _linear(self, x: str, name: str, columns: int, rows: int) -> str:
        inputs = [x, f"{name}.w", f"{name}.scales", "", "", f"{name}.b"]
        sizes = {"K": columns, "N": rows, "bits": 4, "block_size": BLOCK, "accuracy_level": EXACT_TO_EIGHT_BITS}
        return self._node("MatMulNBits", inputs, f"{name}.out", MICROSOFT, **sizes)

    def _norm(self, kind: str, inputs: list[str], name: str, *, domain: str, **attributes: int) -> str:
        given = [*inputs, f"{name}.w", f"{name}.b"]
        return self._node(kind, given, f"{name}.out", domain, epsilon=self._shape.epsilon, **attributes)

    def _node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: float) -> str:
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output


def _declared(name: str, value: Any) -> onnx.TensorProto:
    """Return an initializer that is given when the graph is loaded."""
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    declared = onnx.TensorProto(name=name, data_type=kind, dims=value.shape, data_location=TensorProto.EXTERNAL)
    for key, said in {**FROM, "length": str(value.nbytes)}.items():
        declared.external_data.add(key=key, value=said)
    return declared


def main() -> None:
    weights = PublishedWeights()
    GRAPH.write_bytes(Graph(weights.shape, initializers(weights)).made().SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
