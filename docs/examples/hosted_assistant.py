"""A hosted assistant that keeps to a person's consent: task, recall by route, answer, thread, refresh, feedback.

    python docs/examples/hosted_assistant.py http://127.0.0.1:8640 SERVICE_KEY USER_ID

It needs only httpx. `model` stands for whatever writes the answers; here it repeats what it was given.
"""

from __future__ import annotations

import sys
from typing import Any

import httpx


class ConsentNeeded(Exception):
    """Show the notice of `GET /api/v1/consent-text`, and let the person choose; `scopes` are missing."""

    def __init__(self, scopes: list[str]) -> None:
        super().__init__(", ".join(scopes))
        self.scopes = scopes


class Assistant:
    """Works for one person through a server's key."""

    def __init__(self, center: httpx.Client, user_id: str) -> None:
        self._center = center
        self._user_id = user_id

    def consent(self, **scopes: Any) -> str:
        """Pass on what the person ticked; return the consent's id, which is shown again before a thread is saved."""
        text = self._call("GET", "/consent-text", locale="en")
        body = {**scopes, "text_version": text["text_version"], "locale": text["locale"]}
        return str(self._call("POST", f"/users/{self._user_id}/profile-consent", body)["consent_id"])

    def snapshot(self, question: str, **said: Any) -> tuple[str, dict[str, Any]]:
        """Answer a question in a task of its own; return the answer and the trace of what was loaded for it."""
        task = self._call("POST", "/tasks", {"route": "snapshot", "user_id": self._user_id, **said})
        status = "failed"
        try:
            asked = {"task_id": task["task_id"], "query": question, "user_id": self._user_id}
            context = self._call("POST", "/recall", asked)
            answer = model(context["prompt"], question)
            status = "succeeded"
        finally:
            ended = {"status": status, "object_ref": "snapshot:1", "user_id": self._user_id}
            self._call("POST", f"/tasks/{task['task_id']}/end", ended)
        if context["hint"] is not None:
            answer += "\n(Setting preferences makes answers fit you better.)"
        return answer, context["context_trace"]

    def save(self, thesis: str, *, consent_id: str | None, **said: Any) -> str:
        """Save what was found as a thread; with a consent what the person said about it is kept too."""
        body = {"main_thesis": thesis, "save_user_context": consent_id is not None, "user_id": self._user_id, **said}
        if consent_id is not None:
            body["consent_ack"] = {"consent_id": consent_id}
        return str(self._call("POST", "/snapshots/snapshot:1/save-as-thread", body)["thread_id"])

    def refresh(self, thread_id: str, thesis: str, changed: list[str], **said: Any) -> dict[str, Any]:
        """Look at a thread again, and store what became of it."""
        asked = {"route": "thread_refresh", "conversation_id": thread_id, "user_id": self._user_id}
        context = self._call("POST", "/recall", asked)
        body = {"current_thesis": thesis, "changed_inferences": changed, "user_id": self._user_id}
        if said:
            body["user_supplied_context"] = said
        self._call("POST", f"/threads/{thread_id}/refresh", body)
        trace: dict[str, Any] = context["context_trace"]
        return trace

    def feedback(self, rating: str, comment: str) -> None:
        """Pass on what the person thinks of an answer."""
        body = {"related_object_ref": "snapshot:1", "rating": rating, "comment": comment, "user_id": self._user_id}
        self._call("POST", "/feedback", body)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None, **query: str) -> Any:
        answer = self._center.request(method, f"/api/v1{path}", json=body, params=query)
        if answer.status_code == httpx.codes.FORBIDDEN and answer.json()["code"] == "profile_consent_required":
            raise ConsentNeeded(answer.json()["details"]["required_scopes"])
        answer.raise_for_status()
        return answer.json()


def model(prompt: str, question: str) -> str:
    """Answer from what was given; put your model here."""
    return f"{question} — from {len(prompt)} characters of context"


def main() -> None:
    url, key, user_id = sys.argv[1:]
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}) as center:
        assistant = Assistant(center, user_id)
        try:
            print(assistant.snapshot("What is the case for SOL?"))
        except ConsentNeeded as needed:
            print(f"ask for {needed}")
            assistant.consent(save_to_profile=True, research_depth="deep")
            print(assistant.snapshot("What is the case for SOL?"))


if __name__ == "__main__":
    main()
