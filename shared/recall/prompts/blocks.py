"""One item of a context as the model reads it: citation, where it was said, and content (LT-07)."""

from __future__ import annotations

from datetime import UTC
from typing import Final

from shared.language.tokens import count
from shared.recall.rules.items import InDocument, Item

UNKNOWN: Final = "–"
SUPERSEDED: Final = "superseded: no longer so"
"""Marks the citation of a superseded memory (LT-07)."""
_INDENT: Final = "  "


def block(item: Item) -> str:
    """Return an item's lines, each ended by a newline.

    A memory, episode or summary starts with `[Memory#id] (session, turn, day)`, a part of a document with
    `[Document#id p. 3] (title, day)`, a trait with `[Trait#id] (inferred, how surely, where)`, a message with its role.
    All further lines are indented, so that content cannot imitate a heading, a citation or another message.
    """
    if item.kind == "message":
        name = _in_one_line(item.name)
        speaker = f"{item.type} ({name})" if name else item.type
        return _indented(f"{speaker}: ", item.content)
    if item.kind == "trait":
        return _indented(f"[Trait#{item.id}] ({', '.join(_inferred(item))}) ", item.content)
    if item.provenance.document is not None:
        return _indented(_in_document(item, item.provenance.document), item.content)
    citation = f"[Memory#{item.id}] ({', '.join(_places(item))})"
    return _indented(f"{citation} ", item.content)


def tokens_of(item: Item) -> int:
    """Return the number of tokens an item takes in the prompt."""
    return count(block(item))


def _places(item: Item) -> list[str]:
    said = item.provenance
    session = str(said.conversation_id).rsplit("-", 1)[1] if said.conversation_id else UNKNOWN
    if said.covers:
        where = f"messages {said.covers[0]}-{said.covers[1]}"
    else:
        where = f"turn {UNKNOWN if said.turn is None else said.turn}"
    places = [f"session {session}", where, f"{said.at.astimezone(UTC):%Y-%m-%d}"]
    if item.superseded:
        places.append(SUPERSEDED)
    if hint := _in_one_line(item.task_hint):
        places.append(f"task: {hint}")
    return places


def _in_document(item: Item, document: InDocument) -> str:
    page = "" if document.page is None else f" p. {document.page}"
    return (
        f"[Document#{item.id}{page}] ({_in_one_line(document.title)}, {item.provenance.at.astimezone(UTC):%Y-%m-%d}) "
    )


STAGES: Final = {"emerging": "perhaps", "established": "clearly", "core": "very sure"}


def _inferred(item: Item) -> list[str]:
    where = [item.context] if item.context not in (None, "general", "contextual") else []
    return ["inferred", STAGES.get(item.stage or "", item.stage or UNKNOWN), *map(str, where)]


def _indented(opening: str, text: str) -> str:
    first, *rest = text.splitlines() or [""]
    return "".join(f"{line}\n" for line in (opening + first, *(_INDENT + line for line in rest)))


def _in_one_line(text: str | None) -> str:
    return " ".join((text or "").split())
