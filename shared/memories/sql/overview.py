"""SQL to count a person's memories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, TypeAlias
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Text,
    bindparam,
    case,
    cast,
    column,
    func,
    literal,
    null,
    select,
    true,
    values,
)
from sqlalchemy.dialects.postgresql import ARRAY, array

from shared.conversations.sql.tables import visible_conversations
from shared.kernel.database import Transaction
from shared.memories.sql.listing import IS_PART, VALIDITY, WAITING, MemoryFilter, beside_facets
from shared.memories.sql.tables import visible_memories

Counts: TypeAlias = Mapping[str, int]

FACETS: Final = ("content_type", "scope", "project_id", "origin", "validity", "task_hint")
MARKS: Final = ("archived", "disabled", "confirmed", "waiting")

_VALUES: Final[dict[str, ColumnElement[Any]]] = {
    **{name: visible_memories.c[name] for name in (*FACETS, *MARKS) if name not in ("validity", "waiting")},
    "validity": VALIDITY,
    "waiting": WAITING,
}
_GIVEN: Final = {name: cast(bindparam(name), value.type) for name, value in _VALUES.items()}
_NOT_MET: Final = [
    case((_GIVEN[name].is_not(None) & value.is_distinct_from(_GIVEN[name]), name)) for name, value in _VALUES.items()
]
_MEMORIES: Final = (
    select(*(value.label(name) for name, value in _VALUES.items()))
    .add_columns(func.array_remove(array(_NOT_MET), null(), type_=ARRAY(Text)).label("misses"))
    .where(visible_memories.c.subject_id == bindparam("subject"), _GIVEN["content_type"].is_not(None) | ~IS_PART)
)
"""Each memory with the names of the filters that it does not meet."""
_CONVERSATIONS: Final = (
    select(literal("conversations"), literal(""), func.count())
    .select_from(visible_conversations)
    .where(visible_conversations.c.subject_id == bindparam("subject"))
)


def _counts(wanted: MemoryFilter) -> CompoundSelect[Any]:
    m = _MEMORIES.where(*beside_facets(wanted)).cte("m").prefix_with("materialized")
    v = (
        values(column("facet", Text), column("value", Text), name="v")
        .data([("memories", ""), *((name, m.c[name]) for name in FACETS)])
        .data([(name, case((m.c[name], "true"), else_="false")) for name in MARKS])
        .lateral()
    )
    return (
        select(v.c.facet, v.c.value, func.count().label("number"))
        .select_from(m.join(v, true()))
        .where(v.c.value.is_not(None), m.c.misses.contained_by(array([v.c.facet])))
        .group_by(v.c.facet, v.c.value)
        .union_all(_CONVERSATIONS)
    )


def count(tx: Transaction, subject_id: UUID, wanted: MemoryFilter) -> Mapping[str, Counts]:
    """Return the number of visible memories by facet and value, in total (`memories`), and of `conversations`.

    Args:
        wanted: each facet is counted with the filters of all other facets applied, the total with all filters.
    """
    found: dict[str, dict[str, int]] = defaultdict(dict)
    filters = {name: getattr(wanted, name) for name in _VALUES}
    for row in tx.rows(_counts(wanted), subject=subject_id, **filters):
        found[row["facet"]][row["value"]] = row["number"]
    return found


def task_hints(tx: Transaction, subject_id: UUID) -> list[str]:
    """Return the tasks of visible memories."""
    rows = tx.rows(
        "select distinct task_hint from visible_memories where subject_id = :subject and task_hint is not null",
        subject=subject_id,
    )
    return [row["task_hint"] for row in rows]
