"""Memories of mem0 and OpenMemory come over for many people at once, each to their own, and twice is once (X-10)."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memory_center_client import MemoryCenter
from services.compat.mem0.app import mem0_app
from tests.e2e.conftest import Stack
from tests.support.running import running

AT = "2026-03-01T10:00:00+00:00"
SCHEMA = """
create table users (id char(32) primary key, user_id varchar);
create table apps (id char(32) primary key, name varchar);
create table memories (id char(32) primary key, user_id char(32), app_id char(32), content varchar, metadata json,
  state varchar(8), created_at datetime, updated_at datetime, archived_at datetime, deleted_at datetime);
"""


@pytest.fixture
def names(tmp_path: Path) -> tuple[Path, str, str]:
    """Two people there, and who they are here."""
    ada, eve = (f"{name}-{uuid.uuid4().hex[:8]}" for name in ("ada", "eve"))
    file = tmp_path / "people.json"
    file.write_text(json.dumps({"Ada L.": ada, "eve@there": eve}), encoding="utf-8")
    return file, ada, eve


def migrate(stack: Stack, *arguments: str, code: int = 0) -> Any:
    command = [sys.executable, "-m", "services.cli.main", "migrate", *arguments, "--data-dir", str(stack.data_dir)]
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False, timeout=120)
    assert told.returncode == code, told.stderr
    return json.loads(told.stdout) if told.stdout.strip() else told.stderr


def remembered(stack: Stack, user_id: str) -> list[dict[str, Any]]:
    with MemoryCenter(stack.url, stack.secrets["service_key"], user_id=user_id) as center:
        return sorted(center.memories.list(), key=lambda one: one["content"])  # type: ignore[arg-type]


def of(told: Any, user_id: str) -> dict[str, int]:
    [counts] = [one["counts"] for one in told["people"] if one["user_id"] == user_id]
    return {fate: count for fate, count in counts.items() if count}


def memory(text: str, user_id: str, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "memory": text, "user_id": user_id, "created_at": AT, "updated_at": AT, **more}


def test_the_json_of_get_all_comes_to_each_their_own_and_twice_is_once(
    stack: Stack, tmp_path: Path, names: tuple[Path, str, str]
) -> None:
    people, ada, eve = names
    metadata = {"topic": "pets", "nested": {"a": 1}, "rank": 2}
    there = [
        memory("Ada has a parrot.", "Ada L.", metadata=metadata, agent_id="vet"),
        memory("Eve has a canary.", "eve@there"),
        memory("Somebody else has a dog.", "mallory"),
        memory("Ada had a hamster.", "Ada L.", expiration_date="2026-01-01"),
    ]
    file = tmp_path / "all.json"
    file.write_text(json.dumps({"results": there}), encoding="utf-8")
    given = ("mem0", "--from", str(file), "--user-map", str(people))

    told = migrate(stack, *given, "--dry-run")
    assert (of(told, ada), of(told, eve), told["left_out"]) == (
        {"new": 1},
        {"new": 1},
        {"people": 1, "memories": 1},
    )
    assert remembered(stack, ada) == []
    assert of(migrate(stack, *given), ada) == {"new": 1}
    [parrot] = remembered(stack, ada)
    assert (parrot["content"], parrot["origin"], parrot["metadata"], parrot["created_at"][:10]) == (
        "Ada has a parrot.",
        "imported",
        {"agent_id": "vet", "topic": "pets", "rank": 2},
        "2026-03-01",
    )
    assert [one["content"] for one in remembered(stack, eve)] == ["Eve has a canary."]
    assert of(migrate(stack, *given), ada) == {"present": 1}

    with MemoryCenter(stack.url, stack.secrets["service_key"], user_id=ada) as center:
        center.memories.delete(parrot["id"]).wait()
    assert of(migrate(stack, *given), ada) == {"erased": 1}
    assert remembered(stack, ada) == []


def test_a_server_of_mem0_is_asked_for_the_people_named(
    stack: Stack, tmp_path: Path, names: tuple[Path, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    people, ada, _ = names
    first = tmp_path / "first.json"
    first.write_text(json.dumps([memory(f"Ada owns boat {number}.", "src") for number in range(105)]), encoding="utf-8")
    (tmp_path / "src.json").write_text('{"src": "Ada L."}', encoding="utf-8")
    migrate(stack, "mem0", "--from", str(first), "--user-map", str(tmp_path / "src.json"))  # more than a page

    monkeypatch.setenv("MEM0_API_KEY", stack.secrets["service_key"])
    with running(mem0_app(stack.url)) as there:
        told = migrate(stack, "mem0", "--from", there, "--user-map", str(people))
        assert (of(told, ada), told["people"][0]["memories"]) == ({"new": 105}, 105)
        monkeypatch.setenv("MEM0_API_KEY", "wrong")
        assert "answered 401" in migrate(stack, "mem0", "--from", there, "--user-map", str(people), code=1)
    assert len(remembered(stack, ada)) == 105


def open_memory_rows() -> list[tuple[str, str, str]]:
    return [
        ("Ada L.", "Ada sails.", "active"),
        ("Ada L.", "Ada rows.", "paused"),
        ("Ada L.", "Ada swam.", "archived"),
        ("Ada L.", "Ada sank.", "deleted"),
        ("eve@there", "Eve dives.", "active"),
    ]


def states(stack: Stack, user_id: str) -> list[tuple[str, bool, bool]]:
    return [(one["content"], one["disabled"], one["archived"]) for one in remembered(stack, user_id)]


ADA_SAILS = [("Ada rows.", True, False), ("Ada sails.", False, False), ("Ada swam.", False, True)]


def test_openmemorys_file_keeps_what_is_paused_and_leaves_what_was_deleted(
    stack: Stack, tmp_path: Path, names: tuple[Path, str, str]
) -> None:
    people, ada, eve = names
    file = tmp_path / "openmemory.db"
    with sqlite3.connect(file) as database:
        database.executescript(SCHEMA)
        users = {name: uuid.uuid4().hex for name in ("Ada L.", "eve@there")}
        database.executemany("insert into users values (?, ?)", [(id_, name) for name, id_ in users.items()])
        database.execute("insert into apps values ('a', 'cursor')")
        for name, content, state in open_memory_rows():
            row = (uuid.uuid4().hex, users[name], "a", content, '{"mcp": true}', state, "2026-03-01 10:00:00.000000")
            database.execute("insert into memories values (?, ?, ?, ?, ?, ?, ?, ?, null, null)", (*row, row[-1]))
    database.close()
    given = ("openmemory", "--from", str(file), "--user-map", str(people))
    assert of(migrate(stack, *given), ada) == {"new": 3}
    assert states(stack, ada) == ADA_SAILS
    assert remembered(stack, eve)[0]["metadata"] == {"app_id": "cursor", "mcp": True}
    assert of(migrate(stack, *given), ada) == {"present": 3}


@contextmanager
def open_memory_server() -> Iterator[str]:
    """OpenMemory's memories as its server gives them, two a page here: paused and archived ones only on request.

    It knows nobody but Ada.
    """
    items = [
        {"id": str(uuid.uuid4()), "content": content, "state": state, "created_at": 1772359200, "app_name": "cursor"}
        for name, content, state in open_memory_rows()
        if name == "Ada L."
    ]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/api/v1/memories/filter" or wanted["user_id"] != "Ada L.":
                self.send_error(404)
                return
            seen = [one for one in items if one["state"] == "active" or wanted.get("show_archived")]
            assert wanted["sort_column"] == "created_at", "without an order its pages repeat"
            page, pages = wanted["page"], -(-len(seen) // 2)
            shown = seen[(page - 1) * 2 : page * 2]
            body = json.dumps({"items": shown, "total": len(seen), "page": page, "size": 2, "pages": pages}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_openmemorys_server_gives_its_pages(stack: Stack, names: tuple[Path, str, str]) -> None:
    people, ada, eve = names
    with open_memory_server() as there:
        migrate(stack, "openmemory", "--from", there, "--user-map", str(people))
    assert states(stack, ada) == ADA_SAILS
    assert remembered(stack, eve) == []


def test_what_cannot_be_read_is_one_line_and_a_code(stack: Stack, tmp_path: Path, names: tuple[Path, str, str]) -> None:
    people, ada, _ = names
    broken, history, other = tmp_path / "broken.json", tmp_path / "history.db", tmp_path / "other.json"
    broken.write_text('{"results": [', encoding="utf-8")
    with sqlite3.connect(history) as database:
        database.execute("create table history (id text)")
    database.close()
    other.write_text('{"results": ["text"]}', encoding="utf-8")
    twice = tmp_path / "twice.json"
    twice.write_text(json.dumps({"a": ada, "b": ada}), encoding="utf-8")
    good = str(people)
    for source, place, who, code in (
        ("mem0", str(broken), good, 2),
        ("mem0", str(history), good, 2),
        ("mem0", str(other), good, 2),
        ("mem0", str(tmp_path / "nowhere.json"), good, 2),
        ("openmemory", str(history), good, 2),
        ("openmemory", str(broken), good, 2),
        ("mem0", "http://127.0.0.1:9", good, 3),
        ("openmemory", "http://127.0.0.1:9", good, 3),
        ("mem0", str(other), str(twice), 2),
        ("mem0", str(other), str(broken), 2),
    ):
        told = migrate(stack, source, "--from", place, "--user-map", who, code=code)
        assert len(told.strip().splitlines()) == 1, told
