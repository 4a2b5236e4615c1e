"""Record accepted and verified forget operations in the ledger; the `verified` entry is the receipt (X-03).

Appending requires the ledger lock, so that there is one chain. The book outside the database is written before the
database commits. If that commit fails, the book is ahead, and the next append adopts its entries.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import dropwhile, takewhile
from typing import Any
from uuid import UUID, uuid4

from shared.kernel import event_log, idempotency_keys, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import OperationSucceeded
from shared.kernel.items import erased_kinds
from shared.kernel.locks import one_at_a_time
from shared.ledger.book import Book, LedgerCopies
from shared.ledger.rules import REMARKS, VERSION, Entry, Head, Kind, canonical, is_intact, pack_taken, seal
from shared.ledger.sql import entries as ledger
from shared.ledger.sql.entries import Accepted
from shared.outbox.job_kinds import RECORD_ACCEPTED, RECORDED_ONLY
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease
from shared.outbox.stages import close_step


class Restored(Exception):
    """The ledger names forget operations this database lacks: a backup was restored and must be replayed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """The installation's signing key: a sign function, the public key (hex), and a check whether it signed an entry."""

    sign: Callable[[bytes], bytes]
    public_key: str
    is_ours: Callable[[Entry], bool]


def record_in_ledger(tx: Transaction, leases: Sequence[Lease], *, book: Book, with_seal: Seal) -> None:
    """Append an entry for each row and close the rows; rows whose lease was lost are skipped.

    Raises:
        Restored: a backup was restored and the ledger must be replayed first.
        LedgerUnavailable: the book cannot be read or written.
    """
    one_at_a_time(tx, "ledger", patient=True)
    head = _catch_up(tx, book, with_seal)
    held = leasing.still_held(tx, leases)
    records = ledger.to_record(tx, [lease.operation_id for lease in held if lease.operation_id])
    known = ledger.recorded(tx, list(records))
    new: list[Entry] = []
    for lease in held:
        record, kind = records[_operation(lease)], _kind(lease)
        if (record.op_id, kind, record.run) not in known:
            new.append(_entry(record, kind, head=head, with_seal=with_seal))
            head = Head(new[-1].seq, new[-1].hash)
    if new:
        book.append(new)
        ledger.add(tx, new)
    for lease in held:
        _close(tx, lease, records[_operation(lease)])


def _catch_up(tx: Transaction, book: Book, with_seal: Seal) -> Head:
    """Synchronise database and book; return the newest entry."""
    if ledger.is_restored(tx, book):
        raise Restored
    head = ledger.head(tx)
    ahead = book.beyond(head)
    if ahead is None:
        refill(tx, book)
    elif ours := list(takewhile(lambda entry: is_intact(entry) and with_seal.is_ours(entry), ahead)):
        # Entries signed by another installation are not continued: our next entry is, and soon has the longer chain.
        ledger.add(tx, ours)
        for entry in ours:
            ledger.prove_again(tx, entry, only=("verified",))
        return Head(ours[-1].seq, ours[-1].hash)
    return head


def complete(tx: Transaction, book: Book) -> None:
    """Write to the book, and to each of its copies, what it lost; nothing is recorded meanwhile."""
    tx.take_time(elsewhere=True)
    one_at_a_time(tx, "ledger", patient=True)
    if ledger.lost_entries(tx, book) and not ledger.is_restored(tx, book):
        refill(tx, book)
    if isinstance(book, LedgerCopies):
        book.complete()


def refill(tx: Transaction, book: Book) -> None:
    """Append to the book the entries of its branches that it lost, and the chain from the first that it lost.

    Later entries that it still has are appended again, because `Book.after` reads what stands below the last occurrence
    of an entry.
    """
    tx.take_time(elsewhere=True)
    written = {entry.hash for entry in book.read()}
    for branch in ledger.branches(tx):
        book.append([entry for entry in ledger.of_branch(tx, branch) if entry.hash not in written], branch=branch)
    book.append(list(dropwhile(lambda entry: entry.hash in written, ledger.after(tx, 0))))


def merge_branch(tx: Transaction, branch: bytes, *, book: Book, with_seal: Seal) -> None:
    """Let the chain name a branch whose entries the database has taken over; nothing is deleted.

    Args:
        branch: the hash of its last entry.
    """
    one_at_a_time(tx, "ledger", patient=True)
    refill(tx, book)
    head = ledger.head(tx)
    said = {
        "type": "merge",
        "operation": str(uuid4()),  # of no operation
        "receipt": str(uuid4()),
        "branch": branch.hex(),
        "entries": sum(1 for _ in ledger.of_branch(tx, branch)),
    }
    entry = _sealed("merged", 0, said, head=head, with_seal=with_seal)
    book.append([entry])
    ledger.add(tx, [entry])


def _entry(record: Accepted, kind: Kind, *, head: Head, with_seal: Seal) -> Entry:
    said = {
        "type": record.type,
        "operation": str(record.op_id),
        "receipt": str(record.receipt_id),
        "scope": record.scope,
        "subject": subjects.digest(record.subject_key, "subject", str(record.subject_id)).hex(),
        "accepted_at": _moment(record.accepted_at),
        **(_accepted(record) if kind == "accepted" else _verified(record)),
    }
    return _sealed(kind, record.run, said, head=head, with_seal=with_seal)


def _sealed(kind: Kind, run: int, said: Mapping[str, Any], *, head: Head, with_seal: Seal) -> Entry:
    body = canonical(
        {
            "version": VERSION,
            "seq": head.seq + 1,
            "kind": kind,
            "run": run,
            "public_key": with_seal.public_key,
            "nonce": secrets.token_hex(8),  # two processes that record the same event never write identical entries
            **said,
        }
    )
    link = seal(head.hash, body)
    return Entry(
        seq=head.seq + 1,
        op_id=UUID(said["operation"]),
        kind=kind,
        run=run,
        receipt_id=UUID(said["receipt"]),
        body=body,
        prev_hash=head.hash,
        hash=link,
        signature=with_seal.sign(link),
    )


def _accepted(record: Accepted) -> dict[str, Any]:
    """Return what a replay needs to find the target again: keyed digests, never ids."""

    def digests(kind: str, ids: Sequence[object]) -> list[str]:
        return sorted(subjects.digest(record.subject_key, kind, str(one)).hex() for one in ids)

    conversation = record.target["conversation_id"]
    named = {kind.name for kind in erased_kinds()}  # a revoked package is nothing that a replay could find again
    parts = [
        [kind, digests(kind, [item])[0], *span]
        for kind, items in record.target.get("parts", {}).items()
        for item, spans in items.items()
        for span in spans
    ]
    return {
        "target": {
            "generation": record.target["generation"],
            "conversation": digests("conversation", [conversation])[0] if conversation else None,
            "through": record.target["through"],
            "close_account": record.target["close_account"],
            "items": {kind: digests(kind, ids) for kind, ids in sorted(record.items.items()) if kind in named},
            "spans": sorted([digests("message", [one])[0], start, end] for one, start, end in record.spans),
            **({"parts": sorted(parts)} if parts else {}),
            **({"taken": pack_taken(_taken(record))} if record.taken else {}),
            **({"noted": record.target["noted"]} if record.target.get("noted") else {}),
        }
    }


def _taken(record: Accepted) -> Iterator[bytes]:
    """Yield the digests of items erased when everything was forgotten; imports are checked against them (X-09)."""
    for kind, ids in record.taken.items():
        for one in ids:
            yield subjects.digest(record.subject_key, kind, str(one))


def _verified(record: Accepted) -> dict[str, Any]:
    assert record.erased_at is not None  # noqa: S101 # the verification closed
    steps = {name: counts for name, counts in record.counts.items() if counts}
    return {"verified_at": _moment(record.erased_at), "counts": steps, "remarks": sorted(REMARKS)}


def _close(tx: Transaction, lease: Lease, record: Accepted) -> None:
    if record.type in RECORDED_ONLY:  # to be recorded is all of it
        subject = subjects.read(tx, lease.subject_id)
        assert subject is not None  # noqa: S101 # subjects are never deleted
        event_log.append(tx, subject, record.op_id, [OperationSucceeded()], actor="system:ledger")
    if _kind(lease) == "verified":
        subject = subjects.read(tx, lease.subject_id)
        assert subject is not None  # noqa: S101 # subjects are never deleted
        event_log.append(tx, subject, record.op_id, [OperationSucceeded()], actor="system:ledger")
        if record.target["close_account"]:
            idempotency_keys.forget(tx, subject.id)
            subjects.destroy_key(tx, subject.id)
    close_step(tx, lease, {})


def _kind(lease: Lease) -> Kind:
    return "accepted" if lease.kind == RECORD_ACCEPTED else "verified"


def _operation(lease: Lease) -> Any:
    assert lease.operation_id is not None  # noqa: S101 # every row of these kinds has its operation
    return lease.operation_id


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
