"""Recent changes for a person, in one statement whose cost does not depend on the amount of data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter

from shared.kernel.database import Transaction
from shared.outbox.sql.operations import Operation

SETTLED_SECONDS: Final = 21
"""Age in seconds at which an event is settled: no event with a lower position can still be committed.

Positions are assigned before the commit, in transactions of at most 10 s. An uncommitted event therefore got its
position less than 10 s ago, and an event whose transaction began 21 s ago got its position more than 11 s ago."""
EVENTS_MAX: Final = 500
WORK_MAX: Final = 200
NEWEST_OPERATIONS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """An event without its data."""

    position: int
    stream: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The current activity of a person.

    Args:
        subject_id: the person; None if nothing was ever stored for them.
        settled: no event at or below this position can still appear.
        last: the highest event position of anyone; a client that saw a higher one used the database before a restore.
        moved: events above the requested position, newest first, at most `EVENTS_MAX`.
        work: queued or running jobs of the person: outbox row id → kind, at most `WORK_MAX`.
        due: whether one of them is running or due within 2 s.
        operations: the newest ones, the watched ones, and those named by the events above.
    """

    subject_id: UUID | None
    settled: int
    last: int
    moved: tuple[Moved, ...]
    work: Mapping[int, str]
    due: bool
    operations: tuple[Operation, ...]


_MOVED: Final = TypeAdapter(tuple[Moved, ...])
_OPERATIONS: Final = TypeAdapter(tuple[Operation, ...])

LOOK: Final = """
  with who as materialized (
    select coalesce((select id from subjects where user_id = :user_id), cast(:was as uuid)) as id
  ), settled as materialized (
    select coalesce((
      select e.position from events e
      where e.subject_id = (select id from who) and e.at < now() - make_interval(secs => :settled_seconds)
      order by e.position desc nulls last limit 1), 0) as position
  ), moved as materialized (
    select e.position, e.stream, e.type from events e
    where e.subject_id = (select id from who)
      and e.position > coalesce(cast(:since as bigint), (select position from settled))
    order by e.position desc nulls last limit :events_max
  ), waiting as materialized (
    select o.id, o.kind, o.state = 'leased' or o.state = 'ready' and o.available_at < now() + interval '2 s' as due
    from outbox o where o.subject_id = (select id from who) limit :work_max
  ), newest as materialized (
    select o.id from operations o where o.subject_id = (select id from who)
    order by o.id desc limit :newest_operations
  ), wanted as materialized (
    select id from newest
    union select cast(substr(stream, 11) as uuid) from moved where stream like 'operation:%'
    union select unnest(cast(:watched as uuid[]))
  ), shown as (
    select id, type, scope, status, progress, retry_count, last_error, receipt_id, unrecallable_at, erased_at,
           purged_at, not_before, version, created_at, updated_at, (
      select coalesce(jsonb_agg(to_jsonb(s) - 'id' order by s.id), '[]')
      from (select id, name, status, attempts, counts, last_error, next_retry_at, started_at, finished_at
            from operation_steps where operation_id = operations.id) s) as steps
    from operations
    where id in (select id from wanted) and subject_id = (select id from who)
  )
  select (select id from who) as subject_id, (select position from settled) as settled,
         coalesce((select max(position) from events), 0) as last,
         coalesce((select jsonb_agg(to_jsonb(m) order by m.position desc) from moved m), '[]') as moved,
         coalesce((select jsonb_object_agg(w.id, w.kind) from waiting w), '{}') as work,
         coalesce((select bool_or(w.due) from waiting w), false) as due,
         coalesce((select jsonb_agg(to_jsonb(o) order by o.id) from shown o), '[]') as operations
"""


def look(tx: Transaction, user_id: str, *, since: int | None, was: UUID | None, watched: Collection[UUID]) -> Look:
    """Return the current activity of a person.

    Args:
        since: the last position the caller knows; None to start from the settled position.
        was: the subject id from an earlier call; a closed account has no user name but can still be watched.
        watched: operations of this person to return regardless of age.
    """
    row = tx.row(LOOK, **values(user_id, since=since, was=was, watched=watched))
    assert row is not None  # noqa: S101 # a select without a from
    return Look(
        subject_id=row["subject_id"],
        settled=row["settled"],
        last=row["last"],
        moved=_MOVED.validate_python(row["moved"]),
        work={int(id_): kind for id_, kind in row["work"].items()},
        due=row["due"],
        operations=_OPERATIONS.validate_python(row["operations"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a person for whom nothing was going on at the last look.

    Args:
        subject_id: as in `Look`.
        since: no event at or below this position can still appear.
        above: how many events above it were there.
        waiting: the sum of the ids of the jobs that waited, none of them due.
    """

    user_id: str
    subject_id: UUID | None
    since: int
    above: int
    waiting: int


def stirred(tx: Transaction, known: Sequence[Known]) -> set[str]:
    """Return the names of those for whom anything has happened since; one statement for all of them."""
    rows = tx.rows(
        """
        select k.user_id
        from unnest(cast(:user_ids as text[]), cast(:subjects as uuid[]), cast(:since as bigint[]),
                    cast(:above as bigint[]), cast(:waiting as numeric[]))
               as k(user_id, subject_id, since, above, waiting)
        where (select s.id from subjects s where s.user_id = k.user_id) is distinct from k.subject_id
           or (select coalesce(sum(o.id), 0) <> k.waiting
                      or bool_or(o.state = 'leased' or o.state = 'ready' and o.available_at < now() + interval '2 s')
               from outbox o where o.subject_id = k.subject_id)
           or (select count(*) from events e where e.subject_id = k.subject_id and e.position > k.since) <> k.above
        """,
        user_ids=[one.user_id for one in known],
        subjects=[one.subject_id for one in known],
        since=[one.since for one in known],
        above=[one.above for one in known],
        waiting=[one.waiting for one in known],
    )
    return {row["user_id"] for row in rows}


def values(user_id: str, *, since: int | None, was: UUID | None, watched: Collection[UUID]) -> dict[str, Any]:
    """Return the parameters of `LOOK`."""
    return {
        "user_id": user_id,
        "since": since,
        "was": was,
        "watched": list(watched),
        "settled_seconds": SETTLED_SECONDS,
        "events_max": EVENTS_MAX,
        "work_max": WORK_MAX,
        "newest_operations": NEWEST_OPERATIONS,
    }
