"""What mem0's requests say, and the forms of its answers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final, Protocol
from uuid import UUID

from memory_center_client.mem0_forms import AS_METADATA, Filter, Refused, as_mem0, filter_of, members

BATCH_MAX: Final = 200
RUN_SHOWN_MAX: Final = 150
"""Characters of a title."""
FILTERS: Final = ("filters", "user_id", "run_id", "metadata", *AS_METADATA)
TITLE: Final = "mem0"
"""Title, and external id, of the conversation for messages without a run; the others' begin with it."""


class Accepted(Protocol):
    """An operation that was accepted."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def receipt_id(self) -> str | None:
        """Of the receipt it will have."""


def wanted_of(given: Mapping[str, Any]) -> Filter:
    """Return the filter of a request whose conditions stand beside `filters`, or in it."""
    return filter_of(given.get("filters"), **{name: given.get(name) for name in FILTERS if name != "filters"})


def pong(user_id: str | None) -> dict[str, Any]:
    """mem0's clients do not go on without an organisation and a project; here there is one of each."""
    return {"status": "ok", "user_email": user_id, "org_id": "memory-center", "project_id": "memory-center"}


def batch_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what a request says of several memories."""
    found = members(body, "memories").get("memories")
    if (
        not isinstance(found, list)
        or not 1 <= len(found) <= BATCH_MAX
        or not all(isinstance(one, dict) for one in found)
    ):
        raise Refused(422, "mem0_invalid", f"memories must be 1 to {BATCH_MAX} objects.")
    return found


def run_of(wanted: Filter) -> str:
    """Return the external id of a run's conversation, or of the one for what is added without a run."""
    return (
        TITLE
        if wanted.run_id is None
        else f"{TITLE}-{hashlib.sha256(wanted.run_id.encode('utf-8', 'surrogatepass')).hexdigest()}"
    )


def title_of(wanted: Filter) -> str:
    """Return the first title of a run's conversation."""
    return TITLE if wanted.run_id is None else f"{TITLE} {wanted.run_id}"[:RUN_SHOWN_MAX]


def id_of(memory_id: Any) -> str:
    """Return an id; what cannot be one names nothing."""
    try:
        return str(UUID(memory_id))
    except (TypeError, ValueError, AttributeError):
        raise Refused(404, "not_found", "There is nothing here, or it is not yours.") from None


def named(memory: Mapping[str, Any], memory_id: str, user_id: str | None) -> dict[str, Any]:
    """Return a memory in mem0's form under the id it was asked for: there ids stay when memories change."""
    return {**as_mem0(memory, user_id), "id": memory_id}


def deleted(message: str, *operations: Accepted) -> dict[str, Any]:
    """Return mem0's answer to a deletion, with the operations that were accepted; at least one."""
    first, *others = operations
    told: dict[str, Any] = {"message": message, "op_id": first.id, "receipt_id": first.receipt_id}
    if others:
        told["op_ids"] = [one.id for one in operations]
        told["receipt_ids"] = [one.receipt_id for one in operations]
    return told
