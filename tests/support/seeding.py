"""Rows that no worker writes yet: summaries, memories with several sources, supersession."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.conversations.sql import summaries
from shared.kernel import event_log, subjects
from shared.kernel.database import Database, Transaction
from shared.kernel.events import MemoryLearned
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage, vector_keys
from shared.lineage.sql.lineage import Derivation
from shared.lineage.sql.vector_keys import Intent
from shared.memories.rules.memories import fold
from shared.memories.sql import contents, memories
from shared.memories.sql.contents import Content
from tests.support.workbench import Person, Workbench

BATCH = 500
SENTENCES = (
    "I drink my coffee black.",
    "On Thursdays I play badminton with two friends from work, and after that nothing is planned.",
    "我早上喝黑咖啡，不加糖。",
)


def very_many(database: Database, user_id: str, count: int) -> None:
    """Store so many memories of a person, past the queues: none gets a vector."""
    for start in range(0, count, BATCH):
        with database.begin() as tx:
            subject = subjects.find_or_create(tx, user_id)
            for number in range(start, min(start + BATCH, count)):
                text = f"{SENTENCES[number % len(SENTENCES)]} #{number}"
                _remember(tx, subject, new_id(), text, content_type="note", origin="stated")


def a_summary(bench: Workbench, person: Person, conversation_id: str, *, text: str, covers: Sequence[str]) -> UUID:
    """Store a summary whose wording comes from the given messages."""
    summary_id = new_id()
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, person.user_id)
        summaries.add(
            tx,
            subject,
            summary_id,
            UUID(conversation_id),
            text=text,
            version=1,
            covered=(1, len(covers)),
            count=len(covers),
        )
        edges = [
            Derivation(derived_kind="summary", derived_id=summary_id, source_kind="message", source_id=UUID(source))
            for source in covers
        ]
        lineage.add(tx, subject, edges)
    return summary_id


def a_memory(
    bench: Workbench, person: Person, *, text: str, sources: Sequence[str], supersedes: UUID | None = None
) -> UUID:
    """Store a memory with its copy in mem0, whose wording comes from the given messages."""
    memory_id = new_id()
    namespace = bench.namespace(person)
    keys: list[UUID] = []

    def announce(records: Sequence[tuple[UUID, str]], _kind: str, _links: object) -> None:
        with bench.database.begin() as tx:
            subject = subjects.find_or_create(tx, person.user_id)
            intents = [Intent(pk=key, item_kind="memory", item_id=memory_id) for key, _ in records]
            vector_keys.announce(tx, subject, "mem0", intents, step_id=0)
        keys.extend(key for key, _ in records)

    bench.process.mem0.remember(namespace, text, announce=announce)
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, person.user_id)
        _remember(tx, subject, memory_id, text, content_type="fact", origin="extracted", supersedes=supersedes)
        edges = [
            Derivation(derived_kind="memory", derived_id=memory_id, source_kind="message", source_id=UUID(source))
            for source in sources
        ]
        lineage.add(tx, subject, edges)
        vector_keys.confirm(tx, keys)
    return memory_id


def _remember(
    tx: Transaction,
    subject: Subject,
    memory_id: UUID,
    text: str,
    *,
    content_type: str,
    origin: str,
    supersedes: UUID | None = None,
) -> None:
    """Write a memory's event, row and words."""
    learned = MemoryLearned(
        content_type=content_type,
        scope="global",
        project_id=None,
        origin=origin,
        importance=5,
        taboo=False,
        supersedes=supersedes,
        conversation_id=None,
        spoken_at=None,
    )
    event_log.append(tx, subject, memory_id, [learned], actor="test")
    memory = fold([(learned, tx.now())])
    assert memory is not None
    memories.save(tx, subject.id, subject.generation, memory_id, memory)
    contents.add_contents(tx, subject.id, {memory_id: Content(text=text)})
