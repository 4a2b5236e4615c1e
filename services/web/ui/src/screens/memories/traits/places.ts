import type { TraitOut } from "@/client";

/** The shelves, in the order in which they stand. */
export const SHELVES = ["core", "preference", "behavior"] as const;
export type Shelf = (typeof SHELVES)[number];

/** Which traits stand where, by id. */
export type Places = Readonly<Record<Shelf | "forming", readonly string[]>>;

type Judged = Pick<TraitOut, "id" | "trait_subtype" | "trait_stage" | "confidence" | "last_reinforced">;

/** Whether too little was seen of it for it to be used. */
export const isForming = ({ trait_stage: stage }: Pick<TraitOut, "trait_stage">): boolean =>
  stage === "trend" || stage === "candidate";

/** The surest first; of equally sure ones the one that was seen last. */
const bySureness = (left: Judged, right: Judged): number =>
  (right.confidence ?? -1) - (left.confidence ?? -1) ||
  Date.parse(right.last_reinforced) - Date.parse(left.last_reinforced);

/** Traits by shelf, surest first; those that are still forming, and not used, apart. */
export function placesOf(traits: readonly Judged[]): Places {
  const sorted = traits.filter(({ trait_stage: stage }) => stage !== "dissolved").sort(bySureness);
  const idsOf = (belongs: (trait: Judged) => boolean) => sorted.filter(belongs).map(({ id }) => id);
  const onShelf = (shelf: Shelf) => idsOf((trait) => !isForming(trait) && trait.trait_subtype === shelf);
  return {
    core: onShelf("core"),
    preference: onShelf("preference"),
    behavior: onShelf("behavior"),
    forming: idsOf(isForming),
  };
}

/** How many traits have no place yet. */
export function withoutPlace(traits: readonly Judged[], places: Places): number {
  const placed = new Set(Object.values(places).flat());
  return traits.filter(({ id, trait_stage: stage }) => stage !== "dissolved" && !placed.has(id)).length;
}
