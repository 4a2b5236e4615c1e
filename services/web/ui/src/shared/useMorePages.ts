import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** What a list that is read page by page says of itself. */
export interface Pages {
  data: InfiniteData<unknown> | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
}

/**
 * A way to ask for one page more that is not forgotten when something outdates the list meanwhile.
 *
 * An outdated list is read again at once, which breaks off whatever page was on its way.
 */
export function useMorePages({ data, hasNextPage, isFetching, fetchNextPage }: Pages): {
  more: () => void;
  coming: boolean;
} {
  const loaded = data?.pages.length ?? 0;
  const [wanted, setWanted] = useState(0);
  const coming = wanted > loaded && hasNextPage;
  useEffect(() => {
    if (coming && !isFetching) fetchNextPage();
  }, [coming, isFetching, fetchNextPage]);
  return { more: () => setWanted(loaded + 1), coming };
}
