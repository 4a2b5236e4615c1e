import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useMemoryChanged } from "./changed";
import { useRefusal } from "./refusals";
import { confirmLongTerm, type ConfirmIn, type MemoryOut, updateLongTerm } from "@/client";
import { toast } from "@/shared/toast";

/** The header that says which version of a memory is meant. */
export const versionOf = ({ version }: Pick<MemoryOut, "version">) => ({ "If-Match": `"${version}"` });

/** Keep a memory as true, decide a contradiction, pause and resume; each says what happened, or why it did not. */
export function useMemoryActions() {
  const { t } = useTranslation("memories");
  const changed = useMemoryChanged();
  const refusal = useRefusal();
  const onError = (error: unknown) => toast({ message: refusal(error), color: "gray" });

  const confirm = useMutation({
    mutationFn: async (body: ConfirmIn) => (await confirmLongTerm({ body, throwOnError: true })).data,
    onSuccess: changed,
    onError,
  });

  const pause = useMutation({
    mutationFn: async ({ memory, paused }: { memory: MemoryOut; paused: boolean }) => {
      const path = { memory_id: memory.id };
      const answer = await updateLongTerm({
        path,
        headers: versionOf(memory),
        body: { disabled: paused },
        throwOnError: true,
      });
      return answer.data;
    },
    onSuccess: (memory) => {
      changed(memory);
      toast({ message: memory.disabled ? t("paused.done") : t("paused.undone") });
    },
    onError,
  });

  return { confirm, pause };
}
