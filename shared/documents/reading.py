"""Reads an uploaded file in bounded time and memory (TR-12)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

from shared.documents import process
from shared.documents.extract_text import Unreadable
from shared.documents.prepare import Prepared, prepare
from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import Part
from shared.kernel.sensitivity import Policy

HERE_MAX: Final = 20_000
"""Bytes of a text that is read in this process, in less time than another one takes to start."""
SECONDS_MAX: Final = 120.0
"""Wall clock; the process has its own limit of CPU time."""


def is_read_here(data: bytes, media_type: MediaType) -> bool:
    """Return whether a file is read in this process, in no time."""
    return media_type != "application/pdf" and len(data) <= HERE_MAX


def read(data: bytes, media_type: MediaType, policy: Policy) -> Prepared:
    """Return what is stored of a file.

    Raises:
        Unreadable: with the reason.
    """
    if is_read_here(data, media_type):
        return prepare(data, media_type, policy)
    command = [sys.executable, "-m", process.__name__, media_type, json.dumps(dict(policy))]
    try:
        ended = subprocess.run(
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unreadable("document_too_complex") from None
    if ended.returncode:  # it was killed, or had no memory left
        raise Unreadable("document_too_complex")
    found = json.loads(ended.stdout)
    if "fault" in found:
        raise Unreadable(found["fault"])
    parts = [Part(text=one["text"], page=one["page"]) for one in found["parts"]]
    return Prepared(pages=found["pages"], parts=parts)
