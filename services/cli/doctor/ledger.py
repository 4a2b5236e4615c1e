"""Check that the ledger is intact in the database and in its file, and that both are equal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from services.cli.doctor.finding import Finding
from services.cli.exit_codes import Refusal
from services.cli.replay import book_of

if TYPE_CHECKING:
    from shared.ledger.book import Book


def ledger(database_url: str, data_dir: Path) -> Finding:
    """Verify both chains from the first entry to the last, and the hosts that share them.

    Args:
        database_url: the database with the ledger.
        data_dir: the data directory, for the ledger's file.
    """
    from shared.kernel import hosts  # slow to import
    from shared.kernel.database import Database  # same
    from shared.ledger.book import LedgerUnavailable  # same
    from shared.ledger.rules import START, Tampered, check_chain, longest_chain, merged_branches  # same
    from shared.ledger.sql import entries  # same

    try:
        book, start_empty = book_of(data_dir)
    except Refusal as wrong:
        return Finding("fail", "ledger", str(wrong), "docs/runbooks/hosts.md")
    database = Database(database_url, application="memory-center doctor", pool_size=1)
    try:
        with database.begin(patient=True) as tx:
            tx.take_time(elsewhere=True)
            living = hosts.living(tx)
            stored, branches = list(entries.after(tx, 0)), list(entries.of_branches(tx))
            restored = entries.is_restored(tx, book)
            missing = entries.is_missing(tx, book)
        read = list(book.read())
        weakness = _weakness(book)
        written = longest_chain(read, START.hash)
        for chain, known in ((stored, branches), (written, read)):
            check_chain(chain)
            links = {entry.hash for entry in chain}
            merged_branches(links, [entry for entry in chain if entry.kind == "merged"], known)
    except Tampered as problem:
        return Finding("fail", "ledger", f"{problem}", "compare it with a backup: somebody changed what was sealed")
    except LedgerUnavailable:
        return Finding("fail", "ledger", f"{book.where} cannot be read")
    finally:
        database.close()
    lacking = {entry.hash for entry in (*stored, *branches)} - {entry.hash for entry in read}
    if what := hosts.unshared(living):
        found = Finding("fail", "ledger", f"{len(living)} hosts do not share their {what}", "docs/runbooks/hosts.md")
    elif restored:
        found = Finding("fail", "ledger", "a backup was restored: nothing is served", "memory-center replay")
    elif missing and not start_empty:
        found = Finding(
            "fail", "ledger", f"{book.where} is empty: nothing is served", "put it back, or replay writes it"
        )
    elif lacking:
        told = f"{book.where} lacks {len(lacking)} of {len(stored)} entries; the next forget writes them"
        found = Finding("warn", "ledger", told)
    elif weakness is not None:
        found = weakness
    else:
        found = Finding("ok", "ledger", f"{len(stored)} entries, unbroken, in the database and in {book.where}")
    return found


def _weakness(book: Book) -> Finding | None:
    from shared.ledger.book import LedgerCopies  # slow to import
    from shared.ledger.objects import LedgerObjects  # same

    if isinstance(book, LedgerObjects) and book.keeps_days() is None:
        told = f"{book.where} has no lock: whoever has its keys can delete entries"
        return Finding("warn", "ledger", told, "docs/runbooks/hosts.md")
    if isinstance(book, LedgerCopies) and book.on_one_disk():
        told = f"{book.where} are on one disk: a restore of it replaces both"
        return Finding("warn", "ledger", told, "docs/runbooks/operating.md")
    return None
