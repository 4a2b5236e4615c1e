import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { MemoryOut } from "@/client";
import { listLongTermOptions } from "@/client/@tanstack/react-query.gen";

const MOST = 50;

/** What waits for a decision: contradicted by something newer, or else learned and not looked at yet. */
export function useInbox(moment: number) {
  const waiting = useQuery(listLongTermOptions({ query: { waiting: true, validity: "active", limit: MOST } }));
  const contradicted = useQuery(listLongTermOptions({ query: { validity: "contradicted", limit: MOST } }));
  return {
    /** Whether there are others, which follow when these are decided. */
    more: { fresh: waiting.data?.length === MOST, conflicts: contradicted.data?.length === MOST },
    fresh: useStanding(waiting.data, moment),
    conflicts: useStanding(contradicted.data, moment),
    isPending: waiting.isPending || contradicted.isPending,
    error: unread(waiting) ?? unread(contradicted),
    again: () => {
      void waiting.refetch();
      void contradicted.refetch();
    },
  };
}

/** Why a list cannot be shown; one that was read before is shown on. */
const unread = ({ data, error }: { data: unknown; error: unknown }): unknown => (data === undefined ? error : null);

/** What was there at `moment` and still is: nothing pushes in while somebody decides. When all is decided, the next. */
function useStanding(memories: readonly MemoryOut[] | undefined, moment: number): readonly MemoryOut[] {
  const [known, setKnown] = useState<{ moment: number; ids: ReadonlySet<string> }>();
  const standing = memories?.filter(({ id }) => known?.ids.has(id)) ?? [];
  const anew = known?.moment !== moment || (known.ids.size === MOST && standing.length === 0);
  if (memories !== undefined && anew && (known?.moment !== moment || memories.length > 0)) {
    setKnown({ moment, ids: new Set(memories.map(({ id }) => id)) });
  }
  return standing;
}
