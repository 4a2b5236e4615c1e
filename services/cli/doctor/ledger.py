"""Check that the ledger is intact in the database and in its file, and that both are equal."""

from __future__ import annotations

from pathlib import Path

from services.cli.doctor.finding import Finding


def ledger(database_url: str, files: Path) -> Finding:
    """Verify both chains from the first entry to the last.

    Args:
        database_url: the database with the ledger.
        files: the directory of the ledger's file.
    """
    from shared.kernel.database import Database  # same
    from shared.ledger import sql as entries  # same
    from shared.ledger.file import LedgerFile, LedgerUnavailable  # same
    from shared.ledger.rules import Tampered, check_chain  # slow to import

    book = LedgerFile(files)
    database = Database(database_url, application="memory-center doctor", pool_size=1)
    try:
        with database.begin() as tx:
            stored = list(entries.after(tx, 0))
            restored = entries.is_restored(tx, book)
        check_chain(stored)
        written = book.chain()
        check_chain(written)
    except Tampered as problem:
        return Finding("fail", "ledger", f"{problem}", "compare it with a backup: somebody changed what was sealed")
    except LedgerUnavailable:
        return Finding("fail", "ledger", f"{book.path} cannot be read")
    finally:
        database.close()
    if restored:
        return Finding("fail", "ledger", "a backup was restored: nothing is served", "memory-center replay")
    missing = {entry.hash for entry in stored} - {entry.hash for entry in written}
    if missing:
        return Finding(
            "warn", "ledger", f"the file lacks {len(missing)} of {len(stored)} entries; the next forget writes them"
        )
    return Finding("ok", "ledger", f"{len(stored)} entries, unbroken, in the database and in {book.path}")
