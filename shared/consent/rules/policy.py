"""What a deployment decides about consent, and what it permits at all (FC-02, FC-13). A policy file holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shared.consent.rules.switches import Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class Permitted:
    """What the deployment may do with what it remembers; one switch for each prohibition of the source (FC-13).

    Args:
        vector_search_over_user_memory: memories and turns are embedded, and searched by vector.
        llm_summarizer: a language model may word summaries and memories.
        clustering: behaviors are grouped into preferences and core traits.
        inferred_profile: traits, and preferences from feedback, are inferred.
        admin_edits: a service may change what is remembered about a person.
        reinforcement: what was recalled is reinforced.
        evidence_personalization: a request for evidence may be given memories.
    """

    vector_search_over_user_memory: bool = True
    llm_summarizer: bool = True
    clustering: bool = True
    inferred_profile: bool = True
    admin_edits: bool = True
    reinforcement: bool = True
    evidence_personalization: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentPolicy:
    """Whether people are asked, and for what.

    Args:
        required: no task before consent.
        covers_memories: long-term memories are kept and used only with `save_to_profile`, and go when it is withdrawn.
        text_version: the current wording; after a change everybody is asked again.
        texts: the wording by language.
    """

    required: bool = False
    covers_memories: bool = False
    text_version: str = "1"
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a deployment decides about everybody: the switches of people who set none, and its policy."""

    defaults: Switches = field(default_factory=Switches)
    consent: ConsentPolicy = field(default_factory=ConsentPolicy)
    permitted: Permitted = field(default_factory=Permitted)
    emotions: bool = False
    """Whether a trait says how its person felt about what it rests on; never at work."""
