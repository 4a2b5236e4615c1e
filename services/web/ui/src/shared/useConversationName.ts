import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { localeOf } from "@/app/i18n";
import type { ConversationOut } from "@/client";

/**
 * What a conversation is called: its title, or how it begins, or else when it began. How it begins is read each time and
 * kept nowhere: what is forgotten names nothing any more.
 */
export function useConversationName(): (
  conversation: Pick<ConversationOut, "title" | "opening" | "created_at">,
) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    ({ title, opening, created_at }) => {
      const name = title ?? opening;
      if (name !== null) return name;
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
