"""People who consent, begin tasks and keep threads."""

from __future__ import annotations

from typing import Any

from tests.support.workbench import Person

EVERYTHING = {"save_to_thread": True, "save_to_profile": True, "training_use_allowed": True}
PREFERENCES = {"language_preference": "zh", "research_depth": "deep", "risk_prompt_preference": "risk_first"}


def path_of(person: Person) -> str:
    named = "me" if "/" in person.user_id else person.user_id  # a path has no room for it
    return f"/api/v1/users/{named}/profile-consent"


def consented(person: Person, **more: Any) -> dict[str, Any]:
    """Grant every scope with preferences, unless told otherwise; return the answer."""
    granted: dict[str, Any] = person.post(path_of(person), {**EVERYTHING, **PREFERENCES, **more})
    return granted


def withdrawn(person: Person, consent_id: str, scope: str | None = None, *, status: int = 202) -> dict[str, Any]:
    """Withdraw a scope, or all; return the answer."""
    query = f"?scope={scope}" if scope else ""
    answer = person.bench.api.delete(f"{path_of(person)}/{consent_id}{query}", headers=person.headers)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def thread(person: Person, consent_id: str | None, **more: Any) -> str:
    """Save a snapshot as a thread and return its id; with a consent what the person said is kept with it."""
    body: dict[str, Any] = {
        "main_thesis": "Fees rise with activity",
        "object_type": "asset",
        "title": "SOL",
        "save_user_context": consent_id is not None,
        **({"consent_ack": {"consent_id": consent_id}, "research_style": "bullets"} if consent_id else {}),
    }
    saved = person.post("/api/v1/snapshots/snapshot:1/save-as-thread", {**body, **more})
    return str(saved["thread_id"])


def told(person: Person, route: str, **more: Any) -> dict[str, Any]:
    """Recall for a route; return the whole answer."""
    found: dict[str, Any] = person.post("/api/v1/recall", {"route": route, **more}, status=200)
    return found
