"""Memory units as their person writes, edits, confirms and deletes them over the API."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from shared.kernel import subjects
from shared.memories.write import NewMemory, write_memory
from tests.support.workbench import Person, Workbench

LONG_TERM = "/api/v1/memory/long_term"


def written(person: Person, content: str, **more: Any) -> dict[str, Any]:
    """Write a memory by hand."""
    memory: dict[str, Any] = person.post(LONG_TERM, {"content": content, **more})
    return memory


def patched(person: Person, memory_id: Any, body: dict[str, Any], **headers: str) -> Any:
    """PATCH a memory; return the answer, whatever it is."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return person.bench.api.patch(f"{LONG_TERM}/{memory_id}", json=body, headers=person.headers | names)


def edited(person: Person, memory_id: Any, **body: Any) -> dict[str, Any]:
    """Edit a memory; it must succeed."""
    answer = patched(person, memory_id, body)
    assert answer.status_code == 200, answer.text
    memory: dict[str, Any] = answer.json()
    return memory


def confirmed(person: Person, memory_id: Any, resolve: str | None = None) -> Any:
    """Confirm a memory; return the answer, whatever it is."""
    body = {"memory_id": str(memory_id), **({"resolve": resolve} if resolve else {})}
    return person.bench.api.post(f"{LONG_TERM}/confirm", json=body, headers=person.headers)


def deleted(person: Person, memory_id: Any, **query: Any) -> Any:
    """Forget a memory; return the answer, whatever it is."""
    return person.bench.api.delete(f"{LONG_TERM}/{memory_id}", params=query, headers=person.headers)


def memory(person: Person, memory_id: Any) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"{LONG_TERM}/{memory_id}")
    return found


def validities(person: Person) -> dict[str, str]:
    """Return the validity of everything a person can see, by content."""
    return {one["content"]: one["validity"] for one in person.get(LONG_TERM, limit=200)}


def learned(
    bench: Workbench, person: Person, text: str, *, supersedes: Any = None, contradicts: Any = None, **more: Any
) -> str:
    """Store a unit as learning from a conversation would, with what it means for older ones."""
    new = NewMemory(
        text=text,
        content_type="fact",
        scope="global",
        project_id=None,
        origin="extracted",
        method="rules",
        level="L1",
        supersedes=UUID(str(supersedes)) if supersedes else None,
        contradicts=UUID(str(contradicts)) if contradicts else None,
        **more,
    )
    return str(
        bench.database.transact(
            lambda tx: write_memory(tx, subjects.find_or_create(tx, person.user_id), new, actor="system:learner")
        )
    )
