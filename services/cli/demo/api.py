"""The product's API as its clients use it: the assistant's backend with the service key, people with their tokens."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import httpx

from deploy.embedded.data_directory import Secrets
from services.cli.demo.script import Person, Turn
from services.cli.demo.stack import DemoFailed
from shared.runtime.authentication import mint_person_token

Wire: TypeAlias = dict[str, Any]
"""A JSON object from the API."""

_ENDED: Final = frozenset({"succeeded", "failed", "cancelled"})
_GONE: Final = frozenset({httpx.codes.NOT_FOUND, httpx.codes.GONE})
_POLL_SECONDS: Final = 0.05
_ALL: Final = 200


@dataclass(frozen=True, slots=True)
class Served:
    """All answers of the API about a person, and the search modes used."""

    answers: tuple[str, ...]
    modes: frozenset[str]

    def holding(self, words: Sequence[str]) -> int:
        """Return how many answers contain one of the words."""
        return sum(any(word in answer for word in words) for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Known:
    """The ids to request, and the questions to search with."""

    conversation_ids: tuple[str, ...]
    message_ids: tuple[str, ...]
    questions: tuple[str, ...]


class Api:
    """HTTP client for one installation."""

    def __init__(self, url: str, secrets: Secrets) -> None:
        self._secrets = secrets
        self._http = httpx.Client(base_url=f"{url}/api/v1", timeout=15, trust_env=False)
        self._tokens: dict[Person, str] = {}

    def close(self) -> None:
        self._http.close()

    def open_conversation(self, person: Person, title: str) -> str:
        """Open a conversation, as the assistant's backend."""
        return str(self._intake("conversations", {"user_id": person.user_id, "title": title})["id"])

    def record(self, person: Person, conversation_id: str, turn: Turn) -> tuple[str, str]:
        """Record both sides of a turn, as the assistant's backend; return the ids of the messages."""
        sides = [{"role": "user", "content": turn.said}, {"role": "assistant", "content": turn.answered}]
        body = {"conversation_id": conversation_id, "user_id": person.user_id, "messages": sides}
        said, answered = self._intake("messages", body)["messages"]
        return str(said["id"]), str(answered["id"])

    def memories(self, person: Person) -> list[Wire]:
        """Return a person's memories, oldest first, each with its sources."""
        found: list[Wire] = self._ask(person, "GET", "memory/long_term", params={"limit": _ALL}).json()
        return found[::-1]

    def forget(self, person: Person, request: Wire) -> str:
        """Request a forget; return the operation's id once it is accepted (202)."""
        answer = self._ask(person, "POST", "memory/forget", json=request)
        if answer.status_code != httpx.codes.ACCEPTED:
            raise DemoFailed(f"forgetting was answered {answer.status_code}")
        return str(answer.json()["op_id"])

    def consent(self, person: Person, focus: str) -> str:
        """Agree that preferences are kept, with one; return the consent's id."""
        body = {"save_to_profile": True, "user_focus_reason": focus}
        granted = self._ask(person, "POST", f"users/{person.user_id}/profile-consent", json=body)
        return str(granted.json()["consent_id"])

    def withdraw(self, person: Person, consent_id: str) -> tuple[str, str]:
        """Withdraw everything; return the ids of the operation and its receipt."""
        answer = self._ask(person, "DELETE", f"users/{person.user_id}/profile-consent/{consent_id}").json()
        return str(answer["op_id"]), str(answer["receipt_id"])

    def prompt_of_task(self, person: Person) -> str:
        """Return what a task that looks at a thread again is given."""
        return str(self._ask(person, "POST", "recall", json={"route": "thread_refresh"}).json()["prompt"])

    def is_proven(self, receipt_id: str) -> bool:
        """Return whether a receipt's last entry says that the erasure was verified."""
        entries = self._http.get(f"receipts/{receipt_id}").json()["entries"]
        return bool(entries) and entries[-1]["body"]["kind"] == "verified"

    def follow(self, person: Person, operation_id: str, *, seconds: float) -> Iterator[Wire]:
        """Yield an operation's state repeatedly until it ends or `seconds` have passed."""
        deadline = time.monotonic() + seconds
        while True:
            operation: Wire = self._ask(person, "GET", f"memory/ops/{operation_id}").json()
            yield operation
            if operation["status"] in _ENDED or time.monotonic() > deadline:
                return
            time.sleep(_POLL_SECONDS)

    def served(self, person: Person, known: Known) -> Served:
        """Request everything a person can see: searches first, then single items by id, then lists."""
        answers: list[str] = []
        modes: set[str] = set()
        for question in known.questions:
            for conversation_id in (*known.conversation_ids, None):
                body = {"query": question, "conversation_id": conversation_id, "limit": 50}
                answer = self._ask(person, "POST", "memory/search", json=body)
                answers.append(self._text(answer))
                if answer.is_success:
                    modes.add(answer.json()["mode"])
        asked = [f"messages/{message}" for message in known.message_ids]
        for conversation in known.conversation_ids:
            about = f"conversation_id={conversation}"
            asked += [f"{path}?{about}" for path in ("messages", "memory/episodes", "memory/summary")]
            asked.append(f"conversations/{conversation}")
        asked += ["memory/long_term", "conversations"]
        answers += [self._text(self._ask(person, "GET", path)) for path in asked]
        return Served(tuple(answers), frozenset(modes))

    def _intake(self, path: str, body: Wire) -> Wire:
        headers = {"Authorization": f"Bearer {self._secrets.service_key}"}
        answer = self._http.post(path, json=body, headers=headers)
        if not answer.is_success:
            raise DemoFailed(f"POST {path} was answered {answer.status_code}: {_code(answer)}")
        created: Wire = answer.json()
        return created

    def _ask(self, person: Person, method: str, path: str, **content: Any) -> httpx.Response:
        """Send a request as the person; 404 and 410 are allowed for forgotten items, other errors are not."""
        if person not in self._tokens:
            self._tokens[person] = mint_person_token(self._secrets.signing_key, person.user_id)
        headers = {"Authorization": f"Bearer {self._tokens[person]}"}
        answer = self._http.request(method, path, headers=headers, **content)
        if not answer.is_success and answer.status_code not in _GONE:
            raise DemoFailed(f"{method} {path.partition('?')[0]} was answered {answer.status_code}: {_code(answer)}")
        return answer

    @staticmethod
    def _text(answer: httpx.Response) -> str:
        """Return the answer as text, without JSON escapes."""
        return json.dumps(answer.json(), ensure_ascii=False)


def _code(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["code"])
    except (ValueError, KeyError, TypeError):
        return "no reason given"
