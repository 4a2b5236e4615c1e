"""Show everything derived from a message, and what was withheld (MC-16, MC-17)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from shared.conversations.sql import messages
from shared.kernel.database import Transaction
from shared.memories.sql import derivations
from shared.memories.sql.derivations import DerivedItem, Link, Withheld
from shared.outbox.sql import scheduling
from shared.outbox.sql.scheduling import Ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """One item derived from a message, and its link to the message."""

    item: DerivedItem
    link: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatBecame:
    """Everything derived from a message, what was withheld, and the kinds that may still be derived.

    Args:
        turn_open: whether its turn goes on, so that nothing is derived from it yet.
        ahead: the number of messages learned from before it, and when it began to wait; None if it does not wait.
    """

    derived: tuple[Derived, ...]
    withheld: tuple[Withheld, ...]
    awaited: tuple[str, ...]
    turn_open: bool
    ahead: Ahead | None


def derived_from(tx: Transaction, subject_id: UUID, message_id: UUID) -> WhatBecame | None:
    """Return what was derived from a message; None if the person cannot see the message."""
    if messages.read(tx, subject_id, message_id) is None:
        return None
    # Read pending jobs first: a job that finishes in between is then shown as done, never as missing.
    turn_open = derivations.turn_is_open(tx, subject_id, message_id)
    awaited = derivations.awaited(tx, subject_id, message_id)
    ahead = scheduling.learning_ahead(tx, subject_id, before=message_id) if "memory" in awaited else None
    links = derivations.links(tx, message_id)
    found: list[Derived] = []
    for kind in sorted({link.kind for link in links}):
        of_kind = {link.id: link for link in links if link.kind == kind}
        found += [
            Derived(item=item, link=of_kind[item.id]) for item in derivations.items(tx, subject_id, kind, list(of_kind))
        ]
    withheld = derivations.withheld(tx, message_id)
    return WhatBecame(
        derived=tuple(found),
        withheld=tuple(withheld),
        awaited=tuple(awaited),
        turn_open=turn_open,
        ahead=ahead if ahead and ahead.since else None,
    )
