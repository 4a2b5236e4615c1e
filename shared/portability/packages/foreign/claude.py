"""Conversations and memories of Claude's data export: `conversations.json` and `memories.json`.

Anthropic does not document the format. https://portable-ai-memory.org/providers/anthropic describes it from a real
export (February 2026): a list of conversations with `uuid`, `name`, `created_at`, `updated_at`, `account.uuid` and
`chat_messages`, each of `uuid`, `sender` (human or assistant), `text`, `content` parts and `created_at`; and memories
with `conversations_memory`, one text, and `project_memories`, texts by project.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, Literal

from shared.portability.packages.foreign.making import (
    Made,
    Said,
    conversation,
    member,
    memories,
    moment,
    needed,
    paragraphs,
)
from shared.portability.packages.records import Memory
from shared.portability.packages.refusals import PackageRefused

_ROLES: Final[dict[str, Literal["user", "assistant"]]] = {"human": "user", "assistant": "assistant"}
_HEADING: Final = re.compile(r"(?:#{1,6}\s+.*|\*\*[^*\n]+\*\*:?|__[^_\n]+__:?)")
"""A paragraph that is only a heading."""


def is_conversation(document: dict[str, Any]) -> bool:
    """Return whether an object looks like a conversation."""
    return "chat_messages" in document


def is_memory(document: dict[str, Any]) -> bool:
    """Return whether an object looks like memories."""
    return "conversations_memory" in document or "project_memories" in document


def made_of(document: Any, *, now: datetime) -> Made:
    """Convert a conversation, or a person's memories.

    Only the text of messages is imported, without reasoning, tools, attachments and files. Each paragraph of the
    memories becomes one memory, dated now because the export has no dates; project memories keep their project.

    Raises:
        PackageRefused: it does not have the described format.
    """
    if isinstance(document, dict) and is_memory(document) and not is_conversation(document):
        remembered = [*_memories(document, now), *_project_memories(document, now)]
        return Made(memories=remembered, person=member(document, "account_uuid", str))
    own_id = needed(document, "uuid", str)
    begun = moment(member(document, "created_at", str)) or now
    said: list[Said] = []
    for message in needed(document, "chat_messages", list):
        role = _ROLES.get(needed(message, "sender", str))
        text = _text(message)
        if role is None or not text.strip():
            continue
        at = moment(member(message, "created_at", str)) or (said[-1].at if said else begun)
        said.append(Said(id=needed(message, "uuid", str), role=role, text=text, at=at))
    head, messages = conversation(
        "claude",
        own_id,
        title=member(document, "name", str),
        begun=begun,
        changed=moment(member(document, "updated_at", str)) or begun,
        said=said,
    )
    account = member(document, "account", dict)
    return Made(conversation=head, messages=messages, person=member(account, "uuid", str) if account else None)


def _text(message: Any) -> str:
    """Return the text of a message; its `text` member has placeholders for other parts."""
    parts = member(message, "content", list) or []
    words = [needed(part, "text", str) for part in parts if _is_text(part)]
    return "\n\n".join(words) if words else member(message, "text", str) or ""


def _is_text(part: Any) -> bool:
    return member(part, "type", str) == "text" and bool(member(part, "text", str))


def _memories(document: Any, now: datetime) -> Iterator[Memory]:
    yield from _remembered(member(document, "conversations_memory", str) or "", now, None)


def _project_memories(document: Any, now: datetime) -> Iterator[Memory]:
    for project_id, text in (member(document, "project_memories", dict) or {}).items():
        if not isinstance(text, str) or not project_id:
            raise PackageRefused("package_schema_mismatch")
        yield from _remembered(text, now, project_id)


def _remembered(text: str, now: datetime, project_id: str | None) -> Iterator[Memory]:
    for paragraph in paragraphs(text):
        if not _HEADING.fullmatch(paragraph):
            name = hashlib.sha256(paragraph.encode(errors="surrogatepass")).hexdigest()
            own_id = f"{project_id or ''}\n{name}"
            yield from memories("claude", own_id, paragraph, at=now, changed=now, project_id=project_id)
