"""What several workers write: memories to mem0 as they are, without learning from them, and episodes' vectors."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from shared.conversations.index_episode import EpisodePlan
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.stores.port import EpisodeVector, FenceLost
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


def episode_vector(plan: EpisodePlan, vector: Sequence[float]) -> EpisodeVector:
    """Return the row of an episode in the vector store."""
    from shared.stores.milvus import MAX_MESSAGES  # noqa: PLC0415 # pymilvus is for who opens a store

    return EpisodeVector(
        key=plan.key,
        namespace=plan.subject.namespace,
        conversation_id=plan.turn.messages[0].conversation_id,
        episode_id=plan.episode_id,
        message_ids=plan.message_ids[:MAX_MESSAGES],
        vector=vector,
    )
