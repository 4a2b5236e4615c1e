"""The embedder's process, with an engine that some words are too much for: it stands for a fault nobody knows yet.

Run as `python -m tests.support.mortal_embedder`. A text with DEADLY kills the process that embeds it, each time; one
with FAILING raises an error.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from services.embedder.__main__ import main
from shared.language.embedding.bundled import BundledE5

DEADLY = "cyanide"
FAILING = "headache"


def dying(texts: Sequence[str]) -> None:
    if any(DEADLY in text for text in texts):
        os.kill(os.getpid(), signal.SIGSEGV)
    if any(FAILING in text for text in texts):
        raise MemoryError(texts[0])


class MortalE5(BundledE5):
    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        dying(texts)
        return super().passages(texts)

    def query(self, text: str) -> list[float]:
        dying([text])
        return super().query(text)


if __name__ == "__main__":
    sys.modules["services.embedder.__main__"].BundledE5 = MortalE5  # type: ignore[attr-defined]
    sys.exit(main())
