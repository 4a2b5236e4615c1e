import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Consequences } from "./consequences";
import { copiesIn, kindsIn } from "./kinds";
import { listed } from "@/shared/listed";

/** What would go: first in counts, then in the person's own words. */
export function WhatGoes({ of }: { of: Consequences }) {
  const { t, i18n } = useTranslation("forgetting");
  const kinds = [...kindsIn(of.counts, t), ...(of.partly > 0 ? [t("kinds.parts", { count: of.partly })] : [])];
  const copies = copiesIn(of.counts, t);
  return (
    <Stack gap="xs">
      <Title order={3}>{t("goes")}</Title>
      {kinds.length > 0 && <Text size="sm">{listed(kinds, i18n.language)}</Text>}
      {of.itself.map((words) => (
        <Quote key={words} words={words} />
      ))}
      {of.moreOfIt > 0 && (
        <Text size="sm" c="dimmed">
          {t("andMore", { count: of.moreOfIt })}
        </Text>
      )}
      {of.remembered.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mt={4}>
            {t("remembered")}
          </Text>
          {of.remembered.map((words) => (
            <Quote key={words} words={words} />
          ))}
        </>
      )}
      {copies.length > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t("copies.all", { copies: listed(copies, i18n.language) })}
        </Text>
      )}
    </Stack>
  );
}

const Quote = ({ words }: { words: string }) => (
  <blockquote className="quote">
    <Text size="sm" lineClamp={3}>
      {words}
    </Text>
  </blockquote>
);
