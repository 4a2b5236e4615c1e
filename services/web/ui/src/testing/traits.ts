import type { PieceOut, TraitEventOut, TraitOut } from "@/client";

export const traitId = (number: number): string => `01a30000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;

/** So many pieces of evidence. */
export const supportedBy = (count: number): TraitOut["evidence"] => ({
  supporting: Array.from({ length: count }, (_, index) => ({ id: traitId(900 + index), quality: "C" as const })),
  contradicting: [],
  child_traits: [],
  parent_trait: null,
  parent_traits: [],
});

/** A habit that is clearly there. */
export const aTrait = (number: number, facts: Partial<TraitOut> = {}): TraitOut => ({
  id: traitId(number),
  content: `Trait ${String(number)}`,
  wordings: { en: `Trait ${String(number)}`, zh: `印象 ${String(number)}` },
  trait_key: "plans-ahead",
  trait_subtype: "behavior",
  trait_stage: "established",
  confidence: 0.7,
  valid_window: null,
  context: "general",
  contexts: null,
  chosen_context: null,
  first_observed: "2020-03-02T10:00:00Z",
  last_reinforced: "2020-05-12T10:00:00Z",
  reinforcement_count: 7,
  contradiction_count: 0,
  conversations: 4,
  derived_from: "reflection",
  importance: 5,
  emotion: null,
  confirmed: false,
  edited: false,
  used: true,
  evidence: supportedBy(7),
  reflection_cycle_ids: [],
  version: 1,
  created_at: "2020-03-02T10:00:00Z",
  updated_at: "2020-05-12T10:00:00Z",
  ...facts,
});

/** Something that was said for a trait. */
export const aPiece = (facts: Partial<PieceOut> = {}): PieceOut => ({
  id: traitId(500),
  source_kind: "message",
  source_id: traitId(501),
  conversation_id: traitId(502),
  side: "supporting",
  quality: "C",
  weight: 0.15,
  form: "told",
  context: "work",
  quote: "I booked the train in January.",
  at: "2020-05-12T10:00:00Z",
  ...facts,
});

/** Something that happened to a trait. */
export const anEvent = (type: string, at: string, data: TraitEventOut["data"] = {}): TraitEventOut => ({
  type,
  at,
  actor: "system:reflector",
  data,
});
