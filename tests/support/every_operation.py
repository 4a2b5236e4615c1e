"""One good request for every operation of the API, made of ids; and what the OpenAPI document says they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.importing import empty_document
from tests.support.traits import KEY, reflected, show
from tests.support.workbench import Person


@dataclass(frozen=True)
class Request:
    """A request as `Workbench.api.request` takes it."""

    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    names_in_query: bool = False
    """Whether it says whose it is there although it has a body."""
    text: str | None = None
    """A body that is no JSON."""

    def send(self, person: Person, headers: Mapping[str, str], *, user_id: str | None = None) -> Any:
        """Send it with some headers; `user_id` goes where the operation takes one."""
        query, body = dict(self.query), self.body
        if user_id is not None and body is not None and not self.names_in_query:
            body = body | {"user_id": user_id}
        elif user_id is not None:
            query["user_id"] = user_id
        if self.text is not None:
            headers = {**headers, "Content-Type": "text/plain"}
            given = {"params": query or None, "content": self.text.encode(), "headers": headers}
        else:
            given = {"params": query or None, "json": body, "headers": dict(headers)}
        return person.bench.api.request(self.method, self.path, **given)


@dataclass(frozen=True)
class Ids:
    """Ids of one person's things."""

    conversation: str
    message: str
    memory: str
    operation: str
    exported: str = ""
    """The operation of an export whose package is there."""
    trait: str = ""
    consent: str = ""
    task: str = ""
    document: str = ""

    @property
    def export(self) -> str:
        return self.exported or self.operation


NOTHING = Ids("", "", "", "")


def some_ids(person: Person, *, trait: bool = True) -> Ids:
    """Make one of each thing an id can name; a trait, which takes months of talk, only if it is wanted."""
    learned, forgotten = person.conversation(), person.conversation()
    [(question, _)] = person.say(learned, ("I'm allergic to peanuts.", "Noted."))
    person.bench.work()
    [memory] = [one["id"] for one in person.get("/api/v1/memory/long_term")]
    operation = person.forget("conversation", conversation_id=forgotten, undo_seconds=60)
    exported = person.post(f"{MEMORY}/export", {"scope": "user", "confirmation": True}, status=202)["op_id"]
    person.bench.work()
    shown = ""
    if trait:
        show(person.bench, person)
        reflected(person.bench, person)
        shown = person.get(f"{MEMORY}/traits")[0]["id"]
    consent = person.post(f"{MINE}/profile-consent", {"save_to_thread": True})
    thread = {"main_thesis": "Chips.", "save_user_context": False, "conversation_id": learned}
    person.post(f"{V1}/snapshots/snapshot-0/save-as-thread", thread)
    task = person.post(f"{V1}/tasks", {"route": "snapshot"})["task_id"]
    document = REQUESTS["add_a_document"](NOTHING).send(person, person.headers).json()["id"]
    return Ids(learned, question, memory, operation, exported, shown, consent["consent_id"], task, document)


V1, MEMORY = "/api/v1", "/api/v1/memory"
MINE = f"{V1}/users/me"

REQUESTS: dict[str, Callable[[Ids], Request]] = {
    "list_conversations": lambda _: Request("GET", f"{V1}/conversations"),
    "create_conversation": lambda _: Request("POST", f"{V1}/conversations", body={}),
    "search_conversations": lambda _: Request("POST", f"{V1}/conversations/search", body={"query": "nuts"}),
    "get_conversation": lambda ids: Request("GET", f"{V1}/conversations/{ids.conversation}"),
    "list_messages": lambda ids: Request("GET", f"{V1}/messages", query={"conversation_id": ids.conversation}),
    "get_message": lambda ids: Request("GET", f"{V1}/messages/{ids.message}"),
    "post_messages": lambda ids: Request(
        "POST",
        f"{V1}/messages",
        body={
            "conversation_id": ids.conversation,
            "messages": [{"role": "user", "content": "hello", "answers": ids.message}],
        },
    ),
    "post_feedback": lambda ids: Request(
        "POST",
        f"{V1}/feedback",
        body={"rating": 1, "message_id": ids.message, "conversation_id": ids.conversation},
    ),
    "update_conversation": lambda ids: Request(
        "PATCH", f"{V1}/conversations/{ids.conversation}", body={"remember": True}
    ),
    "end_conversation_session": lambda ids: Request("POST", f"{V1}/conversations/{ids.conversation}/session-end"),
    "find_to_forget": lambda _: Request("POST", f"{MEMORY}/forget/find", body={"description": "my peanut allergy"}),
    "preview_forget": lambda ids: Request("POST", f"{MEMORY}/forget/preview", body={"ids": [ids.memory]}),
    "get_settings": lambda _: Request("GET", f"{MEMORY}/settings"),
    "put_settings": lambda _: Request(
        "PUT",
        f"{MEMORY}/settings",
        body={"summary_enabled": True, "episodic_enabled": True, "longterm_enabled": True},
    ),
    "patch_settings": lambda _: Request("PATCH", f"{MEMORY}/settings", body={"privacy_mode_enabled": True}),
    "get_summary": lambda ids: Request("GET", f"{MEMORY}/summary", query={"conversation_id": ids.conversation}),
    "list_episodes": lambda ids: Request("GET", f"{MEMORY}/episodes", query={"conversation_id": ids.conversation}),
    "list_long_term": lambda ids: Request("GET", f"{MEMORY}/long_term", query={"message_id": ids.message}),
    "list_long_term_ids": lambda _: Request("GET", f"{MEMORY}/long_term/ids"),
    "find_ids": lambda ids: Request("GET", f"{MEMORY}/ids", query={"part": ids.memory[-8:]}),
    "get_learning": lambda _: Request("GET", f"{MEMORY}/learning"),
    "get_overview": lambda _: Request("GET", f"{MEMORY}/overview"),
    "create_long_term": lambda _: Request("POST", f"{MEMORY}/long_term", body={"content": "I cycle to work."}),
    "get_long_term": lambda ids: Request("GET", f"{MEMORY}/long_term/{ids.memory}"),
    "update_long_term": lambda ids: Request("PATCH", f"{MEMORY}/long_term/{ids.memory}", body={"disabled": False}),
    "confirm_long_term": lambda ids: Request("POST", f"{MEMORY}/long_term/confirm", body={"memory_id": ids.memory}),
    "change_long_term": lambda ids: Request(
        "POST", f"{MEMORY}/long_term/change", body={"act": "keep", "ids": [ids.memory]}
    ),
    "dry_run_correct": lambda _: Request(
        "POST",
        f"{MEMORY}/long_term/correct/dry-run",
        body={"about": "my peanut allergy", "statement": "I'm not allergic to peanuts any more."},
    ),
    "correct_long_term": lambda _: Request(
        "POST",
        f"{MEMORY}/long_term/correct",
        body={"about": "my peanut allergy", "statement": "I'm not allergic to peanuts any more."},
    ),
    "get_history": lambda ids: Request("GET", f"{MEMORY}/long_term/{ids.memory}/history"),
    "get_explanation": lambda ids: Request("GET", f"{MEMORY}/long_term/{ids.memory}/explanation"),
    "get_derived": lambda ids: Request("GET", f"{MEMORY}/messages/{ids.message}/derived"),
    "search_memory": lambda ids: Request(
        "POST", f"{MEMORY}/search", body={"query": "nuts", "conversation_id": ids.conversation}
    ),
    "search_episodes": lambda ids: Request(
        "POST", f"{MEMORY}/episodes/search", body={"query": "nuts", "conversation_id": ids.conversation}
    ),
    "recall": lambda ids: Request("POST", f"{V1}/recall", body={"query": "nuts", "conversation_id": ids.conversation}),
    "preview_injection": lambda ids: Request(
        "POST", f"{MEMORY}/injection/preview", body={"query_text": "nuts", "conversation_id": ids.conversation}
    ),
    "preview_injection_without_question": lambda ids: Request(
        "GET", f"{MEMORY}/injection/preview", query={"conversation_id": ids.conversation}
    ),
    "chat": lambda ids: Request(
        "POST", f"{V1}/chat/completions", body={"message": "May I eat nuts?", "conversation_id": ids.conversation}
    ),
    "watch_memory": lambda _: Request("GET", f"{MEMORY}/events", query={"seconds": 0}),
    "get_preferences": lambda _: Request("GET", f"{MEMORY}/preferences"),
    "ingest_preference": lambda ids: Request(
        "POST",
        f"{MEMORY}/preferences/ingest",
        body={"action": "accept", "message_id": ids.message, "conversation_id": ids.conversation},
    ),
    "list_operations": lambda _: Request("GET", f"{MEMORY}/ops"),
    "get_operation": lambda ids: Request("GET", f"{MEMORY}/ops/{ids.operation}"),
    "retry": lambda ids: Request("POST", f"{MEMORY}/ops/{ids.operation}/retry"),
    "cancel": lambda ids: Request("POST", f"{MEMORY}/ops/{ids.operation}/cancel"),
    "dry_run_forget": lambda ids: Request(
        "POST", f"{MEMORY}/forget/dry-run", body={"scope": "message", "message_id": ids.message}
    ),
    "export_memory": lambda ids: Request(
        "POST", f"{MEMORY}/export", body={"scope": "conversation", "conversation_id": ids.conversation}
    ),
    "get_export": lambda ids: Request("GET", f"{MEMORY}/exports/{ids.export}"),
    "download_package": lambda ids: Request("GET", f"{MEMORY}/exports/{ids.export}/package"),
    "import_memory": lambda _: Request("POST", f"{MEMORY}/import", body=empty_document(), names_in_query=True),
    "list_traits": lambda _: Request("GET", f"{MEMORY}/traits"),
    "list_refused_traits": lambda _: Request("GET", f"{MEMORY}/traits/refused"),
    "get_trait": lambda ids: Request("GET", f"{MEMORY}/traits/{ids.trait}"),
    "get_trait_explanation": lambda ids: Request("GET", f"{MEMORY}/traits/{ids.trait}/explanation"),
    "get_trait_history": lambda ids: Request("GET", f"{MEMORY}/traits/{ids.trait}/history"),
    "update_trait": lambda ids: Request("PATCH", f"{MEMORY}/traits/{ids.trait}", body={"confirmed": True}),
    "list_reflections": lambda _: Request("GET", f"{MEMORY}/reflections"),
    "request_a_reflection": lambda _: Request("POST", f"{MEMORY}/reflections", body={}),
    "get_profile_consent": lambda _: Request("GET", f"{MINE}/profile-consent"),
    "get_consent_history": lambda _: Request("GET", f"{MINE}/profile-consent/history"),
    "list_contexts": lambda ids: Request("GET", f"{MINE}/contexts", query={"conversation_id": ids.conversation}),
    "export_in_layout": lambda _: Request("GET", f"{MINE}/export"),
    "note_onboarding_step": lambda _: Request(
        "POST", f"{MINE}/onboarding", body={"step": "consent"}, names_in_query=True
    ),
    "get_personalization": lambda _: Request("GET", f"{V1}/personalization", query={"route": "snapshot"}),
    "create_task": lambda ids: Request(
        "POST", f"{V1}/tasks", body={"route": "snapshot", "conversation_id": ids.conversation}
    ),
    "finish_task": lambda ids: Request("POST", f"{V1}/tasks/{ids.task}/end", body={"status": "succeeded"}),
    "save_snapshot_as_thread": lambda ids: Request(
        "POST",
        f"{V1}/snapshots/snapshot-1/save-as-thread",
        body={"main_thesis": "Chips stay scarce.", "save_user_context": False, "conversation_id": ids.conversation},
    ),
    "refresh_a_thread": lambda ids: Request(
        "POST",
        f"{V1}/threads/{ids.conversation}/refresh",
        body={"current_thesis": "Chips become plentiful.", "task_id": ids.task},
    ),
    "update_thread": lambda ids: Request("PATCH", f"{V1}/threads/{ids.conversation}", body={"consent_blocked": True}),
    "add_a_document": lambda _: Request("POST", f"{V1}/documents", text="The boiler was made in 1987."),
    "list_documents": lambda _: Request("GET", f"{V1}/documents"),
    "get_document": lambda ids: Request("GET", f"{V1}/documents/{ids.document}"),
    "list_document_parts": lambda ids: Request("GET", f"{V1}/documents/{ids.document}/parts"),
    # What destroys its target comes last, the smaller target first.
    "delete_document": lambda ids: Request("DELETE", f"{V1}/documents/{ids.document}"),
    "withdraw_profile_consent": lambda ids: Request("DELETE", f"{MINE}/profile-consent/{ids.consent}"),
    "grant_profile_consent": lambda _: Request(
        "POST", f"{MINE}/profile-consent", body={"save_to_thread": True}, names_in_query=True
    ),
    "delete_trait": lambda ids: Request("DELETE", f"{MEMORY}/traits/{ids.trait}"),
    "allow_trait": lambda _: Request("DELETE", f"{MEMORY}/traits/refused/{KEY}"),
    "clear_traits": lambda _: Request("POST", f"{MEMORY}/traits/clear", body={}),
    "clear_learned_preferences": lambda _: Request("POST", f"{MEMORY}/preferences/clear", body={}),
    "delete_long_term": lambda ids: Request("DELETE", f"{MEMORY}/long_term/{ids.memory}"),
    "forget": lambda ids: Request("POST", f"{MEMORY}/forget", body={"scope": "message", "message_id": ids.message}),
    "clear": lambda ids: Request("POST", f"{V1}/clear", body={"conversation_id": ids.conversation}),
    "delete_conversation": lambda ids: Request("DELETE", f"{V1}/conversations/{ids.conversation}"),
}
"""By operationId, in an order in which all of them succeed one after the other."""

MORE: dict[str, list[Callable[[Ids], Request]]] = {
    "recall": [lambda ids: Request("POST", f"{V1}/recall", body={"query": "nuts", "task_id": ids.task})],
    "save_snapshot_as_thread": [
        lambda ids: Request(
            "POST",
            f"{V1}/snapshots/snapshot-1/save-as-thread",
            body={
                "main_thesis": "Chips stay scarce.",
                "save_user_context": True,
                "consent_ack": {"consent_id": ids.consent},
            },
        ),
    ],
    "list_long_term": [
        lambda ids: Request("GET", f"{MEMORY}/long_term", query={"conversation_id": ids.conversation}),
    ],
    "search_memory": [
        lambda ids: Request("POST", f"{MEMORY}/search", body={"query": "nuts", "learned_in": ids.conversation}),
    ],
    "post_feedback": [
        lambda ids: Request("POST", f"{V1}/feedback", body={"rating": 1, "message_id": ids.message}),
        lambda ids: Request("POST", f"{V1}/feedback", body={"rating": 1, "conversation_id": ids.conversation}),
    ],
    "ingest_preference": [
        lambda ids: Request(
            "POST", f"{MEMORY}/preferences/ingest", body={"action": "accept", "message_id": ids.message}
        ),
        lambda ids: Request(
            "POST", f"{MEMORY}/preferences/ingest", body={"action": "accept", "conversation_id": ids.conversation}
        ),
    ],
    "forget": [
        lambda ids: Request(
            "POST", f"{MEMORY}/forget", body={"scope": "conversation", "conversation_id": ids.conversation}
        ),
        lambda ids: Request("POST", f"{MEMORY}/forget", body={"scope": "selection", "ids": [ids.memory]}),
    ],
    "export_memory": [
        lambda ids: Request("POST", f"{MEMORY}/export", body={"scope": "selection", "ids": [ids.memory]}),
    ],
    "dry_run_forget": [
        lambda ids: Request("POST", f"{MEMORY}/forget/dry-run", body={"scope": "selection", "ids": [ids.memory]}),
        lambda ids: Request(
            "POST", f"{MEMORY}/forget/dry-run", body={"scope": "conversation", "conversation_id": ids.conversation}
        ),
    ],
}
"""Where an operation takes an id in more than one way."""

CHANGES_BY_GET = {"export_in_layout"}
"""The source's own words are GET (FC-15)."""
FOR_SERVICES_ONLY = {"get_debug_record", "get_deletion_stub", "issue_token", "list_cleanups", "reconcile", "reindex"}
BY_SERVICES: dict[str, Callable[[Ids], Request]] = {
    "reindex": lambda _: Request("POST", f"{MEMORY}/reindex"),
    "issue_token": lambda _: Request("POST", f"{V1}/tokens", body={}),
    "get_deletion_stub": lambda _: Request("GET", f"{V1}/deletion-stubs/me"),
}
"""Those of them that may name a person."""
FROM_SERVICES_ONLY = {"create_long_term": frozenset({"message_id", "session_id", "supersedes_id"})}
"""Members that a person may not send; tests/integration/test_memories.py names other people's ids in them."""
FOR_EVERYBODY = {"get_receipt", "get_consent_text"}
"""Needs no credentials: a receipt's random id is enough, and the wording of the notice is everybody's."""
A_BROWSERS_SESSION = {"sign_in", "get_session", "sign_out"}
"""About credentials alone; tests/unit/test_web_session.py."""


@dataclass(frozen=True)
class Operation:
    """What the OpenAPI document says about one operation."""

    name: str
    id_fields: frozenset[str]
    """Parameters and members of the body that hold a UUID."""
    takes_user_id: bool


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    """Yield every operation of an OpenAPI document."""
    for item in document["paths"].values():
        for operation in item.values():
            fields = {one["name"]: one["schema"] for one in operation.get("parameters", []) if one["in"] != "header"}
            for media in operation.get("requestBody", {}).get("content", {}).values():
                fields |= dict(_properties(media["schema"], document))
            ids = frozenset(name for name, schema in fields.items() if '"format": "uuid"' in _flat(schema, document))
            name = operation["operationId"]
            yield Operation(name, ids - FROM_SERVICES_ONLY.get(name, frozenset()), "user_id" in fields)


def _resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def _properties(schema: dict[str, Any], document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every member of a body, those of nested objects too."""
    schema = _resolved(schema, document)
    for name, member in schema.get("properties", {}).items():
        yield name, member
        yield from _properties(member, document)
    for nested in (*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])):
        yield from _properties(nested, document)
    if isinstance(schema.get("items"), dict):
        yield from _properties(schema["items"], document)


def _flat(schema: dict[str, Any], document: dict[str, Any]) -> str:
    found = _resolved(schema, document)
    alternatives = [_flat(one, document) for one in (*found.get("anyOf", []), *found.get("oneOf", []))]
    if isinstance(found.get("items"), dict):
        alternatives.append(_flat(found["items"], document))
    return ('"format": "uuid"' if found.get("format") == "uuid" else "") + "".join(alternatives)
