import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { listConversations } from "@/client";
import { Failed } from "@/shared/Failed";
import { More } from "@/shared/More";
import { useForget } from "@/shared/forgetting/Forgetting";
import { pagesOf } from "@/shared/pages";
import { useConversationName } from "@/shared/useConversationName";
import { Waiting } from "@/shared/Waiting";
import { When } from "@/shared/When";

const PAGE = 50;

/** All conversations, each with the way to make it go. */
export function ForgetConversation() {
  const { t } = useTranslation("data");
  const nameOf = useConversationName();
  const forget = useForget();
  const conversations = useInfiniteQuery(pagesOf("listConversations", listConversations, { limit: PAGE }));
  const found = conversations.data?.pages.flatMap(({ items }) => items);
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{t("conversation.title")}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("conversation.about")}
        </Text>
      </div>
      {conversations.isPending && <Waiting />}
      {conversations.isError && <Failed error={conversations.error} again={() => void conversations.refetch()} />}
      {found?.length === 0 && <Text c="dimmed">{t("conversation.none")}</Text>}
      {found !== undefined && found.length > 0 && (
        <Stack gap="xs">
          {found.map(({ id, title, opening, created_at, updated_at, message_count }) => {
            const name = nameOf({ title, opening, created_at });
            return (
              <Group key={id} className="card" px="md" py="sm" justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0 }}>
                  <Text truncate>{name}</Text>
                  <Text size="sm" c="dimmed">
                    {t("conversation.messages", { count: message_count })} · <When at={updated_at} />
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  flex="none"
                  onClick={() => forget({ target: { scope: "conversation", id } })}
                  aria-label={t("conversation.forgetNamed", { name })}
                >
                  {t("conversation.forget")}
                </Button>
              </Group>
            );
          })}
        </Stack>
      )}
      <More pages={conversations} />
    </Stack>
  );
}
