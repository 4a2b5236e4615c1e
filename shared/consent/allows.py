"""The one question that everything asks: may this be done for this person?"""

from __future__ import annotations

from uuid import UUID

from shared.consent.rules.consents import Purpose, allowed, restricted
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.consent.sql import consents, switches
from shared.kernel.database import Transaction
from shared.kernel.errors import ConsentRequired


class SwitchedOff(Exception):
    """Something is off, but this was derived before a forget; deriving it again waits until it is on.

    Switching it on ends the wait; `seconds` is how often it is checked besides.
    """

    code = "switched_off"
    seconds = 300.0


def allows(tx: Transaction, subject_id: UUID, purpose: Purpose, *, terms: Terms) -> bool:
    """Return whether the person's consent, their switches and the policy allow something for a purpose."""
    consent = consents.current(tx, subject_id)
    chosen = switches.current(tx, subject_id, defaults=terms.defaults)
    return allowed(restricted(chosen, consent, terms), consent, terms.consent, purpose)


def effective(tx: Transaction, subject_id: UUID, *, terms: Terms) -> Switches:
    """Return the switches that apply: the person's, or else the deployment's, less what nobody consented to."""
    chosen = switches.current(tx, subject_id, defaults=terms.defaults)
    consent = consents.current(tx, subject_id) if terms.consent.covers_memories else None
    return restricted(chosen, consent, terms)


def require(tx: Transaction, subject_id: UUID, purpose: Purpose, *, terms: Terms) -> None:
    """Refuse what the person's consent does not allow.

    Raises:
        ConsentRequired: names the scope that is missing.
    """
    if not allows(tx, subject_id, purpose, terms=terms):
        raise ConsentRequired((_SCOPE_OF[purpose],))


_SCOPE_OF = {
    "create_task": "create_task",
    "save_to_thread": "save_to_thread",
    "save_to_profile": "save_to_profile",
    "training": "training_use_allowed",
    "remember": "save_to_profile",
}
