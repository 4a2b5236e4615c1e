import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";
import type { ConversationOut } from "@/client";

/** What a conversation is called: its title, or else when it began. Nothing said in it ever becomes its name. */
export function useConversationName(): (conversation: Pick<ConversationOut, "title" | "created_at">) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ title, created_at }) => {
      if (title !== null) return title;
      const began = new Date(created_at);
      const year = began.getFullYear() === new Date().getFullYear() ? {} : ({ year: "numeric" } as const);
      const when = new Intl.DateTimeFormat(localeOf(i18n.language), {
        day: "numeric",
        month: "short",
        hour: "numeric",
        minute: "2-digit",
        ...year,
      }).format(began);
      return t("conversationOf", { when });
    },
    [t, i18n.language],
  );
}
