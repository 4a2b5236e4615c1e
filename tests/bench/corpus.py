"""People and what is remembered of them, written past the product: embedding is not what is timed.

The rows are those `record_messages`, `index_episode` and `learn_memory` would have left, with random vectors.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import psycopg

from shared.kernel.database import Database
from shared.kernel.locks import collection_lock
from shared.kernel.new_ids import new_id, new_namespace
from shared.stores.mem0_vectors import Mem0VectorStore
from shared.stores.milvus import DIMENSIONS, EpisodeStore
from shared.stores.milvus_client import connect
from shared.stores.port import EpisodeVector
from tests.bench.installation import Installation
from tests.bench.wording import SPOKEN_AT, mem0_payload, text_of

MESSAGES_IN_CONVERSATION = 1_000
AT_ONCE = 1_000
TIMEOUT = 60.0
LEARNED = ("fact", "global", "extracted", 5, False, False, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much there is of a person. Turns from the first on have one episode, and one memory, each."""

    turns: int
    episodes: int = 0
    memories: int = 0
    in_conversation: int = MESSAGES_IN_CONVERSATION
    """Messages; every conversation but the last is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody with a past. `message_ids` are in order: user, assistant, user, …"""

    user_id: str
    subject_id: UUID
    namespace: UUID
    message_ids: Sequence[UUID]
    conversation_ids: Sequence[UUID]
    memory_ids: Sequence[UUID]


class Corpus:
    """Writes people into one installation."""

    def __init__(self, installation: Installation, database: Database, *, seed: int = 1) -> None:
        self._sql = installation.sql
        milvus = installation.milvus
        self._connection = connect(milvus.uri, token=milvus.token, timeout=TIMEOUT)
        lock = collection_lock(database, exclusive=milvus.flavour == "lite")
        self._episodes = EpisodeStore(self._connection, flavour=milvus.flavour, lock=lock)
        self._memories = Mem0VectorStore(self._connection, lock=lock, visible=set)
        self._lock = lock
        self._flavour = milvus.flavour
        self._others: list[Size] = []
        self._random = np.random.default_rng(seed)
        self._episodes.ensure()
        self._memories.ensure(milvus.flavour)

    def vectors(self, count: int) -> list[list[float]]:
        """Return unit vectors in no particular direction."""
        drawn = self._random.standard_normal((count, DIMENSIONS), dtype=np.float32)
        unit: list[list[float]] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()
        return unit

    def person(self, size: Size, user_id: str | None = None, *, vectors: bool = True) -> Person:
        """Write one person everywhere, or in PostgreSQL alone."""
        user_id = user_id or f"bench-{secrets.token_hex(6)}"
        rows = _Rows(user_id, size)
        with self._sql.transaction():
            for table, (columns, found) in rows.tables().items():
                copy(self._sql, table, columns, found)
        if vectors:
            self._insert_vectors(rows)
        return Person(
            user_id=user_id,
            subject_id=rows.subject_id,
            namespace=rows.namespace,
            message_ids=rows.message_ids,
            conversation_ids=rows.conversation_ids,
            memory_ids=rows.memory_ids,
        )

    def people(self, count: int, size: Size) -> list[Person]:
        """Write several people alike."""
        return [self.person(size) for _ in range(count)]

    def others(self, count: int, size: Size) -> None:
        """Have at least so many people around who are never forgotten, all of this size."""
        self.people(count - len(self._others), size)
        self._others += [size] * (count - len(self._others))

    def settle(self) -> None:
        """Bring what was loaded to rest: files instead of buffers in Milvus Lite, statistics in PostgreSQL."""
        if self._flavour == "lite":
            self._episodes.flush()
            with self._lock(self._memories.collection_name):
                self._connection.flush(self._memories.collection_name)
        self._sql.execute("vacuum analyze")
        self._sql.execute("checkpoint")

    def _insert_vectors(self, rows: _Rows) -> None:
        for batch in _batched(rows.episode_vectors(), AT_ONCE):
            vectors = self.vectors(len(batch))
            self._episodes.insert([one.with_vector(vector) for one, vector in zip(batch, vectors, strict=True)])
        for memories in _batched(rows.memory_vectors(), AT_ONCE):
            vectors = self.vectors(len(memories))
            self._insert_memories(memories, vectors, rows.namespace)

    def _insert_memories(
        self, memories: Sequence[tuple[UUID, str]], vectors: Sequence[Sequence[float]], namespace: UUID
    ) -> None:
        rows = [
            self._memories._row(str(key), vector, mem0_payload(text, str(namespace)), namespace)
            for (key, text), vector in zip(memories, vectors, strict=True)
        ]
        with self._lock(self._memories.collection_name):
            self._connection.insert(self._memories.collection_name, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class _EpisodeRow:
    key: UUID
    namespace: UUID
    conversation_id: UUID
    episode_id: UUID
    message_ids: tuple[UUID, ...]

    def with_vector(self, vector: Sequence[float]) -> EpisodeVector:
        return EpisodeVector(
            key=self.key,
            namespace=self.namespace,
            conversation_id=self.conversation_id,
            episode_id=self.episode_id,
            message_ids=self.message_ids,
            vector=vector,
        )


Table = tuple[tuple[str, ...], Iterable[tuple[Any, ...]]]


class _Rows:
    """The rows of one person, in the order their tables reference each other."""

    def __init__(self, user_id: str, size: Size) -> None:
        self.user_id, self.size = user_id, size
        self.subject_id, self.namespace = new_id(), new_namespace()
        conversations = -(-2 * size.turns // size.in_conversation)
        self.conversation_ids = [new_id() for _ in range(conversations)]
        self.message_ids = [new_id() for _ in range(2 * size.turns)]
        self._of_episodes = [(new_id(), new_id()) for _ in range(size.episodes)]
        self._of_memories = [(new_id(), new_id()) for _ in range(size.memories)]

    @property
    def memory_ids(self) -> list[UUID]:
        return [memory for memory, _ in self._of_memories]

    def episode_vectors(self) -> list[_EpisodeRow]:
        return [
            _EpisodeRow(
                key=key,
                namespace=self.namespace,
                conversation_id=self._conversation(turn),
                episode_id=episode_id,
                message_ids=self._turn(turn),
            )
            for turn, (episode_id, key) in enumerate(self._of_episodes)
        ]

    def memory_vectors(self) -> list[tuple[UUID, str]]:
        return [(key, text_of(number, self.user_id)) for number, (_, key) in enumerate(self._of_memories)]

    def tables(self) -> dict[str, Table]:
        whose = (self.subject_id, 1)
        return {
            "subjects": (
                ("id", "user_id", "namespace", "subject_key"),
                [(self.subject_id, self.user_id, self.namespace, secrets.token_bytes(32))],
            ),
            "conversations": (
                ("id", "subject_id", "generation", "next_seq", "turn"),
                [
                    (conversation, *whose, self.size.in_conversation + 1, self.size.in_conversation // 2)
                    for conversation in self.conversation_ids
                ],
            ),
            "messages": (
                (
                    *("id", "subject_id", "generation", "conversation_id", "seq", "turn", "session", "role"),
                    *("completed", "summarize", "index_episode", "learn", "spoken_at"),
                ),
                self._messages(whose),
            ),
            "message_contents": (
                ("message_id", "subject_id", "text"),
                (
                    (message, self.subject_id, text_of(number, self.user_id))
                    for number, message in enumerate(self.message_ids)
                ),
            ),
            "episodes": (
                (
                    *("id", "subject_id", "generation", "conversation_id", "turn", "first_seq"),
                    *("user_message_id", "assistant_message_id"),
                ),
                (
                    (episode, *whose, *self._place(turn), *self._turn(turn))
                    for turn, (episode, _) in enumerate(self._of_episodes)
                ),
            ),
            "memories": (
                (
                    *("id", "subject_id", "generation", "content_type", "scope", "origin", "importance", "taboo"),
                    *("disabled", "confirmed", "conversation_id", "spoken_at", "version", "created_at", "updated_at"),
                ),
                (
                    (memory, *whose, *LEARNED, self._conversation(turn), SPOKEN_AT, 1, SPOKEN_AT, SPOKEN_AT)
                    for turn, (memory, _) in enumerate(self._of_memories)
                ),
            ),
            "memory_contents": (
                ("memory_id", "subject_id", "text"),
                (
                    (memory, self.subject_id, text_of(turn, self.user_id))
                    for turn, (memory, _) in enumerate(self._of_memories)
                ),
            ),
            "lineage": (
                (
                    *("derived_kind", "derived_id", "source_kind", "source_id", "edge"),
                    *("quote_start", "quote_end", "subject_id", "generation"),
                ),
                self._lineage(whose),
            ),
            "vector_refs": (
                (
                    *("pk", "store", "subject_id", "namespace", "item_kind", "item_id", "conversation_id", "first_seq"),
                    *("step_id", "state", "deadline"),
                ),
                self._vector_refs(),
            ),
            "events": (
                ("stream", "version", "type", "data", "actor", "subject_id", "generation"),
                self._events(whose),
            ),
        }

    def _conversation(self, turn: int) -> UUID:
        return self.conversation_ids[2 * turn // self.size.in_conversation]

    def _seq(self, message: int) -> int:
        return message % self.size.in_conversation + 1

    def _turn_number(self, turn: int) -> int:
        return turn % (self.size.in_conversation // 2) + 1

    def _place(self, turn: int) -> tuple[UUID, int, int]:
        return self._conversation(turn), self._turn_number(turn), self._seq(2 * turn)

    def _turn(self, turn: int) -> tuple[UUID, UUID]:
        return self.message_ids[2 * turn], self.message_ids[2 * turn + 1]

    def _messages(self, whose: tuple[UUID, int]) -> Iterator[tuple[Any, ...]]:
        for number, message in enumerate(self.message_ids):
            turn, role = number // 2, "assistant" if number % 2 else "user"
            where = (self._conversation(turn), self._seq(number), self._turn_number(turn), 1, role)
            yield (message, *whose, *where, True, True, True, True, SPOKEN_AT)

    def _lineage(self, whose: tuple[UUID, int]) -> Iterator[tuple[Any, ...]]:
        for turn, (episode, _) in enumerate(self._of_episodes):
            for message in self._turn(turn):
                yield ("episode", episode, "message", message, "text_from", None, None, *whose)
        for turn, (memory, _) in enumerate(self._of_memories):
            yield ("memory", memory, "message", self._turn(turn)[0], "text_from", 0, 20, *whose)

    def _vector_refs(self) -> Iterator[tuple[Any, ...]]:
        whose = (self.subject_id, self.namespace)
        for turn, (episode, key) in enumerate(self._of_episodes):
            where = (self._conversation(turn), self._seq(2 * turn))
            yield (key, "milvus", *whose, "episode", episode, *where, 0, "written", SPOKEN_AT)
        for memory, key in self._of_memories:
            yield (key, "mem0", *whose, "memory", memory, None, None, 0, "written", SPOKEN_AT)

    def _events(self, whose: tuple[UUID, int]) -> Iterator[tuple[Any, ...]]:
        for number, message in enumerate(self.message_ids):
            data = {
                "message_id": str(message),
                "seq": self._seq(number),
                "turn": self._turn_number(number // 2),
                "session": 1,
                "role": "assistant" if number % 2 else "user",
                "completed": True,
                "spoken_at": SPOKEN_AT.isoformat(),
            }
            stream = f"conversation:{self._conversation(number // 2)}"
            yield (stream, self._seq(number), "MessageRecorded", json.dumps(data), "bench", *whose)
        for turn, (memory, _) in enumerate(self._of_memories):
            data = {
                "content_type": "fact",
                "scope": "global",
                "project_id": None,
                "origin": "extracted",
                "importance": 5,
                "taboo": False,
                "supersedes": None,
                "conversation_id": str(self._conversation(turn)),
                "spoken_at": SPOKEN_AT.isoformat(),
            }
            yield (f"memory:{memory}", 1, "MemoryLearned", json.dumps(data), "bench", *whose)


def copy(sql: psycopg.Connection, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write rows into a table, past everything but its constraints."""
    with sql.cursor().copy(f"copy {table} ({', '.join(columns)}) from stdin".encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _batched(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


@contextmanager
def corpus(installation: Installation) -> Iterator[Corpus]:
    """Open what writes people into an installation."""
    with installation.database() as database:
        yield Corpus(installation, database)
