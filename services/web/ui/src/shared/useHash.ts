import { useSyncExternalStore } from "react";

/** What tells of another address: the browser's own events, and those that the router makes of its calls. */
const EVENTS = ["hashchange", "popstate", "pushState", "replaceState"] as const;

function subscribe(tell: () => void): () => void {
  for (const name of EVENTS) addEventListener(name, tell);
  return () => {
    for (const name of EVENTS) removeEventListener(name, tell);
  };
}

/** The part of the address after `#`, as it is now; empty if there is none. */
export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash.slice(1));
