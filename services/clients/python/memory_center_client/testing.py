"""Memory Center in memory, for the tests of programs that use it: no processes, the same answers.

    def test_my_assistant(memory_center):  # pytest_plugins = ["memory_center_client.testing"]
        memory = memory_center.client("ada")
        memory.memories.create("Ada is allergic to peanuts.", taboo=True)
        assert "peanuts" in my_assistant(memory, "May I eat satay?")

Conversations, messages, memories, search, recall, forgetting, operations, settings. Search is by shared words, and
nothing is learned from messages unless `learns` says so; there are no receipts. All else is a 501 `not_in_memory`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import httpx2

from memory_center_client import AsyncMemoryCenter, MemoryCenter

try:
    import pytest
except ImportError:
    pytest = None  # type: ignore[assignment]

URL: Final = "http://memory.test"
API: Final = "/api/v1/"
SERVICE: Final = "service"
_WORD: Final = re.compile(r"[a-z0-9]{3,}|[\u4e00-\u9fff]")
_DEFAULTS: Final[dict[str, Any]] = {
    "content_type": "note",
    "scope": "global",
    "project_id": None,
    "importance": 5,
    "taboo": False,
    "task_hint": None,
    "emotion": None,
    "metadata": None,
    "external_id": None,
}
_LISTED: Final = frozenset(
    {"person", "metadata", "external_id", "message_id", "created_after", "created_before", "sort", "limit"}
)
_SORTS: Final = ("newest", "oldest")
_SETTINGS: Final[dict[str, Any]] = {
    "episodic_enabled": True,
    "injection_enabled": True,
    "longterm_enabled": True,
    "preference_learning_enabled": True,
    "preference_learning_threshold": 3,
    "privacy_mode_enabled": False,
    "summary_enabled": True,
    "time_zone": None,
    "traits_enabled": True,
    "updated_at": None,
}


@dataclass
class _Person:
    conversations: dict[str, dict[str, Any]] = field(default_factory=dict)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    memories: dict[str, dict[str, Any]] = field(default_factory=dict)
    operations: dict[str, dict[str, Any]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=lambda: dict(_SETTINGS))


class _Refused(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status, self.code = status, code


class MemoryServer:
    """Memory Center in memory.

    Args:
        learns: returns what is learned from a message of the user; default: nothing.
    """

    def __init__(self, learns: Callable[[str], Iterable[str]] = lambda _: ()) -> None:
        self.learns = learns
        self._people: dict[str, _Person] = {}
        self._answers: dict[tuple[str, str], httpx2.Response] = {}

    def client(self, user_id: str) -> MemoryCenter:
        """Return a client of a person."""
        return MemoryCenter(URL, user_id, transport=httpx2.MockTransport(self._answer))

    def async_client(self, user_id: str) -> AsyncMemoryCenter:
        """Return a client of a person, to await."""

        async def answer(request: httpx2.Request) -> httpx2.Response:
            return self._answer(request)

        return AsyncMemoryCenter(URL, user_id, transport=httpx2.MockTransport(answer))

    def service(self) -> MemoryCenter:
        """Return a client with the service key; `for_user` names the person."""
        return MemoryCenter(URL, SERVICE, transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content) if request.content else {}
        given = {**dict(request.url.params), **body}
        named = given.pop("user_id", None)
        whose = request.headers.get("authorization", "").removeprefix("Bearer ")
        once = (whose, request.headers.get("idempotency-key", ""))
        if once[1] and once in self._answers:
            return self._answers[once]
        try:
            path = request.url.path.removeprefix(API)
            status, document = self._done(request.method, path, _user(whose, named), given)
        except _Refused as refusal:
            problem = {"status": refusal.status, "code": refusal.code, "title": refusal.code}
            return httpx2.Response(refusal.status, json=problem)
        answer = httpx2.Response(status, json=document)
        if once[1]:
            self._answers[once] = answer
        return answer

    def _done(self, method: str, path: str, user_id: str, given: dict[str, Any]) -> tuple[int, Any]:
        person = self._people.setdefault(user_id, _Person())
        for verb, pattern, status, name in _ROUTES:
            found = re.fullmatch(pattern, path)
            if found and verb == method:
                return status, getattr(self, name)(person, {**given, **found.groupdict(), "person": user_id})
        raise _Refused(501, "not_in_memory")

    # Conversations and messages

    def _session(self, _: _Person, given: dict[str, Any]) -> Any:
        return {"user_id": given["person"]}

    def _converse(self, person: _Person, given: dict[str, Any]) -> Any:
        named = given.get("external_id")
        if named is not None and any(one["external_id"] == named for one in person.conversations.values()):
            raise _Refused(409, "external_id_taken")
        conversation = {
            "id": str(uuid4()),
            "title": given.get("title"),
            "external_id": given.get("external_id"),
            "project_id": given.get("project_id"),
            "remember": given.get("remember", True),
            "session": 1,
            "message_count": 0,
            "opening": None,
            "created_at": _now(),
            "updated_at": _now(),
        }
        person.conversations[conversation["id"]] = conversation
        return conversation

    def _conversations(self, person: _Person, given: dict[str, Any]) -> Any:
        wanted = given.get("external_id")
        return [one for one in [*person.conversations.values()][::-1] if wanted in (None, one["external_id"])]

    def _conversation(self, person: _Person, given: dict[str, Any]) -> Any:
        return _existing(person.conversations, given["id"])

    def _record(self, person: _Person, given: dict[str, Any]) -> Any:
        conversation = _existing(person.conversations, given["conversation_id"])
        recorded = []
        for message in given["messages"]:
            known = message.get("client_message_id")
            before = [
                one
                for one in _said(person, conversation["id"])
                if known is not None and one["client_message_id"] == known
            ]
            if before:
                recorded.append({"id": before[0]["id"], "outcome": "repeated"})
                continue
            conversation["message_count"] += 1
            one = {
                "id": str(uuid4()),
                "conversation_id": conversation["id"],
                "client_message_id": known,
                "role": message["role"],
                "name": message.get("name"),
                "content": message["content"],
                "task_hint": message.get("task_hint"),
                "completed": message.get("completed", True),
                "seq": conversation["message_count"],
                "session": 1,
                "turn": conversation["message_count"],
                "spoken_at": message.get("spoken_at") or _now(),
                "recorded_at": _now(),
                "metadata": message.get("metadata") or None,
            }
            person.messages[one["id"]] = one
            recorded.append({"id": one["id"], "outcome": "recorded"})
            if one["role"] == "user" and message.get("remember", True) and conversation["remember"]:
                for text in self.learns(one["content"]):
                    self._write(person, {"content": text, "metadata": one["metadata"]}, source=one)
        return {"messages": recorded}

    def _messages(self, person: _Person, given: dict[str, Any]) -> Any:
        _existing(person.conversations, given["conversation_id"])
        before = int(given.get("before_seq") or 10**9)
        said = [one for one in _said(person, given["conversation_id"]) if one["seq"] < before]
        return said[-int(given.get("limit", 50)) :]

    def _message(self, person: _Person, given: dict[str, Any]) -> Any:
        return _existing(person.messages, given["id"])

    # Memories

    def _derived(self, person: _Person, given: dict[str, Any]) -> Any:
        message = _existing(person.messages, given["id"])
        later = [one for one in _said(person, message["conversation_id"]) if one["seq"] > message["seq"]]
        learned = [one for one in person.memories.values() if message["id"] in one["message_ids"]]
        derived = [
            {
                "kind": "memory",
                "id": one["id"],
                "label": one["content_type"],
                "content": one["content"],
                "made_at": one["created_at"],
                "direct": True,
                "shown_only": False,
                "relation": "supported_by",
                **dict.fromkeys(("quote", "quote_start", "quote_end")),
            }
            for one in learned
        ]
        answered = message["role"] == "assistant" or any(one["role"] == "assistant" for one in later)
        became = {"message_id": message["id"], "derived": derived, "withheld": [], "awaited": [], "ahead": None}
        return {**became, "turn_open": not answered}

    def _create(self, person: _Person, given: dict[str, Any]) -> Any:
        if not str(given.get("content", "")).strip():
            raise _Refused(422, "validation_failed")
        if not person.settings["longterm_enabled"]:
            raise _Refused(409, "longterm_off")
        return self._write(person, given)

    def _write(
        self, person: _Person, given: dict[str, Any], *, source: dict[str, Any] | None = None, old: Any = None
    ) -> dict[str, Any]:
        members = {name: given.get(name, (old or _DEFAULTS)[name]) for name in _DEFAULTS}
        taken = [one for one in _in_force(person) if one is not old and one["external_id"] == members["external_id"]]
        if members["external_id"] is not None and taken:
            raise _Refused(409, "external_id_taken")
        memory = {
            **members,
            "id": str(uuid4()),
            "content": given.get("content", old["content"] if old else ""),
            "origin": "extracted" if source else "stated",
            "method": "rules" if source else "person",
            "conversation_id": source["conversation_id"] if source else None,
            "message_ids": [source["id"]] if source else (old["message_ids"] if old else []),
            "supersedes_id": old["id"] if old else None,
            "validity": "active",
            "archived": False,
            "confirmed": False,
            "contradicts_id": None,
            "disabled": bool(old and old["disabled"]),
            "found_by": "meaning",
            "level": "L2",
            "provenance": None,
            "sources": [],
            "spoken_at": _now(),
            "created_at": _now(),
            "updated_at": _now(),
            "version": 1,
            "withheld": [],
        }
        person.memories[memory["id"]] = memory
        if old:
            old["validity"] = "superseded"
        return _shown(memory, written=True)

    def _list(self, person: _Person, given: dict[str, Any]) -> Any:
        wanted = {name: given[name] for name in ("content_type", "scope", "project_id", "validity") if name in given}
        wanted |= {
            name: given[name] == "true" for name in ("disabled", "archived", "confirmed", "taboo") if name in given
        }
        wanted |= {name: given[name] for name in ("conversation_id", "origin", "level") if name in given}
        sort = given.get("sort", "newest")
        if given.keys() - wanted.keys() - _LISTED or wanted.get("origin") == "learned" or sort not in _SORTS:
            raise _Refused(501, "not_in_memory")  # never a list that is longer than the real one
        kept = person.memories.values()
        return [
            _shown(one)
            for one in (reversed(kept) if sort == "newest" else kept)
            if all(one[name] == value for name, value in wanted.items()) and _is_meant(one, given)
        ]

    def _get(self, person: _Person, given: dict[str, Any]) -> Any:
        return _shown(_existing(person.memories, given["id"]))

    def _update(self, person: _Person, given: dict[str, Any]) -> Any:
        memory = _existing(person.memories, given["id"])
        if memory["validity"] == "superseded":
            raise _Refused(409, "memory_superseded")
        if any(name in given and given[name] != memory[name] for name in (*_DEFAULTS, "content")):
            memory = person.memories[self._write(person, given, old=memory)["id"]]
        if "disabled" in given:
            memory["disabled"] = given["disabled"]
        return _shown(memory, written=True)

    def _search(self, person: _Person, given: dict[str, Any]) -> Any:
        found = _found(person, given)[: given.get("limit", 10)]
        members = ("id", "content", "content_type", "conversation_id", "created_at", "external_id", "metadata")
        items = [
            {"kind": "memory", "score": share, "similarity": None, "message_ids": one["message_ids"]}
            | {name: one[name] for name in members}
            for one, share in found
        ]
        return {"items": items, "mode": "semantic", "diagnostics": {"reasons": []}}

    def _recall(self, person: _Person, given: dict[str, Any]) -> Any:
        off = not (person.settings["longterm_enabled"] and person.settings["injection_enabled"])
        related = [one for one, _ in _found(person, given)]
        stable = [one for one in _in_force(person) if one["taboo"] and one not in related]
        memories = [] if off else [one for one in (*stable, *related) if not one["disabled"]]
        prompt = "\n".join(f"- {one['content']} [Memory#{one['id']}]" for one in memories)
        return {
            "items": [{"id": one["id"], "kind": "memory", "content": one["content"]} for one in memories],
            "left_out": [],
            "window": [],
            "prompt": prompt,
            "stable_prefix_bytes": 0,
            "stable_prefix_hash": sha256(b"").hexdigest(),
            "mode": "semantic",
            "language": given.get("language") or "en",
            "tokens": {"total": len(prompt) // 4},
            "diagnostics": {"reasons": []},
        }

    # Forgetting

    def _forget(self, person: _Person, given: dict[str, Any]) -> Any:
        scope = given["scope"]
        if scope == "user" and given.get("confirmation") not in ("FORGET EVERYTHING", "忘掉一切"):
            raise _Refused(422, "confirmation_required")
        if scope == "user":
            gone = {*person.conversations, *person.messages, *person.memories}
        elif scope == "conversation":
            gone = {_existing(person.conversations, given["conversation_id"])["id"]}
        elif scope == "message":
            gone = {_existing(person.messages, given["message_id"])["id"]}
        else:
            gone = set(given.get("ids") or ())
            if not gone or not gone <= {*person.messages, *person.memories}:
                raise _Refused(404, "not_found")
        return self._erased(person, gone, f"forget_{scope}")

    def _delete(self, person: _Person, given: dict[str, Any]) -> Any:
        return self._erased(person, {_existing(person.memories, given["id"])["id"]}, "forget_selection")

    def _delete_conversation(self, person: _Person, given: dict[str, Any]) -> Any:
        return self._erased(person, {_existing(person.conversations, given["id"])["id"]}, "forget_conversation")

    def _erased(self, person: _Person, gone: set[str], type_: str) -> Any:
        """Erase items, what was learned from them, and older and newer wordings."""
        gone |= {id_ for id_, one in person.messages.items() if one["conversation_id"] in gone}
        gone |= {id_ for id_, one in person.memories.items() if gone & {*one["message_ids"]}}
        while more := {*_wordings(person, gone)} - gone:
            gone |= more
        for kept in (person.conversations, person.messages, person.memories):
            for id_ in gone & {*kept}:
                del kept[id_]
        operation = {
            "id": str(uuid4()),
            "receipt_id": str(uuid4()),
            "type": type_,
            "scope": type_.removeprefix("forget_"),
            "status": "succeeded",
            "progress": 1.0,
            "steps": [],
            "retry_count": 0,
            "version": 1,
            "last_error": None,
            "not_before": None,
            "purge_expected_at": None,
            **dict.fromkeys(("created_at", "updated_at", "unrecallable_at", "erased_at", "purged_at"), _now()),
        }
        person.operations[operation["id"]] = operation
        return {"status": "accepted", "op_id": operation["id"], "receipt_id": operation["receipt_id"]}

    def _operations(self, person: _Person, _: dict[str, Any]) -> Any:
        return list(person.operations.values())[::-1]

    def _operation(self, person: _Person, given: dict[str, Any]) -> Any:
        return _existing(person.operations, given["id"])

    # Settings

    def _settings(self, person: _Person, given: dict[str, Any]) -> Any:
        return {**person.settings, "user_id": given["person"]}

    def _change_settings(self, person: _Person, given: dict[str, Any]) -> Any:
        changed = {name: value for name, value in given.items() if name in _SETTINGS}
        person.settings |= {**changed, "updated_at": _now()}
        return {**person.settings, "user_id": given["person"]}


_ID: Final = r"(?P<id>[^/]+)"
_LONG_TERM: Final = "memory/long_term"
_ROUTES: Final = [
    ("GET", "session", 200, "_session"),
    ("POST", "conversations", 201, "_converse"),
    ("GET", "conversations", 200, "_conversations"),
    ("GET", f"conversations/{_ID}", 200, "_conversation"),
    ("DELETE", f"conversations/{_ID}", 202, "_delete_conversation"),
    ("POST", "messages", 201, "_record"),
    ("GET", "messages", 200, "_messages"),
    ("GET", f"messages/{_ID}", 200, "_message"),
    ("GET", f"memory/messages/{_ID}/derived", 200, "_derived"),
    ("POST", _LONG_TERM, 201, "_create"),
    ("GET", _LONG_TERM, 200, "_list"),
    ("GET", f"{_LONG_TERM}/{_ID}", 200, "_get"),
    ("PATCH", f"{_LONG_TERM}/{_ID}", 200, "_update"),
    ("DELETE", f"{_LONG_TERM}/{_ID}", 202, "_delete"),
    ("POST", "memory/search", 200, "_search"),
    ("POST", "recall", 200, "_recall"),
    ("POST", "memory/forget", 202, "_forget"),
    ("GET", "memory/ops", 200, "_operations"),
    ("GET", f"memory/ops/{_ID}", 200, "_operation"),
    ("GET", "memory/settings", 200, "_settings"),
    ("PATCH", "memory/settings", 200, "_change_settings"),
]


def _user(whose: str, named: str | None) -> str:
    if not whose:
        raise _Refused(401, "credentials_missing")
    if whose != SERVICE and named not in (None, whose):
        raise _Refused(404, "not_found")
    if whose == SERVICE and named is None:
        raise _Refused(422, "user_id_required")
    return named or whose


def _wordings(person: _Person, of: set[str]) -> Iterator[str]:
    """Yield the memories that some replaced, or that replaced them."""
    for id_, memory in person.memories.items():
        if memory["supersedes_id"] in of:
            yield id_
        elif id_ in of and memory["supersedes_id"] in person.memories:
            yield memory["supersedes_id"]


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def _is_meant(memory: dict[str, Any], given: dict[str, Any]) -> bool:
    """Return whether a memory meets the conditions of a list that are no members of it."""
    named = given.get("external_id")
    return (
        _in_time(memory, given)
        and given.get("message_id") in (None, *memory["message_ids"])
        and json.loads(given.get("metadata", "{}")).items() <= (memory["metadata"] or {}).items()
        and (named is None or (memory["external_id"] == named and memory["validity"] != "superseded"))
    )


def _in_time(memory: dict[str, Any], given: dict[str, Any]) -> bool:
    after, before = (_moment(given.get(name)) for name in ("created_after", "created_before"))
    at = datetime.fromisoformat(memory["created_at"])
    return (after is None or after <= at) and (before is None or at < before)


def _moment(told: str | None) -> datetime | None:
    if told is None:
        return None
    moment = datetime.fromisoformat(told)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _existing(kept: dict[str, dict[str, Any]], id_: str) -> dict[str, Any]:
    if id_ not in kept:
        raise _Refused(404, "not_found")
    return kept[id_]


def _said(person: _Person, conversation_id: str) -> list[dict[str, Any]]:
    return [one for one in person.messages.values() if one["conversation_id"] == conversation_id]


def _in_force(person: _Person) -> list[dict[str, Any]]:
    return [one for one in person.memories.values() if one["validity"] != "superseded"]


def _found(person: _Person, given: dict[str, Any]) -> list[tuple[dict[str, Any], float]]:
    """Return memories that share words with a question, those with most first."""
    asked = {*_WORD.findall(given.get("query", "").lower())}
    metadata = (given.get("metadata") or {}).items()
    usable = [
        one
        for one in _in_force(person)
        if not one["disabled"]
        and one["scope"] in ("global", given.get("project_id") and "project")
        and metadata <= (one["metadata"] or {}).items()
        and _in_time(one, given)
        and given.get("content_type") in (None, one["content_type"])
        and given.get("taboo") in (None, one["taboo"])
        and given.get("learned_in") in (None, one["conversation_id"])
    ]
    shares = [(one, len(asked & {*_WORD.findall(one["content"].lower())}) / (len(asked) or 1)) for one in usable]
    return sorted((pair for pair in shares if pair[1]), key=lambda pair: -pair[1])


def _shown(memory: dict[str, Any], *, written: bool = False) -> dict[str, Any]:
    hidden = {"message_ids"} if written else {"message_ids", "withheld"}
    return {name: value for name, value in memory.items() if name not in hidden}


if pytest is not None:

    @pytest.fixture
    def memory_center() -> MemoryServer:
        """Memory Center in memory, empty."""
        return MemoryServer()
