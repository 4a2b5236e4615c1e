import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { listMessages, type MessageOut } from "@/client";

const PAGE = 50;

/** Named after the reading operation, as the live stream outdates reads by it. */
export const messagesKey = (conversation: string) =>
  [{ _id: "listMessages", query: { conversation_id: conversation } }] as const;

/** A conversation's messages, newest page first: the next page has what was said before. */
export const messagesOptions = (conversation: string) =>
  infiniteQueryOptions({
    queryKey: messagesKey(conversation),
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { conversation_id: conversation, limit: PAGE };
      const asked = pageParam === undefined ? query : { ...query, before_seq: pageParam };
      return (await listMessages({ query: asked, signal, throwOnError: true })).data;
    },
    getNextPageParam: (page: MessageOut[]) => (page.length < PAGE ? undefined : page[0]?.seq),
  });

/** A conversation's messages as far as they are read, oldest first. */
export function useMessages(conversation: string | undefined) {
  const query = useInfiniteQuery({ ...messagesOptions(conversation ?? ""), enabled: conversation !== undefined });
  const { data } = query;
  return { query, messages: useMemo(() => data && [...data.pages].reverse().flat(), [data]) };
}
