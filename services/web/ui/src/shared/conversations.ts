import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { listConversations } from "@/client";
import { pagesOf } from "@/shared/pages";

/** A person's conversations, newest first. */
export const conversationsOptions = pagesOf("listConversations", listConversations, { limit: 50 });

/** All of a person's conversations, page after page, where one of them is to be chosen. */
export function useAllConversations() {
  const list = useInfiniteQuery(conversationsOptions);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  return { ...list, listed: list.data?.pages.flatMap(({ items }) => items) };
}
