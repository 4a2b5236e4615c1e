"""When faults are healed and queues run dry: everything accepted is proven, nothing else is missing."""

from __future__ import annotations

import contextlib
import io
import json
import time
from pathlib import Path

from services.cli.exit_codes import Refusal
from services.cli.verify_receipt import verify_receipt
from shared.ledger.book import LedgerFile
from shared.runtime.signing import Signer
from tests.chaos import invariants
from tests.chaos.invariants import Violated
from tests.chaos.playing import TIME_PASSES, Play

CONVERGES_SECONDS = 90.0
RECONCILES = 4


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
    if play.disturbed or play.strays or play.lost:
        _reconcile(play)
    check_everything(play, run.tell("inspector", "rows"), run.settings.files_dir)
    _check_ended(play)
    _check_receipts(play)


def _reconcile(play: Play) -> None:
    """Nothing but what was done behind the product's back differs; compare the stores until nothing does."""
    run = play.run
    forgotten = play.world.forgotten()
    invariants.check_stores(
        run.sql(),
        run.tell("inspector", "rows"),
        forgotten_canaries={message.statement.canary for message in forgotten},
        forgotten_ids={message.id for message in forgotten},
        only_forgotten=False,
        strays=play.strays,
        lost=play.lost,
    )
    for _ in range(RECONCILES):
        operation = run.tell("worker", "reconcile")
        _run_dry(play)
        row = (
            run.sql()
            .execute(
                """
                select sum((counts->>'orphans')::bigint + (counts->>'losses')::bigint) from operation_steps
                where operation_id = %s
                """,
                (operation,),
            )
            .fetchone()
        )
        run.note(f"reconciled: {row[0] if row else None} differences")
        if row is not None and row[0] == 0:
            break
    else:
        raise Violated("converges", f"PostgreSQL and Milvus differ after {RECONCILES} reconciliations")
    for keys in (play.strays, play.out_of_reach, play.planted, play.lost):
        keys.clear()
    play.disturbed = False


def _check_ended(play: Play) -> None:
    """Every operation ends, whoever asked for it."""
    rows = (
        play.run.sql()
        .execute("select type, status, id::text from operations where status not in ('succeeded', 'cancelled')")
        .fetchall()
    )
    if rows:
        raise Violated("converges", f"{len(rows)} operations did not end: {rows[:3]}")


def _check_receipts(play: Play) -> None:
    """Every receipt is read, whoever is left to read it, and is proven offline, by the public key and the chain."""
    run = play.run
    file = run.servers.directory / "receipt.json"
    ledger = LedgerFile(run.settings.files_dir).path
    assert run.settings.ledger_key is not None
    public_key = Signer(run.settings.ledger_key.get_secret_value()).public_key
    for forget in play.world.forgets().values():
        if forget.receipt_id is None or forget.status == "cancelled":
            continue
        receipt = run.get(play.people[0], f"/receipts/{forget.receipt_id}")
        file.write_text(json.dumps(receipt))
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                verify_receipt(str(file), [public_key], ledger, run.settings.data_dir)
        except Refusal as refused:
            raise Violated("receipts", f"the receipt of {forget.op_id} is not proven: {refused}") from None


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
    forgotten = play.world.forgotten()
    invariants.check_traits(connection, {message.id for message in forgotten})
    play.run.counts.traits = max(play.run.counts.traits, _count(play, "traits"))
    play.run.counts.reflections = max(play.run.counts.reflections, _count(play, "reflections"))
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


def _count(play: Play, table: str) -> int:
    row = play.run.sql().execute(f"select count(*) from {table}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def _run_dry(play: Play) -> None:
    run = play.run
    deadline = time.monotonic() + CONVERGES_SECONDS
    run.broker.clear()  # and the broker is wiped
    while True:
        run.sql().execute(TIME_PASSES)
        actor = run.idle("scheduler")
        actor.published = []
        run.tell("scheduler", "turn", later=6.0, refuse=0)
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
    known = play.world.forgets()
    if status.keys() != known.keys():
        raise Violated("one-operation", f"{len(status)} operations for {len(known)} accepted forgets")
    for op_id, forget in known.items():
        wanted = "cancelled" if forget.status == "cancelled" else "succeeded"
        if status[op_id] != wanted:
            raise Violated("converges", f"{forget.scope} {op_id} is {status[op_id]}, not {wanted}")
    proven = {op_id for op_id, one in known.items() if one.status != "cancelled"}
    invariants.check_ledger(
        connection,
        LedgerFile(files_dir).chain(),
        proven,
        concern_nothing=play.world.concern_nothing.keys(),
        restored=play.run.counts.restores > 0,
    )


def watch_successes(play: Play) -> None:
    """Whenever a forget is first shown as succeeded, nothing of it is left anywhere."""
    run = play.run
    connection = run.sql()
    rows = connection.execute("select id::text from operations where status = 'succeeded'").fetchall()
    known = play.world.forgets()
    fresh = [known[op_id] for (op_id,) in rows if op_id in known and op_id not in play.world.seen_succeeded]
    if not fresh:
        return
    canaries = {canary for forget in fresh for canary in forget.canaries()}
    if tables := invariants.tables_holding(connection, canaries):
        raise Violated("verified", f"succeeded is shown while statements are left in {tables}")
    run.servers.heal()
    collections = run.tell("inspector", "rows")
    for again, strays in ((False, play.out_of_reach), (True, play.planted)):
        invariants.check_stores(
            connection,
            collections,
            forgotten_canaries={canary for forget in fresh if forget.again is again for canary in forget.canaries()},
            forgotten_ids={message.id for forget in fresh if forget.again is again for message in forget.messages},
            only_forgotten=True,
            strays=strays,
        )
    play.world.seen_succeeded |= {forget.op_id for forget in fresh}


def finish(play: Play) -> None:
    """At the end of a run all that was forgotten is purged, and the read models folded again are the same."""
    purges = play.run.tell("worker", "purge")
    _run_dry(play)
    # One that was killed left a copy of Milvus' collections, and perhaps a restore took the purge that would go on.
    if purges and (left := play.run.tell("inspector", "unserved")):
        raise Violated("verified", f"nobody reads these collections and they are there after a purge: {left}")
    connection = play.run.sql()
    left = connection.execute("select count(*) from operations where erased_at is not null and purged_at is null")
    if unpurged := (left.fetchone() or (0,))[0]:
        raise Violated("converges", f"{unpurged} forgets are not purged")
    _check_ended(play)
    before = invariants.read_models(connection)
    play.run.tell("worker", "rebuild")
    after = invariants.read_models(connection)
    for table, rows in before.items():
        if rows != after[table]:
            raise Violated("event-log", f"{table} folded again differs from what it was")
