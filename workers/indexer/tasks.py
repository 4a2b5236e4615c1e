"""Index turns as episodes in Milvus, ids and a vector only (MC-04), and update summaries."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from uuid import UUID

from shared.conversations.index_episode import EpisodePlan, announce_episode, confirm_episode, plan_episode
from shared.kernel.database import Transaction
from shared.kernel.locks import CollectionBusy
from shared.language import terms
from shared.language.embedding.bundled import each_passage
from shared.lineage.sql.vector_keys import START_WITHIN_SECONDS
from shared.outbox.job_kinds import INDEX_EPISODE, SUMMARY_ROLL
from shared.outbox.sql.leasing import Lease
from shared.runtime import telemetry
from shared.stores.port import StoreUnavailable
from workers.celery_app import app
from workers.indexer.summaries import roll
from workers.process import leased_work, process
from workers.remembering import episode_vector


@app.task(name="indexer.run")  # type: ignore[untyped-decorator]  # celery has no types
def run(*, outbox_ids: list[int], **_newer: object) -> None:
    """Index the turns and update the summaries of these outbox rows; rows that are claimed or done are skipped."""
    others = leased_work().run(outbox_ids, index, kinds=[INDEX_EPISODE])
    if others:
        leased_work().run_each(others, roll, kinds=[SUMMARY_ROLL])


def index(leases: list[Lease]) -> None:
    """Plan each turn, embed them together, announce each, write all in one call, confirm each."""
    plans = [plan for lease in leases if (plan := _plan(lease)) is not None]
    if not plans:
        return
    vectors: list[list[float] | None] = []
    if not leased_work().attempt(
        [plan.lease for plan in plans],
        lambda: vectors.extend(each_passage(process().embedder, [plan.text for plan in plans])),
    ):
        return
    # No store call may start after this time: the first intent could be given up while the call runs.
    start_before = time.monotonic() + START_WITHIN_SECONDS
    announced = [(plan, vector) for plan, vector in zip(plans, vectors, strict=True) if _announce(plan)]
    for plan, vector in announced:
        if vector is None:
            telemetry.UNEMBEDDABLE.inc()
            _confirm(plan, written=False)
    if with_vector := [(plan, vector) for plan, vector in announced if vector is not None]:
        _write(with_vector, start_before=start_before)


def _write(announced: Sequence[tuple[EpisodePlan, list[float]]], *, start_before: float) -> None:
    """Write all episodes in one call and confirm each; if the call fails because of one, write them one by one.

    Args:
        start_before: monotonic seconds; the call must not start later. Rows that miss it are offered again.
    """
    leases = [plan.lease for plan, _ in announced]
    rows = [episode_vector(plan, vector) for plan, vector in announced]
    try:
        process().episodes.insert(rows, start_before=start_before)
    except (StoreUnavailable, CollectionBusy) as error:
        leased_work().put_back(leases, error)
    except Exception as error:  # noqa: BLE001 # one bad row must not hold up its batch mates
        if len(announced) == 1:
            leased_work().put_back(leases, error)
        else:
            for one in announced:
                _write([one], start_before=start_before)
    else:
        for plan, _ in announced:
            _confirm(plan)


def _plan(lease: Lease) -> EpisodePlan | None:
    plans: list[EpisodePlan | None] = []
    _attempt(lease, lambda tx: plans.append(plan_episode(tx, lease, terms=process().terms)))
    return plans[0] if plans else None


def _announce(plan: EpisodePlan) -> bool:
    """Announce one episode. If a source is gone by now, close the row with nothing written."""
    stands: list[bool] = []
    _attempt(plan.lease, lambda tx: stands.append(announce_episode(tx, plan)))
    if stands == [False]:
        _confirm(plan)
    return stands == [True]


def _confirm(plan: EpisodePlan, *, written: bool = True) -> None:
    namespace, conversation_id = plan.subject.namespace, plan.turn.messages[0].conversation_id
    found_by: dict[UUID, list[int]] = {
        m.id: terms.digests(terms.words(m.text), namespace, within=conversation_id) for m in plan.turn.messages
    }
    _attempt(plan.lease, lambda tx: confirm_episode(tx, plan, found_by=found_by, written=written))


def _attempt(lease: Lease, action: Callable[[Transaction], object]) -> None:
    """Run one transaction of a row; if it fails, put the row back with the reason."""

    database = process().database.of(lease.subject_id)

    def attempt() -> None:
        database.transact(action)

    leased_work().attempt([lease], attempt)
