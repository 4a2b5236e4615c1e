"""The whole product in real processes: what leaves a process, and what survives its death."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import psutil
import pytest
import redis

from deploy.embedded.recording import resident_bytes
from tests.e2e.conftest import Stack, running_installation, wait_for

TURN = [
    {"role": "user", "content": "I'm allergic to zanzibar-canary peanuts, and 我住在金丝雀镇。"},
    {"role": "assistant", "content": "zanzibar-canary noted."},
]
CANARIES = ("zanzibar-canary", "金丝雀镇")


class User:
    """Someone new, spoken for by the assistant's backend."""

    def __init__(self, api: httpx.Client) -> None:
        self.api = api
        self.id = f"person-{uuid.uuid4().hex[:8]}"
        answer = api.post("/api/v1/conversations", json={"user_id": self.id})
        self.conversation = answer.json()["id"]

    def say(self) -> list[str]:
        answer = self.api.post("/api/v1/messages", json={"conversation_id": self.conversation, "messages": TURN})
        assert answer.status_code == 201, answer.text
        return [message["id"] for message in answer.json()["messages"]]

    def memories(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.api.get("/api/v1/memory/long_term", params={"user_id": self.id}).json()
        return found

    def episodes(self) -> list[dict[str, Any]]:
        query = {"conversation_id": self.conversation}
        found: list[dict[str, Any]] = self.api.get("/api/v1/memory/episodes", params=query).json()
        return found

    def is_remembered(self) -> bool:
        return len(self.memories()) == 2 and len(self.episodes()) == 1

    def forget_everything(self) -> str:
        body = {"scope": "user", "user_id": self.id, "confirmation": "FORGET EVERYTHING"}
        answer = self.api.post("/api/v1/memory/forget", json=body)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["op_id"])

    def succeeded(self, op_id: str) -> bool:
        return bool(self.api.get(f"/api/v1/memory/ops/{op_id}").json()["status"] == "succeeded")


@pytest.fixture
def user(stack: Stack) -> Iterator[User]:
    with stack.client() as client:
        yield User(client)


@pytest.fixture
def broker(stack: Stack) -> Iterator[redis.Redis]:
    with redis.Redis(port=stack.run["ports"]["valkey"], password=stack.secrets["valkey_password"]) as client:
        yield client


def worker(stack: Stack) -> psutil.Process:
    return psutil.Process(stack.pid("worker"))


def test_a_turn_is_remembered_and_a_forget_goes_all_the_way_through(user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=20, what="remembering")
    operation = user.forget_everything()
    assert user.memories() == []
    wait_for(lambda: user.succeeded(operation), seconds=20, what="the verified forget")


def test_the_broker_holds_outbox_ids_and_nothing_else(stack: Stack, user: User, broker: redis.Redis) -> None:
    process = worker(stack)
    process.suspend()
    try:
        user.say()
        wait_for(lambda: _queued(broker), seconds=5, what="queueing")
        held = b""
        for key in broker.keys("*"):
            held += key + b"".join(_values(broker, key))
        assert b"outbox_ids" in held
        for canary in (*CANARIES, user.id, user.conversation):
            assert canary.encode() not in held
    finally:
        process.resume()
    wait_for(user.is_remembered, seconds=40, what="remembering after the pause")


def _queued(client: redis.Redis) -> int:
    return sum(client.llen(queue) for queue in ("eraser", "indexer", "learner"))  # type: ignore[misc]


def _values(client: redis.Redis, key: bytes) -> list[bytes]:
    match client.type(key):
        case b"list":
            return client.lrange(key, 0, -1)  # type: ignore[return-value]
        case b"hash":
            return [part for pair in client.hgetall(key).items() for part in pair]  # type: ignore[union-attr]
        case b"set":
            return list(client.smembers(key))  # type: ignore[arg-type]
        case b"zset":
            return client.zrange(key, 0, -1)  # type: ignore[return-value]
        case _:
            return [client.get(key) or b""]  # type: ignore[list-item]


def test_a_wiped_broker_loses_nothing(stack: Stack, user: User, broker: redis.Redis) -> None:
    process = worker(stack)
    process.suspend()
    try:
        user.say()
        user.say()  # more messages than the stopped worker's connection may already hold
        wait_for(lambda: _queued(broker) >= 2, seconds=5, what="queueing")
        broker.flushall()
    finally:
        process.resume()
    wait_for(lambda: len(user.episodes()) == 2, seconds=45, what="remembering after the broker was wiped")
    operation = user.forget_everything()
    wait_for(lambda: user.succeeded(operation), seconds=30, what="the verified forget")


def test_a_killed_worker_comes_back_and_finishes(stack: Stack, user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=30, what="remembering")
    before = stack.pid("eraser")
    operation = user.forget_everything()
    os.kill(before, signal.SIGKILL)
    assert user.memories() == []
    wait_for(lambda: user.succeeded(operation), seconds=60, what="the verified forget")
    wait_for(lambda: stack.pid("eraser") != before, seconds=20, what="the eraser's restart")


def test_a_forget_with_the_vector_store_killed_ends_succeeded_when_it_is_back(stack: Stack, user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=30, what="remembering")
    os.kill(stack.pid("milvus"), signal.SIGKILL)
    operation = user.forget_everything()
    assert user.memories() == []
    found = user.api.post("/api/v1/memory/search", json={"user_id": user.id, "query": "peanuts"})
    assert (found.status_code, found.json().get("items")) == (200, []), found.text
    wait_for(lambda: user.succeeded(operation), seconds=90, what="the verified forget")


def test_no_log_of_any_process_holds_what_was_said_or_who_said_it(stack: Stack, user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=30, what="remembering")
    user.api.post("/api/v1/memory/search", json={"user_id": user.id, "query": CANARIES[0]})
    user.api.post("/api/v1/messages", json={"conversation_id": user.conversation, "messages": [{"role": CANARIES[0]}]})
    logs = list((stack.data_dir / "logs").iterdir())
    assert {log.stem for log in logs} >= {
        *("gateway", "embedder", "worker", "eraser", "scheduler"),
        *("postgres", "valkey", "milvus"),
    }
    for log in logs:
        text = log.read_text(errors="replace")
        for canary in (*CANARIES, user.id):
            assert canary not in text, f"{canary} is in {log.name}"


def test_few_processes_run_and_hold_less_than_1300_mib_in_use() -> None:
    """One installation that has just begun: what all tests share holds what they all left in Milvus Lite."""
    with running_installation() as stack, stack.client() as api:
        user = User(api)
        user.say()
        wait_for(user.is_remembered, seconds=30, what="remembering")
        api.post("/api/v1/memory/search", json={"user_id": user.id, "query": CANARIES[0]})
        ours = {"gateway", "embedder", "worker", "eraser", "scheduler"}
        wait_for(lambda: ours <= set(stack.run["processes"]), seconds=60, what="everything's start")
        assert set(stack.run["processes"]) == ours | {"guardian", "forkserver", "postgres", "valkey", "milvus"}
        assert psutil.Process(stack.pid("scheduler")).children() == []  # nothing is in quarantine
        assert resident_bytes(stack.process.pid) < 1300 * 1024 * 1024


def test_metrics_name_nobody(stack: Stack, user: User) -> None:
    user.say()
    metrics = httpx.get(f"{stack.url}/metrics").text
    assert "memory_op_total" in metrics
    assert user.id not in metrics
