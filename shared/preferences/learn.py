"""Learn a person's preferences from their feedback on answers (CN-06).

Signals with the same action on the same topic are counted. At the person's threshold one preference is written;
further signals support it. A later majority for another action supersedes it. The wording of a preference may contain
any of its signals, so it is erased with each of them and learned again if enough signals remain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.kernel.database import Transaction
from shared.kernel.events import MemorySupported
from shared.kernel.ids import MemoryId
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.memories.change import change_memory
from shared.memories.sql import memories
from shared.memories.write import MemorySource, NewMemory, write_memory
from shared.outbox.await_undo import await_undo
from shared.preferences.rules import Action, Outcome, Reason, read_evidence, stance, wording
from shared.preferences.sql import signals as preference_signals
from shared.preferences.sql import support
from shared.preferences.sql.signals import LearnedPreference, Source

IMPORTANCE: Final = 6
ACTOR: Final = "system:learner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The result of learning from one piece of feedback.

    Args:
        count: the number of visible signals with this topic and action, including this one.
        threshold: the number of signals needed for a preference.
        memory_id: the preference that was created or supported.
    """

    outcome: Outcome
    threshold: int
    count: int = 0
    memory_id: MemoryId | None = None


def may_learn(allowed: Switches) -> bool:
    """Return whether feedback may teach: preference learning and long-term memory must both be on."""
    return allowed.preference_learning_enabled and allowed.longterm_enabled


def learn_preference(
    tx: Transaction,
    subject: Subject,
    source: Source,
    *,
    action: Action,
    evidence: str | None,
    reason: Reason | None,
    allowed: Switches,
) -> Learned:
    """Add the signal of newly stored feedback and update the learned preference.

    Call it after `lock_learning`, so that nobody else counts or writes meanwhile.
    """
    threshold = allowed.preference_learning_threshold
    if not may_learn(allowed):
        return Learned(outcome="off", threshold=threshold)
    signal = read_evidence(evidence, reason, private=allowed.privacy_mode_enabled)
    topic = subject.digest("preference", *signal.topic) if signal else b""
    signal_id = new_id()
    preference_signals.add(tx, subject, signal_id, source, action=action, topic=topic, signal=signal)
    from_feedback = Derivation(
        derived_kind="signal", derived_id=signal_id, source_kind="feedback", source_id=source.feedback_id
    )
    lineage.add(tx, subject, [from_feedback])
    if signal is None:
        return Learned(outcome="ignored", threshold=threshold)
    learned = _current(preference_signals.learned(tx, subject, topic))
    if learned is not None and learned.action == action:
        memory_id: MemoryId | None = _support(tx, subject, learned, signal_id)
    else:
        memory_id = _conclude(tx, subject, topic, threshold, only=action, private=allowed.privacy_mode_enabled)
    count = preference_signals.counts(tx, subject, topic)[action]
    outcome: Outcome = "learned" if memory_id else "counted"
    return Learned(outcome=outcome, threshold=threshold, count=count, memory_id=memory_id)


def learn_preferences_again(tx: Transaction, subject: Subject, operation_id: UUID, *, terms: Terms) -> int:
    """Learn the preferences an operation hid again, where enough signals remain; return how many changed.

    Applies even if the switch was turned off in the meantime, because the evidence remains.

    Raises:
        UndoPossible: a signal is hidden by a forget that can still be undone.
    """
    allowed = effective(tx, subject.id, terms=terms)
    made = 0
    for topic in support.topics_supporting(tx, operation_id):
        if preference_signals.any_hidden(tx, subject, topic):
            await_undo(tx, subject.id)
        before = _current(preference_signals.learned(tx, subject, topic))
        after = _conclude(
            tx, subject, topic, allowed.preference_learning_threshold, private=allowed.privacy_mode_enabled
        )
        made += after is not None and (before is None or after != before.id)
    return made


def _conclude(
    tx: Transaction,
    subject: Subject,
    topic: bytes,
    threshold: int,
    *,
    only: Action | None = None,
    private: bool = False,
) -> MemoryId | None:
    """Write the preference that the signals of a topic support, unless it exists; return the current one.

    Args:
        only: consider only this action; a result for another action changes nothing.
        private: quote nothing, even if it was said while that was allowed.
    """
    learned = preference_signals.learned(tx, subject, topic)
    current = _current(learned)
    counts = preference_signals.counts(tx, subject, topic)
    held = stance(counts, threshold, current=current.action if current else None)
    if held is None or (only is not None and held != only):
        return None
    if current is not None and current.action == held:
        return current.id
    if current is not None and current.superseded:
        return None  # the person replaced it, and their version takes precedence
    signals = preference_signals.of_kind(tx, subject, topic, held)
    newest = signals[0]
    text = wording(held, label=newest.label, quote=None if private else newest.quote, language=newest.language)
    if text is None:
        return None
    new = NewMemory(
        text=text,
        content_type="preference",
        scope="global",
        project_id=None,
        origin="learned",
        method="feedback",
        importance=IMPORTANCE,
        # Supersede the newest one, hidden or not, so that undoing a forget leaves exactly one current preference.
        supersedes=learned[0].id if learned else None,
        sources=tuple(MemorySource(kind="signal", id=signal.id) for signal in signals),
    )
    return write_memory(tx, subject, new, actor=ACTOR)


def _support(tx: Transaction, subject: Subject, learned: LearnedPreference, signal_id: UUID) -> MemoryId:
    edge = Derivation(derived_kind="memory", derived_id=learned.id, source_kind="signal", source_id=signal_id)
    lineage.add(tx, subject, [edge])
    memory = memories.for_change(tx, subject, learned.id)
    assert memory is not None  # noqa: S101 # it is visible, and the fence is held
    change_memory(tx, subject, learned.id, memory, MemorySupported(signal_id=signal_id), actor=ACTOR)
    return learned.id


def _current(learned: list[LearnedPreference]) -> LearnedPreference | None:
    return next((one for one in learned if one.visible), None)
