"""Observe what a language model proposes: code decides what it may be shown and what counts (TR-09).

A proposal is a behavior of the catalogue and a message of the person that shows it. It counts for less than any trait
needs from its surest piece, so no trait rests on a model's answers alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence
from shared.kernel.subjects import Subject
from shared.language.port import Habit
from shared.traits.catalogue import catalogue
from shared.traits.observe import as_shown, observe
from shared.traits.rules.signals import MEASURED
from shared.traits.sql import asking, refusals
from shared.traits.sql.asking import Said

AT_ONCE: Final = 60
"""New messages that a model is shown; of more the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Askable:
    """What a model may be asked about a person now: their new messages, and the behaviors they have not refused."""

    subject: Subject
    said: tuple[Said, ...]
    patterns: Mapping[str, str]

    @property
    def through(self) -> datetime:
        """When the newest of the messages was recorded."""
        return max(one.recorded_at for one in self.said)


def askable(tx: Transaction, subject_id: UUID, *, terms: Terms) -> Askable | None:
    """Return what a model may be asked; None if traits are off, in privacy mode, or if nothing is new."""
    subject = subjects.read(tx, subject_id)
    if subject is None or not _may_ask(tx, subject, terms):
        return None
    refused = refusals.refused(tx, subject)
    patterns = {
        key: f"{entry.en}: {entry.evidence}"
        for key, entry in catalogue().items()
        if entry.subtype == "behavior" and entry.evidence and key not in refused and key not in MEASURED
    }
    said = asking.new(tx, subject, limit=AT_ONCE)
    return Askable(subject=subject, said=tuple(reversed(said)), patterns=patterns) if said else None


def said_in(
    tx: Transaction, subject: Subject, messages: Sequence[UUID], *, episodes: Sequence[UUID] = (), terms: Terms
) -> list[Said]:
    """Return those of these messages, and of these episodes, that a model may be shown now, oldest first."""
    current = subjects.read(tx, subject.id)
    if current is None or current.generation != subject.generation or not _may_ask(tx, current, terms):
        return []
    return asking.some(tx, subject, list({*messages, *asking.of_episodes(tx, subject, episodes)}))


def confirm_asked(tx: Transaction, asked: Askable, proposed: Sequence[tuple[UUID, Habit]], *, terms: Terms) -> None:
    """Store what a model says messages show, as far as they may still be learned from, and that it was asked.

    Raises:
        SubjectBusy: the fence could not be acquired in time.
    """
    enter_fence(tx, asked.subject.id)
    current = subjects.read(tx, asked.subject.id)
    if current is None or current.generation != asked.subject.generation:
        return
    said = {one.source.id: one for one in said_in(tx, asked.subject, [one for one, _ in proposed], terms=terms)}
    shown = [
        one
        for message, habit in proposed
        if message in said
        for one in as_shown(said[message].source, [habit], project=said[message].project)
    ]
    if shown:
        observe(tx, asked.subject, shown)
    asking.note_asked(tx, asked.subject, asked.through)


def _may_ask(tx: Transaction, subject: Subject, terms: Terms) -> bool:
    allowed = effective(tx, subject.id, terms=terms)
    return allowed.infers_traits and not allowed.privacy_mode_enabled
