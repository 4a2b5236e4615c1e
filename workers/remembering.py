"""Writes a memory to mem0 as it is, without learning from it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.stores.port import FenceLost
from workers.process import process


def remember(
    subject: Subject,
    text: str,
    announced: list[UUID],
    announce: Callable[[Transaction, list[UUID], str], bool],
) -> UUID | None:
    """Let mem0 store a text unchanged; return its key, or None if `announce` refused.

    Args:
        announced: receives every announced memory key.
        announce: commits the intents of keys of one kind ("memory" or "entity") in its own transaction; returns False
            if nothing may be written any more.
    """

    def agree(records: Sequence[tuple[UUID, str]], kind: str, _links: Mapping[UUID, Sequence[UUID]]) -> float:
        begun = time.monotonic()
        keys = [key for key, _ in records]
        if not process().database.of(subject.id).transact(lambda tx: announce(tx, keys, kind)):
            raise FenceLost
        announced.extend(keys if kind == "memory" else ())
        return begun + vector_keys.START_WITHIN_SECONDS

    try:
        [write] = process().mem0.remember(subject.namespace, text, announce=agree)
    except FenceLost:
        return None
    return write.key
