"""`memory-center rebuild`: recreate the read models from the event log."""

from __future__ import annotations

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url, obey_policy
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

HELP = manual(
    [("rebuild", "fold memories, settings, traits and consents again; writers wait")],
    exits={0: "done", 1: "the database cannot be reached", 2: "no database was named, or the policy has a fault"},
    environment=DATABASE,
)


def rebuild(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Recreate memories and settings from their events; contents and everything primary stay as they are."""
    from shared.erasure.rebuild import rebuild_read_models  # slow to import
    from shared.kernel.database import Database  # same
    from shared.kernel.database_errors import DatabaseUnavailable  # same

    obey_policy()
    url = database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", 2)
    database = Database(url, application="memory-center rebuild", pool_size=1, transaction_seconds=None)
    try:
        with progress("folding memories and settings", quiet=as_json):
            rebuilt = database.transact(rebuild_read_models)
    except DatabaseUnavailable:
        raise Refusal("the database cannot be reached; `memory-center doctor` says more", 1) from None
    finally:
        database.close()
    if as_json:
        print_json({"memories": rebuilt.memories, "settings": rebuilt.settings})
        return
    print(f"Rebuilt {rebuilt.memories} memories and the settings of {rebuilt.settings} people.")
