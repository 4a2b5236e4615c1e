"""`memory-center replay`: after a backup was restored, repeat the forgets made since."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, running_database_url, secret
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

HELP = manual(
    [("replay", "after a backup was restored; may be interrupted and repeated")],
    exits={
        0: "database and ledger say the same",
        1: "the ledger's file is damaged or signed with another key: nothing after that entry is believed",
        2: "no database, or no key",
    },
    environment={**DATABASE, "MEMORY_CENTER_LEDGER_KEY": "the ledger's key; without it the data directory's"},
)


def replay(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Read the ledger's file and do again every forget this database does not know; safe to repeat."""
    from shared.erasure.replay import Replay  # slow to import
    from shared.items import register_kinds  # same
    from shared.kernel.database import Database, DatabaseUnavailable, SubjectBusy  # same
    from shared.ledger.file import LedgerFile, LedgerUnavailable  # same
    from shared.ledger.rules import Tampered  # same
    from shared.runtime.signing import Signer, is_signed  # same

    register_kinds()
    url = os.environ.get("MEMORY_CENTER_DATABASE_URL") or running_database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", 2)
    public_key = Signer(secret("ledger_key", data_dir)).public_key
    book = LedgerFile(files_of(data_dir))
    taking_over = Replay(book, lambda entry: is_signed(entry.hash, entry.signature, public_key))
    database = Database(url, application="memory-center replay", pool_size=1, transaction_seconds=None)
    outcomes: Counter[str] = Counter()
    try:
        with progress("forgetting again", unit="entries", quiet=as_json) as advance:
            while outcome := database.transact(taking_over.step):
                outcomes[outcome] += 1
                advance(outcomes.total())
    except Tampered as problem:
        raise Refusal(f"{book.path}: entry {outcomes.total() + 1} past the database's last: {problem}", 1) from None
    except (DatabaseUnavailable, SubjectBusy):
        raise Refusal("the database cannot be reached; `memory-center doctor` says more", 1) from None
    except LedgerUnavailable:
        raise Refusal(f"{book.path} cannot be read", 1) from None
    finally:
        database.close()
    if as_json:
        again, nothing_left = outcomes["forgotten again"], outcomes["nothing left"]
        print_json({"entries": outcomes.total(), "forgotten_again": again, "nothing_left": nothing_left})
        return
    print(
        f"Took over {outcomes.total()} entries: {outcomes['forgotten again']} forgets are done again, "
        f"{outcomes['nothing left']} concern nothing this backup holds."
    )


def files_of(data_dir: Path) -> Path:
    """Return the folder of the installation's ledger file."""
    return data_dir.resolve() / "files"
