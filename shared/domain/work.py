"""The kinds of outside work, and the queue whose workers do each."""

from __future__ import annotations

from typing import Final

INDEX_EPISODE: Final = "episode.index"
LEARN_MEMORY: Final = "memory.learn"
ERASE_POSTGRES: Final = "erase.postgres"
ERASE_MILVUS: Final = "erase.milvus"
ERASE_MEM0: Final = "erase.mem0"
REDERIVE: Final = "rederive"
VERIFY: Final = "verify"
DISCARD_VECTORS: Final = "vectors.discard"

QUEUES: Final = {
    INDEX_EPISODE: "indexer",
    LEARN_MEMORY: "learner",
    ERASE_POSTGRES: "eraser",
    ERASE_MILVUS: "eraser",
    ERASE_MEM0: "eraser",
    REDERIVE: "eraser",
    VERIFY: "eraser",
    DISCARD_VECTORS: "eraser",
}

PRIORITY_FORGET: Final = 10
PRIORITY_DERIVE: Final = 0
