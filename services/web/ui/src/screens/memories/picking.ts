import type { Row } from "./rows";
import type { MemoryOut } from "@/client";

/** So many can be forgotten at once; the server takes no more. */
export const MOST_AT_ONCE = 2000;

/** The ids of the memories somebody has picked. */
export type Picked = ReadonlySet<string>;

export const NOTHING_PICKED: Picked = new Set();

/** What is picked, and how that changes. */
export interface Picking {
  /** `null` while nothing is to be picked. */
  picked: Picked | null;
  tick: (memoryId: string, wanted: boolean) => void;
  pick: (picked: Picked) => void;
  /** These are hidden by that operation. */
  forgotten: (memories: readonly MemoryOut[], operationId: string) => void;
  /** Nothing is to be picked any more. */
  stop: () => void;
}

/**
 * What is meant by all that is picked, also where the list is not loaded: whatever was edited or forgotten meanwhile is
 * not. Of an edited one its new wording is, when that was picked.
 */
export function pickedOf(rows: readonly Row[], picked: Picked): string[] {
  const gone = new Set(rows.flatMap((row) => ("memory" in row && row.memory.id === row.key ? [] : [row.key])));
  return [...picked].filter((id) => !gone.has(id));
}

/** The memories of the list that are picked, as they are shown. */
export const shownOf = (rows: readonly Row[], picked: Picked): MemoryOut[] =>
  rows.flatMap((row) => ("memory" in row && picked.has(row.memory.id) ? [row.memory] : []));

/** With one more picked or one less; beyond the most there may be nothing is added. */
export function withPicked(picked: Picked, id: string, wanted: boolean): Picked {
  if (!wanted) return new Set([...picked].filter((one) => one !== id));
  return picked.size < MOST_AT_ONCE ? new Set(picked).add(id) : picked;
}

/** Whether a place's memory is picked; `undefined` while there is nothing to pick, or no memory. */
export const isTicked = (row: Row, picked: Picked | null): boolean | undefined =>
  picked !== null && "memory" in row ? picked.has(row.memory.id) : undefined;
