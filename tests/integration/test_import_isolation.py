"""A package reaches nobody else's things, leaves nothing in the catalog, and follows what was decided here (X-09)."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from shared.kernel.database import Database
from shared.portability.sql import import_staging
from shared.portability.sql.import_staging import Thing
from tests.support.backing import Backing
from tests.support.foreign_exports import ROOT, chat, node
from tests.support.importing import brought, elsewhere, repacked
from tests.support.packages import Package, packed
from tests.support.workbench import Person, Workbench

SECRET = "The spare key is with Quillfeather."
GREETING = ("Good morning.", "Good morning to you.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


@pytest.fixture
def package(bench: Workbench, backing: Backing) -> Package:
    """What somebody took along from another installation: a conversation with feedback."""
    with elsewhere(bench, backing) as both:
        eve = both.there.person("eve")
        conversation = eve.conversation()
        [(said, _)] = eve.say(conversation, GREETING)
        eve.post("/api/v1/feedback", {"rating": 1, "message_id": said, "conversation_id": conversation})
        both.there.work()
        return packed(eve)


def test_naming_somebody_elses_message_does_not_reach_it(bench: Workbench, ada: Person, package: Package) -> None:
    [(hers, _)] = ada.say(ada.conversation(), (SECRET, "Noted."))
    bench.work()

    def naming_hers(path: str, records: list[Any]) -> list[Any]:
        if path.endswith("/episodes.jsonl"):
            return [{**one, "user_message_id": str(hers), "user_message": None} for one in records]
        if path.endswith("/feedback.jsonl"):
            return [{**one, "message_id": str(hers)} for one in records]
        return records

    eve = bench.person("eve")
    brought(eve, repacked(package, naming_hers))
    assert bench.count("select count(*) from episodes where user_message_id = %(hers)s", hers=hers) == 1
    assert bench.count("select count(*) from feedback where message_id = %(hers)s", hers=hers) == 0
    [conversation] = eve.get("/api/v1/conversations")
    told = [
        eve.get("/api/v1/memory/episodes", conversation_id=conversation["id"]),
        eve.search("Where is the spare key?", conversation_id=conversation["id"]),
        eve.post("/api/v1/recall", {"query": "spare key", "conversation_id": conversation["id"]}, status=200),
        packed(eve).every("episode"),
    ]
    assert "Quillfeather" not in str(told)


def test_what_a_package_says_leaves_no_statistics(database: Database) -> None:
    with database.begin() as tx:
        import_staging.create(tx)
        said = [Thing(id=uuid4(), conversation_id=uuid4(), record={"content": f"{SECRET} {n}"}) for n in range(300)]
        import_staging.add(tx, "memory", said)
        import_staging.complete(tx)
        measured = {row["attname"] for row in tx.rows("select attname from pg_stats where tablename like 'incoming%'")}
    assert "kind" in measured
    assert measured & {"record", "lived", "data", "actor"} == set()


def test_what_comes_into_an_excluded_conversation_is_marked_for_good(bench: Workbench) -> None:
    eve = bench.person("eve")
    first = [node("asked", "root", text=GREETING[0]), node("answered", "asked", "assistant", GREETING[1])]
    later = [*first, node("again", "answered", text=SECRET), node("noted", "again", "assistant", "Noted.")]
    brought(eve, json.dumps([chat(ROOT, *first)]).encode())
    [conversation] = eve.get("/api/v1/conversations")
    path = f"/api/v1/conversations/{conversation['id']}"
    assert bench.api.patch(path, json={"remember": False}, headers=eve.headers).status_code == 200
    brought(eve, json.dumps([chat(ROOT, *later)]).encode())
    said = [one["content"] for one in eve.get("/api/v1/messages", conversation_id=conversation["id"])]
    assert said == [*GREETING, SECRET, "Noted."]
    assert bench.count("select count(*) from messages where not (learn or summarize or index_episode)") == 2
    assert eve.memories() == []
