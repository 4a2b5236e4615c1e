"""`memory-center reconcile`: compare the stores with PostgreSQL now, and repair differences."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url
from services.cli.manual import DATABASE, manual
from services.cli.terminal import Advance, print_json, progress

if TYPE_CHECKING:
    from shared.erasure.sql.reconciling import Cleanup
    from shared.kernel.database import Database, Transaction

IDLE_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 0.5
STORES: Final = ("milvus", "mem0")

HELP = manual(
    [("reconcile", "compare, mend, and say what differed"), ("reconcile --json", "for scripts")],
    exits={0: "everything found was mended", 1: "it was not, or nobody works on it", 2: "no database was named"},
    environment=DATABASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a reconciliation found and repaired in one store."""

    scanned: int
    orphans: int
    removed: int
    checked: int
    losses: int
    repaired: int
    forgotten: int


def reconcile(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Find copies nobody announced and items whose copy is gone; remove and restore them, with running workers."""
    from shared.erasure.reconcile import queue_reconcile  # slow to import
    from shared.kernel.database import Database  # same
    from shared.kernel.database_errors import DatabaseUnavailable  # same

    url = database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", 2)
    database = Database(url, application="memory-center reconcile", pool_size=1)
    try:
        operation_id = database.transact(queue_reconcile)
        with progress("comparing the stores", total=1.0, quiet=as_json) as advance:
            cleanups = Following(database, operation_id, advance=advance).to_the_end()
    except DatabaseUnavailable:
        raise Refusal("the database cannot be reached; `memory-center doctor` says more", 1) from None
    finally:
        database.close()
    outcomes = {store: _outcome(store, cleanups) for store in STORES}
    failed = sum(cleanup.status == "failed" for cleanup in cleanups)
    if as_json:
        report = {store: asdict(outcome) for store, outcome in outcomes.items()}
        print_json({"op_id": str(operation_id), "failed": failed, "stores": report})
    else:
        for store, outcome in outcomes.items():
            print(f"{store}: {_sentence(outcome)}")
    if failed:
        raise Refusal(f"{failed} cleanups failed and are tried again hourly; the workers' logs say why", 1)
    if any(one.losses > one.repaired + one.forgotten or one.orphans > one.removed for one in outcomes.values()):
        raise Refusal("not everything that was found was mended; run it again", 1)


class Following:
    """Follows a cleanup, the cleanups it starts, and unfinished earlier ones, until all have ended.

    Args:
        now: a monotonic clock, in seconds.
        advance: receives their overall progress, from 0 to 1.
    """

    def __init__(
        self,
        database: Database,
        operation_id: UUID,
        *,
        now: Callable[[], float] = time.monotonic,
        advance: Advance | None = None,
    ) -> None:
        self._database = database
        self._operation_id = operation_id
        self._now = now
        self._advance = advance
        self._seen: dict[UUID, Cleanup] = {}

    def to_the_end(self) -> list[Cleanup]:
        """Return the cleanups when each has ended or failed.

        Raises:
            Refusal: there was no progress for 30 s.
        """
        moved_at = self._now()
        while True:
            before = dict(self._seen)
            is_worked_on = self._look()
            if self._advance is not None and self._seen:
                self._advance(sum(cleanup.progress for cleanup in self._seen.values()) / len(self._seen))
            if all(cleanup.status in ("succeeded", "failed", "cancelled") for cleanup in self._seen.values()):
                return list(self._seen.values())
            if any("replay_needed" in (step.last_error or "") for one in self._seen.values() for step in one.steps):
                raise Refusal("a backup was restored: run `memory-center replay` first; this goes on then", 1)
            if is_worked_on or self._seen != before:
                moved_at = self._now()
            elif self._now() - moved_at > IDLE_SECONDS:
                raise Refusal(
                    f"nothing has moved for {IDLE_SECONDS:.0f} s: are scheduler and worker running (`memory-center"
                    f" doctor`)? This goes on when they are",
                    1,
                )
            time.sleep(LOOK_SECONDS)

    def _look(self) -> bool:
        from shared.erasure.sql import reconciling  # slow to import

        def look(tx: Transaction) -> bool:
            found = reconciling.following(tx, self._operation_id, [*self._seen])
            self._seen |= {cleanup.id: cleanup for cleanup in found}
            return reconciling.is_worked_on(tx, [*self._seen])

        return self._database.transact(look)


def _outcome(store: str, cleanups: list[Cleanup]) -> Outcome:
    counts: Counter[str] = Counter()
    for cleanup in cleanups:
        for step in cleanup.steps:
            if step.name == store:
                counts.update(step.counts)
    return Outcome(**{name: counts[name] for name in Outcome.__dataclass_fields__})


def _sentence(found: Outcome) -> str:
    lost = f"{found.losses} lost, {found.repaired} repaired"
    if found.forgotten:
        lost += f", {found.forgotten} forgotten meanwhile"
    return (
        f"{found.scanned} rows scanned, {found.orphans} orphans, {found.removed} removed; "
        f"{found.checked} keys checked, {lost}"
    )
