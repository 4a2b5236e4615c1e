"""Reads everything a context is made from: what is visible now, in one transaction after the stores answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.conversations.sql import messages, summaries, tasks
from shared.conversations.sql.messages import Message
from shared.conversations.sql.summaries import Summary
from shared.documents.sql import documents
from shared.documents.sql.documents import Place
from shared.kernel.database import Transaction
from shared.kernel.readers import Reader
from shared.memories.sql import provenance
from shared.memories.sql.provenance import Source
from shared.recall.rules.items import Candidate, InDocument, Provenance
from shared.recall.rules.state import Digest, Impression, Listed, Moment, Rival, Utterance, VisibleMemory
from shared.recall.sql import context
from shared.recall.sql.context import Asking, MemoryRow, StoredMoment, StoredRival
from shared.traits.catalogue import ABOUT_ANSWERS
from shared.traits.sql.traits import told

STABLE_MAX: Final = 300
"""Maximum number of memories for every context. Safety comes first, so only thousands of taboos could exceed it."""

LISTED_MAX: Final = 1_000
"""Number of newest memories for which a reason is given why they are left out; bounds the cost."""


def task_at_hand(tx: Transaction, conversation_id: UUID) -> str | None:
    """Return the task named last in the running session of a conversation (LT-06)."""
    named = tasks.at_hand(tx, conversation_id)
    return named.text if named else None


def who_asks(tx: Transaction, reader: Reader | None, conversation_id: UUID | None, *, terms: Terms) -> Asking:
    """Return the person, their project and their switches."""
    return context.asking(tx, reader, conversation_id, terms=terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Memories as they are visible now.

    Args:
        stable: memories that belong in every context.
        memories: these and the ones a search found, by id.
        cosines: of the memories found by vector.
        first: the first memories in the fixed order, as many as requested, and those for every context among them.
        listed: the newest memories that are not superseded, found or not; `more_listed`: older ones exist.
    """

    stable: tuple[VisibleMemory, ...] = ()
    memories: Mapping[UUID, VisibleMemory] = field(default_factory=dict)
    cosines: Mapping[UUID, float] = field(default_factory=dict)
    first: Sequence[UUID] = ()
    listed: tuple[Listed, ...] = ()
    more_listed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A conversation as it is visible now: the episodes a search found, its summary, its newest messages."""

    moments: tuple[Moment, ...] = ()
    summary: Digest | None = None
    window: tuple[Utterance, ...] = ()


def remembered(
    tx: Transaction,
    reader: Reader,
    cosines: Mapping[UUID, float],
    ids: Sequence[UUID],
    *,
    project_id: str | None,
    first: int,
    listed: int,
) -> Remembered:
    """Return the memories for a context; those forgotten since the search are missing.

    Args:
        cosines: hits of the vector search, by vector key.
        ids: hits of the word search.
        first: how many memories in the fixed order to return (CN-08), besides those that belong in every context.
        listed: how many of the newest memories to list.
    """
    subject_id = reader.subject_id
    most = first + STABLE_MAX
    in_order = context.in_fixed_order(tx, subject_id, project_id=project_id, limit=first, most=most) if first else []
    stored = context.memories(tx, subject_id, cosines, [*ids, *in_order], project_id=project_id, limit=STABLE_MAX)
    memories = _memories(tx, subject_id, stored, project_id=project_id)
    others, more_listed = context.listed(tx, subject_id, limit=listed) if listed else ([], False)
    return Remembered(
        stable=tuple(memories[one.id] for one in stored if one.always),
        memories=memories,
        cosines={one.id: one.cosine for one in stored if one.cosine is not None},
        first=in_order,
        listed=tuple(others),
        more_listed=more_listed,
    )


def impressions(tx: Transaction, reader: Reader) -> tuple[Impression, ...]:
    """Return the traits an assistant may be told about, surest first."""
    return tuple(
        Impression(
            id=one.id,
            text=one.text,
            subtype=one.subtype,
            stage=one.stage,
            context=one.context,
            confidence=one.confidence or 0.0,
            importance=one.importance,
            always=one.trait_key in ABOUT_ANSWERS,
            last_reinforced=one.last_reinforced,
            updated_at=one.updated_at,
        )
        for one in told(tx, reader.subject_id)
    )


def said(tx: Transaction, conversation_id: UUID, episodes: Sequence[Candidate], *, window: int) -> Said:
    """Return the parts of a conversation for a context, as `remembered` does for memories.

    Args:
        episodes: the episodes a search found in it.
        window: how many of the newest completed messages to return verbatim (MC-02); 0 returns no messages and no
            summary.
    """
    cited = {one.id: one.cited for one in episodes}
    moments = tuple(_moment(one) for one in context.moments_named(tx, conversation_id, cited))
    if not window:
        return Said(moments=moments)
    summary = summaries.newest(tx, conversation_id)
    spoken = messages.window(tx, conversation_id, limit=window, completed_only=True)
    return Said(
        moments=moments,
        summary=_digest(summary, conversation_id) if summary else None,
        window=tuple(_utterance(one) for one in spoken),
    )


def _memories(
    tx: Transaction, subject_id: UUID, stored: Sequence[MemoryRow], *, project_id: str | None
) -> dict[UUID, VisibleMemory]:
    disputed = [one.id for one in stored if one.disputed]
    rivals = context.rivals(tx, subject_id, disputed, project_id=project_id)
    sources = provenance.sources(tx, [one.id for one in stored if one.usable or one.superseded])
    places = documents.places(tx, [one.id for one in stored if one.content_type == "document"])
    return {
        one.id: _visible(one, sources.get(one.id, ()), rivals.get(one.id, ()), places.get(one.id)) for one in stored
    }


def _visible(
    stored: MemoryRow, sources: Sequence[Source], rivals: Sequence[StoredRival], place: Place | None
) -> VisibleMemory:
    first = sources[0] if sources else None
    return VisibleMemory(
        id=stored.id,
        text=stored.text,
        content_type=stored.content_type,
        scope=stored.scope,
        project_id=stored.project_id,
        origin=stored.origin,
        taboo=stored.taboo,
        confirmed=stored.confirmed,
        paused=stored.disabled,
        archived=stored.archived,
        superseded=stored.superseded,
        task_hint=stored.task_hint,
        said_at=stored.said_at,
        updated_at=stored.updated_at,
        provenance=Provenance(
            at=first.spoken_at if first else stored.said_at,
            conversation_id=first.conversation_id if first else stored.conversation_id,
            session=first.session if first else None,
            turn=first.turn if first else None,
            message_ids=tuple(dict.fromkeys(source.message_id for source in sources)),
            document=InDocument(id=place.document_id, title=place.title, page=place.page) if place else None,
            origin=stored.origin,
        ),
        importance=stored.importance,
        level=stored.level,
        rivals=tuple(Rival(id=one.id, confirmed=one.confirmed, said_at=one.said_at) for one in rivals),
    )


def _moment(stored: StoredMoment) -> Moment:
    first = stored.messages[0]
    return Moment(
        id=stored.id,
        said={one.id: f"{_speaker(one)}: {one.text}" for one in stored.messages},
        provenance=Provenance(
            at=first.spoken_at,
            conversation_id=first.conversation_id,
            session=first.session,
            turn=first.turn,
            message_ids=tuple(one.id for one in stored.messages),
        ),
    )


def _speaker(message: Message) -> str:
    return f"{message.role} ({' '.join(message.name.split())})" if message.name else message.role


def _digest(stored: Summary, conversation_id: UUID) -> Digest:
    covers = (stored.covered_from, stored.covered_through)
    said = Provenance(at=stored.updated_at, conversation_id=conversation_id, covers=covers)
    return Digest(id=stored.id, text=stored.text, provenance=said)


def _utterance(message: Message) -> Utterance:
    return Utterance(
        id=message.id,
        role=message.role,
        name=message.name,
        text=message.text,
        provenance=Provenance(
            at=message.spoken_at,
            conversation_id=message.conversation_id,
            session=message.session,
            turn=message.turn,
            message_ids=(message.id,),
        ),
    )
