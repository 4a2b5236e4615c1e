"""Create the episode of a turn in three steps: plan, announce, (write to Milvus,) confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.consent.allows import SwitchedOff, allows
from shared.consent.rules.policy import Terms
from shared.conversations.sql import conversations, episodes, search_terms, turns
from shared.conversations.sql.turns import Turn
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage, vector_keys
from shared.lineage.sql.lineage import Derivation
from shared.lineage.sql.vector_keys import Intent
from shared.outbox.await_undo import await_undo
from shared.outbox.sql import leasing
from shared.outbox.sql.leasing import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodePlan:
    """An episode to be written, with the key of its vector."""

    lease: Lease
    subject: Subject
    episode_id: UUID
    key: UUID
    turn: Turn
    terms: Terms

    @property
    def text(self) -> str:
        """The text to embed: the turn as spoken, with the speakers' names if known."""
        return "\n".join(f"{message.name or message.role}: {message.text}" for message in self.turn.messages)

    @property
    def message_ids(self) -> tuple[UUID, ...]:
        return tuple(message.id for message in self.turn.messages)


def plan_episode(tx: Transaction, lease: Lease, *, terms: Terms) -> EpisodePlan | None:
    """Decide whether a turn becomes an episode. If not, or if it already is one, close the row and return None.

    An imported episode gets its vector even if episodes were switched off since.

    Raises:
        SwitchedOff: it was an episode before a forget, and must wait until the person turns episodes on.
        UndoPossible: a message is hidden by a forget that can still be undone.
        LeaseLost: another worker holds the row.
    """
    enter_fence(tx, lease.subject_id)
    subject = subjects.read(tx, lease.subject_id)
    turn = turns.sources(tx, _message_ids(lease))
    known = turn and episodes.of_turn(tx, turn.messages[0].conversation_id, turn.messages[0].turn)
    wanted = (
        subject is not None
        and turn is not None
        and (
            not vector_keys.is_written(tx, "episode", known)
            if known
            else turn.index_episode and _may_become_one(tx, lease, turn, terms=terms)
        )
    )
    if turn is None:
        await_undo(tx, lease.subject_id)
    if not wanted or subject is None or turn is None:
        leasing.close(tx, lease)
        return None
    return EpisodePlan(lease=lease, subject=subject, episode_id=known or new_id(), key=new_id(), turn=turn, terms=terms)


def announce_episode(tx: Transaction, plan: EpisodePlan) -> bool:
    """Commit the intent before the write, so that every later forget knows the key.

    Returns False if a source is gone or episodes were switched off; then nothing may be written.

    Raises:
        SwitchedOff: as `plan_episode`.
    """
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    if subject is None or subject.namespace != plan.subject.namespace or not turns.as_read(tx, plan.turn):
        return False
    if not _may_still_become_one(tx, plan):
        return False
    lineage.add(tx, subject, _edges(plan.episode_id, plan.message_ids))
    first = plan.turn.messages[0]
    intent = Intent(
        pk=plan.key,
        item_kind="episode",
        item_id=plan.episode_id,
        conversation_id=first.conversation_id,
        first_seq=first.seq,
    )
    vector_keys.announce(tx, subject, "milvus", [intent], step_id=plan.lease.id)
    return True


def confirm_episode(
    tx: Transaction, plan: EpisodePlan, *, found_by: Mapping[UUID, Sequence[int]], written: bool = True
) -> bool:
    """Make the announced episode visible and close its row; False if it may not be one any more.

    Args:
        found_by: digests of the words of each message (`shared.language.terms`).
        written: whether Milvus has the vector; a text without one is found by its words only.

    Raises:
        SwitchedOff, UndoPossible: as `plan_episode`; nothing is confirmed.
        LeaseLost: another worker holds the row; nothing is confirmed.
    """
    enter_fence(tx, plan.subject.id)
    subject = subjects.read(tx, plan.subject.id)
    turn = turns.as_read(tx, plan.turn)
    if turn is None:
        await_undo(tx, plan.subject.id)
    allowed = _may_still_become_one(tx, plan)
    leasing.close(tx, plan.lease)
    if subject is None or subject.namespace != plan.subject.namespace or turn is None or not allowed:
        vector_keys.end_intents(tx, [plan.key])
        return False
    first = turn.messages[0]
    is_ours = episodes.of_turn(tx, first.conversation_id, first.turn) == plan.episode_id
    if is_ours or episodes.add(tx, subject, plan.episode_id, turn):
        if written:
            vector_keys.confirm(tx, [plan.key])
        else:
            vector_keys.end_intents(tx, [plan.key])
        search_terms.of_messages(tx, subject.id, turn.messages, found_by)
    else:
        vector_keys.end_intents(tx, [plan.key])
    return True


def _may_still_become_one(tx: Transaction, plan: EpisodePlan) -> bool:
    first = plan.turn.messages[0]
    is_ours = episodes.of_turn(tx, first.conversation_id, first.turn) == plan.episode_id
    return is_ours or _may_become_one(tx, plan.lease, plan.turn, terms=plan.terms)


def _may_become_one(tx: Transaction, lease: Lease, turn: Turn, *, terms: Terms) -> bool:
    """Return whether the person lets a turn become an episode; it may again after a forget once they let any.

    Raises:
        SwitchedOff: as `plan_episode`.
    """
    again = bool(lease.payload.get("again"))
    allowed = allows(tx, lease.subject_id, "index_episodes", terms=terms)
    if again and not allowed:
        raise SwitchedOff
    return allowed and (again or conversations.remembers(tx, turn.messages[0].conversation_id))


def _edges(episode_id: UUID, message_ids: Sequence[UUID]) -> list[Derivation]:
    return [
        Derivation(derived_kind="episode", derived_id=episode_id, source_kind="message", source_id=message_id)
        for message_id in message_ids
    ]


def _message_ids(lease: Lease) -> list[UUID]:
    return [UUID(value) for value in lease.payload["message_ids"]]
