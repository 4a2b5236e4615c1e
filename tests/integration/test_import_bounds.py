"""Imports take work in proportion to a package, and nobody takes every place or loses one by being slow (X-09)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any
from uuid import UUID

import pytest
from starlette.requests import Request

from shared.erasure.discard_vectors import queue_abandoned
from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.portability.import_package import begin_upload
from shared.portability.rules.imports import AT_ONCE
from shared.portability.sql import import_references, import_staging
from shared.runtime import heartbeat
from tests.support.importing import brought, empty_package, long_package, preview, repacked, sent
from tests.support.packages import Package, packed
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

MANY = 2000


def an_id(number: int) -> UUID:
    return UUID(int=number)


def work(tx: Transaction, statement: str) -> float:
    """Run a statement; return how many rows its steps looked at."""
    [row] = tx.rows(f"explain (analyze, timing off, format json) {statement}")

    def of(plan: dict[str, Any]) -> float:
        rows = sum(plan[key] for key in plan if key == "Actual Rows" or key.startswith("Rows Removed"))
        return float(rows * plan["Actual Loops"]) + sum(of(one) for one in plan.get("Plans", []))

    [explained] = next(iter(row.values()))
    return of(explained["Plan"])


def memories(tx: Transaction, befores: dict[int, int | None], fates: dict[int, str]) -> None:
    """Set memories down as an import does: number → what it supersedes, and what becomes of it."""
    import_staging.create(tx)
    told = [
        import_staging.Thing(
            id=an_id(one),
            conversation_id=None,
            record={"supersedes_id": None if before is None else str(an_id(before)), "provenance": []},
        )
        for one, before in befores.items()
    ]
    import_staging.add(tx, "memory", told)
    import_staging.complete(tx)
    for one, fate in fates.items():
        tx.run("update incoming set fate = :fate where id = :id", fate=fate, id=an_id(one))


def superseded(tx: Transaction) -> dict[int, int]:
    rows = tx.rows("select id, here from incoming_references where kind = 'predecessor'")
    return {row["id"].int: row["here"].int for row in rows}


@pytest.mark.parametrize("seed", range(5))
def test_what_does_not_come_bridges_however_it_lies(database: Database, seed: int) -> None:
    chosen = random.Random(seed)  # not a secret
    befores = {one: chosen.choice([None, *range(max(1, one - 6), one)]) for one in range(1, 150)}
    fates = {one: chosen.choice(["erased", "withheld", "switched_off", "present"]) for one in befores if one % 3}

    def comes(one: int) -> bool:
        return fates.get(one, "present") == "present"

    expected = {}
    for one in (one for one in befores if one not in fates):
        before = befores[one]
        while before is not None and not comes(before):
            before = befores[before]
        if before is not None:
            expected[one] = before
    with database.begin(patient=True) as tx:
        memories(tx, befores, fates)
        tx.run(import_references._PREDECESSORS)
        assert superseded(tx) == expected


@pytest.mark.parametrize("shape", ["many after one chain", "one chain", "many after each of a chain"])
def test_bridges_take_work_in_proportion_to_their_number(database: Database, shape: str) -> None:
    chain: dict[int, int | None] = {one: one - 1 if one > 1 else None for one in range(1, MANY + 1)}
    after = {
        "many after one chain": {MANY + one: MANY for one in range(1, MANY)},
        "one chain": {MANY + 1: MANY},
        "many after each of a chain": {MANY + one: one + 1 for one in range(1, MANY)},
    }[shape]
    with database.begin(patient=True) as tx:
        memories(tx, {**chain, **after}, {})
        tx.run(
            "update incoming set fate = 'erased' where id > :first and id <= :last", first=an_id(1), last=an_id(MANY)
        )
        assert work(tx, import_references._PREDECESSORS) < 300 * MANY
        assert superseded(tx) == dict.fromkeys(after, 1)


def conversation(tx: Transaction, turns: int, *, others: int) -> None:
    """Set a long conversation down, and short ones, without lineage."""
    import_staging.create(tx)
    tx.run(
        """
        insert into incoming (kind, id, conversation_id, record, here, withheld)
        select k.kind, gen_random_uuid(), cast(lpad(c::text, 32, '0') as uuid), jsonb_build_object('turn', n.turn,
                 'seq', n.turn, 'session', 1, 'covered_from', 1, 'covered_through', cast(:turns as integer) / 2),
               gen_random_uuid(), false
        from generate_series(0, cast(:others as integer)) as c
        cross join lateral generate_series(1, case c when 0 then cast(:turns as integer) else 1 end) as n(turn)
        cross join (values ('message'), ('episode'), ('summary'), ('conversation')) as k(kind)
        where k.kind in ('message', 'episode') or n.turn = 1
        """,
        turns=turns,
        others=others,
    )


@pytest.mark.parametrize("others", [0, MANY])
def test_lineage_that_is_not_told_takes_work_in_proportion_to_what_was_said(database: Database, others: int) -> None:
    with database.begin(patient=True) as tx:
        conversation(tx, MANY, others=others)
        import_staging.complete(tx)
        found = tx.row(
            """
            select count(*) filter (where e.derived_kind = 'episode') as episodes,
                   count(*) filter (where e.derived_kind = 'summary') as summaries,
                   count(*) filter (where e.derived_kind = 'episode'
                     and d.record -> 'turn' <> s.record -> 'turn') as wrong
            from incoming_edges e join incoming d on d.id = e.derived_id join incoming s on s.id = e.source_id
              and s.conversation_id = d.conversation_id
            """
        )
        assert found is not None
        assert dict(found) == {"episodes": MANY + others, "summaries": MANY // 2 + others, "wrong": 0}
        tx.run("delete from incoming_edges")
        assert work(tx, import_staging._IMPLIED) < 40 * (MANY + others)


def test_memories_without_history_are_read_once(database: Database) -> None:
    def read(tx: Transaction) -> int:
        found: int = tx.value(
            """
            select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_all_tables where relname = 'incoming'
            """
        )
        return found

    with database.begin(patient=True) as tx:
        import_staging.create(tx)
        things = [import_staging.Thing(id=an_id(one), conversation_id=None, record={"id": one}) for one in range(MANY)]
        import_staging.add(tx, "memory", things)
        import_staging.set_lives(tx, {an_id(0): {}})
        seen, effort = [], 0
        untold = import_staging.without_history(tx)
        while True:
            before = read(tx)
            page = list(islice(untold, 50))
            effort += read(tx) - before
            if not page:
                break
            seen += [one["id"] for one in page]
            import_staging.set_lives(tx, {an_id(one["id"]): {} for one in page})
        assert seen == list(range(1, MANY))
        assert effort < 3 * MANY
        import_staging.complete(tx)
        assert list(import_staging.without_history(tx)) == []


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def begun(tx: Transaction, person: Person) -> None:
    begin_upload(tx, subjects.find_or_create(tx, person.user_id))


def test_packages_on_their_way_count_among_those_of_their_person(bench: Workbench, ada: Person) -> None:
    for _ in range(AT_ONCE):
        with bench.database.begin() as tx:
            begin_upload(tx, subjects.find_or_create(tx, ada.user_id))
    assert_problem(sent(ada, empty_package()), 429, "too_many_imports")
    assert_problem(sent(ada, empty_package(), dry_run=True), 429, "too_many_imports")
    assert sent(bench.person("eve"), empty_package()).status_code == 202
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - interval '1 s' where state = 'intended'")
    assert sent(ada, empty_package()).status_code == 202  # nobody keeps those any more


def test_what_was_looked_at_or_accepted_counts_once(ada: Person) -> None:
    raw = empty_package()
    for _ in range(AT_ONCE + 1):
        preview(ada, raw)
    for _ in range(AT_ONCE):
        assert sent(ada, raw).status_code == 202
    assert_problem(sent(ada, raw), 429, "too_many_imports")


def test_uploads_that_begin_at_once_count_each_other(bench: Workbench, ada: Person) -> None:
    ada.get("/api/v1/memory/long_term")
    with ThreadPoolExecutor(1) as others:
        with bench.database.begin() as tx:
            for _ in range(AT_ONCE):
                begun(tx, ada)
            answer = others.submit(sent, ada, empty_package())
            with pytest.raises(TimeoutError):
                answer.result(0.5)
        assert_problem(answer.result(10), 429, "too_many_imports")


def test_a_slow_upload_is_kept_from_its_first_bytes(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = empty_package()
    swept = []

    async def slowly(_: Any) -> AsyncIterator[bytes]:
        yield raw[:10]
        with bench.database.begin() as tx:
            tx.run("update vector_refs set deadline = now() - interval '1 hour' where state = 'intended'")
        yield raw[10:20]
        with bench.database.begin() as tx:
            swept.append(queue_abandoned(tx))
        yield raw[20:]

    monkeypatch.setattr(heartbeat, "SECONDS", 0.0)
    monkeypatch.setattr(Request, "stream", slowly)
    assert sent(ada, raw).status_code == 202
    assert swept == [0]


@pytest.mark.timeout(60)
def test_a_conversation_that_claims_a_huge_place_is_exported_all_the_same(bench: Workbench) -> None:
    def claims(path: str, records: list[Any]) -> list[Any]:
        return [{**one, "next_seq": 2**61} for one in records] if path.endswith("conversation.json") else records

    ada = bench.person("ada")
    brought(ada, repacked(Package(long_package(3)), claims))
    assert len(packed(ada).every("message")) == 3


def test_undoing_a_clear_keeps_the_one_that_was_imported(bench: Workbench) -> None:
    def cleared(path: str, records: list[Any]) -> list[Any]:
        if path.endswith("conversation.json"):
            return [{**one, "cleared_through": 2} for one in records]
        return [one for one in records if one.get("seq", 3) > 2]

    ada, before = bench.person("ada"), long_package(3)
    brought(ada, repacked(Package(before), cleared))
    [conversation] = [one["id"] for one in ada.get("/api/v1/conversations")]
    undone = ada.post("/api/v1/clear", {"conversation_id": conversation, "undo_seconds": 60}, status=202)["op_id"]
    assert bench.api.post(f"/api/v1/memory/ops/{undone}/cancel", headers=ada.headers).status_code == 200
    brought(ada, before)
    assert [one["seq"] for one in ada.get("/api/v1/messages", conversation_id=conversation)] == [3]


def test_nothing_is_remembered_of_a_conversation_that_is_not_to_be(bench: Workbench) -> None:
    ada, bob = bench.person("ada"), bench.person("bob")
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    package = packed(ada)
    made = {"memory", "episode", "event", "edge"}
    kinds = {file["path"]: file["kind"] for file in package.manifest["content"]["files"]}
    brought(bob, repacked(package, lambda path, records: [] if kinds[path] in made else records))
    [conversation] = [one["id"] for one in bob.get("/api/v1/conversations")]
    path = f"/api/v1/conversations/{conversation}"
    assert bench.api.patch(path, json={"remember": False}, headers=bob.headers).status_code == 200
    brought(bob, package.raw)
    assert bob.memories() == []
    assert bob.get("/api/v1/memory/episodes", conversation_id=conversation) == []
