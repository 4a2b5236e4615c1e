import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { keepFocus, openerNow } from "./focus";
import type { Said } from "./UndoToast";
import { useUndoOffer } from "./useUndoOffer";
import { type OnceHeaders, randomKey } from "@/shared/once";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

export const UNDO_SECONDS = 8;

interface Options<Asked> {
  /** Ask the server to forget it after `UNDO_SECONDS`; `headers` make one request of all attempts. */
  ask: (asked: Asked, headers: OnceHeaders) => Promise<{ op_id: string }>;
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
  const keys = useRef(new Map<string, string>());
  return useMutation({
    mutationFn: async (asked: Asked) => {
      const what = JSON.stringify(asked);
      if (underway.current.has(what)) return undefined; // pressed twice: once is enough
      underway.current.add(what);
      try {
        const opener = openerNow();
        const key = keys.current.get(what) ?? randomKey();
        keys.current.set(what, key);
        const { op_id: operationId } = await ask(asked, { "Idempotency-Key": key });
        keys.current.delete(what);
        return { what, operationId, opener };
      } catch (error) {
        underway.current.delete(what);
        throw error;
      }
    },
    onSuccess: async (accepted, asked) => {
      if (accepted === undefined) return;
      const { what, operationId, opener } = accepted;
      onAccepted?.(asked, operationId);
      offerUndo(operationId, UNDO_SECONDS, said);
      keepFocus(opener);
      // Until the list it goes from was read again it stands there, and may be pressed.
      await queries.invalidateQueries().finally(() => underway.current.delete(what));
    },
    onError: (error) => {
      toast({ message: words(error), color: "gray", closeButtonProps: { "aria-label": t("close") } });
    },
  });
}
