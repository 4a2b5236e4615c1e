"""What a person's token must be good for, by route (X-10)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from fastapi import Request

from shared.runtime.authentication import Principal, TokenScope
from shared.runtime.problems import ApiProblem, ProblemKind

INSUFFICIENT_SCOPE: Final = ProblemKind(
    status=403, code="insufficient_scope", title="The token is not good for this.", detail="See `details.required`."
)
"""RFC 6750 §3.1."""

READS_BY_POST: Final = frozenset(
    {
        "recall",
        "preview_injection",
        "search_memory",
        "search_episodes",
        "search_conversations",
        "dry_run_correct",
        "dry_run_forget",
        "find_to_forget",
        "preview_forget",
    }
)
ANSWERS_WITH_STORED: Final = frozenset(
    {
        "chat",
        "update_conversation",
        "update_long_term",
        "confirm_long_term",
        "correct_long_term",
        "update_trait",
        "update_thread",
        "refresh_a_thread",
    }
)
"""Writes whose answer has more of what is stored than the request said: they need to be allowed to read it, too."""
ERASES_BY_POST: Final = frozenset({"forget", "clear", "clear_learned_preferences", "clear_traits"})
CHANGES_BY_GET: Final = frozenset({"export_in_layout"})
ALWAYS: Final = frozenset({"sign_in", "get_session", "sign_out"})
"""About credentials alone."""


def required(method: str, route: str) -> AbstractSet[TokenScope]:
    """Return all scopes that a request needs.

    Args:
        route: the name of the route's function, which is the operation's id in the OpenAPI document.
    """
    if route in ALWAYS:
        return frozenset()
    if route in ANSWERS_WITH_STORED:
        return {"memory:read", "memory:write"}
    if route in READS_BY_POST or (method in ("GET", "HEAD") and route not in CHANGES_BY_GET):
        return {"memory:read"}
    if method == "DELETE" or route in ERASES_BY_POST:
        return {"memory:forget"}
    return {"memory:write"}


def refuse_out_of_scope(request: Request) -> None:
    """Refuse a person's token that is not good for the route.

    Raises:
        ApiProblem: 403 `insufficient_scope`, with what is needed.
    """
    principal = request.state.principal
    if not isinstance(principal, Principal) or principal.kind != "person":
        return
    needed = required(request.method, request.scope["route"].name)
    if not needed <= principal.scopes:
        raise ApiProblem(INSUFFICIENT_SCOPE, details={"required": sorted(needed)})
