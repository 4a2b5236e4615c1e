"""Look up a person's items by part of their id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args
from uuid import UUID

from shared.kernel.database import Transaction

Kind: TypeAlias = Literal["memory", "message", "conversation", "operation", "receipt"]
"""Kinds that a person can refer to by id."""

_SOURCES: Final = {
    "memory": ("id", "visible_memories"),
    "message": ("id", "visible_messages"),
    "conversation": ("id", "visible_conversations"),
    "operation": ("id", "operations"),
    "receipt": ("receipt_id", "operations"),
}
_EACH: Final = " union all ".join(
    f"select '{kind}' as kind, {column} as id from {table} where subject_id = :subject and '{kind}' = any(:kinds)"  # noqa: S608
    for kind, (column, table) in _SOURCES.items()
)
_FOUND: Final = f"""
  select kind, id from ({_EACH}) as things
  where id::text like :part || '%' or id::text like '%' || :part
  order by kind, id limit :limit
"""  # noqa: S608 # constants of this module


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
