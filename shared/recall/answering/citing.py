"""Citations of items in a text, in the form the prompt asks for: `Memory#id`, or `Document#id` with a page."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from uuid import UUID

_CITATION: Final = re.compile(r"(?:Memory|Document)#([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})")


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a document; `number` is None where there are no pages."""

    number: int | None


def citation(of: UUID, document: Page | None = None) -> str:
    """Return the citation of an item, or of a part of a document, as the prompt has it."""
    if document is None:
        return f"[Memory#{of}]"
    return f"[Document#{of}{f' p. {document.number}' if document.number else ''}]"


def cited(text: str, given: Collection[UUID]) -> list[UUID]:
    """Return the given items that a text cites, in order of first mention."""
    named = [UUID(found) for found in _CITATION.findall(text)]
    return [id_ for id_ in dict.fromkeys(named) if id_ in given]
