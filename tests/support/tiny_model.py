"""A language model of two layers that do nothing: it ends whatever it writes as soon as a grammar lets it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import gguf
import numpy as np

WIDTH: Final = 64
LAYERS: Final = 2
HEADS: Final = 4
ENDING: Final = b']}"'
"""Bytes that end something in JSON, the likeliest first."""
BYTES_FROM: Final = 3
TEMPLATE: Final = "{% for one in messages %}{{ one['role'] }}: {{ one['content'] }}\n{% endfor %}assistant: "


def tiny_model(path: Path) -> Path:
    """Write it to a file of half a megabyte and return the path; its tokens are bytes, the likeliest those that end."""
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(2 * WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)

    def weights(name: str, values: np.ndarray) -> None:
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))

    likely = np.zeros((len(tokens), WIDTH))
    for place, byte in enumerate(ENDING):
        likely[BYTES_FROM + byte] = 1 - place / (2 * len(ENDING))
    weights("token_embd", np.ones((len(tokens), WIDTH)))
    weights("output", likely)
    weights("output_norm", np.ones(WIDTH))
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            weights(f"blk.{layer}.{name}", np.zeros((WIDTH, WIDTH)))
        weights(f"blk.{layer}.ffn_gate", np.zeros((2 * WIDTH, WIDTH)))
        weights(f"blk.{layer}.ffn_up", np.zeros((2 * WIDTH, WIDTH)))
        weights(f"blk.{layer}.ffn_down", np.zeros((WIDTH, 2 * WIDTH)))
        weights(f"blk.{layer}.attn_norm", np.ones(WIDTH))
        weights(f"blk.{layer}.ffn_norm", np.ones(WIDTH))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
