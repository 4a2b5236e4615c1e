"""Memories as mem0's clients read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from services.compat.mem0.asked import AS_METADATA


def memory(found: Mapping[str, Any], user_id: str | None) -> dict[str, Any]:
    """Return a memory in mem0's form; its type is its category."""
    created, metadata = found["created_at"], found["metadata"] or {}
    return {
        "id": found["id"],
        "memory": found["content"],
        "user_id": user_id,
        "metadata": {key: value for key, value in metadata.items() if key not in AS_METADATA} or None,
        **{key: metadata[key] for key in AS_METADATA if key in metadata},
        "categories": [found["content_type"]],
        "created_at": created,
        "updated_at": found.get("updated_at") or created,
    }


def problem(status: int, code: str, title: str) -> Response:
    """Return a refusal: mem0's clients read `detail` and `error`."""
    return JSONResponse({"detail": title, "error": title, "code": code, "message": title}, status_code=status)
