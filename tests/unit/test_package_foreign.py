"""What mem0, ChatGPT and Claude export becomes conversations, messages and memories of ours (X-09)."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.portability.packages.parsing import is_storable
from shared.portability.packages.reading import Limits, Package, PackageRefused, open_package
from shared.portability.packages.records import Conversation, Memory, Message, forms
from shared.portability.packages.rules import keeps_rules
from tests.support.depth import examples
from tests.support.foreign_exports import ROOT, chat, node, remembered, talk
from tests.support.handmade_packages import zip_of
from tests.support.tables import each

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def opened(data: bytes, limits: Limits | None = None) -> Package:
    package = open_package(io.BytesIO(data), limits or Limits(), now=NOW)
    package.check()
    return package


def of(document: Any) -> Package:
    return opened(json.dumps(document).encode())


def refused(document: Any) -> PackageRefused:
    with pytest.raises(PackageRefused) as caught:
        of(document)
    return caught.value


def memories(package: Package) -> list[Memory]:
    return [record for record in package.records("memory") if isinstance(record, Memory)]


def messages(package: Package) -> list[Message]:
    return [record for record in package.records("message") if isinstance(record, Message)]


def conversations(package: Package) -> list[Conversation]:
    return [record for record in package.records("conversation") if isinstance(record, Conversation)]


# --- mem0


MEM0 = [remembered(1), remembered(2, "我喜欢绿茶。", updated_at="2024-08-01T00:00:00+00:00")]


@each(
    "document",
    [
        MEM0,
        {"results": MEM0},
        {"results": MEM0, "relations": [{"source": "alex", "relationship": "likes", "destination": "tea"}]},
        {"count": 2, "next": None, "previous": None, "results": MEM0},
    ],
)
def test_memories_of_mem0(document: Any) -> None:
    package = of(document)
    assert (package.source, package.format, package.schema_version, package.content) == ("mem0", "json", None, None)
    assert package.check() == {"memory": 2}
    tea, green = memories(package)
    assert (tea.content, green.content) == ("Likes tea.", "我喜欢绿茶。")
    assert tea.created_at == tea.updated_at == datetime(2024, 7, 20, 8, 30, 36, 275141, tzinfo=UTC)
    assert green.updated_at == datetime(2024, 8, 1, tzinfo=UTC)
    assert {(one.origin, one.method, one.scope, one.content_type) for one in (tea, green)} == {
        ("imported", "import", "global", "note")
    }
    assert conversations(package) == messages(package) == []


def test_a_file_is_not_read_again_for_kinds_it_cannot_hold() -> None:
    package = of([remembered(1)])
    reads: list[str] = []
    real = package._documents  # type: ignore[attr-defined]
    package._documents = lambda: (reads.append("once"), real())[1]  # type: ignore[attr-defined]
    for kind in forms():
        list(package.records(kind))
    assert len(reads) == 3, "conversations, messages, memories"


def test_what_expired_is_left_out_and_what_has_no_time_is_of_now() -> None:
    package = of(
        [
            remembered(1, expiration_date="2026-04-30"),
            remembered(2, expiration_date="2026-05-01"),
            remembered(3, created_at=None),
            remembered(4, created_at="2025-01-01T00:00:00"),
            remembered(5, ""),
        ]
    )
    assert [one.created_at for one in memories(package)[1:]] == [NOW, datetime(2025, 1, 1, tzinfo=UTC)]
    assert len(memories(package)) == 3


def test_a_long_memory_becomes_several() -> None:
    text = "\n\n".join(letter * 1_500 for letter in "abc") + "\n\n" + "d" * 4_500
    parts = memories(of([remembered(1, text)]))
    assert [len(one.content) for one in parts] == [1_500, 1_500, 1_500, 2_000, 2_000, 500]
    assert len({one.id for one in parts}) == 6
    assert all(map(keeps_rules, parts))


def test_importing_twice_gives_the_same_ids_and_another_memory_another() -> None:
    first, again = memories(of(MEM0)), memories(of({"results": MEM0[:1]}))
    assert first[0].id == again[0].id
    assert first[0].id != first[1].id


# --- ChatGPT


def test_a_conversation_of_chatgpt_is_the_branch_that_is_shown() -> None:
    document = chat(
        ROOT,
        node("system", "root", "system", "You are ChatGPT."),
        node("hidden", "system", text="My instructions", metadata={"is_visually_hidden_from_conversation": True}),
        node("weightless", "hidden", text="Weightless", weight=0.0),
        node("edited", "weightless", text="What I said first"),
        node("asked", "weightless", text="What is it?"),
        node("thought", "asked", "assistant", "Let me think.", channel="commentary"),
        node("called", "thought", "assistant", "search('x')", recipient="browser"),
        node("found", "called", "tool", "Found."),
        node("ran", "found", "assistant", content={"content_type": "code", "text": "print()"}),
        node("blank", "ran", "assistant", "  "),
        node("answered", "blank", "assistant", "It is a database.", create_time=None),
        node(
            "shown",
            "answered",
            content={"content_type": "multimodal_text", "parts": [{"asset_pointer": "file-service://x"}, "And this?"]},
        ),
    )
    package = of([document])
    assert package.source == "chatgpt"
    assert package.check() == {"conversation": 1, "message": 3}
    [head] = conversations(package)
    assert (head.title, head.next_seq, head.turn, head.turn_open, head.session) == (
        "Postgres vs MongoDB",
        4,
        2,
        True,
        1,
    )
    assert head.created_at == datetime.fromtimestamp(1736209400, UTC)
    assert head.updated_at == datetime.fromtimestamp(1736209800.5, UTC)
    said = messages(package)
    assert [(one.seq, one.turn, one.role, one.content) for one in said] == [
        (1, 1, "user", "What is it?"),
        (2, 1, "assistant", "It is a database."),
        (3, 2, "user", "And this?"),
    ]
    assert {one.conversation_id for one in said} == {head.id}
    assert said[1].spoken_at == said[0].spoken_at == datetime.fromtimestamp(1736209412.345, UTC)
    assert all(map(keeps_rules, [head, *said]))
    assert [entry.conversation_id for entry in package.entries("message")] == [head.id] * 3


def test_long_texts_become_several_messages_of_one_turn_and_titles_are_cut() -> None:
    document = chat(
        ROOT, node("a", "root", text="a" * 70_000), node("b", "a", "assistant", "b" * 40_000), title="t" * 300
    )
    package = of([document])
    said = messages(package)
    assert [(one.role, one.turn, len(one.content)) for one in said] == [
        ("user", 1, 32_000),
        ("user", 1, 32_000),
        ("user", 1, 6_000),
        ("assistant", 1, 32_000),
        ("assistant", 1, 8_000),
    ]
    assert len({one.id for one in said}) == 5
    [head] = conversations(package)
    assert head.title == "t" * 200
    assert not head.turn_open


def test_what_no_store_keeps_is_left_out_of_texts() -> None:
    document = chat(ROOT, node("a", "root", text="a\x00b\ud83dc"), title="\x00")
    package = of([document])
    assert [one.content for one in messages(package)] == ["abc"]
    assert [one.title for one in conversations(package)] == [None]


def test_a_conversation_in_which_nothing_was_said_is_one() -> None:
    package = of([chat(current_node=None), chat(ROOT, id="other", conversation_id=None)])
    assert package.check() == {"conversation": 2}


@each("names", [["conversations.json"], ["conversations-000.json", "conversations-001.json"]])
@each("folder", ["", "my export/"])
def test_the_zip_of_chatgpt_may_come_in_parts_and_its_other_files_are_never_read(names: list[str], folder: str) -> None:
    files = {
        folder + name: json.dumps([chat(ROOT, node("a", "root"), id=name, conversation_id=name)]).encode()
        for name in names
    }
    package = opened(zip_of(files | {"chat.html": b"<html>", "user.json": b"\xff", "picture.png": bytes(1000)}))
    assert (package.source, package.format) == ("chatgpt", "zip")
    assert package.check() == {"conversation": len(names), "message": len(names)}
    assert [entry.path for entry in package.entries("conversation")] == names


# --- Claude


TALK = talk(("human", "I like tea."), ("assistant", "Noted."))
PROJECT = "5d5d5d5d-0000-4000-8000-000000000001"
KNOWN = {
    "conversations_memory": "**Work**\n\nAda is an engineer.\n\n# Home\n\nAda lives in Berlin.\nShe has a cat.\n",
    "project_memories": {PROJECT: "**Purpose**\n\nA book about tea."},
    "account_uuid": "0a0a0a0a-0000-4000-8000-000000000001",
}


def test_conversations_of_claude() -> None:
    package = of([TALK])
    assert package.source == "claude"
    assert package.check() == {"conversation": 1, "message": 2}
    [head] = conversations(package)
    assert (head.title, head.next_seq, head.turn, head.turn_open) == ("Tea", 3, 1, False)
    assert [(one.role, one.content, one.spoken_at.second) for one in messages(package)] == [
        ("user", "I like tea.", 0),
        ("assistant", "Noted.", 1),
    ]


def test_of_a_message_of_claude_its_words_are_taken() -> None:
    document = talk(("assistant", "This block is not supported on your current device yet."), ("human", "Old."))
    document["chat_messages"][0]["content"] = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "tool_result", "content": [{"type": "text", "text": "secret"}]},
        {"type": "text", "text": "Here it is."},
    ]
    document["chat_messages"][1]["content"] = []
    assert [one.content for one in messages(of([document]))] == ["Let me see.\n\nHere it is.", "Old."]


def test_memories_of_claude_are_its_paragraphs_and_those_of_a_project_stay_there() -> None:
    package = opened(
        zip_of(
            {
                "conversations.json": json.dumps([TALK]).encode(),
                "memories.json": json.dumps([KNOWN]).encode(),
                "users.json": b"[]",
            }
        )
    )
    assert package.check() == {"conversation": 1, "message": 2, "memory": 3}
    assert [(one.content, one.scope, one.project_id) for one in memories(package)] == [
        ("Ada is an engineer.", "global", None),
        ("Ada lives in Berlin.\nShe has a cat.", "global", None),
        ("A book about tea.", "project", PROJECT),
    ]
    assert {one.created_at for one in memories(package)} == {NOW}
    later = open_package(io.BytesIO(json.dumps([KNOWN]).encode()), now=NOW + timedelta(days=1))
    assert [one.id for one in memories(later)] == [one.id for one in memories(package)]


# --- What is not as it is described


BAD: dict[str, tuple[str, Callable[[], Any]]] = {
    "nothing": ("package_unknown_format", list),
    "no results": ("package_unknown_format", lambda: {"results": []}),
    "results that are none": ("package_unknown_format", lambda: {"results": "none"}),
    "other objects": ("package_unknown_format", lambda: [{"header": "Gemini", "details": []}]),
    "numbers": ("package_unknown_format", lambda: [1, 2]),
    "memories of two people": ("package_several_people", lambda: [remembered(1), remembered(2, user_id="eve")]),
    "conversations of two accounts": (
        "package_several_people",
        lambda: [TALK, talk(uuid="2", account={"uuid": "another"})],
    ),
    "a memory twice": ("package_duplicate_id", lambda: [remembered(1), remembered(1)]),
    "a conversation twice": ("package_duplicate_id", lambda: [TALK, TALK]),
    "a memory of numbers": ("package_schema_mismatch", lambda: [remembered(1, memory=7)]),
    "a memory without an id": ("package_schema_mismatch", lambda: [remembered(1), {"memory": "x", "id": None}]),
    "a time in words": ("package_schema_mismatch", lambda: [remembered(1, created_at="yesterday")]),
    "a time far ahead": ("package_schema_mismatch", lambda: [remembered(1, created_at="9999-12-31T23:59:59-12:00")]),
    "an expiry in words": ("package_schema_mismatch", lambda: [remembered(1, expiration_date="soon")]),
    "something else among them": ("package_schema_mismatch", lambda: [remembered(1), 7]),
    "chats of two products": ("package_schema_mismatch", lambda: [chat(ROOT), TALK]),
    "a chat without an id": ("package_schema_mismatch", lambda: [chat(ROOT, id=None, conversation_id=None)]),
    "a tree that is a list": ("package_schema_mismatch", lambda: [chat(mapping=[])]),
    "a tree of one without end": (
        "package_references_missing",
        lambda: [chat(node("a", "b"), node("b", "a"))],
    ),
    "a parent that is not there": ("package_references_missing", lambda: [chat(node("a", "nobody"))]),
    "a time in another age": ("package_schema_mismatch", lambda: [chat(ROOT, create_time=1e18)]),
    "a time before its age": ("package_schema_mismatch", lambda: [chat(ROOT, node("a", "root", create_time=-1e10))]),
    "a truth for a time": ("package_schema_mismatch", lambda: [chat(ROOT, create_time=True)]),
    "an author without a role": ("package_schema_mismatch", lambda: [chat(ROOT, node("a", "root", author={}))]),
    "messages that are an object": ("package_schema_mismatch", lambda: [talk(chat_messages={"a": 1})]),
    "a message that is a text": ("package_schema_mismatch", lambda: [talk(chat_messages=["Hello."])]),
    "a sender of numbers": ("package_schema_mismatch", lambda: [talk(chat_messages=[{"sender": 1, "uuid": "a"}])]),
    "a project with spaces": ("package_schema_mismatch", lambda: [KNOWN | {"project_memories": {"a b": "x"}}]),
    "project memories in a list": ("package_schema_mismatch", lambda: [KNOWN | {"project_memories": ["x"]}]),
    "a project's memory of numbers": ("package_schema_mismatch", lambda: [KNOWN | {"project_memories": {"a": 1}}]),
}


@each("case", BAD)
def test_a_bad_export_is_refused(case: str) -> None:
    code, make = BAD[case]
    assert refused(make()).code == code


@each(
    ("code", "data"),
    [
        ("package_malformed", json.dumps(MEM0).encode()[:-1]),
        ("package_malformed", json.dumps(MEM0).encode() + b"]"),
        ("package_malformed", json.dumps(MEM0).encode().replace(b'"hash"', b'"memory"')),
        ("package_malformed", json.dumps(MEM0).encode().replace(b"null", b"NaN")),
        ("package_malformed", json.dumps(MEM0).encode().replace(b"tea", b"\xff")),
        ("package_malformed", b'{"results":' + json.dumps(MEM0).encode() + b',"results":[]}'),
        ("package_record_too_large", b"[" * 100_000),
        ("package_unknown_format", zip_of({"memories.txt": b"I like tea."})),
        ("package_unknown_format", zip_of({"conversations.json": json.dumps(MEM0).encode()})),
        ("package_duplicate_entry", zip_of({"a/conversations.json": b"[]", "b/conversations.json": b"[]"})),
        ("package_unsafe_path", zip_of({"conversations.json": json.dumps([TALK]).encode(), "../x": b""})),
    ],
)
def test_a_damaged_export_is_refused(code: str, data: bytes) -> None:
    with pytest.raises(PackageRefused) as caught:
        opened(data)
    assert caught.value.code == code


def test_a_refusal_names_the_file_and_the_object() -> None:
    with pytest.raises(PackageRefused) as caught:
        opened(zip_of({"my secret/conversations.json": json.dumps([TALK, talk(chat_messages=1)]).encode()}))
    assert (caught.value.path, caught.value.line) == ("conversations.json", 2)


def test_more_than_is_accepted_is_refused() -> None:
    data = json.dumps([TALK]).encode()
    for limits, code in (
        (Limits(identified=1), "package_too_many_entries"),
        (Limits(foreign_record_bytes=200), "package_record_too_large"),
        (Limits(package_bytes=10), "package_too_large"),
    ):
        with pytest.raises(PackageRefused) as caught:
            opened(data, limits)
        assert caught.value.code == code
    with pytest.raises(PackageRefused) as caught:
        opened(zip_of({"conversations.json": b"[" + b" " * 3_000_000 + b"]"}), Limits(ratio_from_bytes=1_000_000))
    assert caught.value.code == "package_too_large_unpacked"


EXPORTS = [
    json.dumps(MEM0).encode(),
    json.dumps([chat(ROOT, node("a", "root"), node("b", "a", "assistant"))]).encode(),
    json.dumps([TALK, KNOWN], ensure_ascii=False).encode(),
]


@settings(max_examples=examples(200), deadline=None)
@given(
    export=st.sampled_from(EXPORTS),
    where=st.floats(0, 1),
    cut=st.integers(0, 8),
    put=st.binary(max_size=4) | st.sampled_from([b"null", b"[]", b"{}", b"1e9", b'"x"', b"\\u0000"]),
)
def test_of_a_mutated_export_comes_a_refusal_or_what_could_be_stored(
    export: bytes, where: float, cut: int, put: bytes
) -> None:
    at = int(where * len(export))
    try:
        package = opened(export[:at] + put + export[at + cut :])
    except PackageRefused:
        return
    found = [*conversations(package), *messages(package), *memories(package)]
    assert all(map(keeps_rules, found))
    texts = [one.title or "" if isinstance(one, Conversation) else one.content for one in found]
    assert all(map(is_storable, texts))


def test_of_a_memorys_metadata_what_is_flat_and_fits_comes_along() -> None:
    told = {"topic": "pets", "nested": {"a": 1}, "nul": "a\x00b", "odd key": 1, "none": None, "rank": 2}
    document = [{"id": "1", "memory": "A parrot.", "agent_id": "vet", "metadata": told}]
    [memory] = memories(of(document))
    assert memory.metadata == {"agent_id": "vet", "topic": "pets", "nul": "ab", "rank": 2}
    document[0]["metadata"] = {f"k{number}": "x" * 50 for number in range(50_000)}
    [memory] = memories(of(document))
    assert 0 < len(memory.metadata or {}) < 100
    document[0]["metadata"] = ["a"]
    assert refused(document).code == "package_schema_mismatch"
