import { useSyncExternalStore } from "react";

function often(tell: () => void): () => void {
  const timer = setInterval(tell, 250);
  return () => clearInterval(timer);
}

const never = () => () => undefined;

const second = (): number => Math.floor(Date.now() / 1000) * 1000;

/** The current second in milliseconds; it moves only while `ticking`. */
export const useNow = (ticking: boolean): number => useSyncExternalStore(ticking ? often : never, second);
