import { useQuery } from "@tanstack/react-query";

import { getOverviewOptions } from "@/client/@tanstack/react-query.gen";

/** How many memories wait for the person: new ones to confirm, and contradictions to decide. */
export function useWaitingCount(): number {
  // What is contradicted may be new as well, and is one thing to decide: it is counted by its contradiction.
  const { data } = useQuery(getOverviewOptions({ query: { validity: "active" } }));
  return data === undefined ? 0 : data.waiting + data.contradicted;
}
