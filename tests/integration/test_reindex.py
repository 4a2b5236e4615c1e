"""The index of vectors and words is built again from PostgreSQL while everything is served (CN-08)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from typer.testing import CliRunner

from services.cli.main import app as cli
from shared.erasure.reindex import queue_reindex
from shared.stores.port import StoreUnavailable
from tests.support.backing import Backing
from tests.support.memories import written
from tests.support.milvus_servers import milvus_lite
from tests.support.small_api import assert_problem
from tests.support.smaller_vectors import fill_with_smaller_vectors
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers.maintenance import reindexing

SEARCH, FORGET = "/api/v1/memory/search", "/api/v1/memory/forget"
DENTIST = "My dentist is Dr. Okafor."


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def talk(ada: Person) -> str:
    return told(ada)


def told(person: Person) -> str:
    """Let a person say and write what becomes two episodes and at least two memories."""
    conversation = person.conversation()
    person.say(conversation, (DENTIST, "Noted."), ("我对花生过敏。", "记下了。"))
    written(person, "I cycle to work.", content_type="fact")
    person.bench.work()
    return conversation


def reindex(bench: Workbench, user_id: str | None = None) -> str:
    return str(bench.database.transact(lambda tx: queue_reindex(tx, user_id)))


def keys(bench: Workbench, person: Person) -> dict[str, set[UUID]]:
    """Return the keys both stores hold of a person, which must be those that are announced and served."""
    namespace = bench.namespace(person)
    held = {"milvus": bench.process.episodes.keys(namespace), "mem0": bench.process.mem0.keys(namespace)}
    with bench.database.begin() as tx:
        rows = tx.rows("select pk, store, state from vector_refs where namespace = :namespace", namespace=namespace)
    assert {store: {row["pk"] for row in rows if row["store"] == store} for store in held} == held
    assert {row["state"] for row in rows} <= {"written"}
    return held


def items_of(bench: Workbench, person: Person) -> set[UUID]:
    with bench.database.begin() as tx:
        rows = tx.rows(
            "select item_id from vector_refs where namespace = :namespace", namespace=bench.namespace(person)
        )
    return {row["item_id"] for row in rows}


def found(person: Person, question: str, conversation: str) -> dict[str, Any]:
    body = {"query": question, "conversation_id": conversation}
    answer: dict[str, Any] = person.post(SEARCH, body, status=200)
    return answer


def assert_it_is_found(person: Person, conversation: str) -> None:
    for question, text in (("Who is my dentist?", "Okafor"), ("花生", "花生"), ("How do I get to work?", "cycle")):
        answer = found(person, question, conversation)
        assert answer["mode"] == "semantic"
        assert text in answer["items"][0]["content"], question


@contextmanager
def owner(bench: Workbench) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """Open a connection to what no role of the product may read."""
    with psycopg.connect(bench.settings.database_url.get_secret_value()) as connection:
        yield connection


def words(bench: Workbench) -> dict[UUID, list[int]]:
    """Return what every item is found by."""
    with owner(bench) as connection:
        rows = connection.execute(
            "select message_id, terms from message_terms union all select memory_id, terms from memory_terms"
        ).fetchall()
    return {id_: sorted(terms) for id_, terms in rows}


def counts(bench: Workbench, op_id: str) -> dict[str, dict[str, int]]:
    """Return what a reindexing that succeeded counted, by store, over everybody."""
    cleanups = bench.api.get("/api/v1/memory/cleanups", params={"limit": 200}, headers=bench.service).json()
    mine = [one for one in cleanups if op_id in (one["id"], one["found_by"])]
    assert {(one["type"], one["status"]) for one in mine} == {("cleanup_reindex", "succeeded")}
    total: dict[str, dict[str, int]] = {}
    for one in mine:
        for step in one["steps"]:
            store = total.setdefault(step["name"], {})
            for name, number in step["counts"].items():
                store[name] = store.get(name, 0) + number
    return total


def test_every_item_gets_a_new_key_and_the_old_one_is_gone(bench: Workbench, ada: Person, talk: str) -> None:
    before, items, found_by = keys(bench, ada), items_of(bench, ada), words(bench)

    operation = reindex(bench)
    while bench.work_once():
        assert_it_is_found(ada, talk)

    after = keys(bench, ada)
    for store in before:
        assert len(after[store]) == len(before[store]) > 0
        assert not after[store] & before[store]
        assert counts(bench, operation)[store]["reindexed"] == len(after[store])
    assert items_of(bench, ada) == items
    assert words(bench) == found_by
    assert_it_is_found(ada, talk)
    shown = ada.get("/api/v1/memory/ops")
    assert [(one["type"], one["status"]) for one in shown] == [("cleanup_reindex", "succeeded")]


def test_words_that_were_lost_or_are_read_otherwise_by_now_are_found_again(
    bench: Workbench, ada: Person, talk: str
) -> None:
    right = words(bench)
    with owner(bench) as connection:
        connection.execute("update message_terms set terms = array[1, 2]::bigint[]")
        connection.execute(
            "delete from message_terms where message_id in (select message_id from message_terms limit 1)"
        )
        connection.execute("delete from memory_terms")
    assert words(bench) != right

    reindex(bench, ada.user_id)
    bench.work()

    assert words(bench) == right
    assert_it_is_found(ada, talk)


def test_of_one_person_nobody_else_is_touched(bench: Workbench, ada: Person, talk: str) -> None:
    lin = bench.person()
    told(lin)
    before = {person.user_id: keys(bench, person) for person in (ada, lin)}

    operation = reindex(bench, ada.user_id)
    bench.work()

    assert keys(bench, lin) == before[lin.user_id]
    assert not keys(bench, ada)["milvus"] & before[ada.user_id]["milvus"]
    assert set(counts(bench, operation)) == {"milvus", "mem0"}
    assert lin.get("/api/v1/memory/ops") == []


def test_what_is_forgotten_in_between_is_gone_for_good(
    bench: Workbench, ada: Person, talk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_again, forgets = reindexing.write_again, []

    def then_it_is_forgotten(*arguments: Any) -> Any:
        again = write_again(*arguments)
        if not forgets:
            forgets.append(ada.forget("conversation", conversation_id=talk))
        return again

    monkeypatch.setattr(reindexing, "write_again", then_it_is_forgotten)
    operation = reindex(bench, ada.user_id)
    bench.work()
    bench.hurry()
    bench.work()

    assert ada.operation(forgets[0])["status"] == "succeeded"
    assert sum(found["forgotten"] for found in counts(bench, operation).values()) > 0
    assert ada.memories() == ["I cycle to work."]
    held = keys(bench, ada)
    assert (len(held["milvus"]), len(held["mem0"])) == (0, 1)
    assert found(ada, DENTIST, told(ada))["items"] != []


@pytest.mark.parametrize("place", ["confirm_replaced", "erase_and_prove", "write_again"])
def test_what_was_interrupted_anywhere_goes_on_and_leaves_nothing_double(
    bench: Workbench, ada: Person, talk: str, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    before, items = keys(bench, ada), items_of(bench, ada)
    real, interrupted = getattr(reindexing, place), []

    def interrupting(*arguments: Any) -> Any:
        if len(interrupted) < 2 and (place != "erase_and_prove" or arguments[1]):
            interrupted.append(place)
            raise StoreUnavailable("milvus")
        return real(*arguments)

    monkeypatch.setattr(reindexing, place, interrupting)
    operation = reindex(bench, ada.user_id)
    for _ in range(4):
        bench.work()
        assert found(ada, "Who is my dentist?", talk)["items"] != []
        bench.hurry()
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - interval '2 minutes' where state = 'intended'")
    bench.process.breaker.call(lambda: None)
    _discard_abandoned(bench)

    assert len(interrupted) == 2
    assert set(counts(bench, operation)) == {"milvus", "mem0"}
    assert not any(keys(bench, ada)[store] & before[store] for store in before)
    assert items_of(bench, ada) == items
    assert_it_is_found(ada, talk)


def _discard_abandoned(bench: Workbench) -> None:
    """Collect what was announced by an attempt that did not come to its end, as the scheduler does."""
    from shared.erasure.discard_vectors import queue_abandoned

    bench.database.transact(queue_abandoned)
    bench.work()


def test_collections_of_another_dimension_are_made_anew(
    backing: Backing, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workbench(test_settings(backing, database_url, data_dir=tmp_path)) as bench:
        ada = bench.person("ada")
        conversation, namespace = told(ada), bench.namespace(ada)
    with milvus_lite() as smaller:
        fill_with_smaller_vectors(smaller.uri, str(namespace), monkeypatch)
        settings = test_settings(
            backing, database_url, data_dir=tmp_path, milvus_uri=smaller.uri, milvus_flavour="lite"
        )
        with workbench(settings) as bench:
            ada = bench.person("ada")
            assert "store_misconfigured" in found(ada, DENTIST, conversation)["diagnostics"]["reasons"]

            operation = reindex(bench)
            bench.work()

            assert {name: of["collections"] for name, of in counts(bench, operation).items() if name != "postgres"} == {
                "milvus": 1,
                "mem0": 1,
            }
            assert_it_is_found(ada, conversation)
            assert len(keys(bench, ada)["milvus"]) == 2


def test_the_command_says_what_it_wrote(
    bench: Workbench, ada: Person, talk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_CENTER_DATABASE_URL", bench.settings.database_url.get_secret_value())
    held = keys(bench, ada)

    with working(bench):
        as_json = CliRunner().invoke(cli, ["reindex", "--user", ada.user_id, "--json"])
        as_text = CliRunner().invoke(cli, ["reindex"])
    unknown = CliRunner().invoke(cli, ["reindex", "--user", "nobody"])

    assert as_json.exit_code == 0, as_json.output
    stores = json.loads(as_json.stdout)["stores"]
    assert {name: of["reindexed"] for name, of in stores.items()} == {name: len(some) for name, some in held.items()}
    assert as_text.exit_code == 0, as_text.output
    assert as_text.stdout.splitlines() == [
        f"milvus: {len(held['milvus'])} written again, 0 forgotten meanwhile",
        f"mem0: {len(held['mem0'])} written again, 0 forgotten meanwhile",
    ]
    assert (unknown.exit_code, unknown.stdout) == (2, "")


def test_only_services_reindex_and_one_that_has_not_ended_is_joined(bench: Workbench, ada: Person, talk: str) -> None:
    def ask(headers: dict[str, str], **query: str) -> Any:
        return bench.api.post("/api/v1/memory/reindex", params=query, headers=headers)

    for refused in (ask(ada.headers), ask(ada.headers, user_id=ada.user_id), ask(bench.service, user_id="nobody")):
        assert_problem(refused, 404, "not_found")
    first, second = ask(bench.service), ask(bench.service)
    assert (first.status_code, second.json()["op_id"]) == (202, first.json()["op_id"])
    bench.work()
    assert set(counts(bench, first.json()["op_id"])) == {"postgres", "milvus", "mem0"}
    assert ask(bench.service, user_id=ada.user_id).status_code == 202


@contextmanager
def working(bench: Workbench) -> Iterator[None]:
    """Let workers run in a thread until the block ends."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            bench.work_once()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
