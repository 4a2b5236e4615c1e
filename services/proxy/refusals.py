"""Refusals of the proxy's own."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response


def problem(status: int, code: str, title: str) -> Response:
    """Return a refusal in the form OpenAI's clients read, with our code."""
    body = {
        "type": f"urn:memory-center:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "error": {"message": title, "type": "memory_center", "code": code, "param": None},
    }
    return JSONResponse(body, status_code=status, media_type="application/problem+json")
