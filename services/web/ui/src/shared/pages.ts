import { infiniteQueryOptions } from "@tanstack/react-query";

const NEXT = /<([^>]*)>;\s*rel="?next"?/;

/** The cursor of the next page in a `Link` header; `undefined` on the last page. */
export function nextCursor(link: string | null): string | undefined {
  const found = link === null ? null : NEXT.exec(link);
  if (found?.[1] === undefined) return undefined;
  return new URL(found[1], "http://any").searchParams.get("cursor") ?? undefined;
}

export interface Page<Item> {
  items: Item[];
  next: string | undefined;
}

type Read<Query, Item> = (options: {
  query: Query & { cursor?: string };
  signal: AbortSignal;
}) => Promise<{ data?: Item[] | undefined; response?: Response | undefined }>;

/**
 * Options of an infinite query over one of the API's lists.
 *
 * `name` must be the name of the reading operation: the live stream outdates reads by it.
 */
export function pagesOf<Query extends object, Item>(name: string, read: Read<Query, Item>, query: Query) {
  return infiniteQueryOptions({
    queryKey: [{ _id: name, query }],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Page<Item>> => {
      const asked = pageParam === undefined ? query : { ...query, cursor: pageParam };
      const { data, response } = await read({ query: asked, signal });
      return { items: data ?? [], next: nextCursor(response?.headers.get("link") ?? null) };
    },
    getNextPageParam: ({ next }) => next,
  });
}
