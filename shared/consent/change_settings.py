"""Change a person's memory settings."""

from __future__ import annotations

from typing import Any

from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches, apply, change, chosen
from shared.consent.sql import switches
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.locks import one_at_a_time
from shared.outbox.sql import scheduling


def change_settings(tx: Transaction, user_id: str, wanted: dict[str, Any], *, terms: Terms, actor: str) -> Switches:
    """Change some of a person's switches and return all of them."""
    subject = subjects.find_or_create(tx, user_id)
    one_at_a_time(tx, "settings", str(subject.id))
    subject = subjects.entered(tx, subject)
    saved = switches.read(tx, subject.id)
    current = saved.switches if saved else terms.defaults
    # Choosing a value that equals the default is stored too, so that it survives a change of the default.
    event = chosen(current, wanted) if wanted and saved is None else change(current, wanted)
    if event is None:
        return current
    event_log.append(tx, subject, subject.id, [event], actor=actor)
    changed = apply(event)
    switches.save(tx, subject, changed)
    if changed.longterm_enabled or changed.summary_enabled or changed.episodic_enabled:
        scheduling.make_due(tx, subject.id, code="switched_off")
    return changed
