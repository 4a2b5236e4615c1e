import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import type { TraitOut } from "@/client";
import { getTraitExplanationQueryKey, listTraitsOptions } from "@/client/@tanstack/react-query.gen";

/** All of them are one page: the vocabulary of traits is smaller. */
export const traitsOptions = () => listTraitsOptions({ query: { limit: 200 } });

const READS = ["listTraits", "getTrait", "getTraitExplanation", "getTraitHistory"];

/** The header that says which version of a trait is meant. */
export const versionOf = ({ version }: Pick<TraitOut, "version">) => ({ "If-Match": `"${version}"` });

/** What to call when traits have changed: they are read again, without waiting for the live stream. */
export function useTraitsOutdated(): () => void {
  const queries = useQueryClient();
  return useCallback(
    () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          typeof first === "object" && first !== null && "_id" in first && READS.includes(String(first._id)),
      }),
    [queries],
  );
}

/** What to call with a trait the server has just changed: it is shown as it is now, and the others are read again. */
export function useTraitChanged(): (trait: TraitOut) => void {
  const queries = useQueryClient();
  const outdated = useTraitsOutdated();
  return useCallback(
    (trait) => {
      queries.setQueryData(traitsOptions().queryKey, (list) => list?.map((one) => (one.id === trait.id ? trait : one)));
      const explanation = getTraitExplanationQueryKey({ path: { trait_id: trait.id } });
      queries.setQueryData(explanation, (before) => before && { ...before, trait });
      outdated();
    },
    [queries, outdated],
  );
}
