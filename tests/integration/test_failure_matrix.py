"""Rows of docs/failure-matrix.md that one process can show, with the real servers."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import QueuePool

from deploy.embedded import postgres_user
from shared.kernel.database import Database
from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.job_kinds import ERASE_MEM0, ERASE_MILVUS, ERASE_POSTGRES, QUEUES, VERIFY
from shared.stores.milvus import DIMENSIONS
from shared.stores.port import EpisodeVector, StoreUnavailable
from tests.support.backing import TEMPLATE, Backing
from tests.support.overlap import together
from tests.support.small_api import assert_problem
from tests.support.workbench import TASKS, Person, Workbench, test_settings, workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def send(person: Person, path: str, body: dict[str, Any], *, key: str | None = None) -> Any:
    headers = person.headers | ({"Idempotency-Key": key} if key else {})
    return person.bench.api.post(f"/api/v1{path}", json=body, headers=headers)


def spoken(conversation: str, turn: Sequence[str]) -> dict[str, Any]:
    roles = zip(("user", "assistant"), turn, strict=True)
    return {
        "conversation_id": conversation,
        "messages": [{"role": role, "content": content} for role, content in roles],
    }


def heard(person: Person, conversation: str) -> list[str]:
    return [message["content"] for message in person.get("/api/v1/messages", conversation_id=conversation)]


def step(person: Person, operation: str, name: str) -> tuple[str, str]:
    """Return a step's status and the code of its last error."""
    found = next(one for one in person.operation(operation)["steps"] if one["name"] == name)
    return found["status"], (found["last_error"] or "").partition(":")[0]


def remembered(bench: Workbench, person: Person, *turns: tuple[str, str]) -> str:
    """Let a person say something that becomes episodes and memories; return the conversation."""
    conversation = person.conversation()
    person.say(conversation, *turns)
    bench.work()
    assert len(person.memories()) == len(turns)
    return conversation


def test_a_forget_whose_every_step_is_delivered_twice_at_once_is_done_once(bench: Workbench, ada: Person) -> None:
    conversation = remembered(bench, ada, PEANUTS)
    operation = ada.forget("conversation", conversation_id=conversation)

    def deliver(queue: str, ids: list[int]) -> None:
        TASKS[queue](outbox_ids=ids)

    with ThreadPoolExecutor(2) as workers:
        while due := bench.due():
            for queue in {QUEUES[kind] for _, kind in due}:
                ids = [row for row, kind in due if QUEUES[kind] == queue]
                list(workers.map(deliver, [queue] * 2, [ids] * 2))

    done = ada.operation(operation)
    assert done["status"] == "succeeded"
    assert {one["attempts"] for one in done["steps"]} == {1}
    assert bench.count("select count(*) from events where type = 'OperationSucceeded'") == 1
    assert bench.count("select count(*) from ledger where op_id = %(id)s", id=operation) == 2


@pytest.mark.few(3)
@pytest.mark.parametrize("queued", ["say forget", "forget say"])
@pytest.mark.parametrize("scope", ["conversation", "clear", "user"])
def test_a_message_sent_while_a_forget_is_accepted_is_fully_erased_or_kept_as_newer(
    bench: Workbench, ada: Person, scope: str, queued: str
) -> None:
    conversation = remembered(bench, ada, PEANUTS)
    before = bench.namespace(ada)

    def say() -> Any:
        return send(ada, "/messages", spoken(conversation, BERLIN))

    def forget() -> Any:
        if scope == "clear":
            return send(ada, "/clear", {"conversation_id": conversation})
        named = {"conversation_id": conversation} if scope == "conversation" else {"confirmation": "FORGET EVERYTHING"}
        return send(ada, "/memory/forget", {"scope": scope, **named})

    requests = {"say": say, "forget": forget}
    order = queued.split()
    answers = dict(zip(order, together(ada, *(requests[name] for name in order)), strict=True))
    ada.say(ada.conversation(), ("I love jazz.", "So do I."))  # while the forget runs: newer, whatever its scope
    bench.work()

    assert ada.operation(answers["forget"].json()["op_id"])["status"] == "succeeded"
    assert answers["say"].status_code in {"conversation": {201, 410}, "clear": {201}, "user": {201, 404}}[scope]
    newer = heard(ada, conversation) if scope == "clear" else []
    assert newer in ([], list(BERLIN))
    assert set(ada.memories()) == {"I love jazz.", *(["I live in Berlin."] if newer else [])}
    assert bench.holds("peanuts") == []
    assert (bench.holds("Berlin") == []) is (newer == [])
    keys = bench.process.episodes.keys(bench.namespace(ada)), bench.process.mem0.keys(bench.namespace(ada))
    assert [len(of_store) for of_store in keys] == [1 + bool(newer)] * 2
    assert scope != "user" or bench.process.episodes.keys(before) | bench.process.mem0.keys(before) == set()


@pytest.fixture
def deletes(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Callable[..., None]], list[int]]:
    """Let something else happen instead of the next deletes in a store; return what counts them."""

    def instead(store: str, act: Callable[..., None]) -> list[int]:
        connection = bench.process._opened(store)._milvus
        real, deletes = connection.delete, list[int]()

        def delete(*what: Any) -> None:
            deletes.append(1)
            if len(deletes) > 2:
                real(*what)
            else:
                act(real, *what)

        monkeypatch.setattr(connection, "delete", delete)
        return deletes

    return instead


def half(delete: Callable[..., None], collection: str, field: str, keys: Sequence[str]) -> None:
    """Do as a store that dies in the middle of a delete and says nothing."""
    delete(collection, field, sorted(keys)[: len(keys) // 2])


def swallowed(_delete: Callable[..., None], *_: object) -> None:
    """Do as mem0, which catches the errors of its stores and goes on."""
    with contextlib.suppress(StoreUnavailable):
        raise StoreUnavailable("mem0")


@pytest.mark.parametrize(
    ("store", "fault", "kind"),
    [("_episodes", half, ERASE_MILVUS), ("_mem0", half, ERASE_MEM0), ("_mem0", swallowed, ERASE_MEM0)],
    ids=["milvus-half", "mem0-half", "mem0-swallowed"],
)
def test_a_forget_does_not_succeed_before_every_copy_is_gone_from_the_store(
    bench: Workbench,
    ada: Person,
    deletes: Callable[[str, Callable[..., None]], list[int]],
    store: str,
    fault: Callable[..., None],
    kind: str,
) -> None:
    turns = [PEANUTS, BERLIN, ("I love jazz.", "So do I."), ("I have a dog.", "Nice.")]
    conversation = remembered(bench, ada, *turns)
    opened, name = bench.process._opened(store), kind.partition(".")[2]
    counted = deletes(store, fault)
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work_once(["ledger.accepted"])

    bench.work_once([kind])
    assert opened.keys(bench.namespace(ada)) != set()
    assert step(ada, operation, name) == ("ready", "residue_found")

    for _ in range(4):
        bench.hurry()
        bench.work()
    assert len(counted) > 2
    assert ada.operation(operation)["status"] == "succeeded"
    assert opened.keys(bench.namespace(ada)) == set()


def test_a_delete_milvus_loses_before_the_verification_is_made_again_by_it(bench: Workbench, ada: Person) -> None:
    conversation = remembered(bench, ada, PEANUTS)
    namespace, milvus = bench.namespace(ada), bench.process.episodes
    [key] = milvus.keys(namespace)
    operation = ada.forget("conversation", conversation_id=conversation)
    while step(ada, operation, "verify")[0] == "waiting":
        bench.work_once([kind for _, kind in bench.due() if kind != VERIFY])
    assert step(ada, operation, "milvus") == ("succeeded", "")
    vector = [1.0, *[0.0] * (DIMENSIONS - 1)]
    back = EpisodeVector(
        key=key,
        namespace=namespace,
        conversation_id=UUID(conversation),
        episode_id=uuid4(),
        message_ids=(uuid4(),),
        vector=vector,
    )
    milvus.insert([back])  # as after a crash that lost the acknowledged delete
    assert milvus.keys(namespace) == {key}

    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert milvus.keys(namespace) == set()


def test_a_request_that_deadlocks_is_done_again_and_once(bench: Workbench, ada: Person) -> None:
    conversation = remembered(bench, ada, PEANUTS)
    url = bench.settings.database_url.get_secret_value()
    with (
        psycopg.connect(url) as rival,
        psycopg.connect(url, autocommit=True) as watcher,
        ThreadPoolExecutor(1) as thread,
    ):
        rival.execute("set local deadlock_timeout = '1min'")  # so that it is the request that notices
        rival.execute("select from conversations where id = %s for update", [conversation])
        asked = thread.submit(send, ada, "/messages", spoken(conversation, BERLIN))
        deadline = time.monotonic() + 2.5
        while not _waiting(watcher):
            assert time.monotonic() < deadline, "the request never waited"
            time.sleep(0.005)
        # Had only once the request, which is inside the fence and waits for the row, was thrown out:
        rival.execute(
            "select pg_advisory_xact_lock(hashtextextended(id::text, 1)) from subjects where user_id = %s",
            [ada.user_id],
        )
        rival.commit()
        answer = asked.result()

    assert answer.status_code == 201
    assert heard(ada, conversation) == [*PEANUTS, *BERLIN]
    bench.work()
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 2


def _waiting(watcher: psycopg.Connection[Any]) -> int:
    row = watcher.execute(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    ).fetchone()
    return int(row[0]) if row else 0


@contextmanager
def exhausted(*databases: Database) -> Iterator[None]:
    """Hold every connection the pools may open."""
    with ExitStack() as held:
        for database in databases:
            pool = database.engine.pool
            assert isinstance(pool, QueuePool)
            for _ in range(pool.size()):
                held.enter_context(database.engine.connect())
        yield


def test_without_a_free_connection_all_is_answered_503_and_waits_for_the_worker(bench: Workbench, ada: Person) -> None:
    conversation = remembered(bench, ada, PEANUTS)
    operation = ada.forget("conversation", conversation_id=conversation)
    due, other, api = bench.due(), ada.conversation(), bench.api.app
    assert isinstance(api, FastAPI)
    requests = [
        lambda: send(ada, "/messages", spoken(other, BERLIN)),
        lambda: send(ada, "/memory/forget", {"scope": "user", "confirmation": "FORGET EVERYTHING"}),
        lambda: bench.api.get(f"/api/v1/memory/ops/{operation}", headers=ada.headers),
    ]
    with exhausted(api.state.database, bench.database), ThreadPoolExecutor(4) as threads:
        working = threads.submit(TASKS[QUEUES[due[0][1]]], outbox_ids=[row for row, _ in due])
        answers = [asking.result() for asking in [threads.submit(request) for request in requests]]
        with pytest.raises(DatabaseUnavailable):
            working.result()
    for answer in answers:
        assert_problem(answer, 503, "busy")
        assert int(answer.headers["Retry-After"]) >= 1

    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert len(ada.get("/api/v1/memory/ops")) == 1
    assert heard(ada, other) == []


def test_after_postgresql_reports_a_full_disk_work_is_retried_and_none_is_half_done(
    bench: Workbench, ada: Person
) -> None:
    """The state is provoked: triggers raise `disk_full`, as PostgreSQL does when it cannot extend a file."""
    conversation, other = remembered(bench, ada, PEANUTS), ada.conversation()
    operation = ada.forget("conversation", conversation_id=conversation)
    bench.work_once(["ledger.accepted"])
    with psycopg.connect(bench.settings.database_url.get_secret_value(), autocommit=True) as owner:
        owner.execute(DISK_FULL)
        answer = send(ada, "/messages", spoken(other, BERLIN), key="once")
        bench.work_once([ERASE_POSTGRES])

        assert_problem(answer, 503, "busy")
        assert step(ada, operation, "postgres") == ("ready", "database_unavailable")
        assert heard(ada, other) == []
        assert bench.holds("peanuts") == ["memory_contents", "message_contents"]
        owner.execute(DISK_FREE)

    assert send(ada, "/messages", spoken(other, BERLIN), key="once").status_code == 201
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("peanuts") == []
    assert heard(ada, other) == list(BERLIN)


DISK_FULL = """
create function no_space() returns trigger language plpgsql as
  $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$;
create trigger full_disk before insert or delete on message_contents for each statement execute function no_space();
"""
DISK_FREE = "drop function no_space cascade"


@contextmanager
def a_small_disk() -> Iterator[Path]:
    """Yield an empty folder of PostgreSQL's on a disk of 40 MB; skips the test where that cannot be had."""
    owner = postgres_user.account()
    if owner is None or os.environ.get("MEMORY_CENTER_TEST_STACK") == "containers":
        pytest.skip("mounting a small disk for PostgreSQL needs root and an embedded server")
    with tempfile.TemporaryDirectory(prefix="memory-center-disk-") as directory:
        disk = Path(directory) / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)]
        mounted = subprocess.run(mount, check=False, capture_output=True)
        if mounted.returncode:
            pytest.skip("this machine does not let root mount")
        try:
            postgres_user.give(disk, owner)
            yield disk
        finally:
            subprocess.run(["umount", str(disk)], check=True)  # noqa: S607 # wherever the system keeps it


@pytest.fixture
def small_disk(backing: Backing) -> Iterator[tuple[Workbench, Path]]:
    """The product on a database of its own on a small disk, with the disk."""
    name = f"test_{uuid4().hex[:12]}"
    with a_small_disk() as disk, psycopg.connect(backing.url("postgres"), autocommit=True) as owner:
        owner.execute(f"create tablespace {name} location '{disk}'".encode())
        try:
            owner.execute(f"create database {name} template {TEMPLATE} tablespace {name}".encode())
            try:
                with workbench(test_settings(backing, backing.url(name))) as bench:
                    yield bench, disk
            finally:
                owner.execute(f"drop database {name} with (force)".encode())
        finally:
            owner.execute(f"drop tablespace {name}".encode())


def test_on_a_disk_that_is_full_what_needs_room_is_answered_503_and_the_rest_goes_on(
    small_disk: tuple[Workbench, Path],
) -> None:
    bench, disk = small_disk
    ada = bench.person()
    conversation, other = remembered(bench, ada, PEANUTS), ada.conversation()
    operation = ada.forget("conversation", conversation_id=conversation)
    long = ("I live in Berlin. " + "la " * 10_000, "A fine city.")
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))

    assert_problem(send(ada, "/messages", spoken(other, long), key="once"), 503, "busy")
    assert heard(ada, other) == []
    assert bench.holds("Berlin") == []
    with contextlib.suppress(DatabaseUnavailable):
        bench.work_once()
    assert ada.operation(operation)["status"] in {"pending", "running", "succeeded"}
    assert ada.memories() == []

    filler.unlink()
    assert send(ada, "/messages", spoken(other, long), key="once").status_code == 201
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("peanuts") == []
    assert heard(ada, other) == list(long)
