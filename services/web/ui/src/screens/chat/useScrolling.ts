import { useLayoutEffect, useRef } from "react";

import type { Exchange } from "./exchange";

const NEAR_PIXELS = 160;

/**
 * Keeps a conversation where it is read: at its end when it is opened, when its person says something, and while an
 * answer grows under the eyes of who reads there; in place when earlier messages are put above.
 */
export function useScrolling(
  first: string | undefined,
  last: string | undefined,
  exchange: Exchange | undefined,
): void {
  const before = useRef<{ first: string; height: number } | null>(null);
  const said = useRef<string | undefined>(undefined);

  useLayoutEffect(() => {
    if (first === undefined) return;
    const page = document.documentElement;
    const earlier = before.current !== null && before.current.first !== first && page.scrollTop < NEAR_PIXELS;
    const isNew = before.current === null || (exchange !== undefined && exchange.id !== said.current);
    if (earlier && before.current !== null) page.scrollTop += page.scrollHeight - before.current.height;
    else if (isNew || page.scrollHeight - page.scrollTop - page.clientHeight < NEAR_PIXELS)
      page.scrollTop = page.scrollHeight;
    said.current = exchange?.id;
    before.current = { first, height: page.scrollHeight };
  }, [first, last, exchange]);
}
