"""Consents by scope, and what they allow (FC-02, FC-05, decisions 15 and 28)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias, get_args
from uuid import UUID

from shared.consent.rules.policy import ConsentPolicy, Terms
from shared.consent.rules.switches import Switches

Scope: TypeAlias = Literal["create_task", "save_to_thread", "save_to_profile", "training_use_allowed"]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)

Purpose: TypeAlias = Literal[
    "create_task",
    "save_to_thread",
    "save_to_profile",
    "training",
    "drift",
    "summarize",
    "index_episodes",
    "remember",
    "infer_traits",
    "learn_preferences",
    "give_memories",
    "give_episodes",
    "give_summary",
]
"""What something is done for. Each has one answer, from the person's consent, their switches and the policy."""

State: TypeAlias = Literal["new", "granted", "outdated", "revoked"]
"""`outdated`: the wording changed since; the person is asked again. `revoked`: everything was withdrawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """One version of a person's consent.

    Args:
        grant_id: the version that began it: later ones only withdrew scopes from it.
        revoked_at: when everything was withdrawn.
    """

    id: UUID
    grant_id: UUID
    version: int
    create_task: bool
    save_to_thread: bool
    save_to_profile: bool
    training_use_allowed: bool
    text_version: str
    locale: str
    channel: str
    granted_at: datetime
    revoked_at: datetime | None

    def holding(self, scopes: Collection[str], *, id_: UUID, version: int, revoked_at: datetime | None) -> Consent:
        """Return the next version of the same grant, with only these of its scopes."""
        return replace(
            self,
            id=id_,
            version=version,
            create_task="create_task" in scopes,
            save_to_thread="save_to_thread" in scopes,
            save_to_profile="save_to_profile" in scopes,
            training_use_allowed="training_use_allowed" in scopes,
            revoked_at=revoked_at,
        )

    @property
    def scopes(self) -> frozenset[Scope]:
        """The scopes that hold."""
        return frozenset(scope for scope in SCOPES if getattr(self, scope))

    def without(self, scopes: Collection[Scope]) -> frozenset[Scope]:
        """Return the scopes that hold after these are withdrawn."""
        return self.scopes - frozenset(scopes)


def state_of(consent: Consent | None, policy: ConsentPolicy) -> State:
    """Return where a person stands."""
    if consent is None:
        return "new"
    if consent.revoked_at is not None:
        return "revoked"
    return "granted" if consent.text_version == policy.text_version else "outdated"


def agreed(said: Mapping[Scope, bool], before: Consent | None, policy: ConsentPolicy) -> frozenset[Scope]:
    """Return the scopes a person agrees to: what they do not mention stays, as long as it is the same wording.

    Otherwise a task may be created, and no other scope is given.
    """
    stays = before.scopes if before is not None and state_of(before, policy) == "granted" else {"create_task"}
    return frozenset(scope for scope in SCOPES if said.get(scope, scope in stays))


def may_create_task(consent: Consent | None, policy: ConsentPolicy) -> bool:
    """Return whether a task may begin.

    Who never consented may begin one unless the policy requires consent; who withdrew everything may, without anything
    of theirs being loaded (decision 15).
    """
    match state_of(consent, policy):
        case "new":
            return not policy.required
        case "outdated":
            return not policy.required and consent is not None and consent.create_task
        case "revoked":
            return True
        case "granted":
            return consent is not None and consent.create_task


def restricted(switches: Switches, consent: Consent | None, terms: Terms) -> Switches:
    """Return a person's switches without what their consent or the policy does not allow."""
    covered = not terms.consent.covers_memories or (consent is not None and consent.save_to_profile)
    infers = terms.permitted.inferred_profile
    return replace(
        switches,
        longterm_enabled=switches.longterm_enabled and covered,
        traits_enabled=switches.traits_enabled and infers,
        preference_learning_enabled=switches.preference_learning_enabled and infers,
    )


def allowed(switches: Switches, consent: Consent | None, policy: ConsentPolicy, purpose: Purpose) -> bool:
    """Return whether something may be done for a purpose.

    Args:
        switches: as `restricted` returns them.
    """
    if purpose == "create_task":
        return may_create_task(consent, policy)
    if purpose in _SWITCHED:
        return _SWITCHED[purpose](switches)
    if consent is None or state_of(consent, policy) == "outdated":  # what is kept stays; more is kept once they agree
        return False
    return bool(consent.scopes & _CONSENTED[purpose])


_SWITCHED: Final[Mapping[Purpose, Callable[[Switches], bool]]] = {
    "summarize": lambda switches: switches.summary_enabled,
    "index_episodes": lambda switches: switches.episodic_enabled,
    "remember": lambda switches: switches.longterm_enabled,
    "infer_traits": lambda switches: switches.infers_traits,
    "learn_preferences": lambda switches: switches.preference_learning_enabled and switches.longterm_enabled,
    "give_memories": lambda switches: switches.gives_memories,
    "give_episodes": lambda switches: switches.gives_episodes,
    "give_summary": lambda switches: switches.gives_summary,
}
_CONSENTED: Final[Mapping[Purpose, frozenset[Scope]]] = {
    "save_to_thread": frozenset({"save_to_thread"}),
    "save_to_profile": frozenset({"save_to_profile"}),
    "training": frozenset({"training_use_allowed"}),
    "drift": frozenset({"save_to_thread", "save_to_profile"}),
}
"""Any one of the scopes is enough."""
