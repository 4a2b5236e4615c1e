"""Record messages, and queue what is derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.conversations.derive import queue_derivations
from shared.conversations.rules.summaries import USUAL_SUMMARIES, SummarySchedule
from shared.conversations.rules.triggers import EACH_TURN, LearningSchedule, asks_to_remember
from shared.conversations.rules.turns import place
from shared.conversations.sql import conversations, messages, turns
from shared.conversations.sql.conversations import Intake
from shared.conversations.sql.messages import Known, NewMessage
from shared.conversations.summarise import queue_roll
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import ConversationGone, NotFound
from shared.kernel.events import Event, MessageCompleted, MessageRecorded
from shared.kernel.metadata import Metadata
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.language.rules.tasks import names_task
from shared.outbox.job_kinds import INDEX_EPISODE, LEARN_MEMORY
from shared.outbox.sql import scheduling


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message as sent by the assistant's backend. Without `remember` nothing is derived from it (X-08).

    Args:
        answers: a message of this conversation without which this one is not recorded: its words may repeat it.
    """

    role: str
    content: str
    completed: bool = True
    client_message_id: str | None = None
    spoken_at: datetime | None = None
    name: str | None = None
    task_hint: str | None = None
    remember: bool = True
    metadata: Metadata | None = None
    answers: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The result for a draft. `erased`: it, or what it answers, was forgotten; its id names nothing."""

    id: UUID
    outcome: Literal["recorded", "completed", "repeated", "erased"]


def record_messages(
    tx: Transaction,
    subject: Subject,
    conversation_id: UUID,
    drafts: Sequence[Draft],
    *,
    terms: Terms,
    actor: str,
    learning_schedule: LearningSchedule = EACH_TURN,
    summary_schedule: SummarySchedule = USUAL_SUMMARIES,
) -> list[Recorded]:
    """Append messages to a conversation in order; each client message id is recorded once.

    A completed draft with the client id of an incomplete message completes that message.

    Args:
        learning_schedule: when completed turns are learned from (LT-05).
        summary_schedule: when the conversation's summary is updated (MC-03).

    Raises:
        NotFound: the conversation does not belong to this person.
        ConversationGone: the conversation was forgotten.
    """
    subject, intake = enter_conversation(tx, subject, conversation_id)
    batch = _Intake(
        tx=tx,
        subject=subject,
        conversation_id=conversation_id,
        intake=intake,
        switches=effective(tx, subject.id, terms=terms).for_what_is_said(remember=intake.remember),
        learning_schedule=learning_schedule,
        summary_schedule=summary_schedule,
    )
    keys = {d.client_message_id: batch.client_key(d.client_message_id) for d in drafts if d.client_message_id}
    known = messages.known(tx, conversation_id, list(keys.values()))
    recorded = [batch.take(draft, known) for draft in drafts]
    batch.commit(actor)
    return recorded


def enter_conversation(tx: Transaction, subject: Subject, conversation_id: UUID) -> tuple[Subject, Intake]:
    """Return the subject and the state of a conversation, which no forget changes until the transaction ends.

    Raises:
        NotFound, ConversationGone: as `record_messages`.
    """
    subject = subjects.entered(tx, subject)
    intake = conversations.for_intake(tx, subject, conversation_id)
    if intake is None:
        raise NotFound("conversation")
    if intake.gone:
        raise ConversationGone
    return subject, intake


class _Intake:
    """One batch of drafts being added to a conversation."""

    def __init__(
        self,
        *,
        tx: Transaction,
        subject: Subject,
        conversation_id: UUID,
        intake: Intake,
        switches: Switches,
        learning_schedule: LearningSchedule,
        summary_schedule: SummarySchedule,
    ) -> None:
        self._tx, self._subject, self._conversation_id = tx, subject, conversation_id
        self._switches, self._learning, self._summaries = switches, learning_schedule, summary_schedule
        self._session, self._next_seq, self._turn = intake.session, intake.next_seq, intake.turn
        self._last_seq_before = intake.next_seq - 1
        self._new: list[NewMessage] = []
        self._completed: list[UUID] = []
        self._closed_turns: list[int] = []

    def client_key(self, client_message_id: str) -> bytes:
        return self._subject.digest("message", str(self._conversation_id), client_message_id)

    def take(self, draft: Draft, known: dict[bytes, Known]) -> Recorded:
        """Record, complete or recognise one draft."""
        key = self.client_key(draft.client_message_id) if draft.client_message_id else None
        if key is not None and (seen := known.get(key)):
            if seen.erased:
                return Recorded(id=seen.id, outcome="erased")
            if seen.completed or not draft.completed:
                return Recorded(id=seen.id, outcome="repeated")
            if (draft.answers is not None and not self._is_there(draft.answers)) or not self._complete(seen.id, draft):
                return Recorded(id=seen.id, outcome="erased")
            known[key] = replace(seen, completed=True)
            return Recorded(id=seen.id, outcome="completed")
        if draft.answers is not None and not self._is_there(draft.answers):
            return Recorded(id=new_id(), outcome="erased")
        message_id = self._append(draft, key)
        if key is not None:
            known[key] = Known(client_key=key, id=message_id, completed=draft.completed, erased=False)
        return Recorded(id=message_id, outcome="recorded")

    def commit(self, actor: str) -> None:
        """Write the new rows and events, and queue the jobs for them."""
        history: list[Event] = [MessageCompleted(message_id=message_id) for message_id in self._completed]
        if self._new:
            spoken = messages.add(
                self._tx,
                self._subject,
                self._conversation_id,
                self._new,
                summarize=self._switches.summary_enabled,
                index_episode=self._switches.episodic_enabled,
                learn=self._switches.longterm_enabled,
            )
            history += [
                MessageRecorded(
                    message_id=new.id,
                    seq=new.seq,
                    turn=new.turn,
                    session=new.session,
                    role=new.role,
                    completed=new.completed,
                    spoken_at=spoken[new.id],
                )
                for new in self._new
            ]
        if not history:
            return
        conversations.advance(
            self._tx, self._conversation_id, next_seq=self._next_seq, session=self._session, turn=self._turn
        )
        event_log.append(self._tx, self._subject, self._conversation_id, history, actor=actor)
        self._derive()

    def _derive(self) -> None:
        """Queue the jobs for turns that are now complete; learning may be delayed to batch turns."""
        kinds = [INDEX_EPISODE] if self._switches.episodic_enabled else []
        kinds += [LEARN_MEMORY] if self._switches.longterm_enabled else []
        learn_after = self._learning.idle_seconds if self._learning.waits else 0.0
        # An incomplete turn is queued when its last message is completed, or when the session ends.
        closed = [t for t in sorted(set(self._closed_turns)) if turns.is_whole(self._tx, self._conversation_id, t)]
        for turn in closed:
            queue_derivations(
                self._tx, self._subject, self._conversation_id, turn, kinds=kinds, learn_after=learn_after
            )
        if self._learning.waits:
            self._keep_pace(closed)
        if self._switches.summary_enabled and self._summaries.is_due(
            before=self._last_seq_before, after=self._next_seq - 1
        ):
            queue_roll(self._tx, self._subject.id, self._conversation_id)

    def _keep_pace(self, closed: Sequence[int]) -> None:
        """Schedule the waiting turns: now if a trigger applies, otherwise once the conversation is idle."""
        waiting = scheduling.turns_waiting(self._tx, self._subject.id, self._conversation_id)
        if waiting:
            asked = any(self._asks_to_be_remembered(turn) for turn in closed)
            seconds = self._learning.delay(turns_waiting=waiting, asked=asked)
            scheduling.let_turns_wait(self._tx, self._subject.id, self._conversation_id, seconds=seconds)

    def _asks_to_be_remembered(self, turn: int) -> bool:
        ids = turns.completed_message_ids(self._tx, self._conversation_id, turn)
        said = turns.sources(self._tx, ids)
        return said is not None and any(m.role == "user" and asks_to_remember(m.text) for m in said.messages)

    def _is_there(self, message_id: UUID) -> bool:
        message = messages.read(self._tx, self._subject.id, message_id)
        return message is not None and message.conversation_id == self._conversation_id

    def _append(self, draft: Draft, key: bytes | None) -> UUID:
        placed = place(self._turn, role=draft.role, completed=draft.completed)
        self._turn = placed.state
        if placed.completes:
            self._closed_turns.append(self._turn.turn)
        new = NewMessage(
            id=new_id(),
            seq=self._next_seq,
            turn=self._turn.turn,
            session=self._session,
            role=draft.role,
            completed=draft.completed,
            client_key=key,
            client_message_id=draft.client_message_id,
            text=draft.content,
            name=draft.name,
            task_hint=draft.task_hint,
            spoken_at=draft.spoken_at,
            remember=draft.remember,
            names_task=names_task(draft.role, draft.content, draft.task_hint),
            metadata=draft.metadata or None,
        )
        self._next_seq += 1
        self._new.append(new)
        return new.id

    def _complete(self, message_id: UUID, draft: Draft) -> bool:
        """Complete an incomplete message; False if it was forgotten in the meantime."""
        for place_in_batch, new in enumerate(self._new):
            if new.id == message_id:
                self._new[place_in_batch] = replace(
                    new,
                    completed=True,
                    text=draft.content,
                    remember=new.remember and draft.remember,
                    name=draft.name or new.name,
                    task_hint=draft.task_hint or new.task_hint,
                    names_task=names_task(new.role, draft.content, draft.task_hint or new.task_hint),
                    metadata=draft.metadata or new.metadata,
                )
                self._close_turn(new.turn, new.role)
                return True
        message = messages.read(self._tx, self._subject.id, message_id)
        if message is None:
            return False
        allowed = self._switches.for_what_is_said(remember=draft.remember)
        messages.complete(
            self._tx,
            self._subject.id,
            message_id,
            text=draft.content,
            summarize=allowed.summary_enabled,
            index_episode=allowed.episodic_enabled,
            learn=allowed.longterm_enabled,
            name=draft.name,
            task_hint=draft.task_hint,
            names_task=names_task(message.role, draft.content, draft.task_hint or message.task_hint),
            metadata=draft.metadata or None,
        )
        self._completed.append(message_id)
        self._close_turn(message.turn, message.role)
        if not (self._turn.is_open and self._turn.turn == message.turn):
            self._closed_turns.append(message.turn)  # the exchange ended before this message was complete
        return True

    def _close_turn(self, turn: int, role: str) -> None:
        if role == "assistant" and self._turn.turn == turn and self._turn.is_open:
            if self._turn.has_user_message:
                self._closed_turns.append(turn)
            self._turn = replace(self._turn, is_open=False)
