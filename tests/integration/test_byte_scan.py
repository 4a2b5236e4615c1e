"""After a purge no file of a real installation holds a forgotten text; before it, the scan says which do."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from typer.testing import CliRunner

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.servers import MilvusLite, PostgresServer
from migrations.upgrade import upgrade
from services.cli.byte_scan import LeftOut, Needles, Searched, search
from services.cli.main import app
from shared.erasure.sql.purging import rewrite_tables
from shared.kernel.database import Database
from shared.stores.mem0_collections import ENTITIES, MEMORIES
from shared.stores.mem0_vectors import definition
from shared.stores.milvus_client import MilvusConnection, connect
from shared.stores.milvus_purging import Purger
from tests.support.backing import Backing
from tests.support.workbench import test_settings, workbench
from workers.scheduler.contexts import expire

MARK = uuid4().hex
CANARIES = {
    "short": f"the canary {MARK} sings",
    "long": " ".join(f"verse {number} of the long canary {MARK} {number * 7919}" for number in range(60)),
    "chinese": f"金丝雀在唱歌{MARK[:6]}，明天去喝茶",
}


@dataclass
class Installation:
    """Real servers below one data directory."""

    directory: DataDirectory
    url: str
    database: Database
    milvus: MilvusConnection

    def scan(self, *needles: str, arguments: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:
        """Run the command; return its exit code and what it reported."""
        command = ["scan", "--json", "--data-dir", str(self.directory.root), *arguments]
        given = {"MEMORY_CENTER_DATABASE_URL": self.url}
        finished = CliRunner().invoke(app, command, input="\n".join(needles) + "\n", env=given)
        return finished.exit_code, json.loads(finished.stdout)

    def holding(self, *needles: str) -> set[str]:
        """Return which servers' files hold a needle."""
        code, report = self.scan(*needles)
        places = {Path(one["path"]).relative_to(self.directory.root).parts[0] for one in report["found"]}
        assert code == (1 if places else 0)
        return places


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    # Not below pytest's own directory: PostgreSQL runs as another user.
    with tempfile.TemporaryDirectory(prefix="memory-center-scan-", ignore_cleanup_errors=True) as root:
        directory = DataDirectory(Path(root))
        directory.make()
        Path(root).chmod(0o711)
        directory.logs.chmod(0o711)
        postgres = PostgresServer(directory.postgres, password="only-for-tests", log=directory.log("postgres"))
        milvus = MilvusLite(directory.milvus, log=directory.log("milvus"))
        with postgres, milvus:
            upgrade(postgres.url())
            connection = connect(milvus.url(), timeout=15)
            for one in (MEMORIES, ENTITIES):
                made_of = definition(bm25=True)
                connection.ensure(one.alias, one.physical, made_of.schema, made_of.indexes)
            database = Database(postgres.url(), pool_size=2)
            yield Installation(directory, postgres.url(), database, connection)
            database.close()
            connection.close()


def test_purged_texts_are_in_no_file(installation: Installation) -> None:
    write_and_delete_in_postgresql(installation.url)
    write_and_delete_in_milvus(installation.milvus)
    for canary in CANARIES.values():
        assert installation.holding(canary) == {"postgres", "milvus"}, "deleting and vacuuming is not enough"

    rewrite_tables(installation.database)
    assert installation.holding(*CANARIES.values()) == {"milvus"}
    purger = Purger(installation.milvus, flavour="lite", lock=lambda _name: nullcontext(), keep=set)
    counts = purger.purge_store("mem0")

    assert installation.holding(*CANARIES.values()) == set()
    assert counts["rows"] == 60
    assert installation.holding("neighbour number 7 stays") == {"postgres", "milvus"}


def write_and_delete_in_postgresql(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("set session_replication_role = replica")  # contents without what they are contents of
        person = uuid4()
        owner.execute(
            "insert into operations (id, subject_id, type, scope, target, status, erased_at)"
            " values (%s, %s, 'forget_message', 'message', '{}', 'succeeded', now())",
            [uuid4(), person],
        )
        for number in range(200):
            for table, key in (("message_contents", "message_id"), ("memory_contents", "memory_id")):
                insert = f"insert into {table} ({key}, subject_id, text) values (%s, %s, %s)".encode()
                for text in (*CANARIES.values(), f"neighbour number {number} stays", "neighbour " * 300):
                    owner.execute(insert, [uuid4(), person, text])
        owner.execute("checkpoint")
        for table in ("message_contents", "memory_contents"):
            owner.execute(f"delete from {table} where text not like 'neighbour%'".encode())
            owner.execute(f"vacuum {table}".encode())


def write_and_delete_in_milvus(milvus: MilvusConnection) -> None:
    namespace = uuid4()
    for collection in (MEMORIES.alias, ENTITIES.alias):
        gone = [a_row(namespace, text) for text in CANARIES.values() for _ in range(10)]
        milvus.insert(collection, [a_row(namespace, f"neighbour number {number} stays") for number in range(30)])
        milvus.insert(collection, gone)
        milvus.flush(collection)
        milvus.delete(collection, "id", [row["id"] for row in gone])
        milvus.flush(collection)


def a_row(namespace: UUID, text: str) -> dict[str, Any]:
    metadata = {"data": text, "text_lemmatized": text, "linked_memory_ids": []}
    vector = [1.0, *[0.0] * 383]
    return {"id": str(uuid4()), "user_id": str(namespace), "vectors": vector, "metadata": metadata, "text": text}


def test_what_was_said_for_a_task_is_in_no_file_a_day_after_its_end(
    installation: Installation, backing: Backing
) -> None:
    said = f"canary {uuid4()}: 40 SOL at 120"
    with workbench(test_settings(backing, installation.url)) as bench:
        ada = bench.person()
        asked = {"route": "pre_execution", "user_stated_position_context": said}
        task = ada.post("/api/v1/tasks", asked)["task_id"]
        ada.post(f"/api/v1/tasks/{task}/end", {"status": "succeeded"}, status=200)
        with bench.database.begin() as tx:
            tx.run("update user_contexts set expires_at = expires_at - interval '24 hours'")
        assert expire(bench.database) == 1
        bench.work()
        assert bench.holds(said) == []
    assert installation.holding(said) == {"postgres"}, "the row is gone, its bytes are not yet"

    rewrite_tables(installation.database)

    assert installation.holding(said) == set()


def test_rows_milvus_has_not_flushed_are_found(installation: Installation) -> None:
    text = f"not flushed {uuid4()}"
    row = a_row(uuid4(), text)
    installation.milvus.insert(MEMORIES.alias, [row])
    assert installation.holding(text) == {"milvus"}
    installation.milvus.delete(MEMORIES.alias, "id", [row["id"]])  # others count what there is


def test_what_postgresql_has_only_in_memory_is_written_down_first(installation: Installation) -> None:
    text = f"in memory {uuid4()}"
    with psycopg.connect(installation.url) as owner:
        owner.execute("set session_replication_role = replica")
        insert = "insert into memory_contents (memory_id, subject_id, text) values (%s, %s, %s)"
        owner.execute(insert, [uuid4(), uuid4(), text])
    assert installation.holding(text) == {"postgres"}


def test_the_write_ahead_log_is_left_out_and_the_report_says_so(installation: Installation) -> None:
    code, report = installation.scan(f"nobody wrote {uuid4()}")
    assert code == 0
    assert [(Path(one["path"]).name, one["harmless"]) for one in report["not_searched"]] == [("pg_wal", True)]
    assert report["files"] > 500
    assert report["bytes"] > 10_000_000


def found(root: Path, *texts: str) -> dict[str, int]:
    searched = [one for one in search([root], Needles(texts)) if isinstance(one, Searched)]
    return {one.path.name: one.hits for one in searched if one.hits}


@pytest.mark.parametrize(
    "written",
    [
        b'plain: He said "\xe5\x96\x9d\xe8\x8c\xb6"',
        'He said "喝茶"'.encode("utf-16-le"),
        rb'{"text": "He said \"\u559d\u8336\""}',
        rb'{"text": "He said \"\u559D\u8336\""}',
        '{"text": "He said \\"喝茶\\""}'.encode(),
    ],
    ids=["utf-8", "utf-16", "escaped", "escaped in capitals", "quotes escaped"],
)
def test_a_text_is_found_however_it_was_written(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "file").write_bytes(b"\x00" * 100 + written)
    assert found(tmp_path, 'He said "喝茶"') == {"file": 1}
    assert found(tmp_path, 'He said "喝水"') == {}


def test_a_text_across_two_reads_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.cli.byte_scan._CHUNK_BYTES", 64)
    for shift in range(64):
        (tmp_path / f"{shift}").write_bytes(b"." * shift + b"canary" + b"." * 100 + b"canary")
    assert found(tmp_path, "canary", "nothing else") == {str(shift): 2 for shift in range(64)}


@pytest.mark.parametrize("length", [64, 100, 150, 190, 500, 3000])
def test_a_long_text_that_was_cut_in_two_is_found_in_one_of_them(tmp_path: Path, length: int) -> None:
    text = "".join(f"{number:05d}" for number in range(length // 5 + 1))[:length]
    for at in range(0, length, 7):
        (tmp_path / "cut").write_bytes(b"\x00" + text[:at].encode() + b"\xff" * 40 + text[at:].encode())
        assert found(tmp_path, text)


def test_padding_in_a_long_text_is_not_found_everywhere(tmp_path: Path) -> None:
    (tmp_path / "page").write_bytes(b" " * 9000 + b"\x00" * 9000)
    assert found(tmp_path, "a beginning" + " " * 2000 + "an end of the text that nobody wrote") == {}


def test_compressed_text_is_found(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    text = "the canary sings in the morning, and the canary sings in the evening"
    table = arrow.table({"metadata": [json.dumps({"data": text})] * 50, "tags": [["x", "y"]] * 50})
    plain = {"use_dictionary": False, "write_statistics": False, "store_schema": False}
    parquet.write_table(table, tmp_path / "data.parquet", compression="zstd", **plain)
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 damaged")
    assert text.encode() not in (tmp_path / "data.parquet").read_bytes()

    searched = list(search([tmp_path], Needles([text])))

    assert [one.path.name for one in searched if isinstance(one, Searched) and one.hits] == ["data.parquet"]
    assert [one.path.name for one in searched if isinstance(one, LeftOut)] == ["damaged.parquet"]


def run(tmp_path: Path, needles: bytes, *arguments: str) -> Any:
    environment = {"MEMORY_CENTER_DATABASE_URL": None}
    return CliRunner().invoke(app, ["scan", "--data-dir", str(tmp_path), *arguments], input=needles, env=environment)


def test_the_output_names_files_and_never_the_text(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "worker.log").write_text("line\nsecret words here\nsecret words here\n")
    finished = run(tmp_path, b"secret words\nanother text\n")
    assert finished.exit_code == 1
    assert finished.stdout.splitlines()[0] == f"{tmp_path / 'logs' / 'worker.log'}: 2"
    assert "secret" not in finished.output
    assert run(tmp_path, b"other words\n").exit_code == 0
    assert run(tmp_path, b"secret words\n", str(tmp_path / "logs" / "worker.log")).exit_code == 1


@pytest.mark.parametrize("needles", [b"", b"\n \n", b"abc\n", b"\xff\xfe\xfd\xfc\n"])
def test_without_a_text_to_search_for_nothing_is_searched(tmp_path: Path, needles: bytes) -> None:
    finished = run(tmp_path, needles)
    assert finished.exit_code == 2
    assert "searched" not in finished.stdout


def test_a_place_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert run(tmp_path, b"some text\n", str(tmp_path / "missing")).exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_cannot_be_read_is_not_taken_for_clean(tmp_path: Path) -> None:
    (tmp_path / "closed").write_text("hidden")
    (tmp_path / "closed").chmod(0)
    assert run(tmp_path, b"some text\n").exit_code == 2


def test_a_file_that_could_not_be_searched_is_not_taken_for_clean(tmp_path: Path) -> None:
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 damaged")
    finished = run(tmp_path, b"some text\n")
    assert finished.exit_code == 2
    assert f"Not searched: {tmp_path / 'damaged.parquet'} " in finished.stdout
