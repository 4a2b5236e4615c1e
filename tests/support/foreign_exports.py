"""What other assistants export, as their makers or users describe it."""

from __future__ import annotations

from typing import Any

ROOT = {"id": "root", "message": None, "parent": None, "children": ["system"]}


def remembered(number: int, text: str = "Likes tea.", **more: Any) -> dict[str, Any]:
    return {
        "id": f"3c90c3cc-0d44-4b50-8888-{number:012}",
        "memory": text,
        "hash": "0f343b0931126a20f133d67c2b018a3b",
        "metadata": {"category": "food"},
        "created_at": "2024-07-20T01:30:36.275141-07:00",
        "updated_at": None,
        "user_id": "alex",
        **more,
    }


def node(id_: str, parent: str | None, role: str = "user", text: str = "Hello.", **more: Any) -> dict[str, Any]:
    said = {
        "id": id_,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1736209412.345,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        "channel": None,
    }
    return {"id": id_, "message": said | more, "parent": parent, "children": []}


def chat(*nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    known = {
        "title": "Postgres vs MongoDB",
        "create_time": 1736209400.0,
        "update_time": 1736209800.5,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": nodes[-1]["id"] if nodes else None,
        "conversation_id": "8f3a2b1c-0000-4000-8000-000000000001",
        "id": "8f3a2b1c-0000-4000-8000-000000000001",
    }
    return known | more


def talk(*said: tuple[str, str], uuid: str = "1f3a2b1c-0000-4000-8000-000000000001", **more: Any) -> dict[str, Any]:
    chat_messages = [
        {
            "uuid": f"{uuid}-{number}",
            "sender": sender,
            "text": text,
            "content": [{"type": "text", "text": text}],
            "created_at": f"2026-02-14T10:04:{number:02}.000000Z",
            "updated_at": f"2026-02-14T10:04:{number:02}.000000Z",
            "attachments": [],
            "files": [],
        }
        for number, (sender, text) in enumerate(said)
    ]
    known = {
        "uuid": uuid,
        "name": "Tea",
        "created_at": "2026-02-14T10:04:00.000000Z",
        "updated_at": "2026-02-14T10:22:41.000000Z",
        "account": {"uuid": "0a0a0a0a-0000-4000-8000-000000000001"},
        "chat_messages": chat_messages,
    }
    return known | more
