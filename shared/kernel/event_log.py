"""The event log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final, TypeAlias
from uuid import UUID

from pydantic import TypeAdapter

from shared.kernel.database import Transaction
from shared.kernel.events import EVENTS, Event
from shared.kernel.subjects import Subject

Recorded: TypeAlias = tuple[Any, datetime]
"""An event and the time it was recorded."""


def stream_name(kind: str, item_id: UUID) -> str:
    return f"{kind}:{item_id}"


APPEND: Final = """
  insert into events (stream, version, type, data, actor, subject_id, generation)
  select e.stream, coalesce((select max(version) from events where stream = e.stream), 0) + e.place,
         e.type, e.data, :actor, :subject, :generation
  from jsonb_to_recordset(:events) as e(stream text, place integer, type text, data jsonb)
  order by e.place
"""
"""Appends the events in `appended`. Statements that begin an operation end like this, to save round trips."""


def append(tx: Transaction, subject: Subject, item_id: UUID, events: Sequence[Event], *, actor: str) -> None:
    """Append events to the stream of one item, in order, at the transaction's time.

    Concurrent writers of one stream collide on (stream, version); `Database.transact` retries the loser.
    """
    if events:
        tx.run(APPEND, **appended(subject, item_id, events, actor=actor))


def append_all(tx: Transaction, subject: Subject, events: Mapping[UUID, Sequence[Event]], *, actor: str) -> None:
    """Append events to the streams of many items, as `append` does for one."""
    rows = [row for item_id, happened in events.items() for row in _rows(item_id, happened)]
    if rows:
        tx.run(APPEND, **_parameters(subject, rows, actor))


def appended(subject: Subject, item_id: UUID, events: Sequence[Event], *, actor: str) -> dict[str, Any]:
    """Return the parameters of `APPEND`."""
    return _parameters(subject, _rows(item_id, events), actor)


def _rows(item_id: UUID, events: Sequence[Event]) -> list[dict[str, Any]]:
    return [
        {
            "stream": stream_name(event.stream, item_id),
            "place": place,
            "type": type(event).__name__,
            "data": _adapter(type(event).__name__).dump_python(event, mode="json"),
        }
        for place, event in enumerate(events, start=1)
    ]


def _parameters(subject: Subject, rows: Sequence[dict[str, Any]], actor: str) -> dict[str, Any]:
    return {"events": json.dumps(rows), "actor": actor, "subject": subject.id, "generation": subject.generation}


def replace_streams(
    tx: Transaction, subject: Subject, kind: str, item_ids: Sequence[UUID], event: Event, *, actor: str
) -> None:
    """Replace the stream of each erased item with a single event."""
    streams = [stream_name(kind, item_id) for item_id in item_ids]
    tx.run("delete from events where stream = any(:streams)", streams=streams)
    tx.run(
        """
        insert into events (stream, version, type, data, actor, subject_id, generation)
        select s, 1, :type, cast(:data as jsonb), :actor, :subject, :generation from unnest(cast(:streams as text[])) s
        """,
        streams=streams,
        type=type(event).__name__,
        data=_adapter(type(event).__name__).dump_json(event).decode(),
        actor=actor,
        subject=subject.id,
        generation=subject.generation,
    )


def delete_stream(tx: Transaction, kind: str, item_id: UUID) -> None:
    """Delete the events of one item, whose history is about to be written anew."""
    tx.run("delete from events where stream = :stream", stream=stream_name(kind, item_id))


def histories(tx: Transaction, kind: str) -> Iterator[tuple[UUID, UUID, int, list[Recorded]]]:
    """Yield every stream of a kind: item id, subject id, generation, and its events in order with their times."""
    stream = ""
    found: tuple[UUID, UUID, int, list[Recorded]] | None = None
    for row in tx.rows(
        "select stream, version, type, data, at, subject_id, generation from events"
        " where stream like :prefix order by stream, version",
        prefix=f"{kind}:%",
    ):
        event = _adapter(row["type"]).validate_python(row["data"])
        if row["stream"] != stream:
            if found:
                yield found
            stream = row["stream"]
            found = (UUID(stream.split(":", 1)[1]), row["subject_id"], row["generation"], [])
        assert found is not None  # noqa: S101 # set on the first row of each stream
        found[3].append((event, row["at"]))
    if found:
        yield found


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """One event for display: ids, enums and numbers."""

    item_id: UUID
    type: str
    data: dict[str, Any]
    version: int
    actor: str
    at: datetime


def lives(tx: Transaction, kind: str, item_ids: Sequence[UUID]) -> list[Happened]:
    """Return the events of some items of one kind, in the order they were recorded."""
    rows = tx.rows(
        """
        select stream, type, data, version, actor, at from events where stream = any(:streams) order by position
        """,
        streams=[stream_name(kind, item_id) for item_id in item_ids],
    )
    return [
        Happened(
            item_id=UUID(row["stream"].split(":", 1)[1]),
            type=row["type"],
            data=row["data"],
            version=row["version"],
            actor=row["actor"],
            at=row["at"],
        )
        for row in rows
    ]


def event_of(happened: Happened) -> Event:
    """Return a recorded event as it was appended."""
    event: Event = _adapter(happened.type).validate_python(happened.data)
    return event


@cache
def _adapter(type_name: str) -> TypeAdapter[Any]:
    return TypeAdapter(EVENTS[type_name])
