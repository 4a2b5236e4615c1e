import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { keepFocus, openerNow } from "./focus";
import type { Said } from "./UndoToast";
import { useUndoOffer } from "./useUndoOffer";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

export const UNDO_SECONDS = 8;
const SETTLED_MILLISECONDS = 1_000;

interface Options<Asked> {
  /** Ask the server to forget it after `UNDO_SECONDS`. */
  ask: (asked: Asked) => Promise<{ op_id: string }>;
  /** What the toast says, where that is not the usual. */
  said?: Said;
  /** Told at once, before anything is read again: it is hidden from then on. */
  onAccepted?: ((asked: Asked, operationId: string) => void) | undefined;
}

/**
 * Forget something at once, with a toast that undoes it while that is possible.
 *
 * Returns the mutation; it says itself what came of it.
 */
export function useForgetAtOnce<Asked>({ ask, said, onAccepted }: Options<Asked>) {
  const { t } = useTranslation("forgetting");
  const queries = useQueryClient();
  const words = useProblemWords();
  const offerUndo = useUndoOffer();
  const underway = useRef(new Set<string>());
  return useMutation({
    mutationFn: async (asked: Asked) => {
      const what = JSON.stringify(asked);
      if (underway.current.has(what)) return undefined; // pressed twice: once is enough
      underway.current.add(what);
      try {
        const opener = openerNow();
        const { op_id: operationId } = await ask(asked);
        return { operationId, opener };
      } finally {
        // The list it goes from is read again first.
        setTimeout(() => underway.current.delete(what), SETTLED_MILLISECONDS);
      }
    },
    onSuccess: (accepted, asked) => {
      if (accepted === undefined) return undefined;
      const { operationId, opener } = accepted;
      onAccepted?.(asked, operationId);
      offerUndo(operationId, UNDO_SECONDS, said);
      keepFocus(opener);
      return queries.invalidateQueries();
    },
    onError: (error) => {
      toast({ message: words(error), color: "gray", closeButtonProps: { "aria-label": t("close") } });
    },
  });
}
