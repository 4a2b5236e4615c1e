import { useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useTraitRefusal } from "./refusals";
import { useTraitChanged, useTraitsOutdated, versionOf } from "./traits";
import { useTraitWords } from "./words";
import { type TraitOut, type TraitPatch, updateTrait } from "@/client";
import { toast } from "@/shared/toast";

interface Decision {
  trait: TraitOut;
  body: Pick<TraitPatch, "confirmed" | "context">;
}

/** Say of a trait that it is right, or where it holds; each says what happened, or why it did not. */
export function useDecide() {
  const { t } = useTranslation("traits");
  const words = useTraitWords();
  const changed = useTraitChanged();
  const outdated = useTraitsOutdated();
  const refusal = useTraitRefusal();
  const underway = useRef(new Set<string>());
  const { mutate } = useMutation({
    mutationFn: async ({ trait, body }: Decision) => {
      const path = { trait_id: trait.id };
      return (await updateTrait({ path, headers: versionOf(trait), body, throwOnError: true })).data;
    },
    onSuccess: (trait, { body }) => {
      changed(trait);
      if (body.context !== undefined) toast({ message: t("confined", { where: words.where(trait) }) });
    },
    onError: (error) => {
      outdated();
      toast({ message: refusal(error), color: "gray" });
    },
    onSettled: (_, __, { trait }) => underway.current.delete(trait.id),
  });
  /** A second click while the first is on its way asks for nothing more. */
  return useCallback(
    (decision: Decision) => {
      if (underway.current.has(decision.trait.id)) return;
      underway.current.add(decision.trait.id);
      mutate(decision);
    },
    [mutate],
  );
}
