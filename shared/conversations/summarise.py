"""Update a conversation's summary in three steps: plan, (write the text,) confirm (MC-03).

The cost is bounded: one update reads the previous summary and the next few messages, and queues another update for
the rest. If a covered message is forgotten, the whole summary is erased and rewritten from the remaining messages, one
batch at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.consent.allows import SwitchedOff, allows
from shared.consent.rules.policy import Terms
from shared.conversations.rules.summaries import SummarySchedule
from shared.conversations.sql import conversations, messages, summaries
from shared.conversations.sql.summaries import Summary, Uncovered
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.outbox.await_undo import await_undo
from shared.outbox.job_kinds import SUMMARY_ROLL
from shared.outbox.sql import leasing, outbox
from shared.outbox.sql.leasing import Lease
from shared.outbox.sql.outbox import Work

BATCH_MESSAGES: Final = 100
BATCH_CHARACTERS: Final = 20_000
MESSAGE_CHARACTERS: Final = 2_000
"""The input limits of one update: number of messages, total characters, characters per message. Longer ones are cut."""

READ_CHARACTERS: Final = 2 * MESSAGE_CHARACTERS
"""Characters read of a message before it is masked and cut, because a secret cut in half would not be recognised."""


class SummaryOvertaken(Exception):
    """The summary or one of the planned messages changed; plan again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollPlan:
    """The input of the next version. `more`: further messages remain for another update."""

    lease: Lease
    subject: Subject
    conversation_id: UUID
    previous: Summary | None
    messages: tuple[Uncovered, ...]
    more: bool

    @property
    def again(self) -> bool:
        """Whether this rewrites a summary after a forget."""
        return bool(self.lease.payload.get("again"))


def queue_roll(tx: Transaction, subject_id: UUID, conversation_id: UUID, *, again: bool = False) -> None:
    """Queue an update of a conversation's summary; it has no effect if there is nothing to add.

    Args:
        again: rewrite after a forget; such an update waits while summaries are off, where a new one is dropped.
    """
    roll = Work(
        kind=SUMMARY_ROLL,
        payload={"conversation_id": str(conversation_id), "again": again},
        dedupe_key=summaries.dedupe_key(conversation_id, again=again),
    )
    outbox.add(tx, subject_id, [roll])


def plan_roll(tx: Transaction, lease: Lease, *, terms: Terms, summary_schedule: SummarySchedule) -> RollPlan | None:
    """Decide what the next version covers. If there is nothing to cover, close the row and return None.

    Raises:
        SwitchedOff: the rewrite must wait until the person turns summaries on.
        UndoPossible: a forget of this person can still be undone, and hidden messages may return.
        LeaseLost: another worker holds the row.
    """
    enter_fence(tx, lease.subject_id)
    await_undo(tx, lease.subject_id)
    conversation_id = UUID(lease.payload["conversation_id"])
    subject = subjects.read(tx, lease.subject_id)
    again = bool(lease.payload.get("again"))
    if subject is None or not conversations.is_visible(tx, subject.id, conversation_id):
        leasing.close(tx, lease)
        return None
    if not allows(tx, subject.id, "summarize", terms=terms):
        if again:
            raise SwitchedOff
        leasing.close(tx, lease)
        return None
    if not again and not conversations.remembers(tx, conversation_id):
        leasing.close(tx, lease)
        return None
    previous = summaries.newest(tx, conversation_id)
    waiting = summaries.uncovered(
        tx,
        conversation_id,
        previous,
        window=summary_schedule.window_messages,
        limit=BATCH_MESSAGES + 1,
        characters=READ_CHARACTERS,
    )
    batch = _batch(waiting)
    if not batch:
        leasing.close(tx, lease)
        return None
    return RollPlan(
        lease=lease,
        subject=subject,
        conversation_id=conversation_id,
        previous=previous,
        messages=batch,
        more=len(batch) < len(waiting),
    )


def may_be_shown(tx: Transaction, plan: RollPlan) -> None:
    """Check that the planned input may still be sent to a model; call it right before sending.

    Raises:
        SummaryOvertaken: part of it is gone.
    """
    enter_fence(tx, plan.subject.id)
    _as_planned(tx, plan)


def confirm_roll(tx: Transaction, plan: RollPlan, *, text: str, method: str, terms: Terms) -> bool:
    """Store the new version with lineage to every covered message and close the row; False if summaries are off.

    Raises:
        SwitchedOff: as `plan_roll`.
        SummaryOvertaken: a covered message was forgotten, or another update came first; nothing is stored.
        LeaseLost: another worker holds the row; nothing is stored.
    """
    enter_fence(tx, plan.subject.id)
    version = summaries.next_version(tx, plan.conversation_id)
    subject = _as_planned(tx, plan)
    if version is None:
        raise SummaryOvertaken
    if not allows(tx, subject.id, "summarize", terms=terms):
        if plan.again:
            raise SwitchedOff
        leasing.close(tx, plan.lease)
        return False
    leasing.close(tx, plan.lease)
    seqs = [message.seq for message in plan.messages]
    if plan.previous is None:
        summary_id = new_id()
        covered = (min(seqs), max(seqs))
        summaries.add(
            tx,
            subject,
            summary_id,
            plan.conversation_id,
            text=text,
            version=version,
            covered=covered,
            count=len(seqs),
            method=method,
        )
    else:
        summary_id = plan.previous.id
        summaries.replace(tx, summary_id, text=text, version=version, method=method, seqs=seqs)
    lineage.add(tx, subject, _edges(summary_id, plan.messages))
    if plan.more:
        queue_roll(tx, subject.id, plan.conversation_id, again=plan.again)
    return True


def _as_planned(tx: Transaction, plan: RollPlan) -> Subject:
    """Return the person's current state if summary and messages are as planned."""
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace:
        raise SummaryOvertaken
    current = summaries.newest(tx, plan.conversation_id)
    if current != plan.previous or not messages.are_as_read(
        tx, {message.id: message.text for message in plan.messages}
    ):
        raise SummaryOvertaken
    return subject


def _batch(waiting: Sequence[Uncovered]) -> tuple[Uncovered, ...]:
    """Return the first messages, within the limits of one update."""
    batch: list[Uncovered] = []
    room = BATCH_CHARACTERS
    for message in waiting[:BATCH_MESSAGES]:
        room -= min(len(message.text), MESSAGE_CHARACTERS)
        if batch and room < 0:
            break
        batch.append(message)
    return tuple(batch)


def _edges(summary_id: UUID, covered: Sequence[Uncovered]) -> list[Derivation]:
    return [
        Derivation(derived_kind="summary", derived_id=summary_id, source_kind="message", source_id=message.id)
        for message in covered
    ]
