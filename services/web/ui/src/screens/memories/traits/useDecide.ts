import { useMutation } from "@tanstack/react-query";
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
  return useMutation({
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
  });
}
