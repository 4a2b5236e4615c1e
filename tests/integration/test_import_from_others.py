"""What another assistant exported becomes what is remembered here, and is forgotten like it (X-09)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.outbox.job_kinds import IMPORT_APPLY
from shared.portability.rules.imports import FATES
from tests.support.foreign_exports import ROOT, chat, node, remembered, talk
from tests.support.importing import asked, brought, preview
from tests.support.workbench import Person, Workbench

SAID = "I'm allergic to peanuts."
MEM0 = {"results": [remembered(1, "Likes green tea."), remembered(2, "我对花生过敏。")]}
CHATGPT = [chat(ROOT, node("asked", "root", text=SAID), node("answered", "asked", "assistant", "Noted."))]
CLAUDE = [talk(("human", SAID), ("assistant", "Noted."))]
CLAUDE_KNOWS = [{"conversations_memory": "Ada is an engineer.\n\nAda lives in Berlin.", "project_memories": {}}]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def raw(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def fates(person: Person, document: Any) -> dict[str, dict[str, int]]:
    """Return what would become of conversations, messages and memories, by fate."""
    foreseen = preview(person, raw(document))
    counted = {fate: {kind: n for kind, n in foreseen[fate].items() if kind != "event"} for fate in FATES}
    return {fate: counts for fate, counts in counted.items() if counts}


@pytest.mark.parametrize(
    ("source", "document", "contents"),
    [
        ("mem0", MEM0, ["Likes green tea.", "我对花生过敏。"]),
        ("claude", CLAUDE_KNOWS, ["Ada is an engineer.", "Ada lives in Berlin."]),
    ],
)
def test_memories_come_unconfirmed_and_are_found(ada: Person, source: str, document: Any, contents: list[str]) -> None:
    assert preview(ada, raw(document))["source"] == source
    assert fates(ada, document) == {"new": {"memory": 2}}
    brought(ada, raw(document))
    memories = ada.get("/api/v1/memory/long_term")
    assert sorted(memory["content"] for memory in memories) == sorted(contents)
    assert {(memory["origin"], memory["confirmed"]) for memory in memories} == {("imported", False)}
    found = ada.post("/api/v1/memory/search", {"query": contents[0]}, status=200)
    assert (found["mode"], found["items"][0]["content"]) == ("semantic", contents[0])

    assert fates(ada, document) == {"present": {"memory": 2}}
    ada.forget("selection", ids=[memory["id"] for memory in memories if memory["content"] == contents[0]])
    ada.bench.work()
    assert ada.memories() == [contents[1]]
    assert fates(ada, document) == {"present": {"memory": 1}, "erased": {"memory": 1}}


@pytest.mark.parametrize(("source", "document"), [("chatgpt", CHATGPT), ("claude", CLAUDE)])
def test_conversations_come_with_what_can_be_learned_from_them(ada: Person, source: str, document: Any) -> None:
    assert preview(ada, raw(document))["source"] == source
    assert fates(ada, document) == {"new": {"conversation": 1, "message": 2}}
    brought(ada, raw(document))
    [conversation] = ada.get("/api/v1/conversations")
    said = ada.get("/api/v1/messages", conversation_id=conversation["id"])
    assert [(one["role"], one["content"]) for one in said] == [("user", SAID), ("assistant", "Noted.")]
    [memory] = ada.get("/api/v1/memory/long_term")
    assert (memory["content"], memory["origin"], memory["taboo"]) == (SAID, "extracted", True)
    assert memory["provenance"]["message_id"] == said[0]["id"]

    ada.forget("conversation", conversation_id=conversation["id"])
    ada.bench.work()
    assert ada.memories() == []
    assert fates(ada, document) == {"erased": {"conversation": 1, "message": 2}}


def test_of_very_many_memories_the_rest_is_indexed_little_by_little(bench: Workbench, ada: Person) -> None:
    many = {"results": [remembered(number, f"Owns book number {number}.") for number in range(1, 651)]}
    asked(ada, raw(many))
    bench.work_once(kinds=[IMPORT_APPLY])
    due = "select count(*) from outbox where kind = 'memory.index' and available_at <= now()"
    assert bench.count(due) == 499  # four hundred, and those of the first ten seconds
    last = (
        "select extract(epoch from max(available_at) - min(available_at))::int from outbox where kind = 'memory.index'"
    )
    assert bench.count(last) == 20
