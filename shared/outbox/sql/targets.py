"""What operations erase; it remains after the rows it names are deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from shared.kernel.database import Row, Transaction
from shared.kernel.ids import Namespace, OperationId
from shared.kernel.spans import Span

Parts: TypeAlias = Mapping[str, Mapping[UUID, tuple[Span, ...]]]
"""Spans of items, by kind and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an operation erases.

    Args:
        generation, namespace: under which the content was written.
        after, through: a conversation was cleared as far as `after`, and `through` is the last message seq that goes.
        survivors: turns to learn from again.
        preferences: whether remaining feedback signals may still support an erased preference.
        close_account: whether settings, user name and key are erased too.
        parts: items of which only some spans are erased, by kind and id; the rest of each is rewritten.
        rewritten: whether that rewrite was done.
        noted: what else the ledger records, for a replay; no content.
    """

    operation_id: OperationId
    subject_id: UUID
    scope: str
    generation: int
    namespace: Namespace
    conversation_id: UUID | None = None
    after: int = 0
    through: int = 0
    survivors: tuple[tuple[UUID, int], ...] = ()
    preferences: bool = False
    close_account: bool = False
    parts: Parts = field(default_factory=dict)
    rewritten: bool = False
    noted: Mapping[str, Any] = field(default_factory=dict)

    @property
    def learn_again(self) -> bool:
        """Whether something it hides has other sources, so that it must be learned again."""
        return bool(self.survivors) or self.preferences


def read(tx: Transaction, operation_id: UUID) -> Target:
    """Return what an operation erases."""
    row = tx.row("select id, subject_id, scope, target from operations where id = :id", id=operation_id)
    assert row is not None  # noqa: S101 # outbox rows name existing operations
    return _target(row)


def read_all(tx: Transaction, operation_ids: Sequence[UUID]) -> dict[UUID, Target]:
    """Return what each operation erases, by operation id."""
    rows = tx.rows("select id, subject_id, scope, target from operations where id = any(:ids)", ids=list(operation_ids))
    return {row["id"]: _target(row) for row in rows}


def _target(row: Row) -> Target:
    saved = row["target"]
    return Target(
        operation_id=row["id"],
        subject_id=row["subject_id"],
        scope=row["scope"],
        generation=saved["generation"],
        namespace=Namespace(UUID(saved["namespace"])),
        conversation_id=UUID(saved["conversation_id"]) if saved["conversation_id"] else None,
        after=saved["after"],
        through=saved["through"],
        survivors=tuple((UUID(conversation), turn) for conversation, turn in saved["survivors"]),
        preferences=saved.get("preferences", False),
        close_account=saved.get("close_account", False),
        parts={
            kind: {UUID(item): tuple((start, end) for start, end in spans) for item, spans in items.items()}
            for kind, items in saved.get("parts", {}).items()
        },
        rewritten=saved.get("rewritten", False),
        noted=saved.get("noted", {}),
    )


def as_saved(target: Target) -> dict[str, Any]:
    """Return a target as `operations.target` holds it."""
    parts = {
        kind: {str(item): [list(span) for span in spans] for item, spans in items.items()}
        for kind, items in target.parts.items()
    }
    return {
        "generation": target.generation,
        "namespace": str(target.namespace),
        "conversation_id": str(target.conversation_id) if target.conversation_id else None,
        "after": target.after,
        "through": target.through,
        "survivors": [[str(conversation), turn] for conversation, turn in target.survivors],
        "preferences": target.preferences,
        "close_account": target.close_account,
        **({"parts": parts} if parts else {}),
        **({"noted": dict(target.noted)} if target.noted else {}),
    }


def mark_rewritten(tx: Transaction, operation_id: UUID) -> None:
    """Record that the remainder of the operation's partly erased items was rewritten."""
    tx.run(
        "update operations set target = target || '{\"rewritten\": true}' where id = :id",
        id=operation_id,
    )
