import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import { listLongTerm, type MemoryOut } from "@/client";
import { getHistoryOptions } from "@/client/@tanstack/react-query.gen";
import { pagesOf } from "@/shared/pages";

const PAGE = 200;

/**
 * What a conversation taught, by each message that taught it; undefined until the first answer, so that nothing moves
 * under who reads already.
 *
 * All of it is read: what somebody said again may have been learned long before.
 */
export function useLearned(conversation: string): ReadonlyMap<string, MemoryOut[]> | undefined {
  const { data, isPending, failureCount, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    pagesOf("listLongTerm", listLongTerm, { conversation_id: conversation, limit: PAGE }),
  );
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const found = useMemo(() => byMessage(data?.pages.flatMap(({ items }) => items) ?? []), [data]);
  return isPending && failureCount === 0 ? undefined : found;
}

/** Memories by each message they come from, oldest first. */
export function byMessage(memories: readonly MemoryOut[]): ReadonlyMap<string, MemoryOut[]> {
  const found = new Map<string, MemoryOut[]>();
  for (const memory of memories.toReversed()) {
    for (const message of new Set(memory.sources.map(({ message_id }) => message_id))) {
      found.set(message, [...(found.get(message) ?? []), memory]);
    }
  }
  return found;
}

/**
 * What holds now of something that was learned: itself, or what took its place, such as the words its person chose for it
 * (those come from no message). Undefined while that is looked up, `null` when nothing of it is left.
 */
export function useCurrent(memory: MemoryOut): MemoryOut | null | undefined {
  const replaced = memory.validity === "superseded";
  const { data, isPending } = useQuery({ ...getHistoryOptions({ path: { memory_id: memory.id } }), enabled: replaced });
  if (!replaced) return memory;
  return isPending ? undefined : (data?.memories.findLast(({ validity }) => validity !== "superseded") ?? null);
}
