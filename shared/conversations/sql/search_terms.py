"""Keyed digests of words for text search, in addition to vectors. The words themselves are not stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from shared.conversations.sql.messages import Message
from shared.kernel.database import Transaction

TERMS_MAX: Final = 2_000
"""Digests stored per item; a longer item is found by its first words and by its vector."""


def of_messages(
    tx: Transaction, subject_id: UUID, messages: Sequence[Message], found_by: Mapping[UUID, Sequence[int]]
) -> None:
    """Store the search terms of visible messages; existing ones are kept. Call it under the fence."""
    items = [
        {"id": str(message.id), "seq": message.seq, "terms": _kept(found_by[message.id])}
        for message in messages
        if message.id in found_by
    ]
    tx.run(
        """
        insert into message_terms (message_id, subject_id, seq, terms)
        select id, :subject, seq, terms from jsonb_to_recordset(:items) as i(id uuid, seq bigint, terms bigint[])
        on conflict do nothing
        """,
        items=json.dumps(items),
        subject=subject_id,
    )


def of_memories(tx: Transaction, subject_id: UUID, found_by: Mapping[UUID, Sequence[int]]) -> None:
    """Store the search terms of visible memories, as `of_messages`."""
    tx.run(
        """
        insert into memory_terms (memory_id, subject_id, terms)
        select id, :subject, terms from jsonb_to_recordset(:items) as i(id uuid, terms bigint[])
        on conflict do nothing
        """,
        items=json.dumps([{"id": str(id_), "terms": _kept(digests)} for id_, digests in found_by.items()]),
        subject=subject_id,
    )


def forget_messages(tx: Transaction, subject_id: UUID, message_ids: Sequence[UUID]) -> None:
    """Delete the search terms of messages, before they are stored again."""
    tx.run(
        "delete from message_terms where subject_id = :subject and message_id = any(:ids)",
        subject=subject_id,
        ids=list(message_ids),
    )


def forget_memories(tx: Transaction, subject_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """Delete the search terms of memories, before they are stored again."""
    tx.run(
        "delete from memory_terms where subject_id = :subject and memory_id = any(:ids)",
        subject=subject_id,
        ids=list(memory_ids),
    )


def messages_with(tx: Transaction, subject_id: UUID, wanted: Sequence[int], *, at_most: int) -> dict[int, list[int]]:
    """Return, for each digest, the seqs of up to `at_most` messages that contain it.

    These are hints; check them against visible rows. A digest is specific to a conversation, so a seq identifies the
    message.
    """
    rows = tx.rows(
        "select term, array_agg(seq) as seqs from messages_by_terms(:subject, :wanted, :at_most) group by term",
        subject=subject_id,
        wanted=list(wanted),
        at_most=at_most,
    )
    return {row["term"]: row["seqs"] for row in rows}


def memories_with(tx: Transaction, subject_id: UUID, wanted: Sequence[int], *, at_most: int) -> dict[int, list[UUID]]:
    """Return, for each digest, up to `at_most` memories that contain it; these are hints too."""
    rows = tx.rows(
        "select term, array_agg(memory_id) as ids from memories_by_terms(:subject, :wanted, :at_most) group by term",
        subject=subject_id,
        wanted=list(wanted),
        at_most=at_most,
    )
    return {row["term"]: row["ids"] for row in rows}


def _kept(digests: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(digests))[:TERMS_MAX]
