import { Alert, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { Acts } from "./acts";
import type { Filters } from "./filters";
import { MemoryRow } from "./MemoryRow";
import { PickBar } from "./PickBar";
import { isTicked, type Picking } from "./picking";
import { type DoneByPlace, rowsOf } from "./rows";
import { useFound } from "./useFound";
import type { OverviewOut } from "@/client";
import { Failed } from "@/shared/Failed";
import { Waiting } from "@/shared/Waiting";

interface Props {
  query: string;
  filters: Filters;
  done: DoneByPlace;
  narrow: boolean;
  compact: boolean;
  overview: OverviewOut | undefined;
  acts: Acts;
  picking: Picking;
  onUnfiltered: () => void;
  onMoved: () => void;
}

/** What was found by meaning, nearest first, and what kept the search from finding more. */
export function Found({
  query,
  filters,
  done,
  narrow,
  compact,
  overview,
  acts,
  picking,
  onUnfiltered,
  onMoved,
}: Props) {
  const { t } = useTranslation("memories");
  const found = useFound(query, filters);
  const [wide, setWide] = useState<string>();
  if (found.error !== null) return <Failed error={found.error} again={found.again} />;
  if (found.isPending) return <Waiting />;
  const off = found.reasons.find((reason) => reason === "injection_off" || reason === "longterm_off");
  const away = found.reasons.find((reason) => reason === "milvus_unavailable" || reason === "embedder_failed");
  const rows = placesOf(
    found.memories.map(({ id }) => id),
    rowsOf(found.memories, done, true),
  );
  const shown = wide === query ? rows : rows.filter(({ key }) => found.isNear(key));
  return (
    <Stack gap="sm">
      {off !== undefined && (
        <Alert color="gray" variant="outline">
          {t(`search.off.${off}`)}
        </Alert>
      )}
      {(away !== undefined || (!found.byMeaning && off === undefined)) && (
        <Alert color="gray" variant="outline">
          {t("search.degraded")}
        </Alert>
      )}
      <Text size="sm" c="dimmed" role="status">
        {t("search.found", { count: shown.length })} {found.byMeaning && t("search.byMeaning")}
        {found.isCut && ` ${t("search.cut")}`}
      </Text>
      {found.left > 0 && (
        <Text size="sm" c="dimmed">
          {t("search.left", { count: found.left })}{" "}
          <Button size="compact-sm" variant="subtle" onClick={onUnfiltered}>
            {t("search.unfilter")}
          </Button>
        </Text>
      )}
      {shown.map((row) => (
        <MemoryRow
          key={row.key}
          row={row}
          narrow={narrow}
          compact={compact}
          acts={acts}
          ticked={isTicked(row, picking.picked)}
          onTick={picking.tick}
        />
      ))}
      {shown.length < rows.length && (
        <Button variant="subtle" onClick={() => setWide(query)}>
          {t("search.further", { count: rows.length - shown.length })}
        </Button>
      )}
      {picking.picked !== null && shown.length > 0 && (
        <PickBar rows={shown} overview={overview} picked={picking.picked} picking={picking} onMoved={onMoved} />
      )}
    </Stack>
  );
}

/** Rows in the order of what was found; what was done on this page besides is left out. */
function placesOf<Row extends { key: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  return ids.flatMap((id) => rows.find(({ key }) => key === id) ?? []);
}
