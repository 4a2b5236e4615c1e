"""What calls of mem0 ask for, and how memories look there. What is not built is refused by name, never widened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any, Final

from memory_center_client.errors import MemoryCenterError

LIMIT_MAX: Final = 50
PAGE_MAX: Final = 200
AS_METADATA: Final = ("agent_id", "app_id")
"""mem0's ids that are kept as metadata."""
LATEST: Final = datetime.max.replace(tzinfo=UTC)
IDS: Final = ("user_id", "run_id", *AS_METADATA)


class Refused(MemoryCenterError):
    """A call is refused; what is not supported has the status 501 and the code `mem0_unsupported`.

    Args:
        title: what a person reads; it may name members of the request, never values.
    """

    def __init__(self, status: int, code: str, title: str) -> None:
        super().__init__(title)
        self.status, self.code, self.title = status, code, title


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories are meant.

    Args:
        run_id: learned in this run's conversation.
        metadata: they have all of these; `agent_id` and `app_id` are kept there.
        content_type: mem0's category.
        after, before: when they were made; both are included.
    """

    user_id: str | None = None
    run_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    content_type: str | None = None
    after: datetime | None = None
    before: datetime | None = None

    def holds(self, created_at: str) -> bool:
        """Return whether a memory was made in the time that is meant."""
        at = datetime.fromisoformat(created_at)
        return not ((self.after and at < self.after) or (self.before and at > self.before))

    @property
    def times(self) -> dict[str, str]:
        """The times as the API takes them, which leaves out what was made at `created_before` itself."""
        given = {}
        if self.after is not None:
            given["created_after"] = self.after
        if self.before is not None and self.before < LATEST:  # nothing is later than that
            given["created_before"] = self.before + timedelta(microseconds=1)
        return {name: one.isoformat() for name, one in given.items()}


class NoSuchCall(Refused, AttributeError):
    """mem0 has a call of this name and Memory Center has not, so that `hasattr` says so."""


def unsupported(names: str) -> Refused:
    """Return the refusal that names what is not built."""
    return Refused(501, "mem0_unsupported", f"Not supported here: {names}.")


def members(given: Mapping[str, Any], *known: str, ignored: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the members of a request that are known.

    Args:
        ignored: may be sent, and change nothing here that a client could see.

    Raises:
        Refused: 501: another one is set; 422: an id is empty, which left out would mean more.
    """
    empty = sorted(name for name in IDS if name in given and (given[name] is False or given[name] in ([], {})))
    if empty:
        raise Refused(422, "mem0_invalid", f"{', '.join(empty)} must not be empty.")
    unset = (None, False)
    meant = {
        name: value
        for name, value in given.items()
        if not any(value is one for one in unset) and value not in ([], {}) and name not in ignored
    }
    if others := sorted(set(meant) - set(known)):
        raise unsupported(", ".join(others))
    return meant


def filter_of(filters: Any, **also: Any) -> Filter:
    """Return a filter: `{"user_id": …}`, with `run_id` and `created_at`, or an `AND` of such.

    Args:
        also: what stands beside the filters, in mem0's older requests.

    Raises:
        Refused: 422: it is none; 501: an operator or field is not supported.
    """
    conditions = [{name: value} for name, value in also.items() if value is not None]
    conditions += _conditions(filters)
    found: dict[tuple[str, str], Any] = {}
    for condition in conditions:
        for name, value in condition.items():
            for member, meant in _meant(name, value).items():
                if found.setdefault(member, meant) != meant:
                    raise unsupported(f"two values of {name}")
    metadata = {name: value for (part, name), value in found.items() if part == "metadata"}
    return Filter(**{name: value for (part, name), value in found.items() if part == ""}, metadata=metadata)


def _conditions(filters: Any) -> list[dict[str, Any]]:
    if filters in (None, {}):
        return []
    if not isinstance(filters, dict):
        raise Refused(422, "mem0_invalid", "filters must be an object.")
    if set(filters) == {"AND"}:
        if not isinstance(filters["AND"], list):
            raise Refused(422, "mem0_invalid", "AND must be a list.")
        return [one for part in filters["AND"] for one in _conditions(part)]
    if operators := sorted({"AND", "OR", "NOT"} & set(filters)):
        raise unsupported(f"the operator {operators[0]} here")
    return [filters]


def _meant(name: str, value: Any) -> dict[tuple[str, str], Any]:
    """Return the members of a filter that a condition fills: of itself (""), or of its metadata."""
    if name in IDS:
        return {("metadata" if name in AS_METADATA else "", name): _one_id(name, value)}
    if name == "metadata":
        if not is_metadata(value):
            raise unsupported("metadata other than a flat object")
        return {("metadata", key): one for key, one in value.items()}
    if name == "categories":
        return {("", "content_type"): _category(value)}
    if name == "created_at":
        return _times(value)
    raise unsupported(f"the filter {name}" if name.isidentifier() else "a filter")


def _one_id(name: str, value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"in"} and isinstance(value["in"], list) and len(value["in"]) == 1:
        [value] = value["in"]
    if not isinstance(value, str) or value in ("", "*"):
        raise unsupported(f"{name} that is not one id")
    return value


def _category(value: Any) -> str:
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("in", "contains"):
        [value] = value.values()
    if isinstance(value, list) and len(value) == 1:
        [value] = value
    if not isinstance(value, str):
        raise unsupported("categories that are not one category")
    return value


def _times(value: Any) -> dict[tuple[str, str], datetime]:
    if not isinstance(value, dict) or not set(value) <= {"gte", "lte"}:
        raise unsupported("created_at without gte and lte")
    return {("", {"gte": "after", "lte": "before"}[operator]): _moment(moment) for operator, moment in value.items()}


def _moment(value: Any) -> datetime:
    try:
        found = datetime.fromisoformat(value)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (TypeError, ValueError, OverflowError):  # its time in UTC may be before year 1, or after 9999
        raise Refused(422, "mem0_invalid", "created_at must be ISO 8601.") from None


def number(value: Any, *, usual: int, most: int) -> int:
    """Return a number of a request between 1 and `most`.

    Raises:
        Refused: 422: it is none.
    """
    if value is None:
        return usual
    try:
        found = int(value)
    except (TypeError, ValueError, OverflowError):
        found = 0
    if not 1 <= found <= most:
        raise Refused(422, "mem0_invalid", f"A number between 1 and {most} is needed.")
    return found


def score_of(value: Any) -> float:
    """Return a threshold.

    Raises:
        Refused: 422: it is no number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused(422, "mem0_invalid", "threshold must be a number.")
    return float(value)


def messages_of(given: Any) -> list[dict[str, Any]]:
    """Return messages with a role and text: a text, one message, or a list of them. Empty ones are left out.

    Raises:
        Refused: 422: they are none; 501: they hold other than text.
    """
    listed = (
        [{"role": "user", "content": given}]
        if isinstance(given, str)
        else [given]
        if isinstance(given, dict)
        else given
    )
    if not isinstance(listed, list) or not listed:
        raise Refused(422, "mem0_invalid", "messages are needed.")
    said = [one for one in map(_message, listed) if one["content"].strip()]
    if not said:
        raise Refused(422, "mem0_invalid", "A message needs a role and content.")
    return said


def _message(one: Any) -> dict[str, Any]:
    if not isinstance(one, dict) or one.get("role") not in ("user", "assistant", "system", "tool"):
        raise Refused(422, "mem0_invalid", "A message needs a role and content.")
    content = one.get("content")
    if content is None and one.get("tool_calls"):  # calls of tools only: nobody said anything
        content = ""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        if len(texts) != len(content):
            raise unsupported("messages with other than text")
        content = "\n".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise Refused(422, "mem0_invalid", "A message needs a role and content.")
    return {"role": one["role"], "content": content}


def is_metadata(value: Any) -> bool:
    """Return whether a value is a flat object of texts, finite numbers and booleans."""
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and (isinstance(one, str | bool | int) or (isinstance(one, float) and isfinite(one)))
        for key, one in value.items()
    )


def as_mem0(found: Mapping[str, Any], user_id: str | None) -> dict[str, Any]:
    """Return a memory in mem0's form; its type is its category."""
    created, metadata = found["created_at"], found["metadata"] or {}
    return {
        "id": found["id"],
        "memory": found["content"],
        "user_id": user_id,
        "metadata": {key: value for key, value in metadata.items() if key not in AS_METADATA} or None,
        **{key: metadata[key] for key in AS_METADATA if key in metadata},
        "categories": [found["content_type"]],
        "created_at": created,
        "updated_at": found.get("updated_at") or created,
    }
