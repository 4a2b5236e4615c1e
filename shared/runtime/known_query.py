"""Refuses parameters of a query that a route does not have: left out, a misspelt one would change what is asked."""

from __future__ import annotations

from typing import Final

from fastapi import Request
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.params import Query
from fastapi.routing import APIRoute

ALWAYS: Final = frozenset({"user_id"})
"""Clients that act for somebody name them with every request, also where the path says it."""
_KNOWN: Final = "known_query"


async def refuse_unknown_query(request: Request) -> None:
    """Refuse a request whose query has a parameter that its route does not have; a dependency of every route.

    The address of a page may say anything: a page reads it for itself.

    Raises:
        RequestValidationError: answered 422 `validation_failed`.
    """
    if request.scope["query_string"] and request.scope["path"].startswith("/api/"):
        unknown = sorted(set(request.query_params) - _known(request.scope["route"]) - ALWAYS)
        if unknown:
            raise RequestValidationError([_fault(name) for name in unknown])


def _fault(name: str) -> dict[str, object]:
    return {"type": "extra_forbidden", "loc": ("query", name), "msg": "There is no such parameter.", "input": None}


def _known(route: APIRoute) -> frozenset[str]:
    known: frozenset[str] | None = vars(route).get(_KNOWN)  # a route has no hash to remember it by
    if known is None:
        fields = get_flat_params(route.dependant)
        known = vars(route)[_KNOWN] = frozenset(one.alias for one in fields if isinstance(one.field_info, Query))
    return known
