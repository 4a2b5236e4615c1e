import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import type { Filters, Sort } from "./filters";
import { type DoneByPlace, newerThan, pagesAround, type Row, rowsOf } from "./rows";
import { listLongTerm, type MemoryOut } from "@/client";
import { STANDING_LIST } from "@/shared/memories/changed";
import { nextCursor, pagesOf } from "@/shared/pages";

const PAGE = 20;
const AGAIN_MILLISECONDS = 5_000;

/** The live stream outdates reads of this name. */
const LIVE_LIST = "listLongTerm";

/** Just behind a moment, so that what happened in it is before. */
const after = (moment: string): string => new Date(Date.parse(moment) + 1).toISOString();

/** The list is ordered by id; two that were learned side by side may have been written down the other way round. */
const newestOf = (memories: readonly MemoryOut[]): string | undefined =>
  memories
    .map(({ created_at }) => created_at)
    .reduce<string | undefined>((latest, one) => (latest === undefined || one > latest ? one : latest), undefined);

/**
 * A person's memories, in an order, as a list that stands still: what is new waits until it is asked for.
 *
 * Only the pages somebody looks at are read again when something has moved, and what came in the meantime is counted
 * by a read of its own, so ten thousand memories cost no more than the screen shows.
 */
export function useStandingList(filters: Filters, sort: Sort, done: DoneByPlace) {
  const queries = useQueryClient();
  const [watched, setWatched] = useState<readonly number[]>([0]);
  const query = useMemo(() => ({ ...filters, ...(sort !== "newest" && { sort }), limit: PAGE }), [filters, sort]);
  const newestFirst = sort === "newest";
  const options = useMemo(() => pagesOf(STANDING_LIST, listLongTerm, query), [query]);
  // Static: it is never read again as a whole, whatever is outdated; `renew` and the watched pages keep it true.
  // One that could not be read at all is asked for until it can.
  const list = useInfiniteQuery({
    ...options,
    staleTime: "static",
    gcTime: 0,
    refetchInterval: ({ state }) => state.status === "error" && state.data === undefined && AGAIN_MILLISECONDS,
  });
  const pages = list.data?.pages;
  const newest = newestOf(pages?.[0]?.items ?? []);
  // The newest there ever was: what was forgotten at the top comes back there when it is undone.
  const [top, setTop] = useState(newest);
  if (newest !== undefined && (top === undefined || newest > top)) setTop(newest);

  useQueries({
    queries: watched.flatMap((index) => {
      const page = pages?.[index];
      if (page === undefined || top === undefined) return [];
      const cursor = list.data?.pageParams[index] as string | undefined;
      // The first page has no cursor to begin at: it begins where it began, so that nothing new pushes in.
      const bounds = cursor !== undefined ? { cursor } : newestFirst ? { created_before: after(top) } : {};
      return {
        queryKey: [{ _id: LIVE_LIST, query: { ...query, ...bounds } }],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const { data: items } = await listLongTerm({ query: { ...query, ...bounds }, signal, throwOnError: true });
          queries.setQueryData(options.queryKey, (held) =>
            held === undefined
              ? undefined
              : { ...held, pages: held.pages.map((one, at) => (at === index ? { ...one, items } : one)) },
          );
          return items;
        },
        initialData: page.items,
        initialDataUpdatedAt: list.dataUpdatedAt,
      };
    }),
  });

  const shown = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  const since = top === undefined ? query : { ...query, created_after: top };
  const { data: latest } = useQuery({
    queryKey: [{ _id: LIVE_LIST, query: { ...since, newest: true } }],
    queryFn: async ({ signal }) => (await listLongTerm({ query: since, signal, throwOnError: true })).data,
    enabled: list.isSuccess && newestFirst,
  });
  const newer = useMemo(() => newerThan(latest ?? [], shown, done), [latest, shown, done]);

  /** Begin again at the newest, with one page. */
  const renew = useCallback(async () => {
    const { data: items, response } = await listLongTerm({ query, throwOnError: true });
    const first = { items, next: nextCursor(response.headers.get("link")) };
    queries.setQueryData(options.queryKey, { pages: [first], pageParams: [undefined] });
  }, [queries, query, options]);

  /** Say which rows are on screen: their pages are kept true. */
  const watch = useCallback(
    (first: number, last: number) => {
      const indexes = pagesAround(pages?.map(({ items }) => items.length) ?? [], first, last);
      setWatched((before) => (before.join() === indexes.join() ? before : indexes));
    },
    [pages],
  );

  const complete = !list.hasNextPage;
  const rows: Row[] = useMemo(() => rowsOf(shown, done, complete, sort), [shown, done, complete, sort]);
  return { list, rows, newer: newer.length, renew, watch };
}

export type StandingList = ReturnType<typeof useStandingList>;
