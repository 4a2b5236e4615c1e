"""`memory-center replay`: after a backup was restored, repeat the forgets made since; merge a forked ledger."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url, obey_policy, secret
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from shared.ledger.book import Book

Merge = Annotated[bool, typer.Option("--merge", help="Keep both histories of a forked ledger, and forget for both.")]

HELP = manual(
    [
        ("replay", "after a backup was restored; may be interrupted and repeated"),
        ("replay --merge", "after two hosts with ledgers of their own each forgot something"),
        ("MEMORY_CENTER_LEDGER_START=empty memory-center replay", "write a new ledger from the database's entries"),
    ],
    exits={
        0: "database and ledger say the same",
        1: "the ledger is damaged, forked or signed with another key: nothing after that entry is believed",
        2: "no database, no key, or a fault in the policy",
    },
    environment={
        **DATABASE,
        "MEMORY_CENTER_LEDGER_KEY": "the ledger's key; without it the data directory's",
        "MEMORY_CENTER_LEDGER_S3_BUCKET, …": "where the ledger is, if it is not a file of the data directory",
    },
)


def replay(data_dir: DataDir = DEFAULT_DATA_DIR, merge: Merge = False, as_json: AsJson = False) -> None:
    """Read the ledger and do again every forget this database does not know; safe to repeat."""
    from shared.erasure.replay import Forked, Replay  # slow to import
    from shared.items import register_kinds  # same
    from shared.kernel.database import Database  # same
    from shared.kernel.database_errors import DatabaseUnavailable, SubjectBusy  # same
    from shared.ledger.book import LedgerUnavailable  # same
    from shared.ledger.record import complete  # same
    from shared.ledger.rules import Tampered  # same
    from shared.ledger.sql.entries import is_missing  # same
    from shared.runtime.installation import seal_with  # same

    register_kinds()
    obey_policy()
    url = database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", 2)
    book, start_empty = book_of(data_dir)
    taking_over = Replay(book, seal_with(secret("ledger_key", data_dir)), merging=merge)
    database = Database(url, application="memory-center replay", pool_size=1, transaction_seconds=None)
    outcomes: Counter[str] = Counter()
    try:
        if not start_empty and database.transact(lambda tx: is_missing(tx, book)):
            raise Refusal(f"{book.where} is empty, but the database has entries: put the ledger back", 1)
        with progress("forgetting again", unit="entries", quiet=as_json) as advance:
            while outcome := database.transact(taking_over.step):
                outcomes[outcome] += 1
                advance(outcomes.total())
        database.transact(lambda tx: complete(tx, book))
    except Tampered as problem:
        raise Refusal(f"{book.where}: entry {outcomes.total() + 1} past the database's last: {problem}", 1) from None
    except Forked:
        raise Refusal(
            f"{book.where}: two histories went on after the same entry; `replay --merge` keeps both", 1
        ) from None
    except (DatabaseUnavailable, SubjectBusy):
        raise Refusal("the database cannot be reached; `memory-center doctor` says more", 1) from None
    except LedgerUnavailable:
        raise Refusal(f"{book.where} cannot be read or written", 1) from None
    finally:
        database.close()
    merged = outcomes["merged"]
    if as_json:
        again, nothing_left = outcomes["forgotten again"], outcomes["nothing left"]
        told = {"entries": outcomes.total() - merged, "forgotten_again": again, "nothing_left": nothing_left}
        print_json({**told, "branches_merged": merged})
        return
    print(
        f"Took over {outcomes.total() - merged} entries: {outcomes['forgotten again']} forgets are done again, "
        f"{outcomes['nothing left']} concern nothing this backup holds."
        + (f" Branches merged: {merged}." if merged else "")
    )


def book_of(data_dir: Path) -> tuple[Book, bool]:
    """Return the installation's ledger outside the database, and whether it may begin anew.

    Raises:
        Refusal: the settings of its bucket are wrong.
    """
    from pydantic import ValidationError  # slow to import

    from shared.runtime.bucket_settings import BucketSettings  # same
    from shared.runtime.installation import ledger_book  # same
    from shared.runtime.settings import faults  # same

    try:
        settings = BucketSettings()
    except ValidationError as wrong:
        raise Refusal("; ".join(faults(wrong)), 2) from None
    return ledger_book(settings, data_dir.resolve() / "files"), settings.ledger_start == "empty"
