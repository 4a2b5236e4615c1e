import { queryOptions } from "@tanstack/react-query";

import { dryRunForget, type DryRunOut, getOverview } from "@/client";

/** What is kept in counts. Of forgotten conversations an empty entry stays: only those that are seen are counted. */
async function everything(): Promise<DryRunOut["counts"]> {
  const [foreseen, overview] = await Promise.all([
    dryRunForget({ body: { scope: "user" }, throwOnError: true }),
    getOverview({ throwOnError: true }),
  ]);
  const { counts } = foreseen.data;
  return { ...counts, postgres: { ...counts["postgres"], conversations: overview.data.conversations } };
}

/** Everything that is kept about a person, in counts: what would go, or leave. */
export const everythingOptions = queryOptions({
  queryKey: [{ _id: "getOverview", of: "everything" }],
  queryFn: everything,
});
