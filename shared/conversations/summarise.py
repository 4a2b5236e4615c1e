"""Roll a conversation's summary forward: look, (write outside,) confirm (MC-03).

What a roll costs is bounded: it reads the summary before it and the next few messages, and goes on in another roll
while more wait. When a covered message is forgotten the summary goes as a whole; it is then written again from the
messages that are left, a batch at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

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
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Lease, Work
from shared.switches import sql as switches
from shared.switches.rules import Switches

BATCH_MESSAGES: Final = 100
BATCH_CHARACTERS: Final = 20_000
MESSAGE_CHARACTERS: Final = 2_000
"""What one roll reads: so many messages, so much of all of them, so much of each. Longer ones are cut."""

READ_CHARACTERS: Final = 2 * MESSAGE_CHARACTERS
"""What is read of a message before it is masked and cut: half a secret at the cut would not be recognised."""


class SummariesOff(Exception):
    """Summaries are off, but what is to be written again was there before: it waits until they are on."""


class SummaryOvertaken(Exception):
    """The summary, or a message that was looked at, is not what it was: look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollPlan:
    """What the next version is made of. `more`: further messages wait for a roll of their own."""

    lease: Lease
    subject: Subject
    conversation_id: UUID
    previous: Summary | None
    messages: tuple[Uncovered, ...]
    more: bool

    @property
    def again(self) -> bool:
        """Whether what was there before a forget is written again."""
        return bool(self.lease.payload.get("again"))


def queue_roll(tx: Transaction, subject_id: UUID, conversation_id: UUID, *, again: bool = False) -> None:
    """Queue a roll of a conversation's summary; one that finds nothing to do does nothing.

    Args:
        again: a forget took the summary; unlike something new the roll waits for a switch that is off.
    """
    roll = Work(
        kind=SUMMARY_ROLL,
        payload={"conversation_id": str(conversation_id), "again": again},
        dedupe_key=summaries.dedupe_key(conversation_id, again=again),
    )
    outbox.add(tx, subject_id, [roll])


def plan_roll(tx: Transaction, lease: Lease, *, defaults: Switches, rhythm: SummarySchedule) -> RollPlan | None:
    """Decide what the next version covers; None, and the row closed, when there is nothing to cover.

    Raises:
        SummariesOff: it may be written again once the person turns summaries on.
        UndoPossible: a forget of this person may still be undone; what it hides may come back.
        LeaseLost: the row is someone else's by now.
    """
    enter_fence(tx, lease.subject_id)
    await_undo(tx, lease.subject_id)
    conversation_id = UUID(lease.payload["conversation_id"])
    subject = subjects.read(tx, lease.subject_id)
    again = bool(lease.payload.get("again"))
    if subject is None or not conversations.is_visible(tx, subject.id, conversation_id):
        outbox.close(tx, lease)
        return None
    if not switches.current(tx, subject.id, defaults=defaults).summary_enabled:
        if again:
            raise SummariesOff
        outbox.close(tx, lease)
        return None
    if not again and not conversations.remembers(tx, conversation_id):
        outbox.close(tx, lease)
        return None
    previous = summaries.newest(tx, conversation_id)
    waiting = summaries.uncovered(
        tx,
        conversation_id,
        previous,
        window=rhythm.window_messages,
        limit=BATCH_MESSAGES + 1,
        characters=READ_CHARACTERS,
    )
    batch = _batch(waiting)
    if not batch:
        outbox.close(tx, lease)
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
    """Agree to a prompt that holds what was planned, right before it leaves.

    Raises:
        SummaryOvertaken: something of it is gone.
    """
    enter_fence(tx, plan.subject.id)
    _as_planned(tx, plan)


def confirm_roll(tx: Transaction, plan: RollPlan, *, text: str, method: str, defaults: Switches) -> bool:
    """Store the new version with an edge to every message it covers, and close the row; False when summaries are off.

    Raises:
        SummaryOvertaken: a covered message was forgotten meanwhile, or another roll came first; nothing is stored.
        LeaseLost: the row is someone else's by now; nothing is stored.
    """
    enter_fence(tx, plan.subject.id)
    version = summaries.next_version(tx, plan.conversation_id)
    subject = _as_planned(tx, plan)
    if version is None:
        raise SummaryOvertaken
    if not switches.current(tx, subject.id, defaults=defaults).summary_enabled:
        if plan.again:
            raise SummariesOff
        outbox.close(tx, plan.lease)
        return False
    outbox.close(tx, plan.lease)
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
    """Return the person as they are now, if summary and messages still are what was planned with."""
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace:
        raise SummaryOvertaken
    current = summaries.newest(tx, plan.conversation_id)
    if current != plan.previous or not messages.are_visible(tx, [message.id for message in plan.messages]):
        raise SummaryOvertaken
    return subject


def _batch(waiting: Sequence[Uncovered]) -> tuple[Uncovered, ...]:
    """Return the first messages that one roll may read."""
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
