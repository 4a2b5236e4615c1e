import type { TraitOut } from "@/client";

/** The technical names and numbers of a trait. */
export const detailsOf = (trait: TraitOut): readonly (readonly [string, string])[] => [
  ["id", trait.id],
  ["version", String(trait.version)],
  ["trait_key", trait.trait_key],
  ["trait_subtype", trait.trait_subtype],
  ["trait_stage", trait.trait_stage],
  ["confidence", trait.confidence === null ? "–" : trait.confidence.toFixed(3)],
  ["importance", String(trait.importance)],
  ["reinforced", String(trait.reinforcement_count)],
  ["contradicted", String(trait.contradiction_count)],
  ["derived_from", trait.derived_from],
  ["first_observed", trait.first_observed],
  ["last_reinforced", trait.last_reinforced],
];
