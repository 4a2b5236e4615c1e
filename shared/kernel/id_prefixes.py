"""Look up a person's items by part of their id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args
from uuid import UUID

from shared.kernel.database import Transaction

Kind: TypeAlias = Literal["memory", "message", "conversation", "operation", "receipt"]
"""Kinds that a person can refer to by id."""

_FOUND: Final = """
  select kind, id from (
    select 'memory' as kind, id from visible_memories where subject_id = :subject
    union all select 'message', id from visible_messages where subject_id = :subject
    union all select 'conversation', id from visible_conversations where subject_id = :subject
    union all select 'operation', id from operations where subject_id = :subject
    union all select 'receipt', receipt_id from operations where subject_id = :subject
  ) as things
  where kind = any(:kinds) and (id::text like :part || '%' or id::text like '%' || :part)
  order by kind, id limit :limit
"""


@dataclass(frozen=True, slots=True)
class Named:
    """A reference to an item: its kind and id."""

    kind: Kind
    id: UUID


def with_part(tx: Transaction, subject_id: UUID, part: str, *, kind: Kind | None, limit: int) -> list[Named]:
    """Return a person's visible items whose id begins or ends with `part`.

    Args:
        part: part of an id in lower case; hexadecimal digits and dashes only.
        kind: only items of this kind; None for all.
        limit: maximum number of items.
    """
    kinds = [kind] if kind else list(get_args(Kind))
    return [Named(**row) for row in tx.rows(_FOUND, subject=subject_id, part=part, kinds=kinds, limit=limit)]
