"""Makes our records from other products' data. The same export always gives the same ids.

Data that exceeds our limits is adapted: long texts are split, titles are cut, characters that cannot be stored are
removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, TypeVar
from uuid import UUID, uuid5

from shared.conversations.rules.turns import TurnState, place
from shared.kernel.limits import MEMORY_MAX, MESSAGE_MAX, SHORT_MAX
from shared.portability.packages.records import Conversation, Memory, Message
from shared.portability.packages.refusals import PackageRefused
from shared.portability.rules.imports import METHOD

_Value = TypeVar("_Value")

_NAMESPACE: Final = UUID("5c1c6d36-0c0e-5f7e-9a51-3a0d3e5f4b21")
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_PARAGRAPHS: Final = re.compile(r"\n[ \t\r]*\n\s*")
_IMPORTANCE: Final = 5
"""Same as for memories written by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message with its original id."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The records made from one object of an export; `person` is the owner it names."""

    conversation: Conversation | None = None
    messages: Sequence[Message] = ()
    memories: Sequence[Memory] = field(default=())
    person: str | None = None


def member(document: Any, name: str, type_: type[_Value]) -> _Value | None:
    """Return a member of an object; None if it is missing or null.

    Raises:
        PackageRefused: it has another type, or the document is not an object.
    """
    if not isinstance(document, dict):
        raise PackageRefused("package_schema_mismatch")
    value = document.get(name)
    if value is None:
        return None
    if not isinstance(value, type_):
        raise PackageRefused("package_schema_mismatch")
    return value


def needed(document: Any, name: str, type_: type[_Value]) -> _Value:
    """Return a required member.

    Raises:
        PackageRefused: it is missing, or as `member`.
    """
    value = member(document, name, type_)
    if value is None or value == "":
        raise PackageRefused("package_schema_mismatch")
    return value


def moment(said: str | None) -> datetime | None:
    """Parse an ISO 8601 time and return it in UTC; without a zone it is taken as UTC.

    Raises:
        PackageRefused: it is not a valid time.
    """
    if said is None:
        return None
    try:
        at = datetime.fromisoformat(said)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise PackageRefused("package_schema_mismatch") from None


def clean(text: str) -> str:
    """Remove the characters PostgreSQL cannot store from a text."""
    return _UNSTORABLE.sub("", text)


def id_of(*names: str) -> UUID:
    """Return our id of an item with other ids elsewhere."""
    return uuid5(_NAMESPACE, "\n".join(map(clean, names)))


def conversation(
    source: str, own_id: str, *, title: str | None, begun: datetime, changed: datetime, said: Sequence[Said]
) -> tuple[Conversation, list[Message]]:
    """Return a conversation and its messages, in one session, with turns numbered as for live messages."""
    id_ = id_of(source, "conversation", own_id)
    state = TurnState()
    messages: list[Message] = []
    for one in said:
        parts = list(_parts(clean(one.text), MESSAGE_MAX))
        for number, text in enumerate(parts, start=1):
            state = place(state, role=one.role, completed=number == len(parts)).state
            messages.append(
                Message(
                    id=id_of(source, "message", own_id, one.id, str(number)),
                    conversation_id=id_,
                    seq=len(messages) + 1,
                    turn=state.turn,
                    session=1,
                    role=one.role,
                    name=None,
                    content=text,
                    task_hint=None,
                    client_message_id=None,
                    completed=True,
                    version=1,
                    summarize=True,
                    index_episode=True,
                    learn=True,
                    never_learn=[],
                    withheld=[],
                    spoken_at=one.at,
                    recorded_at=one.at,
                )
            )
    name = clean(title or "").strip()[:SHORT_MAX].rstrip()
    head = Conversation(
        id=id_,
        project_id=None,
        title=name or None,
        title_at_seq=1 if name else None,
        remember=True,
        session=1,
        next_seq=len(messages) + 1,
        turn=state.turn,
        turn_open=state.is_open,
        turn_has_user=state.has_user_message,
        cleared_through=0,
        summary_version=0,
        created_at=begun,
        updated_at=max(begun, changed),
    )
    return head, messages


def memories(
    source: str, own_id: str, text: str, *, at: datetime, changed: datetime, project_id: str | None = None
) -> list[Memory]:
    """Return one memory, or several if the text is too long."""
    return [
        Memory(
            id=id_of(source, "memory", own_id, str(number)),
            content=part,
            content_type="note",
            scope="project" if project_id else "global",
            project_id=project_id,
            origin="imported",
            importance=_IMPORTANCE,
            taboo=False,
            disabled=False,
            confirmed=False,
            archived=False,
            validity="active",
            supersedes_id=None,
            contradicts_id=None,
            conversation_id=None,
            spoken_at=None,
            method=METHOD,
            task_hint=None,
            version=1,
            last_supported_at=None,
            created_at=at,
            updated_at=max(at, changed),
            provenance=[],
        )
        for number, part in enumerate(_fitting(clean(text).strip()), start=1)
    ]


def paragraphs(text: str) -> list[str]:
    """Return the distinct paragraphs of a text."""
    found = (one.strip() for one in _PARAGRAPHS.split(text))
    return list(dict.fromkeys(one for one in found if one))


def _fitting(text: str) -> Iterator[str]:
    if len(text) <= MEMORY_MAX:
        if text:
            yield text
        return
    for paragraph in paragraphs(text):
        yield from filter(None, map(str.strip, _parts(paragraph, MEMORY_MAX)))


def _parts(text: str, most: int) -> Iterator[str]:
    """Split a text into parts of at most `most` characters."""
    for start in range(0, len(text), most):
        yield text[start : start + most]
