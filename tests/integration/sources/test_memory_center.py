"""A client written from 记忆中心（Memory Center）产品设计文档 alone (MC-01…18)."""

from __future__ import annotations

from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench

V1 = "/api/v1"
OP = ("status", "progress", "last_error")
EPISODE = ("user_message_id", "assistant_message_id", "similarity", "created_at", "user_message", "assistant_message")


def test_it_works_unchanged(bench: Workbench) -> None:
    user = "u-1"
    client = LiteralClient("002 Memory Center", bench, bench.service)
    call = client.call

    # 5: what there is already
    conversation = call("POST", f"{V1}/conversations", {"user_id": user}, status=201, has=["id"])["id"]
    turns = [
        {"role": "user", "content": "记住这个：我住在上海。", "completed": True},
        {"role": "assistant", "content": "好的。", "completed": True},
    ]
    body = {"user_id": user, "conversation_id": conversation, "messages": turns}
    _, assistant_message = call(
        "POST", f"{V1}/messages", body, status=201, has=["messages"], headers={"X-Request-ID": "r-1"}
    )["messages"]
    call("GET", f"{V1}/messages", conversation_id=conversation, each_has=["role", "content", "completed"])
    feedback = {"user_id": user, "message_id": assistant_message["id"], "rating": 5, "comment": "好"}
    call("POST", f"{V1}/feedback", feedback, status=201)
    call("GET", f"{V1}/debug/r-1", has=["request_id"])
    bench.work()

    # 5.1 settings
    switches = ("summary_enabled", "episodic_enabled", "longterm_enabled")
    call("GET", f"{V1}/memory/settings", user_id=user, has=["user_id", *switches])
    call("PUT", f"{V1}/memory/settings", {"user_id": user, **dict.fromkeys(switches, True)}, has=["user_id", *switches])

    # 5.2 what is remembered of a conversation
    summary = ("text", "version", "covered_message_count", "updated_at")
    call("GET", f"{V1}/memory/summary", conversation_id=conversation, has=summary)
    call("GET", f"{V1}/memory/episodes", conversation_id=conversation, limit=10, each_has=EPISODE)

    # 5.3 long-term memories
    [memory] = call("GET", f"{V1}/memory/long_term", user_id=user, limit=10, each_has=["id", "content"])
    client.expect("记住这个：… is learned in these words", holds=memory["content"] == "我住在上海。")
    call("POST", f"{V1}/memory/long_term/confirm", {"user_id": user, "memory_id": memory["id"]}, has=["confirmed"])
    gone = call("DELETE", f"{V1}/memory/long_term/{memory['id']}", user_id=user, status=202, has=["op_id"])
    bench.work()
    ended = call("GET", f"{V1}/memory/ops/{gone['op_id']}", has=OP)
    client.expect("the operation ends", holds=(ended["status"], ended["progress"]) == ("succeeded", 1))

    # 5.4 forgetting
    body = {"scope": "message", "user_id": user, "message_id": assistant_message["id"], "cascade": True}
    call("POST", f"{V1}/memory/forget", body, status=202, has=["status", "op_id"])
    call("POST", f"{V1}/clear", {"user_id": user, "conversation_id": conversation}, status=202, has=["op_id"])
    body = {"scope": "conversation", "user_id": user, "conversation_id": conversation}
    accepted = call("POST", f"{V1}/memory/forget", body, status=202, has=["status", "op_id"])
    client.expect("it is accepted", holds=accepted["status"] == "accepted")
    # 4.4, 4.5: 强确认 + 二次输入
    call("POST", f"{V1}/memory/export", {"scope": "user", "user_id": user}, status=422)
    body = {"scope": "user", "user_id": user, "confirmation": True}
    exported = call("POST", f"{V1}/memory/export", body, status=202, has=["op_id"])
    package = call("GET", f"{V1}/memory/exports/{exported['op_id']}", has=["format"])
    client.expect("默认：JSON", holds=package["format"] == "json")
    call("POST", f"{V1}/memory/forget", {"scope": "user", "user_id": user}, status=422)
    body = {"scope": "user", "user_id": user, "confirmation": "忘掉一切"}
    everything = call("POST", f"{V1}/memory/forget", body, status=202, has=["op_id"])
    bench.work()
    ended = call("GET", f"{V1}/memory/ops/{everything['op_id']}", has=OP)
    client.expect("everything is gone", holds=ended["status"] == "succeeded")
    client.finish()
