import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";

import { useOneConversation } from "./useOneConversation";
import { useAllConversations } from "@/shared/conversations";
import { useConversationName } from "@/shared/useConversationName";

/** Which conversation is shown; every one can be chosen. */
export function Picker({ chosen }: { chosen: string }) {
  const { t } = useTranslation("conversation");
  const name = useConversationName();
  const [, navigate] = useLocation();
  const { listed = [] } = useAllConversations();
  const { data: here } = useOneConversation(chosen);

  const known = here === undefined || listed.some(({ id }) => id === chosen) ? listed : [here, ...listed];
  const options = known.map((one) => ({ value: one.id, label: name(one) }));
  const isListed = known.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      aria-label={t("picker")}
      value={chosen}
      onChange={(event) => navigate(`/conversation/${event.currentTarget.value}`)}
      data={[...(isListed ? [] : [{ value: chosen, label: "…" }]), ...options]}
      w={280}
      maw="100%"
    />
  );
}
