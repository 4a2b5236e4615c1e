import { List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Consequences } from "./consequences";
import type { Target } from "./target";

interface Props {
  of: Consequences;
  scope: Target["scope"];
  /** Whether a message takes its whole turn along. */
  cascade: boolean;
}

/** What would stay although it is close by, and what nobody can take back. */
export function WhatStays({ of, scope, cascade }: Props) {
  const { t } = useTranslation("forgetting");
  const { messages = 0, memories = 0 } = of.counts["postgres"] ?? {};
  const stays = [
    scope === "message" && !cascade && (of.role === "user" ? t("stays.answer") : t("stays.question")),
    scope === "conversation" && t("stays.elsewhere"),
    scope === "selection" && messages === 0 && memories > 0 && t("stays.sources"),
    of.partly > 0 && t("stays.partly", { count: of.partly }),
    of.learnedAgain > 0 && t("stays.learnedAgain", { count: of.learnedAgain }),
    scope !== "conversation" && (of.counts["postgres"]?.["summaries"] ?? 0) > 0 && t("stays.summary"),
    t("stays.sent"),
  ].filter((words) => words !== false);
  return (
    <Stack gap="xs">
      <Title order={3}>{t("staysTitle")}</Title>
      <List size="sm" spacing={4} withPadding={false}>
        {stays.map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed">
        {t("backups")}
      </Text>
    </Stack>
  );
}
