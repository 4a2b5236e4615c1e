import { List, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { everythingOptions } from "../everything";
import { localeOf } from "@/app/i18n";
import { conversationsOptions } from "@/shared/conversations";
import { kindsIn } from "@/shared/forgetting/kinds";
import { useConversationName } from "@/shared/useConversationName";
import { Waiting } from "@/shared/Waiting";

/** What a package will hold, and what it means that it leaves; `conversation` is absent for everything. */
export function WhatLeaves({ conversation }: { conversation: string | undefined }) {
  const { t } = useTranslation("data");
  return (
    <>
      <Stack gap="xs">
        <Title order={3}>{t("confirm.holds")}</Title>
        {conversation === undefined ? <Everything /> : <Conversation id={conversation} />}
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

/** Everything in counts; without them, when they cannot be had, it may be exported all the same. */
function Everything() {
  const { t, i18n } = useTranslation("data");
  const { data: counts, isPending } = useQuery(everythingOptions);
  const kinds = counts === undefined ? [] : kindsIn(counts, t);
  if (isPending) return <Waiting lines={1} />;
  return (
    <>
      {kinds.length > 0 && <Text size="sm">{new Intl.ListFormat(localeOf(i18n.language)).format(kinds)}</Text>}
      <Text size="sm">{t("confirm.andMore")}</Text>
    </>
  );
}

function Conversation({ id }: { id: string }) {
  const { t } = useTranslation("data");
  const nameOf = useConversationName();
  const { data } = useInfiniteQuery(conversationsOptions);
  const found = data?.pages.flatMap(({ items }) => items).find((one) => one.id === id);
  return (
    <>
      {found !== undefined && (
        <Text size="sm">{t("confirm.conversation", { name: nameOf(found), count: found.message_count })}</Text>
      )}
      <Text size="sm">{t("confirm.andSummary")}</Text>
    </>
  );
}
