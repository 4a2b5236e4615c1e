"""What a request says about memory: whose, which conversation, and what is to be done."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args
from uuid import UUID

from shared.runtime.header_text import as_utf8

Mode: TypeAlias = Literal["full", "read", "write", "off"]
Fail: TypeAlias = Literal["open", "closed"]
CREDENTIALS: Final = "memory-authorization"
NAME_MAX: Final = 200
OUR_UUIDS: Final = 7
"""Their version. Chat applications name conversations by UUIDs of version 4."""
_IN_BODY: Final = ("memory_user", "memory_conversation", "memory_project")


class Refused(Exception):
    """A request cannot go on as it is; the title says why, and repeats nothing of it."""

    def __init__(self, status: int, code: str, title: str) -> None:
        super().__init__(title)
        self.status, self.code, self.title = status, code, title


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a request asks of memory.

    Args:
        token: a person's, or the service key with `user_id`; empty if memory is off.
        conversation: an id, or a name of the client's own.
    """

    token: str
    user_id: str | None
    conversation: str | None
    project_id: str | None
    mode: Mode
    fail: Fail

    @property
    def reads(self) -> bool:
        return self.mode in ("full", "read")

    @property
    def conversation_id(self) -> str | None:
        """The id in `conversation`; None for a name, also one that is an id of another kind than ours."""
        try:
            named = UUID(self.conversation or "")
        except ValueError:
            return None
        return str(named) if named.version == OUR_UUIDS else None

    @property
    def writes(self) -> bool:
        return self.mode in ("full", "write")


def asked_of(headers: Mapping[str, str], named: Mapping[str, str], *, fail: Fail, needs_person: bool) -> Asked:
    """Return what is asked of memory.

    Args:
        named: what the body says about it, as `taken_out` of it.
        fail: what happens when memory is away, unless the request says so.
        needs_person: also a request without memory must say whose it is.

    Raises:
        Refused: credentials are missing, or a value is unknown or too long.
    """
    mode = _one_of("memory-mode", headers.get("memory-mode", "full"), get_args(Mode))
    scheme, _, token = headers.get(CREDENTIALS, "").partition(" ")
    if mode != "off" or needs_person:
        if scheme.lower() != "bearer" or not token:
            raise Refused(401, "credentials_missing", "Memory-Authorization must be: Bearer, and a token.")
        if not (token.isascii() and token.isprintable()):
            raise Refused(401, "credentials_invalid", "Memory-Authorization is not a token.")

    def word(header: str, member: str) -> str | None:
        return _short(header, as_utf8(headers.get(header, "")) or named.get(member))

    return Asked(
        token=token,
        user_id=word("memory-user", "memory_user"),
        conversation=word("memory-conversation", "memory_conversation"),
        project_id=word("memory-project", "memory_project"),
        mode=mode,  # type: ignore[arg-type] # one of them
        fail=_one_of("memory-fail", headers.get("memory-fail", fail), get_args(Fail)),  # type: ignore[arg-type]
    )


def taken_out(body: MutableMapping[str, Any]) -> dict[str, str]:
    """Take what a body says about memory out of its metadata, and return it.

    Raises:
        Refused: a value is no string.
    """
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    found = {name: metadata.pop(name) for name in _IN_BODY if name in metadata}
    if found and not metadata:
        del body["metadata"]
    if not all(isinstance(one, str) for one in found.values()):
        raise Refused(422, "memory_header_invalid", "memory_* in metadata must be strings.")
    return found


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise Refused(422, "memory_header_invalid", f"{name} must be one of: {', '.join(allowed)}.")
    return value


def _short(name: str, value: str | None) -> str | None:
    if value is None or value == "":
        return None
    if len(value) > NAME_MAX or not value.isprintable():
        raise Refused(422, "memory_header_invalid", f"{name} must have at most {NAME_MAX} printable characters.")
    return value
