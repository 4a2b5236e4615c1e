"""Write the trained reader as the product runs it: ONNX with eight-bit weights."""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from tests.training.model import Reader

OPSET = 20


def export(reader: Reader, path: Path) -> None:
    """Write the weights to a file."""
    reader.eval()
    ids = torch.ones((2, 9), dtype=torch.long)
    rows, tokens = {0: "rows"}, {0: "rows", 1: "tokens"}
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "reader.onnx"
        torch.onnx.export(
            reader,
            (ids, torch.ones_like(ids), torch.zeros(2, dtype=torch.long)),
            str(whole),
            input_names=["ids", "mask", "task"],
            output_names=["tokens", "whole"],
            dynamic_axes={"ids": tokens, "mask": tokens, "task": rows, "tokens": tokens, "whole": rows},
            opset_version=OPSET,
            dynamo=False,
        )
        quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
