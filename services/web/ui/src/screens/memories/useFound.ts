import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";

import type { Filters } from "./filters";
import { type MemoryOut, searchMemory } from "@/client";
import { getLongTermOptions } from "@/client/@tanstack/react-query.gen";
import { isProblem } from "@/shared/problems";

/** As many as the server finds at once. */
const MOST = 50;

/** What scores less than this share of the best is shown on demand only. */
const NEAR = 0.6;

const COMPARED = ["content_type", "scope", "project_id", "origin", "validity", "disabled", "archived"] as const;

/** Whether a memory is one of those that are looked at. Tasks are known by key only, and are not compared. */
export const fits = (memory: MemoryOut, filters: Filters): boolean =>
  COMPARED.every((facet) => filters[facet] === undefined || memory[facet] === filters[facet]);

/** What means something like `query`, nearest first, of what the filters leave; each read as it is now. */
export function useFound(query: string, filters: Filters) {
  const body = {
    query,
    limit: MOST,
    project_id: filters.project_id ?? null,
    content_type: filters.content_type ?? null,
  };
  const search = useQuery({
    queryKey: [{ _id: "searchMemory", body }],
    queryFn: async ({ signal }) => (await searchMemory({ body, signal, throwOnError: true })).data,
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
  const items = search.data?.items.filter(({ kind }) => kind === "memory") ?? [];
  const ids = items.map(({ id }) => id);
  const best = items[0]?.score ?? 0;
  const reads = useQueries({ queries: ids.map((id) => getLongTermOptions({ path: { memory_id: id } })) });
  const failed = reads.find(
    ({ data, error }) => data === undefined && error !== null && !(isProblem(error) && error.status === 404),
  );
  const memories = reads.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    /** Nothing was found yet, for this question or another. */
    isPending: search.isPending || reads.some(({ isPending }) => isPending),
    /** Why nothing can be shown; what was found before is shown on. */
    error: (search.data === undefined ? search.error : null) ?? failed?.error ?? null,
    again: () => {
      void search.refetch();
      for (const read of reads) if (read.isError) void read.refetch();
    },
    memories: memories.filter((memory) => fits(memory, filters)),
    isNear: (id: string) => (items.find((one) => one.id === id)?.score ?? best) >= NEAR * best,
    left: memories.filter((memory) => !fits(memory, filters)).length,
    /** There may be more that is further away. */
    isCut: items.length >= MOST,
    byMeaning: search.data?.mode === "semantic",
    reasons: search.data?.diagnostics.reasons ?? [],
  };
}
