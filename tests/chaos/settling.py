"""When faults are healed and queues run dry: everything accepted is proven, nothing else is missing."""

from __future__ import annotations

import time
from pathlib import Path

from shared.persistence.ledger_file import LedgerFile
from tests.chaos import invariants
from tests.chaos.invariants import Violated
from tests.chaos.model import Forget
from tests.chaos.playing import TIME_PASSES, Play

CONVERGES_SECONDS = 90.0


def settle(play: Play) -> None:
    """Heal, let everybody finish, deliver until nothing waits, then check every invariant.

    Raises:
        Violated: one does not hold.
    """
    run = play.run
    run.note("settle")
    run.servers.heal()
    run.rest()
    for person in play.people:
        if not person.longterm:
            play.switch_to(person, on=True)
    _run_dry(play)
    watch_successes(play)
    invariants.check_closed_once(run.sql())
    check_everything(play, run.tell("inspector", "rows"), run.settings.files_dir)


def check_everything(play: Play, collections: dict[str, list[tuple[str, str, str]]], files_dir: Path) -> None:
    """Hold a settled installation against the model.

    Args:
        collections: what the stores hold.
        files_dir: where the ledger's file is.
    """
    connection = play.run.sql()
    _check_operations(play, files_dir)
    for person in play.people:
        for conversation in (None, *person.conversations):
            play.look(person, conversation=conversation, settled=True)
    invariants.check_event_log(connection)
    forgotten = [one for person in play.people for one in person.messages() if one.forgotten]
    canaries = {message.statement.canary for message in forgotten}
    if tables := invariants.tables_holding(connection, canaries):
        raise Violated("verified", f"forgotten statements are left in {tables}")
    invariants.check_stores(
        connection,
        collections,
        forgotten_canaries=canaries,
        forgotten_ids={message.id for message in forgotten},
        only_forgotten=False,
    )


def _run_dry(play: Play) -> None:
    run = play.run
    deadline = time.monotonic() + CONVERGES_SECONDS
    run.broker.clear()  # and the broker is wiped
    while True:
        run.sql().execute(TIME_PASSES)
        actor = run.idle("relay")
        actor.published = []
        run.tell("relay", "turn", later=6.0, refuse=0)
        run.broker += actor.published
        actor.published = []
        play.random.shuffle(run.broker)
        for queue, ids in run.broker:
            run.tell("worker", "work", queue=queue, ids=ids)
        watch_successes(play)
        delivered = len(run.broker)
        run.broker.clear()
        if delivered:
            continue
        waiting = run.sql().execute("select kind, state, last_error, attempt from outbox").fetchall()
        pending = (
            run.sql()
            .execute("select count(*) from vector_refs where state = 'intended' and item_kind <> 'entity'")
            .fetchone()
        )
        if not waiting and (pending is None or not pending[0]):
            return
        if time.monotonic() > deadline:
            raise Violated("converges", f"after {CONVERGES_SECONDS:.0f} s these wait: {waiting[:5]}, {pending} keys")
        run.tell("worker", "sweep")
        time.sleep(0.1)


def _check_operations(play: Play, files_dir: Path) -> None:
    connection = play.run.sql()
    rows = connection.execute("select id::text, status from operations where type like 'forget%'").fetchall()
    status = {row[0]: row[1] for row in rows}
    known = {op_id: forget for person in play.people for op_id, forget in person.forgets.items()}
    if status.keys() != known.keys():
        raise Violated("one-operation", f"{len(status)} operations for {len(known)} accepted forgets")
    for op_id, forget in known.items():
        wanted = "cancelled" if forget.status == "cancelled" else "succeeded"
        if status[op_id] != wanted:
            raise Violated("converges", f"{forget.scope} {op_id} is {status[op_id]}, not {wanted}")
    proven = {op_id for op_id, one in known.items() if one.status != "cancelled"}
    invariants.check_ledger(connection, LedgerFile(files_dir).chain(), proven)


def watch_successes(play: Play) -> None:
    """Whenever a forget is first shown as succeeded, nothing of it is left anywhere."""
    run = play.run
    connection = run.sql()
    rows = connection.execute("select id::text from operations where status = 'succeeded'").fetchall()
    known: dict[str, Forget] = {op_id: one for person in play.people for op_id, one in person.forgets.items()}
    fresh = [known[op_id] for (op_id,) in rows if op_id in known and op_id not in play.seen_succeeded]
    if not fresh:
        return
    canaries = {canary for forget in fresh for canary in forget.canaries()}
    if tables := invariants.tables_holding(connection, canaries):
        raise Violated("verified", f"succeeded is shown while statements are left in {tables}")
    run.servers.heal()
    invariants.check_stores(
        connection,
        run.tell("inspector", "rows"),
        forgotten_canaries=canaries,
        forgotten_ids={message.id for forget in fresh for message in forget.messages},
        only_forgotten=True,
    )
    play.seen_succeeded |= {forget.op_id for forget in fresh}


def finish(play: Play) -> None:
    """At the end of a run the read models folded again from their events are the same."""
    connection = play.run.sql()
    before = invariants.read_models(connection)
    play.run.tell("worker", "rebuild")
    after = invariants.read_models(connection)
    for table, rows in before.items():
        if rows != after[table]:
            raise Violated("event-log", f"{table} folded again differs from what it was")
