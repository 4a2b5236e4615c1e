"""The keys a target has in the external stores: announced there, and not yet proven to be gone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    CompoundSelect,
    Double,
    Integer,
    Text,
    Uuid,
    bindparam,
    cast,
    column,
    delete,
    exists,
    extract,
    func,
    literal,
    null,
    select,
    true,
    union,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB

from shared.conversations.sql.tables import erased_messages, messages
from shared.kernel.database import Transaction
from shared.kernel.ids import Namespace
from shared.lineage.sql.tables import lineage, vector_refs
from shared.outbox.sql.tables import hides, operations
from shared.outbox.sql.targets import Target

ENTITIES: Final = "mem0_entities"
"""Store name under which keys of mem0's entities are announced; they belong to a namespace, not to an item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreTarget:
    """What must be gone from one external store; the fields equal those of the stores' `ErasureTarget`."""

    namespace: Namespace
    keys: tuple[UUID, ...]
    entity_keys: tuple[UUID, ...]
    entities: bool
    conversation_ids: tuple[UUID, ...]
    within_conversations: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    whole_namespace: bool


_VALUES: Final = (
    column("subject", Uuid),
    column("everything", Boolean),
    column("namespace", Uuid),
    column("operation", Uuid),
    column("conversation", Uuid),
    column("through", BigInteger),
)
_TARGET: Final = {value.name: bindparam(value.name, type_=value.type) for value in _VALUES}
_TARGETS: Final = (
    func.jsonb_to_recordset(cast(bindparam("targets", type_=Text), JSONB))
    .table_valued(column("place", Integer), column("scope", Text), *_VALUES)
    .render_derived(name="t", with_types=True)
)
"""The rows of `_as_rows`: a statement about many targets at once tells them apart by their place."""

# Written into the statements, so that every plan may use the indexes of what is unfinished.
_INTENDED: Final = literal("intended", literal_execute=True)
_UNFINISHED: Final = [literal(status, literal_execute=True) for status in ("pending", "running", "failed")]


def _announced(target: Mapping[str, Any], *names: str) -> CompoundSelect[Any]:
    """Return the announced keys of a target: those of its namespace, its hidden items or its conversation.

    Args:
        target: parameters or columns with the values of `_values`, by name.
        names: what to return of each key.
    """
    v = vector_refs.alias("v").c
    keys = select(*(v[name] for name in names))
    hidden = (hides.c.kind == v.item_kind) & (hides.c.item_id == v.item_id)
    return union(
        keys.where(target["everything"], v.namespace == target["namespace"]),
        keys.join(hides, hidden).where(hides.c.op_id == target["operation"]),
        keys.where(v.conversation_id == target["conversation"], v.first_seq <= target["through"]),
    )


_OF_TARGET: Final = _announced(_TARGET, "pk", "store").subquery("k")
_COUNT: Final = select(_OF_TARGET.c.store, func.count().label("keys")).group_by(_OF_TARGET.c.store)
_FORGET: Final = delete(vector_refs).where(vector_refs.c.pk.in_(_announced(_TARGET, "pk")))

_OF_TARGETS: Final = _announced(dict(_TARGETS.c.items()), "pk", "store", "state", "deadline").lateral("k")
_TARGETS_WITH_KEYS: Final = _TARGETS.join(_OF_TARGETS, true())
_EARLIER: Final = operations.alias("e")
# A clear that was only accepted may be undone: what it took is proven by the next.
_CLEARED: Final = func.coalesce(
    select(func.max(cast(_EARLIER.c.target["through"].astext, BigInteger)))
    .where(
        _EARLIER.c.subject_id == _TARGETS.c.subject,
        _EARLIER.c.scope == "clear",
        _EARLIER.c.status == "succeeded",
        _EARLIER.c.target["conversation_id"].astext == cast(_TARGETS.c.conversation, Text),
    )
    .correlate(_TARGETS)
    .scalar_subquery(),
    0,
)
_MESSAGES: Final = union_all(
    select(hides.c.item_id.label("id")).where(
        _TARGETS.c.scope.in_(("message", "selection")),
        hides.c.op_id == _TARGETS.c.operation,
        hides.c.kind == "message",
    ),
    *(
        select(table.c.id).where(
            _TARGETS.c.scope == "clear",
            table.c.conversation_id == _TARGETS.c.conversation,
            table.c.seq > _CLEARED,
            table.c.seq <= _TARGETS.c.through,
        )
        for table in (messages, erased_messages)
    ),
).lateral("m")
_CONVERSATIONS: Final = union_all(
    *(
        select(table.c.conversation_id.label("id"))
        .join(hides, (hides.c.kind == "message") & (hides.c.item_id == table.c.id))
        .where(_TARGETS.c.scope == "selection", hides.c.op_id == _TARGETS.c.operation)
        for table in (messages, erased_messages)
    )
).lateral("v")
_HAS_ENTITIES: Final = exists().where(vector_refs.c.namespace == _TARGETS.c.namespace, vector_refs.c.store == ENTITIES)
_DOOMED: Final = union_all(
    select(_TARGETS.c.place, _OF_TARGETS.c.store, func.array_agg(_OF_TARGETS.c.pk).label("ids"))
    .select_from(_TARGETS_WITH_KEYS)
    .group_by(_TARGETS.c.place, _OF_TARGETS.c.store),
    select(_TARGETS.c.place, literal("message"), func.array_agg(_MESSAGES.c.id))
    .select_from(_TARGETS.join(_MESSAGES, true()))
    .group_by(_TARGETS.c.place),
    select(_TARGETS.c.place, literal("conversation"), func.array_agg(_CONVERSATIONS.c.id.distinct()))
    .select_from(_TARGETS.join(_CONVERSATIONS, true()))
    .group_by(_TARGETS.c.place),
    select(_TARGETS.c.place, literal("entity"), null()).where(_HAS_ENTITIES),
)
"""The announced keys by store; then the forgotten messages, their conversations, and who has entities: an unannounced
copy may be there."""

_CLEANUPS: Final = operations.alias("c")
_STORES_ARE_COMPARED: Final = exists().where(
    _CLEANUPS.c.type.in_(("cleanup_reconcile", "cleanup_orphans")),
    _CLEANUPS.c.status.in_(_UNFINISHED),
    ~func.coalesce(_CLEANUPS.c.payload.has_key("through"), False),  # it follows forgets, not a restore
)
_WRITES: Final = union_all(
    select(_TARGETS.c.place, _OF_TARGETS.c.deadline)
    .select_from(_TARGETS_WITH_KEYS)
    .where(_OF_TARGETS.c.state == _INTENDED, _OF_TARGETS.c.deadline > func.clock_timestamp()),
    select(_TARGETS.c.place, vector_refs.c.deadline).where(
        vector_refs.c.namespace == _TARGETS.c.namespace,
        vector_refs.c.item_kind == "entity",
        vector_refs.c.state == _INTENDED,
        vector_refs.c.deadline > func.clock_timestamp(),
    ),
    select(_TARGETS.c.place, func.clock_timestamp() + timedelta(seconds=1)).where(
        operations.c.id == _TARGETS.c.operation, operations.c.run > 0, _STORES_ARE_COMPARED
    ),
).subquery("w")
_SECONDS: Final = select(
    _WRITES.c.place,
    cast(extract("epoch", func.max(_WRITES.c.deadline) - func.clock_timestamp()), Double).label("seconds"),
).group_by(_WRITES.c.place)


def announced(tx: Transaction, target: Target) -> dict[str, dict[str, int]]:
    """Return how many keys of the target were announced to each external store."""
    return {row["store"]: {"keys": row["keys"]} for row in tx.rows(_COUNT, **_values(target))}


def doomed(tx: Transaction, targets: Sequence[Target], stores: Sequence[str]) -> dict[str, list[StoreTarget]]:
    """Return by store what must be gone from it: announced keys, and where an unannounced copy could be.

    The result is complete: intents are committed before their writes, and the target before this query.
    """
    rows = tx.rows(_DOOMED, targets=_as_rows(targets))
    found = {(row["place"], row["store"]): tuple(row["ids"] or ()) for row in rows}
    return {
        store: [
            StoreTarget(
                namespace=target.namespace,
                keys=found.get((place, store), ()),
                entity_keys=found.get((place, ENTITIES), ()),
                entities=(place, "entity") in found,
                conversation_ids=_conversation(target, ("conversation",)),
                within_conversations=_conversation(target, ("message", "clear"))
                or found.get((place, "conversation"), ()),
                message_ids=found.get((place, "message"), ()),
                whole_namespace=target.scope == "user",
            )
            for place, target in enumerate(targets)
        ]
        for store in stores
    }


def _conversation(target: Target, scopes: Sequence[str]) -> tuple[UUID, ...]:
    return (target.conversation_id,) if target.conversation_id and target.scope in scopes else ()


def unfinished_writes(tx: Transaction, targets: Sequence[Target]) -> list[float]:
    """Return for how many seconds an announced write of each target may still arrive; 0 if none can.

    Entity rows belong to a namespace, not to one memory, so any of them may contain the target's text. A forget
    repeated after a restore waits until the stores are compared, because they may hold the target under unknown keys.
    """
    seconds = {row["place"]: max(0.0, row["seconds"]) for row in tx.rows(_SECONDS, targets=_as_rows(targets))}
    return [seconds.get(place, 0.0) for place in range(len(targets))]


def forget(tx: Transaction, target: Target) -> None:
    """Delete the target's announced keys once their absence is proven, and its lineage edges."""
    if target.scope == "user":
        theirs = (lineage.c.subject_id == target.subject_id) & (lineage.c.generation <= target.generation)
        tx.run(delete(lineage).where(theirs))
    tx.run(_FORGET, **_values(target))


def _values(target: Target) -> dict[str, Any]:
    inside = target.scope in ("conversation", "clear")
    return {
        "subject": target.subject_id,
        "everything": target.scope == "user",
        "namespace": target.namespace,
        "operation": target.operation_id,
        "conversation": target.conversation_id if inside else None,
        "through": target.through if inside else None,
    }


def _as_rows(targets: Sequence[Target]) -> str:
    """Return targets as rows of `_TARGETS`."""
    return json.dumps(
        [{"place": place, "scope": target.scope, **_values(target)} for place, target in enumerate(targets)],
        default=str,
    )
