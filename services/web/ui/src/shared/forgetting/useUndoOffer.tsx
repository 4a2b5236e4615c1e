import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { type Said, UndoToast } from "./UndoToast";
import { offer } from "@/shared/toast";

/** A function that says that something is hidden, and offers for so many seconds to undo it. */
export function useUndoOffer(): (operationId: string, seconds: number, said?: Said) => void {
  const { t } = useTranslation("forgetting");
  return useCallback(
    (operationId, seconds, said) =>
      offer({
        id: operationId,
        message: <UndoToast operationId={operationId} said={said} />,
        autoClose: seconds * 1000,
        withBorder: true,
        closeButtonProps: { "aria-label": t("close") },
      }),
    [t],
  );
}
