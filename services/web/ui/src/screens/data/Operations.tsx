import { Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Operation } from "./Operation";
import { listOperations } from "@/client";
import { Failed } from "@/shared/Failed";
import { More } from "@/shared/More";
import { pagesOf } from "@/shared/pages";
import { Waiting } from "@/shared/Waiting";

const PAGE = 20;

/** Everything that was ever made to go, newest first, with how far it is. */
export function Operations() {
  const { t } = useTranslation("data");
  const operations = useInfiniteQuery(pagesOf("listOperations", listOperations, { limit: PAGE }));
  const found = operations.data?.pages.flatMap(({ items }) => items);
  const loaded = found !== undefined;
  useEffect(() => {
    // A link names the operation it means by the part after #.
    if (loaded) document.getElementById(location.hash.slice(1))?.focus();
  }, [loaded]);
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{t("operations.title")}</Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("operations.about")}
        </Text>
      </div>
      {operations.isPending && <Waiting />}
      {operations.isError && <Failed error={operations.error} again={() => void operations.refetch()} />}
      {found?.length === 0 && <Text c="dimmed">{t("operations.none")}</Text>}
      {found?.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
      <More pages={operations} />
    </Stack>
  );
}
