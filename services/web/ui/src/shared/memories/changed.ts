import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { MemoryOut } from "@/client";
import { getLongTermQueryKey } from "@/client/@tanstack/react-query.gen";
import type { Page } from "@/shared/pages";

/** The name of the list a person scrolls through: it stands still, see `screens/memories/usePages`. */
export const STANDING_LIST = "standingMemories";

const READS = [
  "getOverview",
  "listLongTerm",
  "getLongTerm",
  "getExplanation",
  "getHistory",
  "getDerived",
  "searchMemory",
];

/** What to call when memories have changed: what depends on them is asked for again, without waiting for the live stream. */
export function useMemoriesOutdated(): () => void {
  const queries = useQueryClient();
  return useCallback(
    () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          typeof first === "object" && first !== null && "_id" in first && READS.includes(String(first._id)),
      }),
    [queries],
  );
}

/**
 * What to call with a memory the server has just changed: it is shown as it is now, and what depends on it is asked for
 * again.
 */
export function useMemoryChanged(): (memory: MemoryOut) => void {
  const queries = useQueryClient();
  const outdated = useMemoriesOutdated();
  return useCallback(
    (memory: MemoryOut) => {
      const swap = (one: MemoryOut): MemoryOut => (one.id === memory.id ? memory : one);
      queries.setQueryData(getLongTermQueryKey({ path: { memory_id: memory.id } }), memory);
      queries.setQueriesData<InfiniteData<Page<MemoryOut>>>({ queryKey: [{ _id: STANDING_LIST }] }, (list) =>
        list === undefined
          ? undefined
          : { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map(swap) })) },
      );
      outdated();
    },
    [queries, outdated],
  );
}
