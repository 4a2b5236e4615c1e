"""Store what messages, feedback and whole conversations show of a person's behaviors (TR-02)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.consent.allows import allows, effective
from shared.consent.rules.policy import Terms
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.language.port import Habit
from shared.language.rules.own_words import own_words
from shared.language.sensitivity.special import SpecialCategory, special_categories
from shared.traits.catalogue import vocabulary
from shared.traits.reflect import queue_after_observing
from shared.traits.rules.confidence import SUREST_FROM
from shared.traits.rules.feedback import REASONS
from shared.traits.rules.signals import MEASURED, RECENT, Conversation, signals
from shared.traits.rules.types import Context
from shared.traits.sql import asking, lately, notes, observations, refusals
from shared.traits.sql.lately import RecentConversation
from shared.traits.sql.notes import Note
from shared.traits.sql.observations import Shown, Source

MEASURED_CHARACTERS: Final = 1_000
"""How much of a message is measured."""


def observe(tx: Transaction, subject: Subject, shown: Iterable[Shown]) -> list[UUID]:
    """Store observations of behaviors of the catalogue, except those the person refused; return the ids of new ones.

    Call it under the fence, while the sources are known to be visible and allowed to be learned from.
    """
    refused = refusals.refused(tx, subject)
    kept = [one for one in shown if one.key not in refused and may_be_inferred(one)]
    new = observations.add(tx, subject, kept) if kept else []
    if new:
        queue_after_observing(tx, subject)
    return new


def observe_messages(
    tx: Transaction, subject: Subject, shown: Sequence[Shown], recorded: Mapping[UUID, datetime], *, terms: Terms
) -> list[UUID]:
    """Store what messages show, as far as they may still be read for it; return the ids of new observations.

    Args:
        recorded: when each message was recorded.
    """
    if not shown or not allows(tx, subject.id, "infer_traits", terms=terms):
        return []
    after = asking.since(tx, subject)
    return observe(tx, subject, [one for one in shown if recorded[one.source.id] > after])


def may_be_inferred(shown: Shown) -> bool:
    """Return whether it is a behavior of the catalogue that may be inferred where it was shown."""
    pattern = vocabulary().get(shown.key)
    return pattern is not None and pattern.subtype == "behavior" and pattern.may_show(shown.context)


def as_shown(source: Source, habits: Sequence[Habit], *, project: bool) -> list[Shown]:
    """Return what a message or note shows as observations of it.

    Args:
        project: whether it was said in a project, which is work: that is surer than what the reader thinks.
    """
    shown: list[Shown] = []
    for habit in habits:
        if habit.key in MEASURED and habit.shown != "stated":
            continue
        context: Context = "work" if project else habit.context
        shown.append(
            Shown(
                id=new_id(),
                source=source,
                key=habit.key,
                shows=habit.shown != "contrary",
                form="stated" if habit.shown == "stated" else "told",
                context=context,
                sure=habit.sure,
            )
        )
    return shown


def observe_conversation(
    tx: Transaction,
    subject_id: UUID,
    conversation_id: UUID,
    *,
    terms: Terms,
    refused: Callable[[SpecialCategory], None] = lambda _: None,
) -> list[UUID]:
    """Store what a conversation shows as a whole, if most recent ones show it too; return the ids of new observations.

    Messages that name a sensitive matter show nothing.

    Args:
        refused: told of such matters in this conversation.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    enter_fence(tx, subject_id)
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return []
    allowed = effective(tx, subject.id, terms=terms)
    if not allowed.infers_traits:
        return []
    since = asking.since(tx, subject)
    recent = lately.recent_conversations(tx, subject, conversation_id, since=since, limit=RECENT)
    if not recent or recent[-1].sources[-1].conversation_id != conversation_id:
        return []
    last = _without_special(recent[-1], refused)
    if not last.sources:
        return []
    before = [_without_special(one, lambda _: None) for one in recent[:-1]]
    measured = [Conversation(texts=own_texts(one.texts), times=one.times) for one in (*before, last) if one.sources]
    shown = signals(measured, zone_of(allowed.time_zone))
    return observe(
        tx,
        subject,
        [
            Shown(
                id=new_id(),
                source=last.sources[-1],
                key=key,
                shows=True,
                form="signal",
                context="general",
                also=tuple(one.id for one in last.sources),
            )
            for key in shown
        ],
    )


def _without_special(one: RecentConversation, refused: Callable[[SpecialCategory], None]) -> RecentConversation:
    """Return a conversation without the messages that name a sensitive matter, and tell `refused` of each matter."""
    left: list[int] = []
    for place, text in enumerate(one.texts):
        found = special_categories(text)
        for category in found:
            refused(category)
        if not found:
            left.append(place)
    return RecentConversation(
        sources=tuple(one.sources[place] for place in left),
        texts=tuple(one.texts[place] for place in left),
        times=tuple(one.times[place] for place in left),
    )


def own_texts(texts: Sequence[str]) -> list[str]:
    """Return what the person wrote themselves, without what they quoted or pasted."""
    return [own for text in texts if (own := own_words(text[:MEASURED_CHARACTERS]))]


def notes_to_read(tx: Transaction, subject_id: UUID, *, terms: Terms, after: datetime | None = None) -> list[Note]:
    """Return a page of what a person noted and was not read yet; nothing if traits are off or in privacy mode.

    Args:
        after: the time of the last note of the page before.
    """
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return []
    return notes.unread(tx, subject, after=after) if _may_read_notes(tx, subject, terms) else []


def observe_notes(
    tx: Transaction, subject_id: UUID, read: Sequence[tuple[Note, Sequence[Habit]]], *, terms: Terms
) -> list[UUID]:
    """Store what notes show, as far as they may still be read; return the ids of new observations.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    enter_fence(tx, subject_id)
    subject = subjects.read(tx, subject_id)
    if subject is None:
        return []
    if not _may_read_notes(tx, subject, terms):  # switched off, or withdrawn, while they were read
        return []
    after = asking.since(tx, subject)
    still = notes.holding(tx, subject, [note.source.id for note, _ in read if note.source.at > after])
    notes.note_read(tx, subject, max(note.source.at for note, _ in read))
    shown = [
        one
        for note, habits in read
        if note.source.id in still
        for one in as_shown(note.source, habits, project=note.project)
    ]
    return observe(tx, subject, [*filter(None, map(_as_noted, shown))])


def _as_noted(one: Shown) -> Shown | None:
    """Return what a note shows. A memory that its person wrote or confirmed counts as stated, if its meaning is sure.

    What is stated is stronger than all that is inferred (TR-08), so it must not be read the wrong way round.
    """
    if one.source.kind != "memory":
        return one
    return replace(one, form="stated") if one.sure >= SUREST_FROM else None


def _may_read_notes(tx: Transaction, subject: Subject, terms: Terms) -> bool:
    allowed = effective(tx, subject.id, terms=terms)
    return allowed.infers_traits and not allowed.privacy_mode_enabled


def picked_habits(reason: str) -> list[Habit]:
    """Return what a reason picked from the list shows."""
    key = REASONS.get(reason)
    return [Habit(key, 1.0, "told", "general")] if key else []


def zone_of(name: str | None) -> ZoneInfo | None:
    """Return a time zone by name; None if there is no such zone on this machine."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
