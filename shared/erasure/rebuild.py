"""Rebuild the read models from their events; contents and other primary data are not changed."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.consent.rebuild import rebuild_consents
from shared.consent.rules import switches as switch_rules
from shared.consent.sql import switches
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.memories.rules import memories as memory_rules
from shared.memories.sql import memories
from shared.traits.rebuild import rebuild_traits


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """Number of rows in each read model after the rebuild."""

    memories: int
    settings: int
    traits: int
    consents: int


def rebuild_read_models(tx: Transaction) -> Rebuilt:
    """Empty memories, settings, traits and consents and rebuild them from the event log, in one transaction.

    What reflections compute of traits is computed again, from the observations.
    """
    memories.delete_all(tx)
    rebuilt = 0
    for memory_id, subject_id, generation, history in event_log.histories(tx, "memory"):
        memory = memory_rules.fold(history)
        if memory is not None:
            memories.save(tx, subject_id, generation, memory_id, memory)
            rebuilt += 1
    switches.delete_all(tx)
    people = 0
    for _, subject_id, _, history in event_log.histories(tx, "settings"):
        people += _replay_settings(tx, subject_id, history)
    return Rebuilt(memories=rebuilt, settings=people, traits=rebuild_traits(tx), consents=rebuild_consents(tx))


def _replay_settings(tx: Transaction, subject_id: UUID, history: list[event_log.Recorded]) -> int:
    subject = subjects.read(tx, subject_id)
    if subject is None or not subject.user_id or not history:  # who closed their account keeps no settings
        return 0
    event, at = history[-1]
    switches.save(tx, subject, switch_rules.apply(event), version=len(history), at=at)
    return 1
