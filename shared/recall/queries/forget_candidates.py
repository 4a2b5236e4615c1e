"""Reads everything a person said or is remembered for; searched when they forget by description (X-06)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final, TypeVar
from uuid import UUID

from shared.kernel.database import Transaction
from shared.recall.sql import statements
from shared.recall.sql.statements import RememberedStatement, SaidStatement

T = TypeVar("T")
Transact = Callable[[Callable[[Transaction], T]], T]

PAGE: Final = 500
"""Rows per statement, so that every transaction is short."""


def all_remembered(
    transact: Transact[list[RememberedStatement]], subject_id: UUID, *, project_id: str | None
) -> Iterator[RememberedStatement]:
    """Yield every visible memory of a person, newest first, each page in its own transaction.

    Args:
        transact: runs one statement in a transaction.
        project_id: only memories of this project; None for all.
    """
    before: UUID | None = None
    while True:
        page = transact(
            lambda tx, before=before: statements.remembered(  # type: ignore[misc] # bound now, not later
                tx, subject_id, project_id=project_id, before=before, limit=PAGE
            )
        )
        yield from page
        if len(page) < PAGE:
            return
        before = page[-1].id


def all_turns(
    transact: Transact[list[SaidStatement]],
    transact_ids: Transact[list[UUID]],
    subject_id: UUID,
    *,
    project_id: str | None,
) -> Iterator[list[SaidStatement]]:
    """Yield every turn of a person's visible messages: newest conversation first, turns of a conversation in order.

    Args:
        transact, transact_ids: run one statement in a transaction.
        project_id: only conversations of this project; None for all.
    """
    before: UUID | None = None
    while True:
        page = transact_ids(
            lambda tx, before=before: statements.conversations(  # type: ignore[misc] # as above
                tx, subject_id, project_id=project_id, before=before, limit=PAGE
            )
        )
        for conversation_id in page:
            messages = _messages(transact, conversation_id)
            for _, turn in groupby(messages, key=lambda message: message.turn):
                yield list(turn)
        if len(page) < PAGE:
            return
        before = page[-1]


def _messages(transact: Transact[list[SaidStatement]], conversation_id: UUID) -> Iterator[SaidStatement]:
    after = 0
    while True:
        page = transact(
            lambda tx, after=after: statements.said(tx, conversation_id, after=after, limit=PAGE)  # type: ignore[misc]
        )
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].seq
