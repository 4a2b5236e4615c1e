"""The text of an uploaded file: plain text, Markdown or PDF. Runs where a hostile file costs nobody else anything."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from shared.documents.rules.media_types import MediaType

if TYPE_CHECKING:
    from pypdf import PdfReader

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
PAGES_MAX: Final = 2_000

_KEPT_CONTROLS: Final = frozenset("\t\n\r\f")
_IDEOGRAPH: Final = re.compile(r"[\u3400-\u9fff]")
_LONE: Final = re.compile(r"(?<=[a-z])[\u3400-\u9fff](?![\u3400-\u9fff])|(?<![\u3400-\u9fff])[\u3400-\u9fff](?=[a-z])")


class Unreadable(Exception):
    """The file has no text that can be read."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file: its pages, one for what has none."""

    pages: list[str]
    paged: bool


def text_of(data: bytes, media_type: MediaType) -> Text:
    """Return the text of a file.

    Raises:
        Unreadable: with the reason.
    """
    text = _of_pdf(data) if media_type == "application/pdf" else _of_text(data)
    if not any(page.strip() for page in text.pages):
        raise Unreadable("document_without_text" if text.paged else "document_empty")
    return text


def _of_text(data: bytes) -> Text:
    text = _decoded(data)
    if len(text) > CHARACTERS_MAX:
        raise Unreadable("document_too_long")
    if any(ord(one) < ord(" ") and one not in _KEPT_CONTROLS for one in set(text)):
        raise Unreadable("document_not_text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Text(pages=[text], paged=False)


def _decoded(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with a byte order mark, or GB 18030, which Chinese editors still write."""
    is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ["utf-16"] if is_utf_16 else ["utf-8-sig", "gb18030"]:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "gb18030" and _is_western(text):
            break
        return text
    raise Unreadable("document_not_text")


def _is_western(text: str) -> bool:
    """Return whether text that was read as GB 18030 is of another encoding.

    There an accented letter and its neighbour become one Chinese character, which stands alone in a word.
    """
    return 2 * len(_LONE.findall(text)) > len(_IDEOGRAPH.findall(text))


def _of_pdf(data: bytes) -> Text:
    if not data.startswith(b"%PDF-"):
        raise Unreadable("document_malformed")
    from pypdf import PdfReader  # noqa: PLC0415 # only where a PDF is read
    from pypdf.errors import LimitReachedError  # noqa: PLC0415 # same

    try:
        reader = PdfReader(io.BytesIO(data))
        pages = _pages(reader)
    except Unreadable:
        raise
    except (MemoryError, RecursionError, LimitReachedError):
        raise Unreadable("document_too_complex") from None
    except Exception:  # noqa: BLE001 # whatever a broken file makes the library raise
        raise Unreadable("document_malformed") from None
    return Text(pages=pages, paged=True)


def _pages(reader: PdfReader) -> list[str]:
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("document_encrypted")
    if len(reader.pages) > PAGES_MAX:
        raise Unreadable("document_too_long")
    pages: list[str] = []
    characters = 0
    for page in reader.pages:
        pages.append(_clean(page.extract_text()))
        characters += len(pages[-1])
        if characters > CHARACTERS_MAX:
            raise Unreadable("document_too_long")
    return pages


def _clean(text: str) -> str:
    """Leave out what fonts without a mapping yield: controls and halves of surrogate pairs."""
    text = text.encode("utf-8", "ignore").decode()
    return "".join(one for one in text if one >= " " or one in _KEPT_CONTROLS)
