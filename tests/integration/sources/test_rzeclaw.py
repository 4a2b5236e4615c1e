"""A client written from Rzeclaw's long-term memory alone: append, query, provenance, citations (LT-01…10)."""

from __future__ import annotations

from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench

LONG_TERM = "/memory/long_term"
UNIT = ("id", "content", "content_type", "provenance", "task_hint", "validity", "created_at", "supersedes_id")
PROVENANCE = ("source_type", "session_id", "turn_index", "message_id", "quote_start", "quote_end")


def test_it_works_unchanged(bench: Workbench) -> None:
    person = bench.person()
    client = LiteralClient("004 Rzeclaw", bench, person.headers)
    call = client.call

    # 4: writing, by the end of a session and by an explicit wish
    session = call("POST", "/api/conversations", {}, status=201, has=["id"])["id"]
    said = [
        {"role": "user", "content": "记住这个：我住在上海。", "task_hint": "写文档"},
        {"role": "assistant", "content": "好的。"},
        {"role": "user", "content": "I prefer short answers."},
        {"role": "tool", "content": "exit code 0", "name": "shell"},
        {"role": "assistant", "content": "Noted."},
    ]
    call("POST", "/api/messages", {"conversation_id": session, "messages": said}, status=201, has=["messages"])
    call("POST", f"/api/conversations/{session}/session-end", {}, has=["session"])
    bench.work()

    # 3: one unit, with its provenance
    memories = call("GET", LONG_TERM, each_has=UNIT)
    [learned] = [one for one in memories if one["content"] == "我住在上海。"]
    client.expect("a provenance", holds=all(name in learned["provenance"] for name in PROVENANCE))
    where = learned["provenance"]
    client.expect("said by the user there", holds=(where["source_type"], where["session_id"]) == ("user", session))
    quoted = said[0]["content"][where["quote_start"] : where["quote_end"]]
    client.expect("the quote is the original", holds=quoted == "我住在上海。")
    client.expect("it holds", holds=learned["validity"] == "active" and learned["supersedes_id"] is None)
    for content_type in ("fact", "summary", "preference", "task_outcome", "tool_experience"):
        body = {"content": f"a {content_type}", "content_type": content_type, "task_hint": "修 bug"}
        call("POST", LONG_TERM, body, status=201, has=UNIT)
        call("GET", LONG_TERM, content_type=content_type, each_has=UNIT)
    call("GET", f"{LONG_TERM}/{learned['id']}", has=UNIT)
    call("GET", f"{LONG_TERM}/{learned['id']}/history", has=["memories", "events"])

    # 4: a correction is a new unit that points at the old one
    newer = call("PATCH", f"{LONG_TERM}/{learned['id']}", {"content": "我住在北京。"}, has=UNIT)
    client.expect("a unit of its own", holds=newer["supersedes_id"] == learned["id"] != newer["id"])
    older = call("GET", f"{LONG_TERM}/{learned['id']}", has=UNIT)
    client.expect(
        "nothing is overwritten", holds=(older["validity"], older["content"]) == ("superseded", "我住在上海。")
    )
    body = {"about": "I prefer short answers", "statement": "I prefer long answers."}
    call("POST", f"{LONG_TERM}/correct", body, status=200, has=["id", "supersedes_id"])
    bench.work()

    # 5, 6: retrieval for a task, in blocks that can be cited
    body = {"query": "我住在哪里？", "conversation_id": session, "task": "写文档"}
    context = call("POST", "/api/recall", body, has=["items", "window", "prompt"])
    client.expect("a citation", holds=f"[Memory#{newer['id']}]" in context["prompt"])
    client.expect("what is superseded stays out", holds=learned["id"] not in {one["id"] for one in context["items"]})
    found = call("POST", "/memory/search", {"query": "我住在哪里？"}, has=["items", "mode"])
    client.expect("the newer one is found", holds=newer["id"] in {one["id"] for one in found["items"]})

    # 7: secrets are never stored
    secret = {"content": "my key is sk-proj-" + "Ab3" * 16, "content_type": "fact"}
    call("POST", LONG_TERM, secret, status=422)
    client.finish()
