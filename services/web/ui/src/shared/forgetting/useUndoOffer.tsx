import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { UndoToast } from "./UndoToast";
import { toast } from "@/shared/toast";

/** A function that says that something is hidden, and offers for so many seconds to undo it. */
export function useUndoOffer(): (operationId: string, seconds: number) => void {
  const { t } = useTranslation("forgetting");
  return useCallback(
    (operationId, seconds) =>
      toast({
        id: operationId,
        message: <UndoToast operationId={operationId} />,
        autoClose: seconds * 1000,
        withBorder: true,
        closeButtonProps: { "aria-label": t("close") },
      }),
    [t],
  );
}
