import type { InfiniteData } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** What a list that is read page by page says of itself. */
export interface Pages {
  data: InfiniteData<unknown> | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchNextPageError?: boolean;
  fetchNextPage: () => unknown;
}

/**
 * A way to ask for one page more that is not forgotten when something outdates the list meanwhile.
 *
 * An outdated list is read again at once, which breaks off whatever page was on its way.
 */
export function useMorePages({ data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): {
  more: () => void;
  coming: boolean;
  /** The last page that was asked for did not come. */
  failed: boolean;
} {
  const loaded = data?.pages.length ?? 0;
  const [wanted, setWanted] = useState(0);
  const failed = isFetchNextPageError === true && !isFetching; // it is asked for again when somebody says so
  const coming = wanted > loaded && hasNextPage && !failed;
  useEffect(() => {
    if (coming && !isFetching) fetchNextPage();
  }, [coming, isFetching, fetchNextPage]);
  const more = () => {
    setWanted(loaded + 1);
    if (failed) fetchNextPage();
  };
  return { more, coming, failed };
}
