import type { Sort } from "./filters";
import type { MemoryOut } from "@/client";

/**
 * What a person did to a memory while they look at the list; its place in the list stays, also in a list by importance:
 * `importance` is that of the memory that stood there first.
 */
export type Done = { importance?: number } & (
  | { kind: "edited"; memory: MemoryOut }
  /** `undone`: it comes back. */
  | { kind: "forgotten"; operationId: string; undone: boolean }
);

/** What was done, by the id of the memory it was done to. */
export type DoneByPlace = ReadonlyMap<string, Done>;

/** A place in the list. Its key is the id of the memory that stood there first. */
export type Row = { key: string; importance: number } & (
  { memory: MemoryOut; edited: boolean } | { operationId: string }
);

type Place = Pick<Row, "key" | "importance">;

/** Ids order by time. */
const newestFirst = (a: Place, b: Place): number => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0);

const ORDERS: Record<Sort, (a: Place, b: Place) => number> = {
  newest: newestFirst,
  oldest: (a, b) => newestFirst(b, a),
  importance: (a, b) => b.importance - a.importance || newestFirst(a, b),
};

/**
 * The places of a list that does not move by itself: an edited memory stands where the older one stood, a forgotten one
 * leaves a notice of what becomes of it.
 *
 * `complete` says that there are no further pages; otherwise places behind the last loaded memory are left out.
 */
export function rowsOf(
  memories: readonly MemoryOut[],
  done: DoneByPlace,
  complete: boolean,
  sort: Sort = "newest",
): Row[] {
  const order = ORDERS[sort];
  const last = memories.at(-1);
  const came = new Set([...done.values()].flatMap((what) => (what.kind === "edited" ? [what.memory.id] : [])));
  const rows = new Map<string, Row>();
  for (const memory of memories) {
    if (!came.has(memory.id))
      rows.set(memory.id, { key: memory.id, importance: memory.importance, memory, edited: false });
  }
  for (const [place, what] of done) {
    const { importance = 0 } = what;
    const end = last && { key: last.id, importance: last.importance };
    const loaded = complete || (end !== undefined && order({ key: place, importance }, end) <= 0);
    const isBack = what.kind === "forgotten" && what.undone && rows.has(place);
    if (loaded && !came.has(place) && !isBack) rows.set(place, { ...settled(place, done), importance });
  }
  return [...rows.values()].sort(order);
}

/** Those of `memories` that are not in the list, and do not stand in another one's place already. */
export function newerThan(memories: readonly MemoryOut[], shown: readonly MemoryOut[], done: DoneByPlace): MemoryOut[] {
  const known = new Set(shown.map(({ id }) => id));
  for (const [place, what] of done) {
    known.add(place);
    if (what.kind === "edited") known.add(what.memory.id);
  }
  return memories.filter(({ id }) => !known.has(id));
}

/** Which pages the rows from `first` to `last` are on, by how many memories each page has. */
export function pagesAround(lengths: readonly number[], first: number, last: number): number[] {
  let start = 0;
  return lengths.flatMap((length, index) => {
    const end = start + length;
    const near = start <= last && end > first;
    start = end;
    return near ? [index] : [];
  });
}

/** What stands in a place after everything that was done there, one thing after the other. */
function settled(place: string, done: DoneByPlace): Row {
  let memory: MemoryOut | undefined;
  for (let what = done.get(place); what !== undefined; what = done.get(memory.id)) {
    if (what.kind === "edited") memory = what.memory;
    else if (!what.undone || memory === undefined) return { key: place, importance: 0, operationId: what.operationId };
    else break;
  }
  if (memory === undefined) throw new Error("a place without anything done to it");
  return { key: place, importance: 0, memory, edited: true };
}
