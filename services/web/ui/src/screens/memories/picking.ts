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
  forgotten: (memoryIds: readonly string[], operationId: string) => void;
  /** Nothing is to be picked any more. */
  stop: () => void;
}

/** The picked memories that stand in the list, as it is now: whatever was edited or forgotten meanwhile is not meant. */
export const pickedOf = (rows: readonly Row[], picked: Picked): MemoryOut[] =>
  standing(rows).filter(({ id }) => picked.has(id));

/** With one more picked or one less; beyond the most there may be nothing is added. */
export function withPicked(picked: Picked, id: string, wanted: boolean): Picked {
  if (!wanted) return new Set([...picked].filter((one) => one !== id));
  return picked.size < MOST_AT_ONCE ? new Set(picked).add(id) : picked;
}

/** All that stand in the list, the first ones when there are too many. */
export const allOf = (rows: readonly Row[]): Picked =>
  new Set(
    standing(rows)
      .map(({ id }) => id)
      .slice(0, MOST_AT_ONCE),
  );

/** Whether a place's memory is picked; `undefined` while there is nothing to pick, or no memory. */
export const isTicked = (row: Row, picked: Picked | null): boolean | undefined =>
  picked !== null && "memory" in row ? picked.has(row.memory.id) : undefined;

const standing = (rows: readonly Row[]): MemoryOut[] => rows.flatMap((row) => ("memory" in row ? [row.memory] : []));
