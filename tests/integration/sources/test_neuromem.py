"""A client written from neuromem's taxonomy V2 alone: facts and episodes are given, traits never (TR-01)."""

from __future__ import annotations

from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench

LONG_TERM = "/memory/long_term"


def test_it_works_unchanged_but_for_traits(bench: Workbench) -> None:
    person = bench.person()
    client = LiteralClient("001 neuromem", bench, person.headers)
    call = client.call

    # 2.1: what one conversation can teach
    for memory_type, content in (
        ("fact", "用户养了一只猫叫 Mimi"),
        ("episodic", "2024-02-15 用户参加了 Python meetup"),
        ("document", "Chapter 1"),
    ):
        body = {"memory_type": memory_type, "content": content, "importance": 8}
        memory = call("POST", LONG_TERM, body, status=201, has=["id", "content_type", "importance"])
        client.expect(f"a {memory_type}", holds=memory["content_type"] == memory_type)
        call("GET", LONG_TERM, memory_type=memory_type, each_has=["content", "content_type"])
    # 2.1, 2.3: a trait comes from reflection alone; insight and general are no types any more
    for memory_type in ("trait", "insight", "general"):
        body = {"memory_type": memory_type, "content": "偏好数据驱动的决策方式"}
        call("POST", LONG_TERM, body, status=422)
        call("POST", "/api/v1/memory/long_term", {"content_type": memory_type, "content": "x"}, status=422)
    # 2.3: a new fact supersedes, an episode stays
    [fact] = call("GET", LONG_TERM, memory_type="fact", each_has=["id"])
    newer = call("PATCH", f"{LONG_TERM}/{fact['id']}", {"content": "用户养了一只猫叫 Momo"}, has=["supersedes_id"])
    client.expect("it supersedes", holds=newer["supersedes_id"] == fact["id"])
    # 4.5: a session ends
    conversation = call("POST", "/api/conversations", {}, status=201, has=["id"])["id"]
    said = [{"role": "user", "content": "I work at Google."}, {"role": "assistant", "content": "Nice."}]
    call("POST", "/api/messages", {"conversation_id": conversation, "messages": said}, status=201)
    call("POST", f"/api/conversations/{conversation}/session-end", {})
    bench.work()
    # 6: recall
    found = call("POST", "/memory/search", {"query": "where do I work?"}, has=["items"])
    client.expect("the fact is recalled", holds="I work at Google." in {one["content"] for one in found["items"]})
    client.expect("and no trait is made up", holds="trait" not in {one["content_type"] for one in found["items"]})
    client.finish()
