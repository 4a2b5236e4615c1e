"""The item kinds of traits: what messages show, what reflections made of it, and the reflections."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.traits.packages import OBSERVATIONS, REFLECTIONS, TRAITS
from shared.traits.refold import fold_after_undo, forget_evidence
from shared.traits.sql import observations, tables, traits

TRAIT: Final = ItemKind(
    name="trait",
    record="trait",
    table=tables.traits,
    visible=tables.visible_traits,
    contents=(
        tables.trait_contents.c.trait_id,
        tables.trait_contexts.c.trait_id,
        tables.trait_evidence.c.trait_id,
        tables.trait_recalls.c.trait_id,
    ),
    holds_words=(tables.traits,),
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary=traits.AS_DERIVED,
    on_forget=forget_evidence,
    on_undo=fold_after_undo,
    in_packages=TRAITS,
)
OBSERVATION: Final = ItemKind(
    name="observation",
    record="observation",
    table=tables.trait_observations,
    visible=tables.visible_trait_observations,
    contents=(tables.trait_evidence.c.observation_id,),
    in_conversation=tables.trait_observations.c.at_seq,
    holds_words=(tables.trait_observations,),
    in_lineage=True,
    summary=observations.AS_DERIVED,
    in_packages=OBSERVATIONS,
)
REFLECTION: Final = ItemKind(
    name="reflection",
    record="reflection",
    table=tables.reflections,
    visible=tables.visible_reflections,
    fate="goes with the person",
    recorded=True,
    in_packages=REFLECTIONS,
)
