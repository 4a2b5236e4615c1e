"""Learn what a person prefers from what they think of answers (CN-06).

Signals of one kind, the same action on the same topic, are counted; at the person's threshold one preference is
written, and more of its kind support it. A majority of another action later supersedes it. Its wording may contain
any of its signals, so it goes with each of them, and is made again from those that are left if these are enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

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
from shared.preferences.sql.signals import LearnedPreference, Source
from shared.switches import sql as switches
from shared.switches.rules import Switches

IMPORTANCE: Final = 6
ACTOR: Final = "system:learner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What one piece of feedback taught.

    Args:
        count: how many visible signals of its kind there are now, itself included.
        threshold: how many of one kind it takes.
        memory_id: the preference it made or supports.
    """

    outcome: Outcome
    threshold: int
    count: int = 0
    memory_id: MemoryId | None = None


def may_learn(allowed: Switches) -> bool:
    """Whether a person lets feedback teach anything: a learned preference is a long-term memory too."""
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
    """Take a signal from feedback that was just stored.

    Call it after `lock_learning`: nobody else counts, or writes, meanwhile.
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
    unit = _current(preference_signals.learned(tx, subject, topic))
    if unit is not None and unit.action == action:
        memory_id: MemoryId | None = _support(tx, subject, unit, signal_id)
    else:
        memory_id = _conclude(tx, subject, topic, threshold, only=action)
    count = preference_signals.counts(tx, subject, topic)[action]
    outcome: Outcome = "learned" if memory_id else "counted"
    return Learned(outcome=outcome, threshold=threshold, count=count, memory_id=memory_id)


def learn_preferences_again(tx: Transaction, subject: Subject, operation_id: UUID) -> int:
    """Make the preferences an operation hid again where the signals that are left are enough; returns how many.

    It was learned before and its evidence stands: a switch that was turned off meanwhile does not take it.

    Raises:
        UndoPossible: a signal is hidden by a forget that may still be undone.
    """
    threshold = switches.current(tx, subject.id, defaults=Switches()).preference_learning_threshold
    made = 0
    for topic in preference_signals.topics_supporting(tx, operation_id):
        if preference_signals.any_hidden(tx, subject, topic):
            await_undo(tx, subject.id)
        before = _current(preference_signals.learned(tx, subject, topic))
        after = _conclude(tx, subject, topic, threshold)
        made += after is not None and (before is None or after != before.id)
    return made


def _conclude(
    tx: Transaction, subject: Subject, topic: bytes, threshold: int, *, only: Action | None = None
) -> MemoryId | None:
    """Write the preference the signals of a topic add up to, unless it is there; returns the one that holds.

    Args:
        only: the action the caller asks about; what another one says is left as it is.
    """
    units = preference_signals.learned(tx, subject, topic)
    current = _current(units)
    counts = preference_signals.counts(tx, subject, topic)
    held = stance(counts, threshold, current=current.action if current else None)
    if held is None or (only is not None and held != only):
        return None
    if current is not None and current.action == held:
        return current.id
    if current is not None and current.superseded:
        return None  # what its person said in its place stands
    signals = preference_signals.of_kind(tx, subject, topic, held)
    newest = signals[0]
    text = wording(held, label=newest.label, quote=newest.quote, language=newest.language)
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
        # The newest there is, hidden or not: should a forget be undone, there is still one that holds.
        supersedes=units[0].id if units else None,
        sources=tuple(MemorySource(kind="signal", id=signal.id) for signal in signals),
    )
    return write_memory(tx, subject, new, actor=ACTOR)


def _support(tx: Transaction, subject: Subject, unit: LearnedPreference, signal_id: UUID) -> MemoryId:
    edge = Derivation(derived_kind="memory", derived_id=unit.id, source_kind="signal", source_id=signal_id)
    lineage.add(tx, subject, [edge])
    memory = memories.for_change(tx, subject, unit.id)
    assert memory is not None  # noqa: S101 # it is visible, and the fence is held
    change_memory(tx, subject, unit.id, memory, MemorySupported(signal_id=signal_id), actor=ACTOR)
    return unit.id


def _current(units: list[LearnedPreference]) -> LearnedPreference | None:
    return next((unit for unit in units if unit.visible), None)
