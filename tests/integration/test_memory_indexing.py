"""A memory written by hand gets its copy in mem0, and a forget that comes in between wins (P3, X-05)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import pytest

from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.lineage.sql.vector_keys import WRITE_SECONDS
from shared.memories.sql.comparable import created_since
from shared.stores.port import ErasureTarget
from tests.support.faults import FaultyStore
from tests.support.memories import deleted, edited, written
from tests.support.workbench import Person, Workbench


class WatchedMem0(FaultyStore):
    """mem0, with something that happens right before or after it stores a memory."""

    before: Callable[[], None] | None = None
    after: Callable[[], None] | None = None

    def remember(self, namespace: UUID, text: str, **values: Any) -> Sequence[Any]:
        happening, self.before = self.before, None
        if happening:
            happening()
        found: Sequence[Any] = self.__getattr__("remember")(namespace, text, **values)
        happening, self.after = self.after, None
        if happening:
            happening()
        return found


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def mem0(bench: Workbench) -> WatchedMem0:
    watched = WatchedMem0(bench.process._opened("_mem0"))
    bench.process.__dict__["_mem0"] = watched
    return watched


def late_writes_are_over(bench: Workbench) -> None:
    """Let the time pass within which an announced write may still arrive."""
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - make_interval(secs => :s)", s=WRITE_SECONDS)
    bench.hurry()


@pytest.mark.few(2)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("scope", ["memory", "user"])
def test_a_forget_around_the_write_wins(
    bench: Workbench, ada: Person, mem0: WatchedMem0, when: str, scope: str
) -> None:
    made = written(ada, "I cycle to canary-street.")
    namespace = bench.namespace(ada)

    def forget() -> None:
        if scope == "user":
            ada.forget("user")
        else:
            deleted(ada, made["id"])

    setattr(mem0, when, forget)
    bench.work_once(["memory.index"])
    late_writes_are_over(bench)
    bench.work()

    assert bench.count("select count(*) from operations where status = 'succeeded'") == 1
    assert mem0.keys(namespace) == set()
    assert bench.holds("canary") == []
    assert bench.count("select count(*) from vector_refs") == 0


def test_a_forget_between_write_and_confirmation_that_is_undone_ends_with_one_copy(
    bench: Workbench, ada: Person, mem0: WatchedMem0
) -> None:
    made = written(ada, "I cycle to work.")
    operations: list[str] = []
    mem0.after = lambda: operations.append(deleted(ada, made["id"], undo_seconds=60).json()["op_id"])
    bench.work_once(["memory.index"])
    assert bench.count("select count(*) from vector_refs where state = 'written'") == 0

    ada.post(f"/api/v1/memory/ops/{operations[0]}/cancel", {}, status=200)
    bench.work()

    assert ada.search("how do I get to work?") == ["I cycle to work."]
    assert bench.count("select count(*) from vector_refs where state = 'written' and item_kind = 'memory'") == 1


def test_while_milvus_is_away_memories_are_listed_and_indexed_when_it_is_back(
    bench: Workbench, ada: Person, mem0: WatchedMem0
) -> None:
    mem0.unavailable = True
    made = written(ada, "我骑自行车上班。")
    edited(ada, made["id"], content="我走路上班。")
    bench.work_once(["memory.index"])
    assert ada.memories() == ["我走路上班。", "我骑自行车上班。"]
    assert bench.count("select count(*) from outbox where last_error = 'mem0_unavailable'") == 2

    mem0.unavailable = False
    bench.hurry()
    bench.work()

    assert ada.search("我怎么去上班？") == ["我走路上班。"]


def test_a_copy_that_is_lost_is_written_again(bench: Workbench, ada: Person) -> None:
    written(ada, "I cycle to work.")
    bench.work()
    with bench.database.begin() as tx:
        key = tx.value("select pk from vector_refs where item_kind = 'memory'")
    bench.process.mem0.erase([ErasureTarget(namespace=bench.namespace(ada), keys=(key,))])
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()
    answer = bench.api.post("/api/v1/memory/reconcile", headers=bench.service)
    assert answer.status_code == 202
    bench.work()
    assert len(bench.process.mem0.keys(bench.namespace(ada)) - {key}) == 1
    assert ada.search("how do I get to work?") == ["I cycle to work."]


def test_a_new_memory_is_searchable_once_it_has_a_vector(bench: Workbench, ada: Person) -> None:
    def searchable(tx: Transaction) -> list[bool]:
        subject = subjects.find_or_create(tx, ada.user_id)
        return [one.searchable for one in created_since(tx, subject.id, tx.now(), project_id=None)]

    written(ada, "I cycle to work.")
    assert bench.database.transact(searchable) == [False]
    bench.work()
    assert bench.database.transact(searchable) == [True]
