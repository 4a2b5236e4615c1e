import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { keepFocus, openerNow } from "./focus";
import { useUndoOffer } from "./useUndoOffer";
import { deleteLongTerm } from "@/client";
import { useProblemWords } from "@/shared/useProblemWords";
import { toast } from "@/shared/toast";

export const UNDO_SECONDS = 8;

/**
 * Forget one memory at once, with a toast that undoes it while that is possible.
 *
 * Returns the mutation: `mutate(memoryId)`; it says itself what came of it. `onAccepted` is told at once, before anything
 * is read again: the memory is hidden from then on.
 */
export function useForgetSmall(onAccepted?: (memoryId: string, operationId: string) => void) {
  const { t } = useTranslation("forgetting");
  const queries = useQueryClient();
  const words = useProblemWords();
  const offerUndo = useUndoOffer();
  return useMutation({
    mutationFn: async (memoryId: string) => {
      const opener = openerNow();
      const { data } = await deleteLongTerm({
        path: { memory_id: memoryId },
        query: { undo_seconds: UNDO_SECONDS },
        throwOnError: true,
      });
      return { operationId: data.op_id, opener };
    },
    onSuccess: ({ operationId, opener }, memoryId) => {
      onAccepted?.(memoryId, operationId);
      offerUndo(operationId, UNDO_SECONDS);
      keepFocus(opener);
      return queries.invalidateQueries();
    },
    onError: (error) => {
      toast({ message: words(error), color: "gray", closeButtonProps: { "aria-label": t("close") } });
    },
  });
}
