"""Prepares a file in a process of its own: `python -m shared.documents.process MEDIA_TYPE POLICY < file`.

A hostile file can cost this process its time or memory, and nothing else.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
from dataclasses import asdict
from typing import Final

CPU_SECONDS: Final = 60
MEMORY_BYTES: Final = 2 << 30


def main() -> None:
    """Read standard input; print what was prepared as JSON, or the `fault`."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    logging.disable(logging.CRITICAL)  # the libraries would quote the file
    from shared.documents.extract_text import Unreadable  # noqa: PLC0415 # same
    from shared.documents.prepare import prepare  # noqa: PLC0415 # after the limits

    media_type, policy = sys.argv[1], json.loads(sys.argv[2])
    answer: dict[str, object]
    try:
        answer = asdict(prepare(sys.stdin.buffer.read(), media_type, policy))  # type: ignore[arg-type] # one of them
    except Unreadable as unreadable:
        answer = {"fault": unreadable.fault}
    except MemoryError:
        answer = {"fault": "document_too_complex"}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
