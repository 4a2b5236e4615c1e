import { NativeSelect, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Failed } from "@/shared/Failed";
import { useAllConversations } from "@/shared/conversations";
import { useConversationName } from "@/shared/useConversationName";
import { Waiting } from "@/shared/Waiting";

interface Props {
  chosen: string | undefined;
  onChoose: (conversation: string) => void;
}

/** One of a person's conversations: the one that was open last, or else the newest, until another is chosen. */
export function WhichConversation({ chosen, onChoose }: Props) {
  const { t } = useTranslation("data");
  const nameOf = useConversationName();
  const { listed, error, refetch, hasNextPage } = useAllConversations();
  const newest = listed?.[0]?.id;
  const isThere = listed?.some(({ id }) => id === chosen) ?? true;
  useEffect(() => {
    // What was open last may be gone by now; on a further page it is only not there yet.
    if (newest !== undefined && !isThere && !hasNextPage) onChoose(newest);
  }, [newest, isThere, hasNextPage, onChoose]);

  if (error !== null && listed === undefined) return <Failed error={error} again={() => void refetch()} />;
  if (listed === undefined) return <Waiting lines={1} />;
  if (newest === undefined) return <Text c="dimmed">{t("conversation.none")}</Text>;
  return (
    <NativeSelect
      label={t("export.which")}
      value={chosen ?? newest}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={listed.map((one) => ({ value: one.id, label: nameOf(one) }))}
    />
  );
}
