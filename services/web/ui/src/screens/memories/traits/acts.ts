import type { Context } from "./words";
import type { TraitOut } from "@/client";

/** What can be done with a trait. */
export interface TraitActs {
  why: (trait: TraitOut) => void;
  /** Say that it is right, or take that back. */
  confirm: (trait: TraitOut, right: boolean) => void;
  /** Say that it holds in one context only; `null`: wherever it was seen. */
  confine: (trait: TraitOut, context: Context | null) => void;
  edit: (trait: TraitOut) => void;
  forget: (trait: TraitOut) => void;
  /** What an operation forgot is there again. */
  undone: (operationId: string) => void;
}
