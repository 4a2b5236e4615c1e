"""Reads the text of an uploaded file: plain text, Markdown or PDF, in bounded time and memory (TR-12)."""

from __future__ import annotations

import codecs
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from shared.documents import pdf_process
from shared.documents.rules.media_types import MediaType

Fault: TypeAlias = Literal[
    "document_not_text",
    "document_empty",
    "document_encrypted",
    "document_without_text",
    "document_malformed",
    "document_too_long",
    "document_too_complex",
]

CHARACTERS_MAX: Final = 2_000_000
SECONDS_MAX: Final = 45.0
"""Wall clock for a PDF; its process has its own limit of CPU time."""

_FAULTS: Final[dict[int, Fault]] = {
    pdf_process.ENCRYPTED: "document_encrypted",
    pdf_process.MALFORMED: "document_malformed",
    pdf_process.TOO_LONG: "document_too_long",
    pdf_process.TOO_COMPLEX: "document_too_complex",
}
_KEPT_CONTROLS: Final = frozenset("\t\n\r\f")


class Unreadable(Exception):
    """The file has no text that can be read."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file: its pages, one for what has none, and the title in it, if any."""

    pages: list[str]
    paged: bool
    title: str | None


def read(data: bytes, media_type: MediaType) -> Text:
    """Return the text of a file.

    Raises:
        Unreadable: with the reason.
    """
    text = _of_pdf(data) if media_type == "application/pdf" else _of_text(data, media_type)
    if not any(page.strip() for page in text.pages):
        raise Unreadable("document_without_text" if text.paged else "document_empty")
    return text


def _of_text(data: bytes, media_type: MediaType) -> Text:
    text = _decoded(data)
    if len(text) > CHARACTERS_MAX:
        raise Unreadable("document_too_long")
    if any(ord(one) < ord(" ") and one not in _KEPT_CONTROLS for one in set(text)):
        raise Unreadable("document_not_text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Text(pages=[text], paged=False, title=_heading(text) if media_type == "text/markdown" else None)


def _decoded(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or GB 18030, which Chinese editors still write."""
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ["utf-16"] if is_utf_16 else ["utf-8-sig", "gb18030"]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Unreadable("document_not_text")


def _heading(text: str) -> str | None:
    first = next((line for line in text.split("\n", 50) if line.startswith("# ")), None)
    return first.removeprefix("# ").strip() or None if first else None


def _of_pdf(data: bytes) -> Text:
    if not data.startswith(b"%PDF-"):
        raise Unreadable("document_malformed")
    command = [sys.executable, "-m", pdf_process.__name__, str(CHARACTERS_MAX)]
    try:
        ended = subprocess.run(  # our own module
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        raise Unreadable("document_too_complex") from None
    if ended.returncode:
        raise Unreadable(_FAULTS.get(ended.returncode, "document_too_complex"))  # else it was killed
    found = json.loads(ended.stdout)
    pages = [_clean(page) for page in found["pages"]]
    title = _clean(found["title"]).strip() if isinstance(found["title"], str) else None
    return Text(pages=pages, paged=True, title=title or None)


def _clean(text: str) -> str:
    """Leave out what fonts without a mapping yield: controls and halves of surrogate pairs."""
    text = text.encode("utf-8", "ignore").decode()
    return "".join(one for one in text if one >= " " or one in _KEPT_CONTROLS)
