"""Read every store directly, bypassing the API and its visibility rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString, TypeVar

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from services.cli.demo.proof import Place, Row
from services.cli.demo.script import Person
from services.cli.demo.stack import Stack
from shared.stores.inspection import COLLECTIONS, Inspection
from shared.stores.port import StoreUnavailable

T = TypeVar("T")

PLACE_OF_COLLECTION: Final[dict[str, Place]] = {"episodes": "Milvus", "mem0_memories": "mem0", "mem0_entities": "mem0"}
_RETURNS_WITHIN_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.2
_ROTATED: Final = "*.log*"

_TABLES: Final[LiteralString] = """
  select n.nspname as table_schema, c.relname as table_name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
  order by 1, 2
"""
_MADE_OF: Final[LiteralString] = """
  with recursive made(kind, id) as (
    select derived_kind, derived_id from lineage where source_id = any(%(messages)s::uuid[]) and edge = 'text_from'
    union
    select l.derived_kind, l.derived_id from lineage l join made on l.source_id = made.id and l.edge = 'text_from'
  )
  select made.kind, made.id, v.store, v.pk, v.namespace, c.text, coalesce(v.state = 'written', false) as written
  from made left join vector_refs v on v.item_id = made.id left join memory_contents c on c.memory_id = made.id
"""
_UNFINISHED: Final[LiteralString] = """
  -- a reflection waits until nobody has said anything for half an hour
  select (select count(*) from outbox where kind <> 'trait.reflect' or available_at <= now()) as waiting,
    (select count(*) from (select conversation_id, turn from messages group by 1, 2) t
      where not exists (select from episodes e where e.conversation_id = t.conversation_id and e.turn = t.turn)
    ) as without_episode,
    (select max(last_error) from outbox) as reason
"""
_COUNTS: Final[LiteralString] = """
  select s.user_id, s.namespace::text,
    (select count(*) from messages where subject_id = s.id) as messages,
    (select count(*) from episodes where subject_id = s.id) as episodes,
    (select count(*) from memories where subject_id = s.id) as memories,
    (select count(*) from vector_refs where subject_id = s.id and store = 'milvus') as milvus,
    (select count(*) from vector_refs where subject_id = s.id and store like 'mem0%%') as mem0
  from subjects s
"""


@dataclass(frozen=True, slots=True)
class Made:
    """An item made from messages: its own wording, if any, and the key of its vector."""

    kind: str
    id: str
    store: str | None
    key: str | None
    namespace: str | None
    text: str | None
    written: bool
    """Whether the store has it; a write that took too long is repeated under another key."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Work the workers still have to do."""

    waiting: int
    without_episode: int
    reason: str | None

    def __bool__(self) -> bool:
        return bool(self.waiting or self.without_episode)


@dataclass(frozen=True, slots=True)
class Counts:
    """A person's number of rows, by table or collection."""

    user_id: str
    tables: dict[str, int]
    collections: dict[str, int]


class Stores:
    """PostgreSQL as superuser, Milvus and mem0's collections, and the log and data files."""

    def __init__(self, stack: Stack) -> None:
        self._postgres = psycopg.connect(stack.database_url, autocommit=True, row_factory=dict_row)
        self._vectors = Inspection(stack.milvus_uri)
        self._files = (stack.directory.logs, stack.directory.files)

    def close(self) -> None:
        self._postgres.close()
        self._vectors.close()

    def everything(self) -> list[Row]:
        """Return every row of every table and collection and every line of the logs and files."""
        return [*self._tables(), *self._collections(), *self._lines()]

    def unfinished(self) -> Unfinished:
        """Return the number of queued rows, and of completed turns without an episode."""
        return Unfinished(**self._rows(_UNFINISHED)[0])

    def namespace(self, person: Person) -> str:
        """Return the current namespace of this person's vectors; forgetting everything assigns a new one."""
        return str(
            self._rows("select namespace from subjects where user_id = %(id)s", id=person.user_id)[0]["namespace"]
        )

    def made_of(self, message_ids: Sequence[str]) -> list[Made]:
        """Return every item whose wording comes from these messages."""
        found = self._rows(_MADE_OF, messages=list(message_ids))
        return [
            Made(
                row["kind"],
                str(row["id"]),
                row["store"],
                _text(row["pk"]),
                _text(row["namespace"]),
                row["text"],
                row["written"],
            )
            for row in found
        ]

    def counts(self) -> dict[str, Counts]:
        """Return each person's number of rows, by user id; vectors are counted by namespace."""
        stored = {name: self._stored(name) for name in COLLECTIONS}
        found: dict[str, Counts] = {}
        for row in self._rows(_COUNTS):
            user_id, namespace = row.pop("user_id"), row.pop("namespace")
            theirs = {name: sum(str(one) == namespace for one, _ in rows) for name, rows in stored.items()}
            found[user_id] = Counts(user_id, row, theirs)
        return found

    def _tables(self) -> Iterator[Row]:
        for table in self._rows(_TABLES):
            query = sql.SQL("select to_jsonb(t) as row from {} t").format(sql.Identifier(*table.values()))
            for found in self._rows(query):
                yield Row("PostgreSQL", table["table_name"], "\n".join(_values(found["row"])))
        for found in self._rows("select s::text as row from pg_stats s where schemaname = 'public'"):
            yield Row("PostgreSQL", "pg_stats", found["row"])

    def _collections(self) -> Iterator[Row]:
        for name in COLLECTIONS:
            for _, text in self._stored(name):
                yield Row(PLACE_OF_COLLECTION[name], name, text)

    def _lines(self) -> Iterator[Row]:
        logs, files = self._files
        for path in (*logs.glob(_ROTATED), *(each for each in files.rglob("*") if each.is_file())):
            for line in _lines_of(path):
                yield Row("logs and files", path.name, line)

    def _stored(self, collection: str) -> list[tuple[str, str]]:
        rows = _once_it_answers(lambda: self._vectors.rows(collection))
        return [(str(row.namespace), row.text) for row in rows]

    def _rows(self, query: LiteralString | sql.Composed, **values: Any) -> list[dict[str, Any]]:
        return self._postgres.execute(query, values).fetchall()


def _once_it_answers(read: Callable[[], T]) -> T:
    """Return a store's answer, waiting for a store that is restarting."""
    deadline = time.monotonic() + _RETURNS_WITHIN_SECONDS
    while True:
        try:
            return read()
        except StoreUnavailable:
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)


def _values(value: Any) -> Iterator[str]:
    """Yield every value inside a JSON value as text, so that no escape hides a word."""
    match value:
        case dict():
            for inside in value.values():
                yield from _values(inside)
        case list():
            for inside in value:
                yield from _values(inside)
        case None:
            return
        case _:
            yield str(value)


def _lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode(errors="replace").splitlines()


def _text(value: object) -> str | None:
    return None if value is None else str(value)
