import { useQuery } from "@tanstack/react-query";

import type { WhatBecameOut } from "@/client";
import { getDerivedOptions } from "@/client/@tanstack/react-query.gen";

const LOOK_AGAIN_MILLISECONDS = 1_500;

/** How it stands with learning from a message nothing is known to be learned from; `undefined` while nobody asks. */
export type Learning = "underway" | "nothing" | "withheld";

/**
 * Whether a message is still being learned from, or nothing was kept.
 *
 * Nothing changes when learning ends without a result, so no stream can tell of it: while it is awaited, this asks.
 */
export function useLearning(message: string, asks: boolean): Learning | undefined {
  const { data } = useQuery({
    ...getDerivedOptions({ path: { message_id: message } }),
    enabled: asks,
    refetchInterval: ({ state }) => (isUnderway(state.data) ? LOOK_AGAIN_MILLISECONDS : false),
  });
  if (!asks) return undefined;
  if (isUnderway(data)) return "underway";
  return data?.withheld.length ? "withheld" : "nothing";
}

/** A memory that is made and not in the list yet is on its way there. */
const isUnderway = (became: WhatBecameOut | undefined): boolean =>
  became === undefined || became.awaited.includes("memory") || became.derived.some(({ kind }) => kind === "memory");
