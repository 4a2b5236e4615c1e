"""The ledger in PostgreSQL; its book outside the database holds a copy (see `shared.ledger.book`)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import bindparam, select

from shared.kernel import items
from shared.kernel.database import Row, Transaction
from shared.ledger.book import Book
from shared.ledger.rules import (
    GENESIS,
    START,
    Entry,
    Head,
    Tampered,
    check_chain,
    is_intact,
    merged_branches,
)
from shared.ledger.sql.tables import ledger

PAGE: Final = 1_000

_ENTRY: Final = select(*(ledger.c[name] for name in Entry.__dataclass_fields__))


def head(tx: Transaction) -> Head:
    """Return number and hash of the chain's newest entry; `START` if there is none."""
    row = tx.row("select seq, hash from ledger where branch = '' order by seq desc limit 1")
    return Head(row["seq"], bytes(row["hash"])) if row else START


def add(tx: Transaction, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
    """Append entries. The caller must hold the ledger lock, so that there is one chain.

    Args:
        branch: hash of the last entry of the branch they belong to; empty: of the chain.
    """
    tx.run(
        """
        insert into ledger (branch, seq, op_id, kind, run, receipt_id, body, prev_hash, hash, signature)
        select :branch, seq, op_id, kind, run, receipt_id, body, decode(prev_hash, 'hex'), decode(hash, 'hex'),
               decode(signature, 'hex')
        from jsonb_to_recordset(:entries) as e(seq bigint, op_id uuid, kind text, run integer, receipt_id uuid,
                                               body text, prev_hash text, hash text, signature text)
        order by seq
        """,
        branch=branch,
        entries=json.dumps(
            [
                {
                    "seq": entry.seq,
                    "op_id": str(entry.op_id),
                    "kind": entry.kind,
                    "run": entry.run,
                    "receipt_id": str(entry.receipt_id),
                    "body": entry.body,
                    "prev_hash": entry.prev_hash.hex(),
                    "hash": entry.hash.hex(),
                    "signature": entry.signature.hex(),
                }
                for entry in entries
            ]
        ),
    )


def recorded(tx: Transaction, op_ids: Sequence[UUID]) -> set[tuple[UUID, str, int]]:
    """Return the entries that exist for these operations, as (operation, kind, run)."""
    rows = tx.rows("select op_id, kind, run from ledger where op_id = any(:ids)", ids=list(op_ids))
    return {(row["op_id"], row["kind"], row["run"]) for row in rows}


def missing_operations(tx: Transaction, entries: Sequence[Entry]) -> set[UUID]:
    """Return the operations of these entries that the database lacks, because it was restored from an older backup."""
    rows = tx.rows(
        """
        select id from unnest(cast(:ids as uuid[])) as named(id)
        where not exists (select from operations o where o.id = named.id)
        """,
        ids=sorted({entry.op_id for entry in entries if entry.kind != "merged"}),
    )
    return {row["id"] for row in rows}


def is_restored(tx: Transaction, book: Book) -> bool:
    """Return whether the database was restored from a backup: the book names operations it lacks.

    If the book is only ahead, because a commit failed after it was written, its operations exist. If the book lacks the
    newest entry, it lost entries or belongs to another database history, so all of its unknown entries are checked. A
    damaged or missing entry does not hide those below it.
    """
    below = book.after(head(tx))
    return bool(missing_operations(tx, unknown(tx, book.read()) if below is None else below))


def is_missing(tx: Transaction, book: Book) -> bool:
    """Return whether the book is empty although the database has entries: what it held may be forgets of later."""
    return not book.is_there() and head(tx) != START


Damage = Literal["unreadable", "lost_entries", "changed_file", "changed_database"]


def lost_entries(tx: Transaction, book: Book) -> bool:
    """Return whether the book lacks the database's newest entry, which is written to the book first."""
    newest = head(tx)
    return newest != START and book.after(newest) is None


def damage(tx: Transaction, book: Book) -> Damage | None:
    """Return how the ledger was altered by others, if at all. Reads and checks all entries of both copies.

    The book may be ahead of the database but never behind, because it is written first.

    Raises:
        LedgerUnavailable: the book cannot be read.
    """
    stored: set[bytes] = set()
    merging: list[Entry] = []

    def noted() -> Iterator[Entry]:
        for entry in after(tx, 0):
            stored.add(entry.hash)
            if entry.kind == "merged":
                merging.append(entry)
            yield entry

    try:
        check_chain(noted())
        stored |= {entry.hash for branch in merged_branches(stored, merging, of_branches(tx)) for entry in branch}
    except Tampered:
        return "changed_database"
    if lost_entries(tx, book):
        return "lost_entries"
    written = {entry.hash for entry in book.read() if is_intact(entry)}
    return None if written.issuperset(stored) else "changed_file"


def prove_again(tx: Transaction, entry: Entry, *, only: Sequence[str] = ("accepted", "verified")) -> None:
    """Let an operation that is not erased be recorded again after one of its entries was adopted from the file.

    The adopted entry refers to an erasure that the restored backup does not contain.
    """
    if entry.kind in only:
        tx.run(
            "update operations set run = :run where id = :id and erased_at is null and run < :run",
            id=entry.op_id,
            run=entry.run + 1,
        )


def unknown(tx: Transaction, entries: Iterable[Entry]) -> list[Entry]:
    """Return those of these entries that the database lacks."""
    by_hash = {entry.hash.hex(): entry for entry in entries}
    found: list[Entry] = []
    hashes = list(by_hash)
    for start in range(0, len(hashes), PAGE):
        rows = tx.rows(
            """
            select hash from unnest(cast(:hashes as text[])) as named(hash)
            where not exists (select from ledger l where l.hash = decode(named.hash, 'hex'))
            """,
            hashes=hashes[start : start + PAGE],
        )
        found += [by_hash[row["hash"]] for row in rows]
    return found


def holds(tx: Transaction, link: bytes) -> bool:
    """Return whether the database has the entry with this hash, on the chain or a branch; it has the start always."""
    found: bool = tx.value("select exists (select from ledger where hash = :link)", link=link)
    return found or link == GENESIS


def after(tx: Transaction, seq: int) -> Iterator[Entry]:
    """Yield the entries of the chain after number `seq`, in order."""
    page = _ENTRY.where(ledger.c.branch == b"", ledger.c.seq > bindparam("seq")).order_by(ledger.c.seq).limit(PAGE)
    while rows := tx.rows(page, seq=seq):
        yield from map(_entry, rows)
        seq = rows[-1]["seq"]


def of_branches(tx: Transaction) -> Iterator[Entry]:
    """Yield the entries of all branches, each branch in order."""
    for branch in branches(tx):
        yield from of_branch(tx, branch)


def of_branch(tx: Transaction, branch: bytes) -> Iterator[Entry]:
    """Yield the entries of a branch, in order."""
    yield from map(_entry, tx.rows(_ENTRY.where(ledger.c.branch == branch).order_by(ledger.c.seq)))


def branches(tx: Transaction) -> dict[bytes, bool]:
    """Return the branches by the hash of their last entry: whether an entry of the chain names them yet."""
    rows = tx.rows(
        """
        select b.branch, exists (select from ledger l where l.branch = '' and l.kind = 'merged'
                                 and l.body::jsonb ->> 'branch' = encode(b.branch, 'hex')) as is_named
        from (select distinct branch from ledger where branch <> '') b
        """
    )
    return {bytes(row["branch"]): row["is_named"] for row in rows}


def of_receipt(tx: Transaction, receipt_id: UUID) -> list[Entry]:
    """Return the entries of a receipt, in order."""
    rows = tx.rows(_ENTRY.where(ledger.c.receipt_id == receipt_id).order_by(ledger.c.seq, ledger.c.branch))
    return [_entry(row) for row in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What the ledger records of an operation; `taken`: ids by kind of the items erased with everything."""

    op_id: UUID
    subject_id: UUID
    receipt_id: UUID
    type: str
    scope: str
    run: int
    target: dict[str, Any]
    accepted_at: datetime
    erased_at: datetime | None
    subject_key: bytes
    items: dict[str, list[UUID]]
    spans: list[tuple[UUID, int, int]]
    counts: dict[str, dict[str, int]]
    taken: dict[str, list[UUID]]


def to_record(tx: Transaction, op_ids: Sequence[UUID]) -> dict[UUID, Accepted]:
    """Return operations with the items they hid and the counts of their steps."""
    rows = tx.rows(
        """
        select o.id, o.subject_id, o.receipt_id, o.type, o.scope, o.run, o.target, o.unrecallable_at, o.erased_at,
               s.subject_key,
               (select coalesce(jsonb_object_agg(kind, ids), '{}') from (
                  select kind, jsonb_agg(item_id order by item_id) as ids from hides where op_id = o.id group by kind) h
               ) as items,
               (select coalesce(jsonb_agg(jsonb_build_array(message_id, quote_start, quote_end)), '[]')
                from unlearnable_spans where op_id = o.id) as spans,
               (select jsonb_object_agg(name, counts) from operation_steps where operation_id = o.id) as counts
        from operations o join subjects s on s.id = o.subject_id where o.id = any(:ids)
        """,
        ids=list(op_ids),
    )
    return {
        row["id"]: Accepted(
            op_id=row["id"],
            subject_id=row["subject_id"],
            receipt_id=row["receipt_id"],
            type=row["type"],
            scope=row["scope"],
            run=row["run"],
            target=row["target"],
            accepted_at=row["unrecallable_at"],
            erased_at=row["erased_at"],
            # The account is already erased: use a random key, so that the digests match nothing.
            subject_key=bytes(row["subject_key"] or secrets.token_bytes(32)),
            items={kind: [UUID(item) for item in ids] for kind, ids in row["items"].items()},
            spans=[(UUID(message_id), start, end) for message_id, start, end in row["spans"]],
            counts=row["counts"],
            taken=_taken(tx, row) if row["scope"] == "user" and not row["erased_at"] else {},
        )
        for row in rows
    }


def _taken(tx: Transaction, row: Row) -> dict[str, list[UUID]]:
    """Return the items a forget of everything erases; none for a closed account, because its key is destroyed."""
    if row["subject_key"] is None or row["target"].get("close_account"):
        return {}
    generation = row["target"]["generation"]
    recorded = [kind.name for kind in items.kinds() if kind.recorded]
    return {kind: items.ids_of(tx, row["subject_id"], kind, generation=generation) for kind in recorded}


def _entry(row: Row) -> Entry:
    return Entry(
        seq=row["seq"],
        op_id=row["op_id"],
        kind=row["kind"],
        run=row["run"],
        receipt_id=row["receipt_id"],
        body=row["body"],
        prev_hash=bytes(row["prev_hash"]),
        hash=bytes(row["hash"]),
        signature=bytes(row["signature"]),
    )
