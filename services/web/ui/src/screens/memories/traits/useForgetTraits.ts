import { useTranslation } from "react-i18next";

import { clearTraits, deleteTrait, type TraitOut } from "@/client";
import { UNDO_SECONDS, useForgetAtOnce } from "@/shared/forgetting/useForgetAtOnce";
import type { OnceHeaders } from "@/shared/once";

/** Forget one trait that is not so; a toast says what that means, and undoes it while that is possible. */
export function useForgetTrait(onAccepted: (trait: TraitOut, operationId: string) => void) {
  const { t } = useTranslation("traits");
  return useForgetAtOnce({
    ask: async ({ id }: TraitOut, headers) => {
      const query = { undo_seconds: UNDO_SECONDS };
      return (await deleteTrait({ path: { trait_id: id }, query, headers, throwOnError: true })).data;
    },
    said: { hidden: t("forgotten.one"), undone: t("forgotten.undone") },
    onAccepted,
  });
}

/** Forget everything that is inferred, likewise. */
export function useClearTraits(onAccepted: (operationId: string) => void) {
  const { t } = useTranslation("traits");
  return useForgetAtOnce({
    ask: async (_: unknown, headers: OnceHeaders) =>
      (await clearTraits({ body: { undo_seconds: UNDO_SECONDS }, headers, throwOnError: true })).data,
    said: { hidden: t("forgotten.all"), undone: t("forgotten.undone") },
    onAccepted: (_, operationId) => onAccepted(operationId),
  });
}
