"""What a person forgot according to the ledger, which an import must not bring back (X-09)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.ledger.rules import unpack_taken


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a person forgot according to the ledger, by keyed digest (hex).

    Args:
        items: digests by kind; items erased with a conversation are not listed individually.
        cleared: conversation → last seq that was cleared.
        spans: message that remains → spans that must never be learned from again.
        everything: each time the person forgot everything, newest first.
    """

    items: dict[str, set[str]] = field(default_factory=dict)
    cleared: dict[str, int] = field(default_factory=dict)
    spans: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    everything: list[Everything] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """One forget of everything; `taken` are the erased items as `unpack_taken` returns them."""

    op_id: UUID
    at: datetime
    taken: frozenset[bytes]


def forgot_everything(tx: Transaction, subject: Subject) -> bool:
    """Return whether the ledger records that a person ever forgot everything."""
    found: bool = tx.value(
        """
        select exists (select from ledger where kind = 'accepted' and body::jsonb ->> 'subject' = :subject
                       and body::jsonb ->> 'scope' = 'user')
        """,
        subject=subject.digest("subject", str(subject.id)).hex(),
    )
    return found


def forgotten(tx: Transaction, subject: Subject) -> Forgotten:
    """Return what a person forgot since the account was opened, even if the database lost the operations.

    Forgetting everything does not reset the record of items forgotten before. Operations that were just accepted or can
    still be undone may be missing, but nothing is erased before it is recorded.
    """
    found = Forgotten()
    for row in tx.rows(
        """
        select op_id, body::jsonb ->> 'scope' as scope, body::jsonb -> 'target' as target,
               (body::jsonb ->> 'accepted_at')::timestamptz as at
        from ledger where kind = 'accepted' and body::jsonb ->> 'subject' = :subject order by seq desc
        """,
        subject=subject.digest("subject", str(subject.id)).hex(),
    ):
        target = row["target"]
        conversation = target["conversation"]
        for kind, digests in target["items"].items():
            found.items.setdefault(kind, set()).update(digests)
        for message, start, end in target["spans"]:
            found.spans.setdefault(message, set()).add((start, end))
        match row["scope"]:
            case "conversation":
                found.items.setdefault("conversation", set()).add(conversation)
            case "clear":
                found.cleared[conversation] = max(found.cleared.get(conversation, 0), target["through"])
            case "user" if target.get("taken"):
                taken = unpack_taken(target["taken"])
                found.everything.append(Everything(op_id=row["op_id"], at=row["at"], taken=taken))
    return found
