"""Complete ids for the shortened ones a command line shows and accepts (X-12)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from fastapi import Query

from services.api import Body, CurrentCaller, UserIdQuery
from shared.kernel import id_prefixes
from shared.kernel.database import Transaction
from shared.kernel.id_prefixes import Kind, Named
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["memories"])

MATCHES_MAX = 10

Part = Annotated[
    str,
    Query(
        pattern="^[0-9a-fA-F-]{4,36}$",
        description="The beginning or end of an id, at least four characters. Ids created in the same minute begin"
        " alike, but end differently.",
    ),
]


class NamedOut(Body):
    """One of the person's items."""

    kind: Kind
    id: UUID


@router.get("/ids")
def find_ids(
    part: Part, caller: CurrentCaller, kind: Annotated[Kind | None, Query()] = None, user_id: UserIdQuery = None
) -> list[NamedOut]:
    """Find a person's visible items, operations and receipts by the beginning or end of an id.

    Returns at most ten; if there is more than one, `part` is too short.
    """

    def work(tx: Transaction) -> list[Named]:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return []
        return id_prefixes.with_part(tx, subject.id, part.lower(), kind=kind, limit=MATCHES_MAX)

    return [NamedOut(**asdict(one)) for one in caller.transact(work)]
