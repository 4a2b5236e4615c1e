import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { clearLearnedPreferences } from "@/client";
import { keepFocus, openerNow } from "@/shared/forgetting/focus";
import { UndoToast } from "@/shared/forgetting/UndoToast";
import { UNDO_SECONDS } from "@/shared/forgetting/useForgetSmall";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

/** Forget what feedback has taught, with a toast that undoes it while that is possible; it says itself what came of it. */
export function useClearLearned() {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  const words = useProblemWords();
  return useMutation({
    mutationFn: async () => {
      const opener = openerNow();
      const { data } = await clearLearnedPreferences({ body: { undo_seconds: UNDO_SECONDS }, throwOnError: true });
      return { operationId: data.op_id, opener };
    },
    onSuccess: ({ operationId, opener }) => {
      toast({
        id: operationId,
        message: <UndoToast operationId={operationId} />,
        autoClose: UNDO_SECONDS * 1000,
        withBorder: true,
        closeButtonProps: { "aria-label": t("forgetting:close") },
      });
      keepFocus(opener);
      return queries.invalidateQueries();
    },
    onError: (error) => {
      toast({
        message: words(error),
        color: "gray",
        closeButtonProps: { "aria-label": t("forgetting:close") },
      });
    },
  });
}
