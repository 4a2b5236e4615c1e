import { List, Stack, Text, Title } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { everythingOptions } from "./everything";
import type { ConversationOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { kindsIn } from "@/shared/forgetting/kinds";
import { listed } from "@/shared/listed";
import { useConversationName } from "@/shared/useConversationName";
import { Waiting } from "@/shared/Waiting";

interface Props {
  /** The one conversation, as it is read; absent for everything. */
  conversation: UseQueryResult<ConversationOut, unknown> | undefined;
}

/** What a package will hold, and what it means that it leaves. */
export function WhatLeaves({ conversation }: Props) {
  const { t } = useTranslation("data");
  return (
    <>
      <Stack gap="xs">
        <Title order={3}>{t("confirm.holds")}</Title>
        {conversation === undefined ? <Everything /> : <Conversation {...conversation} />}
      </Stack>
      <Stack gap="xs">
        <Title order={3}>{t("confirm.meansTitle")}</Title>
        <List size="sm" spacing={4} withPadding={false}>
          <List.Item>{t("confirm.means.readable")}</List.Item>
          <List.Item>{t("confirm.means.yours")}</List.Item>
          <List.Item>{t("confirm.means.withdrawn")}</List.Item>
        </List>
      </Stack>
    </>
  );
}

/** Everything in counts. When it cannot be counted it may leave all the same; then that is said. */
function Everything() {
  const { t, i18n } = useTranslation("data");
  const { data: counts, isPending, isError } = useQuery(everythingOptions);
  if (isPending) return <Waiting lines={1} />;
  const kinds = isError ? [] : kindsIn(counts, t);
  return (
    <>
      {isError && <Text size="sm">{t("confirm.uncounted")}</Text>}
      {kinds.length > 0 && <Text size="sm">{listed(kinds, i18n.language)}</Text>}
      <Text size="sm">{t("confirm.andMore")}</Text>
    </>
  );
}

/** Which conversation it is, by its name; nobody is asked about one that is not known. */
function Conversation({ data, error, refetch }: NonNullable<Props["conversation"]>) {
  const { t } = useTranslation("data");
  const nameOf = useConversationName();
  if (data === undefined) {
    return error === null ? <Waiting lines={1} /> : <Failed error={error} again={() => void refetch()} />;
  }
  return (
    <>
      <Text size="sm">{t("confirm.conversation", { name: nameOf(data), count: data.message_count })}</Text>
      <Text size="sm">{t("confirm.andSummary")}</Text>
    </>
  );
}
