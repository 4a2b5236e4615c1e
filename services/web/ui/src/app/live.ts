import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { lookAgain } from "./session";
import type { OperationOut } from "@/client";
import { getOperationQueryKey } from "@/client/@tanstack/react-query.gen";

/** Which reads each area of the stream outdates, by the name of the operation that reads. */
const READS: Record<string, readonly string[]> = {
  memories: [
    "getOverview",
    "listLongTerm",
    "getLongTerm",
    "getExplanation",
    "getHistory",
    "getDerived",
    "getLearning",
    "getPreferences",
    "listDocuments",
    "listDocumentParts",
    "previewInjection",
    "searchMemory",
  ],
  conversations: [
    "getOverview",
    "listConversations",
    "searchConversations",
    "getConversation",
    "listMessages",
    "listEpisodes",
    "getSummary",
    "getLearning",
    "previewInjection",
  ],
  traits: [
    "listTraits",
    "getTrait",
    "getTraitExplanation",
    "getTraitHistory",
    "listRefusedTraits",
    "listReflections",
    "previewInjection",
  ],
  operations: ["listOperations", "getOperation", "getExport"],
  settings: ["getSettings", "getPreferences", "previewInjection"],
  consent: ["getProfileConsent", "getConsentHistory", "listContexts", "previewInjection"],
};

const POLL_MILLISECONDS = 5_000;

function outdate(queries: QueryClient, areas: readonly string[]): void {
  const names = new Set(areas.flatMap((area) => READS[area] ?? []));
  void queries.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === "object" && first !== null && "_id" in first && names.has(String(first._id)),
  });
}

/**
 * Listen to what changes, for as long as somebody looks; while the stream is away, everything shown is asked for again
 * every five seconds instead. Returns whether the stream is there.
 */
export function useLive(): boolean {
  const queries = useQueryClient();
  const [connected, setConnected] = useState(false);

  useEffect(() => {
    let stream: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    let wasLost = false;
    const lookWho = () => {
      if (document.visibilityState === "visible") void lookAgain(queries);
    };
    const opened = () => {
      setConnected(true);
      if (wasLost) lookWho(); // it may have ended because the session did
      wasLost = false;
      // The stream tells what has moved meanwhile; what could not be read meanwhile is asked for again.
      void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    };
    const listen = () => {
      stream = new EventSource("/api/v1/memory/events");
      stream.addEventListener("open", opened);
      stream.addEventListener("error", () => {
        setConnected(false);
        wasLost = true;
        // A browser connects again after a lost connection, and never after an answer that is no stream.
        if (stream.readyState === EventSource.CLOSED) again = setTimeout(listen, POLL_MILLISECONDS);
      });
      stream.addEventListener("changes", (event: MessageEvent<string>) => {
        outdate(queries, (JSON.parse(event.data) as { areas: string[] }).areas);
      });
      stream.addEventListener("operation", (event: MessageEvent<string>) => {
        const operation = JSON.parse(event.data) as OperationOut;
        queries.setQueryData(getOperationQueryKey({ path: { op_id: operation.id } }), operation);
        outdate(queries, ["operations"]);
      });
    };
    listen();
    document.addEventListener("visibilitychange", lookWho);
    return () => {
      document.removeEventListener("visibilitychange", lookWho);
      clearTimeout(again);
      stream.close();
    };
  }, [queries]);

  useEffect(() => {
    if (connected) return;
    const timer = setInterval(() => outdate(queries, Object.keys(READS)), POLL_MILLISECONDS);
    return () => clearInterval(timer);
  }, [connected, queries]);

  return connected;
}
