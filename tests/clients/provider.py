"""Answers of model providers, as they send them."""

from __future__ import annotations

import json
from typing import Any


def chat(text: str | None = None, *, tool: tuple[str, dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return a chat completion that says something, or calls a tool."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if tool is not None:
        function = {"name": tool[0], "arguments": json.dumps(tool[1])}
        message["tool_calls"] = [{"id": "call-1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if tool else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def streamed(text: str) -> str:
    """Return a chat completion as an event stream, a word an event."""
    words = [{"content": f"{word} "} for word in text.split()]
    head = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    deltas = [{"role": "assistant", "content": ""}, *words]
    events = [{**head, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return "".join(f"data: {json.dumps(one)}\n\n" for one in events) + "data: [DONE]\n\n"


def response(text: str) -> dict[str, Any]:
    """Return an answer of the Responses API."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"id": "m-1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    usage = {
        "input_tokens": 1,
        "output_tokens": 1,
        "total_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": "r-1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": [message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
    }


def claude(*, text: str | None = None, tool: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an answer of Anthropic's Messages API that says something, or uses the memory tool."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text is not None else []
    if tool is not None:
        content.append({"type": "tool_use", "id": "tool-1", "name": "memory", "input": tool})
    return {
        "id": "msg-1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": "tool_use" if tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
