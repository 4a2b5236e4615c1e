import { Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { Package } from "./Package";
import type { Again } from "./wanted";
import { listOperations } from "@/client";
import { Failed } from "@/shared/Failed";
import { isExport } from "@/shared/operations/states";
import { pagesOf } from "@/shared/pages";
import { Waiting } from "@/shared/Waiting";

/** So many of the newest operations are looked through; the others are under Progress. */
const LOOKED_THROUGH = 100;

/** As many as can be had at once, and as many again: of old packages nothing is left but that they were. */
const SHOWN = 20;

interface Props {
  /** The one asked for just now. */
  newest: string | undefined;
  onAgain: (wanted: Again) => void;
}

/** The newest packages: being written, to be had, or gone. */
export function Packages({ newest, onAgain }: Props) {
  const { t } = useTranslation("data");
  const operations = useInfiniteQuery(pagesOf("listOperations", listOperations, { limit: LOOKED_THROUGH }));
  const exports = operations.data?.pages.flatMap(({ items }) => items).filter(isExport);
  return (
    <Stack component="section" gap="md" aria-labelledby="packages">
      <div>
        <Title order={2} id="packages">
          {t("package.title")}
        </Title>
        <Text size="sm" c="dimmed" mt={4}>
          {t("package.about")}
        </Text>
      </div>
      {operations.isPending && <Waiting lines={1} />}
      {operations.isError && <Failed error={operations.error} again={() => void operations.refetch()} />}
      {exports?.length === 0 && <Text c="dimmed">{t("package.none")}</Text>}
      {exports?.slice(0, SHOWN).map((operation) => (
        <Package key={operation.id} operation={operation} isNew={operation.id === newest} onAgain={onAgain} />
      ))}
    </Stack>
  );
}
