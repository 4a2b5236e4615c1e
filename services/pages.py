"""Pagination: opaque cursors, and the Link header to the next page."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Query, Request

from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from
from shared.runtime.problems import ApiProblem, ProblemKind

BAD_CURSOR: Final = ProblemKind(status=422, code="cursor_invalid", title="The cursor is invalid.")

Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=200, description="From the Link header of the previous page.")]


def cursor_of(item_id: UUID, rank: int | None = None) -> str:
    """Return an opaque cursor for the page after an item; `rank` is needed in lists ordered by rank."""
    place: dict[str, object] = {"before": str(item_id)} | ({} if rank is None else {"rank": rank})
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def item_before(cursor: str | None) -> UUID | None:
    """Return the item after which a cursor continues.

    Raises:
        ApiProblem: 422 `cursor_invalid`.
    """
    return None if cursor is None else _place(cursor)[0]


def ranked_before(cursor: str | None) -> tuple[UUID, int] | None:
    """Return the item after which a cursor continues, with its rank.

    Raises:
        ApiProblem: 422 `cursor_invalid`; also for a cursor of a list without ranks.
    """
    if cursor is None:
        return None
    item_id, rank = _place(cursor)
    if not isinstance(rank, int) or not -(2**31) <= rank < 2**31:
        raise ApiProblem(BAD_CURSOR)
    return item_id, rank


def _place(cursor: str) -> tuple[UUID, Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        return UUID(found["before"]), found.get("rank")
    except (binascii.Error, ValueError, KeyError, TypeError, AttributeError):
        raise ApiProblem(BAD_CURSOR) from None


def next_link(request: Request, item_ids: list[UUID], limit: int, *, rank: int | None = None) -> dict[str, str]:
    """Return the Link header to the next page if this one is full; `rank` is the last item's, if it has one."""
    if len(item_ids) < limit:
        return {}
    url = request.url.include_query_params(cursor=cursor_of(item_ids[-1], rank))
    return {"Link": f'<{url.path}?{url.query}>; rel="next"'}
