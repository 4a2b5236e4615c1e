"""Whether the ledger is whole: in the database, in its file, and both the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Health:
    """What was seen of the ledger, and what to do about it."""

    level: Literal["ok", "warn", "fail"]
    seen: str
    remedy: str = ""


def ledger_health(database_url: str, files: Path) -> Health:
    """Follow both chains from their first entry to their last.

    Args:
        database_url: whose ledger.
        files: the directory of the ledger's file.
    """
    from shared.domain.ledger import Tampered, check_chain  # slow to import
    from shared.persistence import ledger  # same
    from shared.persistence.database import Database  # same
    from shared.persistence.ledger_file import LedgerFile, LedgerUnavailable  # same

    book = LedgerFile(files)
    database = Database(database_url, application="memory-center doctor", pool_size=1)
    try:
        with database.begin() as tx:
            stored = list(ledger.after(tx, 0))
            restored = ledger.is_restored(tx, book)
        check_chain(stored)
        written = book.chain()
        check_chain(written)
    except Tampered as problem:
        return Health("fail", f"{problem}", "compare it with a backup: somebody changed what was sealed")
    except LedgerUnavailable:
        return Health("fail", f"{book.path} cannot be read")
    finally:
        database.close()
    if restored:
        return Health("fail", "a backup was restored: nothing is served", "memory-center replay")
    missing = {entry.hash for entry in stored} - {entry.hash for entry in written}
    if missing:
        return Health("warn", f"the file lacks {len(missing)} of {len(stored)} entries; the next forget writes them")
    return Health("ok", f"{len(stored)} entries, unbroken, in the database and in {book.path}")
