"""Refusals as mem0's clients read them."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response


def problem(status: int, code: str, title: str) -> Response:
    """Return a refusal: mem0's clients read `detail` and `error`."""
    return JSONResponse({"detail": title, "error": title, "code": code, "message": title}, status_code=status)
