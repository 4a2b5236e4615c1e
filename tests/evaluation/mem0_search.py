"""Stock mem0 in a process of its own, with our embedder: it keeps messages as they are, and searches them.

python -m tests.evaluation.mem0_search URI TOKEN DIRECTORY FLAVOUR
"""

from __future__ import annotations

import time
from typing import Any

from shared.language.embedding.bundled import bundled_embedder
from tests.bench.peers.mem0_stock import Peer, serve


class OurEmbedder:
    """Our embedder as mem0 calls one. Stored texts are embedded as passages, which the model needs: mem0's langchain
    provider embeds them as questions, and finds less.
    """

    def __init__(self) -> None:
        self._embedder = bundled_embedder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Embed a question for "search", a passage otherwise."""
        return self._embedder.query(text) if memory_action == "search" else self._embedder.passages([text])[0]


class SearchedPeer(Peer):
    """What the evaluation asks of mem0."""

    def __init__(self, memory: Any) -> None:
        super().__init__(memory)
        self._memory.embedding_model = OurEmbedder()

    def remember(self, user_id: str, role: str, name: str, text: str, dia_id: str) -> int:
        """Keep one message word for word, said by whom in front, without which mem0 cannot tell who is meant; return
        how many memories it became.
        """
        message = {"role": role, "name": name, "content": f"{name}: {text}"}
        made = self._memory.add([message], user_id=user_id, infer=False, metadata={"dia_id": dia_id})
        return len(made["results"])

    def find(self, user_id: str, question: str) -> dict[str, Any]:
        """Return the `dia_id`s of what mem0 finds, best first, and how many seconds that took."""
        began = time.perf_counter()
        found = self._memory.search(question, filters={"user_id": user_id})
        took = time.perf_counter() - began
        return {"dia_ids": [one["metadata"]["dia_id"] for one in found["results"]], "seconds": took}


if __name__ == "__main__":
    serve(SearchedPeer)
