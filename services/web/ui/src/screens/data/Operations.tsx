import { Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Operation } from "./Operation";
import { listOperations } from "@/client";
import { getOperationOptions } from "@/client/@tanstack/react-query.gen";
import { Failed } from "@/shared/Failed";
import { More } from "@/shared/More";
import { pagesOf } from "@/shared/pages";
import { useHash } from "@/shared/useHash";
import { Waiting } from "@/shared/Waiting";

const PAGE = 20;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Everything that was ever made to go, newest first, with how far it is. */
export function Operations() {
  const { t } = useTranslation("data");
  const operations = useInfiniteQuery(pagesOf("listOperations", listOperations, { limit: PAGE }));
  const listed = operations.data?.pages.flatMap(({ items }) => items);
  // A link names the operation it means by the part after #; an older one is read for itself.
  const meant = useHash();
  const elsewhere = listed !== undefined && UUID.test(meant) && listed.every(({ id }) => id !== meant);
  const older = useQuery({ ...getOperationOptions({ path: { op_id: meant } }), enabled: elsewhere, retry: false });
  const found = elsewhere && older.data !== undefined ? [older.data, ...(listed ?? [])] : listed;
  const there = found?.some(({ id }) => id === meant) === true;
  useEffect(() => {
    if (there) document.getElementById(meant)?.focus();
  }, [there, meant]);
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
