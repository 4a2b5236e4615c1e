import { useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
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

  const underway = useRef(new Set<string>());
  const { mutate: setPaused } = useMutation({
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
    onSettled: (_, __, { memory }) => underway.current.delete(memory.id),
  });
  /** A second click while the first is on its way asks for nothing more. */
  const pause = useCallback(
    (wanted: { memory: MemoryOut; paused: boolean }) => {
      if (underway.current.has(wanted.memory.id)) return;
      underway.current.add(wanted.memory.id);
      setPaused(wanted);
    },
    [setPaused],
  );

  return { confirm, pause };
}
