"""SQL to count a person's memories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction
from shared.memories.sql.memories import IS_PART, VALIDITY, WAITING, MemoryFilter

Counts: TypeAlias = Mapping[str, int]

FACETS: Final = ("content_type", "scope", "project_id", "origin", "validity", "task_hint")
MARKS: Final = ("archived", "disabled", "confirmed", "waiting")

_MISSES: Final = ", ".join(
    f"case when cast(:{name} as {kind}) is not null and {value} is distinct from :{name} then '{name}' end"
    for name, value, kind in (
        *((name, VALIDITY if name == "validity" else f"m.{name}", "text") for name in FACETS),
        *((name, WAITING if name == "waiting" else f"m.{name}", "boolean") for name in MARKS),
    )
)
_VALUES: Final = ", ".join(
    (
        "('memories', '')",
        *(f"('{name}', m.{name})" for name in FACETS),
        *(f"('{name}', case when m.{name} then 'true' else 'false' end)" for name in MARKS),
    )
)
COUNT: Final = f"""
  with m as materialized (
    select m.content_type, m.scope, m.project_id, m.origin, m.task_hint, m.archived, m.disabled, m.confirmed,
           {VALIDITY} as validity, {WAITING} as waiting, array_remove(array[{_MISSES}], null) as misses
    from visible_memories m where m.subject_id = :subject
      and (cast(:content_type as text) is not null or not {IS_PART})
  )
  select v.facet, v.value, count(*) as number
  from m cross join lateral (values {_VALUES}) as v(facet, value)
  where v.value is not null and m.misses <@ array[v.facet] group by v.facet, v.value
  union all
  select 'conversations', '', count(*) from visible_conversations where subject_id = :subject
"""  # noqa: S608 # constants of this module


def count(tx: Transaction, subject_id: UUID, wanted: MemoryFilter) -> Mapping[str, Counts]:
    """Return the number of visible memories by facet and value, in total (`memories`), and of `conversations`.

    Args:
        wanted: each facet is counted with the filters of all other facets applied, the total with all filters.
    """
    found: dict[str, dict[str, int]] = defaultdict(dict)
    filters = {name: getattr(wanted, name) for name in (*FACETS, *MARKS)}
    for row in tx.rows(COUNT, subject=subject_id, **filters):
        found[row["facet"]][row["value"]] = row["number"]
    return found


def task_hints(tx: Transaction, subject_id: UUID) -> list[str]:
    """Return the tasks of visible memories."""
    rows = tx.rows(
        "select distinct task_hint from visible_memories where subject_id = :subject and task_hint is not null",
        subject=subject_id,
    )
    return [row["task_hint"] for row in rows]
