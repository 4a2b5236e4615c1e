"""Makes of a file what is stored of it: its title, and its parts without what must never be kept."""

from __future__ import annotations

from dataclasses import dataclass

from shared.documents.rules.media_types import MediaType
from shared.documents.rules.parts import Part, divide
from shared.documents.text import text_of
from shared.kernel.sensitivity import Policy
from shared.language.sensitivity import mask
from shared.language.tokens import count


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is stored of a file.

    Args:
        title: the title in it, or its first line.
        pages: of a PDF; None for what has none.
    """

    title: str
    pages: int | None
    parts: list[Part]


def prepare(data: bytes, media_type: MediaType, policy: Policy) -> Prepared:
    """Read a file and divide it; fragments that the policy does not allow are cut out.

    Raises:
        Unreadable: with the reason.
    """
    text = text_of(data, media_type)
    parts = [
        Part(text=kept, page=part.page)
        for part in divide(text.pages, paged=text.paged, measure=count)
        if (kept := mask(part.text, policy)).strip()
    ]
    first = next(line for page in text.pages for line in page.split("\n") if line.strip())
    title = mask((text.title or first)[:_TITLE_READ], policy)
    return Prepared(title=title, pages=len(text.pages) if text.paged else None, parts=parts)


_TITLE_READ = 1_000
"""A title is shorter; a first line may be the whole file."""
