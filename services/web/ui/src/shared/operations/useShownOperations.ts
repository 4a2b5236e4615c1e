import { useEffect, useState } from "react";

import { isRunning, secondsUntil } from "./states";
import { useNow } from "./useNow";
import type { OperationOut } from "@/client";

const ENDED_MILLISECONDS = 6000;

/**
 * Operations at work or stopped, and for some seconds those that were seen at work and have ended; newest first.
 *
 * What can still be undone is not among them: it says so itself where it was asked for, and nothing goes on yet.
 */
export function useShownOperations(operations: readonly OperationOut[] = []): OperationOut[] {
  const now = useNow(operations.some((one) => isRunning(one) && one.not_before !== null));
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isActive = (one: OperationOut): boolean =>
    one.status === "failed" || (isRunning(one) && secondsUntil(one.not_before, now) === 0);

  const unseen = operations.filter((one) => isActive(one) && !seen.has(one.id));
  if (unseen.length > 0) setSeen(new Set([...seen, ...unseen.map(({ id }) => id)]));

  const ended = operations.filter((one) => !isActive(one) && seen.has(one.id));
  const endedNow = ended.map(({ id }) => id).join();
  useEffect(() => {
    if (endedNow === "") return;
    const over = new Set(endedNow.split(","));
    const timer = setTimeout(
      () => setSeen((before) => new Set([...before].filter((id) => !over.has(id)))),
      ENDED_MILLISECONDS,
    );
    return () => clearTimeout(timer);
  }, [endedNow]);

  return operations.filter((one) => isActive(one) || seen.has(one.id));
}
