"""People of a running installation, with something said."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from shared.runtime.authentication import mint_person_token
from tests.browser.sample import SAMPLES, Sample, fill
from tests.e2e.conftest import Stack, wait_for

TOKEN_MINUTES = 600


@dataclass(frozen=True)
class Person:
    """Someone with a token, and the API as they would call it."""

    name: str
    language: str
    token: str
    api: httpx.Client

    @property
    def sample(self) -> Sample:
        return SAMPLES[self.language]

    def get(self, path: str, **query: Any) -> Any:
        answer = self.api.get(f"/api/v1{path}", params=query)
        answer.raise_for_status()
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.api.post(f"/api/v1{path}", json=body)
        answer.raise_for_status()
        return answer.json()

    def memories(self) -> list[str]:
        """Return what is remembered, in words."""
        return [memory["content"] for memory in self.get("/memory/long_term", limit=200)]

    def newest_conversation(self) -> str:
        return str(self.get("/conversations")[0]["id"])

    def has_forgotten(self, operation: str) -> bool:
        return bool(self.get(f"/memory/ops/{operation}")["status"] == "succeeded")

    def forget_memory(self, content: str) -> None:
        """Forget one memory, all the way."""
        [found] = [one["id"] for one in self.get("/memory/long_term", limit=200) if one["content"] == content]
        answer = self.api.delete(f"/api/v1/memory/long_term/{found}")
        answer.raise_for_status()
        wait_for(lambda: self.has_forgotten(answer.json()["op_id"]), seconds=60, what="the verified forget")

    def exported(self, **wanted: Any) -> bytes:
        """Return a package of what is remembered."""
        operation = self.post("/memory/export", {"scope": "user", "confirmation": True, "format": "zip", **wanted})[
            "op_id"
        ]
        address = f"/memory/exports/{operation}"
        wait_for(lambda: self.get(address)["ready"], seconds=60, what="the package")
        answer = self.api.get(f"/api/v1{address}/package")
        answer.raise_for_status()
        return answer.content

    def fill(self) -> None:
        """Say all of the sample, and wait until everything was made of it that will be."""
        conversations = fill(self.api, self.sample)
        wait_for(lambda: len(self.memories()) == self.sample.memories, seconds=60, what="remembering the sample")
        for conversation, talk in zip(conversations, self.sample.talks, strict=True):
            wait_for(
                lambda: (
                    len(self.get("/memory/episodes", conversation_id=conversation))  # noqa: B023
                    == len(talk.turns)  # noqa: B023
                ),
                seconds=60,
                what="indexing the sample",
            )
        longest = conversations[-1]
        wait_for(
            lambda: self.get("/memory/summary", conversation_id=longest)["status"] == "current",
            seconds=60,
            what="summing up the sample",
        )


@contextmanager
def someone(stack: Stack, language: str, *, name: str | None = None) -> Iterator[Person]:
    """Yield a person nobody has heard of."""
    name = name or f"{language}-{uuid.uuid4().hex[:8]}"
    token = mint_person_token(stack.secrets["signing_key"], name, minutes=TOKEN_MINUTES)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=stack.url, headers=headers, timeout=30) as api:
        yield Person(name, language, token, api)
