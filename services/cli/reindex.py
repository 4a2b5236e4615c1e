"""`memory-center reindex`: rebuild the index of vectors and words from PostgreSQL, without downtime."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url
from services.cli.manual import DATABASE, manual
from services.cli.reconcile import STORES, Following
from services.cli.terminal import print_json, progress

HELP = manual(
    [("reindex", "everybody's"), ("reindex --user ada --json", "one person's, for scripts")],
    exits={0: "all was written", 1: "it was not, or nobody works on it", 2: "no database, or nobody of that name"},
    environment=DATABASE,
)


def reindex(
    data_dir: DataDir = DEFAULT_DATA_DIR,
    user: Annotated[str | None, typer.Option(help="Whose.", show_default="everybody's")] = None,
    as_json: AsJson = False,
) -> None:
    """Write every vector again under a new key and look every word up again, with running workers."""
    from shared.erasure.reindex import TYPE, queue_reindex  # same
    from shared.kernel.database import Database  # same
    from shared.kernel.database_errors import DatabaseUnavailable  # same
    from shared.kernel.errors import NotFound  # slow to import

    url = database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", 2)
    database = Database(url, application="memory-center reindex", pool_size=1)
    try:
        operation_id = database.transact(lambda tx: queue_reindex(tx, user))
        with progress("building the index again", total=1.0, quiet=as_json) as advance:
            ended = Following(database, operation_id, advance=advance).to_the_end()
        cleanups = [one for one in ended if one.type == TYPE]
    except NotFound:
        raise Refusal("nothing was ever stored for this person", 2) from None
    except DatabaseUnavailable:
        raise Refusal("the database cannot be reached; `memory-center doctor` says more", 1) from None
    finally:
        database.close()
    counts = {store: Counter[str]() for store in STORES}
    for cleanup in cleanups:
        for step in cleanup.steps:
            if step.name in counts:
                counts[step.name].update(step.counts)
    failed = sum(cleanup.status == "failed" for cleanup in cleanups)
    if as_json:
        print_json({"op_id": str(operation_id), "failed": failed, "stores": counts})
    else:
        for store, found in counts.items():
            print(f"{store}: {found['reindexed']} written again, {found['forgotten']} forgotten meanwhile")
    if failed:
        raise Refusal(f"{failed} operations failed and are tried again hourly; the workers' logs say why", 1)
