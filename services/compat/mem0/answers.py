"""Memories as mem0's clients read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, Response


def memory(found: Mapping[str, Any], user_id: str | None) -> dict[str, Any]:
    """Return a memory in mem0's form; its type is its category."""
    created = found["created_at"]
    return {
        "id": found["id"],
        "memory": found["content"],
        "user_id": user_id,
        "metadata": None,
        "categories": [found["content_type"]],
        "created_at": created,
        "updated_at": found.get("updated_at") or created,
    }


def problem(status: int, code: str, title: str) -> Response:
    """Return a refusal: mem0's clients read `detail` and `error`."""
    return JSONResponse({"detail": title, "error": title, "code": code, "message": title}, status_code=status)
