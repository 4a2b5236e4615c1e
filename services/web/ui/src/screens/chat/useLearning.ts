import { useQuery } from "@tanstack/react-query";

import type { WhatBecameOut } from "@/client";
import { getDerivedOptions } from "@/client/@tanstack/react-query.gen";
import { useNow } from "@/shared/operations/useNow";

const LOOK_AGAIN_MILLISECONDS = 1_500;

/** After so long somebody is told what learning waits for. */
const LONG_MILLISECONDS = 10_000;

/** How it stands with learning from a message nothing is known to be learned from. */
export type Learning =
  | { state: "underway" | "nothing" | "withheld" }
  /** It takes long: so many messages are learned from first. */
  | { state: "late"; ahead: number };

/**
 * Whether a message is still being learned from, or nothing was kept; `undefined` while nobody asks.
 *
 * Nothing changes when learning ends without a result, so no stream can tell of it: while it is awaited, this asks.
 */
export function useLearning(message: string, asks: boolean): Learning | undefined {
  const { data } = useQuery({
    ...getDerivedOptions({ path: { message_id: message } }),
    enabled: asks,
    refetchInterval: ({ state }) => (isUnderway(state.data) ? LOOK_AGAIN_MILLISECONDS : false),
  });
  const underway = isUnderway(data);
  const now = useNow(asks && underway);
  if (!asks) return undefined;
  if (!underway) return { state: data?.withheld.length ? "withheld" : "nothing" };
  const ahead = data?.ahead ?? null;
  const late = ahead !== null && now - Date.parse(ahead.since) >= LONG_MILLISECONDS;
  return late ? { state: "late", ahead: ahead.messages } : { state: "underway" };
}

/** A memory that is made and not in the list yet is on its way there. */
const isUnderway = (became: WhatBecameOut | undefined): boolean =>
  became === undefined || became.awaited.includes("memory") || became.derived.some(({ kind }) => kind === "memory");
