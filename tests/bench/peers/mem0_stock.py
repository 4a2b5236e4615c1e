"""mem0 as its documentation sets it up, with its own Milvus vector store: no language model, a stub embedder.

    python -m tests.bench.peers.mem0_stock URI TOKEN DIRECTORY FLAVOUR

Reads one JSON list a line (a command and its arguments), answers with one JSON value a line.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from tests.bench.wording import mem0_payload, text_of

COLLECTION = "mem0_stock"
DIMENSIONS = 384
AT_ONCE = 1_000


class NoEmbedder:
    """Embeds nothing: whatever is deleted was embedded before, and loading brings its own vectors."""

    def embed(self, *_: object) -> list[float]:
        return [0.0] * DIMENSIONS


def stock(uri: str, token: str, directory: Path) -> Any:
    """Return mem0 with its own Milvus store and its own history, nothing of ours."""
    os.environ.update(MEM0_DIR=str(directory), MEM0_TELEMETRY="False", OPENAI_API_KEY="unused")
    from mem0 import Memory  # after the environment: importing it reads and writes there

    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "milvus",
                "config": {
                    "url": uri,
                    "token": token,
                    "collection_name": COLLECTION,
                    "embedding_model_dims": DIMENSIONS,
                    "metric_type": "COSINE",
                },
            },
            "history_db_path": str(directory / "history.db"),
        }
    )
    memory.embedding_model = NoEmbedder()
    return memory


def older_collection(uri: str, token: str) -> None:
    """Create the collection as mem0 did before full-text search, for servers that do not know that; mem0 accepts it."""
    from pymilvus import DataType, MilvusClient

    client = MilvusClient(uri, token=token)
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=True)
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=512)
    schema.add_field("vectors", DataType.FLOAT_VECTOR, dim=DIMENSIONS)
    schema.add_field("metadata", DataType.JSON)
    indexes = client.prepare_index_params()
    indexes.add_index("vectors", metric_type="COSINE", index_type="AUTOINDEX", index_name="vector_index")
    client.create_collection(COLLECTION, schema=schema, index_params=indexes)
    client.close()


class Peer:
    """What the benchmark asks of mem0."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self._random = np.random.default_rng(3)

    def load(self, user_id: str, count: int) -> int:
        """Store memories of one person through mem0's own store."""
        for start in range(0, count, AT_ONCE):
            numbers = range(start, min(start + AT_ONCE, count))
            vectors = self._random.standard_normal((len(numbers), DIMENSIONS), dtype=np.float32).tolist()
            payloads = [mem0_payload(text_of(number, user_id), user_id) for number in numbers]
            self._memory.vector_store.insert([str(uuid4()) for _ in numbers], vectors, payloads)
        return count

    def settle(self) -> bool:
        """Flush, as the product's worker does; then load, without which mem0 cannot search at all."""
        client = self._memory.vector_store.client
        client.flush(COLLECTION)
        client.load_collection(COLLECTION)
        return True

    def delete_all(self, user_id: str) -> dict[str, Any]:
        """Delete everything of a person; return how long it took, what it raised, what a strong read still finds."""
        began = time.monotonic()
        raised = ""
        try:
            self._memory.delete_all(user_id=user_id)
        except Exception as error:  # noqa: BLE001 - how it fails is what is asked
            raised = type(error).__name__
        return {"seconds": time.monotonic() - began, "raised": raised, "left": self.count(user_id)}

    def count(self, user_id: str) -> int:
        """Count a person's rows with a strongly consistent read."""
        found = self._memory.vector_store.client.query(
            COLLECTION,
            filter=f'metadata["user_id"] == "{user_id}"',
            output_fields=["id"],
            limit=16_000,
            consistency_level="Strong",
        )
        return len(found)


def serve(kind: Callable[[Any], Peer] = Peer) -> None:
    """Answer commands until standard input ends; `kind` makes what answers them of mem0."""
    uri, token, directory, flavour = sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4]
    if flavour == "server":
        older_collection(uri, token)
    peer = kind(stock(uri, token, directory))
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        print(json.dumps(getattr(peer, command)(*arguments)), flush=True)


if __name__ == "__main__":
    serve()
