"""Conversations of ChatGPT's data export: `conversations.json`, or `conversations-000.json` and so on.

OpenAI documents that the export contains the chat history (https://help.openai.com/en/articles/7260999), but not its
format. Third parties describe it consistently: https://whychose.com/seo/chatgpt-conversations-json-format and
https://difegam.github.io/chatgpt-to-markdown/explanation/export-format with its reference/data-models. It is a list of
conversations, each with a tree of messages under `mapping`; the displayed branch leads from `current_node` along
`parent`. Saved memories are not included.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal

from shared.portability.packages.foreign.making import Made, Said, conversation, member, needed
from shared.portability.packages.refusals import PackageRefused

_ROLES: Final[dict[str, Literal["user", "assistant"]]] = {"user": "user", "assistant": "assistant"}
_WORDS: Final = frozenset({"text", "multimodal_text"})
_TO_EVERYBODY: Final = "all"
_THOUGHTS: Final = "commentary"


def is_conversation(document: dict[str, Any]) -> bool:
    """Return whether an object looks like a ChatGPT conversation."""
    return "mapping" in document


def made_of(document: Any, *, now: datetime) -> Made:
    """Convert one conversation: the messages between the person and the assistant, on the displayed branch.

    Other branches, instructions, tool calls, reasoning, images and files are left out.

    Raises:
        PackageRefused: it does not have the described format.
    """
    own_id = member(document, "conversation_id", str) or needed(document, "id", str)
    begun = _moment(document, "create_time") or _moment(document, "update_time") or now
    said: list[Said] = []
    for node_id, message in _branch(document):
        role = _ROLES.get(needed(member(message, "author", dict), "role", str))
        text = _text(message)
        if role is None or _is_hidden(message) or not text.strip():
            continue
        at = _moment(message, "create_time") or (said[-1].at if said else begun)
        said.append(Said(id=node_id, role=role, text=text, at=at))
    head, messages = conversation(
        "chatgpt",
        own_id,
        title=member(document, "title", str),
        begun=begun,
        changed=_moment(document, "update_time") or begun,
        said=said,
    )
    return Made(conversation=head, messages=messages)


def _branch(document: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages on the path to the current one, oldest first, with the ids of their nodes."""
    mapping = needed(document, "mapping", dict)
    node_id, path = member(document, "current_node", str), dict[str, Any]()
    while node_id is not None:
        if node_id in path or node_id not in mapping:
            raise PackageRefused("package_references_missing")
        path[node_id] = mapping[node_id]
        node_id = member(mapping[node_id], "parent", str)
    for id_, node in reversed(path.items()):
        if (message := member(node, "message", dict)) is not None:
            yield id_, message


def _is_hidden(message: dict[str, Any]) -> bool:
    marks = member(message, "metadata", dict) or {}
    return (
        message.get("weight") == 0
        or marks.get("is_visually_hidden_from_conversation") is True
        or message.get("recipient", _TO_EVERYBODY) != _TO_EVERYBODY
        or message.get("channel") == _THOUGHTS
    )


def _text(message: dict[str, Any]) -> str:
    content = member(message, "content", dict) or {}
    if member(content, "content_type", str) not in _WORDS:
        return ""
    return "\n".join(part for part in member(content, "parts", list) or [] if isinstance(part, str))


def _moment(document: Any, name: str) -> datetime | None:
    """Return a time given in seconds since 1970."""
    seconds = member(document, name, object)
    if seconds is None:
        return None
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        raise PackageRefused("package_schema_mismatch")
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        raise PackageRefused("package_schema_mismatch") from None
