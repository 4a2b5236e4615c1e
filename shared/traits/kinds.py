"""The item kinds of traits: what messages show, what reflections made of it, and the reflections."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.traits.packages import OBSERVATIONS, REFLECTIONS, TRAITS
from shared.traits.refold import fold_after_undo, forget_evidence

TRAIT: Final = ItemKind(
    name="trait",
    record="trait",
    table="traits",
    visible="visible_traits",
    contents=(
        ("trait_contents", "trait_id"),
        ("trait_contexts", "trait_id"),
        ("trait_evidence", "trait_id"),
        ("trait_recalls", "trait_id"),
    ),
    holds_words=("traits",),
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary="select id, stage as label, text as content, created_at as made_at from visible_traits",
    on_forget=forget_evidence,
    on_undo=fold_after_undo,
    in_packages=TRAITS,
)
OBSERVATION: Final = ItemKind(
    name="observation",
    record="observation",
    table="trait_observations",
    visible="visible_trait_observations",
    contents=(("trait_evidence", "observation_id"),),
    in_conversation="at_seq",
    holds_words=("trait_observations",),
    in_lineage=True,
    summary="select id, trait_key as label, null as content, observed_at as made_at from visible_trait_observations",
    in_packages=OBSERVATIONS,
)
REFLECTION: Final = ItemKind(
    name="reflection",
    record="reflection",
    table="reflections",
    visible="visible_reflections",
    fate="goes with the person",
    recorded=True,
    in_packages=REFLECTIONS,
)
