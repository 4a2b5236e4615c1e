"""Makes of a file what is stored of it: its parts, without what must never be kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shared.documents.extract_text import Unreadable, text_of
from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import Part, divide
from shared.kernel.sensitivity import Policy
from shared.language.sensitivity import mask_pages
from shared.language.tokens import count

PARTS_MAX: Final = 3_000
"""Stored in one transaction."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is stored of a file.

    Args:
        pages: of a PDF; None for what has none.
    """

    pages: int | None
    parts: list[Part]


def prepare(data: bytes, media_type: MediaType, policy: Policy) -> Prepared:
    """Read a file and divide it; fragments that the policy does not allow are cut out.

    They are looked for in the text as a whole: a key that is divided is not one any more.

    Raises:
        Unreadable: with the reason.
    """
    text = text_of(data, media_type)
    parts = divide(mask_pages(text.pages, policy), paged=text.paged, measure=count)
    if len(parts) > PARTS_MAX:
        raise Unreadable("document_too_long")
    return Prepared(pages=len(text.pages) if text.paged else None, parts=parts)
