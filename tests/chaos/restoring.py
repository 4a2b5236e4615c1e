"""PostgreSQL is lost and comes back from a dump: nothing is served before the replay, nothing forgotten after it (P4).

The model goes back with the database, to a copy made with the dump. Then it forgets again what the ledger's file names:
that was promised. A forget that never reached the file is lost, as is all else that came after the dump.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.ledger.book import LedgerFile
from tests.chaos.actors import Died
from tests.chaos.invariants import Violated
from tests.chaos.model import Forget, Message, Person, World
from tests.support.dumping import dump
from tests.support.dumping import restore as restore_dump

if TYPE_CHECKING:
    from tests.chaos.playing import Play

KEPT = 3
REFUSES_SECONDS = 30.0


@dataclass(frozen=True)
class Backup:
    """A dump, and what was true when it was made."""

    path: Path
    world: World


def back_up(play: Play) -> None:
    """Dump PostgreSQL while whoever works goes on, or stands still."""
    run = play.run
    run.servers.heal()
    run.backups_made += 1
    path = run.servers.directory / f"backup-{run.backups_made}"
    run.note(f"back up {path.name}")
    dump(run.servers.postgres.url(), path)
    play.backups.append(Backup(path, play.world.copy()))
    while len(play.backups) > KEPT:
        play.backups.pop(play.random.randrange(KEPT)).path.unlink()


def restore(play: Play) -> None:
    """Let PostgreSQL be wiped and come back from one of the dumps; the ledger's file and Milvus stay as they are."""
    run = play.run
    if not play.backups:
        back_up(play)
        return
    place = play.random.randrange(len(play.backups))
    backup = play.backups[place]
    for later in play.backups[place + 1 :]:  # of a time that never was
        later.path.unlink()
    del play.backups[place + 1 :]
    run.servers.heal()
    if play.random.random() < 0.5:
        run.rest()
        run.servers.heal()
    else:
        run.kill_whoever_works()
    run.note(f"restore {backup.path.name}")
    run.counts.restores += 1
    asked = play.world.forgets() | play.world.concern_nothing
    restore_dump(run.servers.postgres.url(), backup.path)
    play.world = backup.world.copy()
    promised = [str(entry.op_id) for entry in LedgerFile(run.settings.files_dir).chain() if entry.kind == "accepted"]
    if set(promised) - _operations(play) - play.world.concern_nothing.keys():
        _refuses(play)
        _replay(play)
    _forget_again(play, promised, asked)
    _note_what_differs(play)
    for person in play.people:
        for conversation in (None, *person.conversations):
            play.look(person, conversation=conversation)
    if play.random.random() < 0.5:
        play.reconcile()


def _refuses(play: Play) -> None:
    """Nothing is served and nothing is worked on, by processes from before the restore or after it."""
    run = play.run
    if play.random.random() < 0.5:
        run.idle("api").kill()
        run.bury()
    for person in play.people:
        _answers(play, person, "GET", "/memory/long_term")
        _answers(play, person, "POST", "/memory/search", {"query": "tea"})
    _answers(play, play.people[0], "POST", "/conversations", {})
    actor = run.idle("scheduler")
    run.tell("scheduler", "turn", later=6.0, refuse=0)
    run.broker += actor.published
    actor.published = []
    before = _leases(play)
    for queue, ids in run.broker:
        run.tell("worker", "work", queue=queue, ids=ids)
    if _leases(play) != before:
        raise Violated("no-resurrection", "a worker took work of a restored backup")


def _answers(play: Play, person: Person, method: str, path: str, body: Any = None) -> None:
    deadline = time.monotonic() + REFUSES_SECONDS
    while True:
        status, said = play.run.ask_once(person, method, path, body)
        if status == 503 and said["code"] == "replay_needed":
            return
        if status != 503:
            raise Violated("no-resurrection", f"{method} {path} answered {status} from a restored backup")
        if time.monotonic() > deadline:
            raise Violated("no-resurrection", f"{method} {path} says {said['code']}, not that a replay is needed")
        time.sleep(0.05)


def _replay(play: Play) -> None:
    """`memory-center replay`, which may be killed and repeated."""
    run = play.run
    for kill in (*play.random.choice(((), (True,), (True, True))), False):
        actor = run.idle("operator")
        faults = {"kill_at": play.random.randint(1, 12), "on": "before commit"} if kill else {}
        if kill and play.random.random() < 0.5:
            faults["on"] = "after commit"
        run.note("replay")
        try:
            actor.begin("replay", faults=faults)
            answer = actor.answer()
        except Died:
            run.killed(actor, "replay")
            continue
        if answer is None or answer.error is not None:
            raise Violated("no-defects", f"replay raised {answer.error if answer else 'nothing'}")


def _forget_again(play: Play, promised: list[str], asked: dict[str, Forget]) -> None:
    """Let the model do what the replay did, and hold it against what the database knows now."""
    known = _operations(play)
    for op_id in promised:
        if op_id in play.world.forgets():
            continue
        if op_id not in asked:
            raise Violated("ledger", f"{op_id} is in the ledger and nobody asked for it")
        _do_again(play, asked[op_id], is_there=op_id in known)
    lost = asked.keys() - set(promised) - play.world.forgets().keys()
    if lost & known:
        raise Violated("one-operation", f"{len(lost & known)} forgets came back from nowhere")
    play.run.note(f"  {len(lost)} forgets were not on record yet and are lost")


def _do_again(play: Play, forget: Forget, *, is_there: bool) -> None:
    person = next((one for one in play.world.everybody() if one.account == forget.person.account), None)
    said = {one.id: one for one in person.messages()} if person else {}

    def still_there(messages: list[Message]) -> list[Message]:
        return [said[one.id] for one in messages if one.id in said]

    messages, unlearnable = still_there(forget.messages), still_there(forget.unlearnable)
    if person is None or not is_there:
        if is_there:
            raise Violated("one-operation", f"{forget.op_id} is of nobody the backup holds")
        if standing := [one for one in messages if not one.forgotten]:
            raise Violated("no-resurrection", f"{forget.op_id} left {len(standing)} messages of the backup alone")
        for message in unlearnable:
            message.unlearnable_by.add(forget.op_id)
        play.world.concern_nothing[forget.op_id] = forget
        play.run.note(f"  {forget.op_id} concerns nothing")
        return
    ids = {one.id for one in forget.conversations}
    again = person.forget(
        forget.op_id,
        forget.scope,
        messages=messages,
        conversations=[one for one in person.conversations if one.id in ids],
        unlearnable=unlearnable,
    )
    again.receipt_id, again.closes, again.again = forget.receipt_id, forget.closes, True
    if forget.scope in ("conversation", "clear"):
        for conversation in {message.turn.conversation for message in messages}:
            conversation.open_turn = None
    play.run.counts.done_again += 1
    play.run.note(f"  {forget.op_id} is done again")
    if forget.closes:
        play.close(person)


def _note_what_differs(play: Play) -> None:
    """PostgreSQL and Milvus are of different times now: the one does not know what the other holds."""
    play.disturbed = True
    collections = play.run.tell("inspector", "rows")
    connection = play.run.sql()
    known = {str(row[0]) for row in connection.execute("select pk from vector_refs").fetchall()}
    visible = {str(row[0]) for row in connection.execute("select pk from visible_vectors").fetchall()}
    stored = {name: {key for key, _, _ in rows} for name, rows in collections.items()}
    everything = {key for keys in stored.values() for key in keys}
    play.strays = everything - known
    # Episodes name their messages, so every forget searches for them. mem0's memories name nothing: a forget that was
    # done again waits until the stores were compared, one asked for after the restore does not.
    play.out_of_reach |= {key for name, keys in stored.items() if name != "episodes" for key in keys - known}
    play.lost = visible - everything


def _operations(play: Play) -> set[str]:
    return {row[0] for row in play.run.sql().execute("select id::text from operations").fetchall()}


def _leases(play: Play) -> list[Any]:
    return play.run.sql().execute("select id, state, attempt, lease_token from outbox order by id").fetchall()
