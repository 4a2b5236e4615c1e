"""Reads the text of a PDF in a process of its own: `python -m shared.documents.pdf_process < file`.

A malicious file can cost this process its time or memory, and nothing else. It prints the pages as JSON, or ends with
one of the codes below.
"""

from __future__ import annotations

import io
import json
import logging
import resource
import sys
from typing import Final

ENCRYPTED: Final = 3
MALFORMED: Final = 4
TOO_LONG: Final = 5
TOO_COMPLEX: Final = 6

CPU_SECONDS: Final = 30
MEMORY_BYTES: Final = 1 << 30
PAGES_MAX: Final = 2_000


def main() -> int:
    """Read standard input, print `{"title": …, "pages": […]}`; return the exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    logging.disable(logging.CRITICAL)  # the library would quote the file
    characters_max = int(sys.argv[1])
    data = sys.stdin.buffer.read()
    from pypdf import PdfReader  # noqa: PLC0415 # after the limits
    from pypdf.errors import LimitReachedError  # noqa: PLC0415 # same

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return ENCRYPTED
        if len(reader.pages) > PAGES_MAX:
            return TOO_LONG
        pages, characters = [], 0
        for page in reader.pages:
            pages.append(page.extract_text())
            characters += len(pages[-1])
            if characters > characters_max:
                return TOO_LONG
        title = reader.metadata.title if reader.metadata else None
    except (MemoryError, RecursionError, LimitReachedError):
        return TOO_COMPLEX
    except Exception:  # noqa: BLE001 # whatever a broken file makes the library raise
        return MALFORMED
    sys.stdout.buffer.write(json.dumps({"title": title, "pages": pages}).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
