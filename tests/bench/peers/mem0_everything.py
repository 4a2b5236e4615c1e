"""Stock mem0 in a process of its own, asked for everything of a person, which is how one leaves it.

python -m tests.bench.peers.mem0_everything URI TOKEN DIRECTORY FLAVOUR
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tests.bench.peers.mem0_stock import Peer, serve


class EverythingPeer(Peer):
    """What the benchmark of exports asks of mem0."""

    def get_all(self, user_id: str, count: int, path: str) -> dict[str, Any]:
        """Write at most so many memories of a person to a file; return how many, how long it took, what it raised."""
        began = time.monotonic()
        found: list[Any] = []
        raised = ""
        try:
            # Expired ones too, of which there are none: else it reads four times as many, and throws them away.
            found = self._memory.get_all(filters={"user_id": user_id}, top_k=count, show_expired=True)["results"]
        except Exception as error:  # noqa: BLE001 - how it fails is what is asked
            raised = type(error).__name__
        Path(path).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
        took = time.monotonic() - began
        return {"seconds": took, "memories": len(found), "raised": raised, "bytes": Path(path).stat().st_size}


if __name__ == "__main__":
    serve(EverythingPeer)
