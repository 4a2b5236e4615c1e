import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconEyeOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

import { updateThread } from "@/client";
import { listContextsOptions } from "@/client/@tanstack/react-query.gen";
import { ME, useConsent } from "@/shared/consent/consents";
import type { MenuEntry } from "@/shared/menu";
import { toast } from "@/shared/toast";
import { useProblemWords } from "@/shared/useProblemWords";

/** How to forget what a thread was told about the person, as a line of a menu; none where there is nothing of it. */
export function useThreadPreferences(thread: string): MenuEntry[] {
  const { t } = useTranslation("consent");
  const queries = useQueryClient();
  const words = useProblemWords();
  const consent = useConsent();
  // Whoever never consented has no such context, and most people never will: nothing is asked for them.
  const asked = consent.data?.consent != null;
  const contexts = useQuery({
    ...listContextsOptions({ path: ME, query: { conversation_id: thread } }),
    enabled: asked,
  });
  const forget = useMutation({
    mutationFn: async () =>
      (await updateThread({ path: { thread_id: thread }, body: { consent_blocked: true }, throwOnError: true })).data,
    onSuccess: () => {
      toast({ message: t("thread.done") });
      return queries.invalidateQueries();
    },
    onError: (error) => toast({ message: words(error), color: "gray" }),
  });
  const any = contexts.data?.some(({ consent_blocked }) => !consent_blocked);
  return any === true ? [{ name: t("thread.forget"), Icon: IconEyeOff, onClick: () => forget.mutate() }] : [];
}
