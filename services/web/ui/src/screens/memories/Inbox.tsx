import { Stack } from "@mantine/core";

import type { Acts } from "./acts";
import { Conflict } from "./Conflict";
import { AT_FIRST, type Filters } from "./filters";
import { Fresh } from "./Fresh";
import { InboxPart } from "./InboxPart";
import type { useInbox } from "./useInbox";
import { useTranslation } from "react-i18next";
import { Failed } from "@/shared/Failed";

interface Props {
  acts: Acts;
  inbox: ReturnType<typeof useInbox>;
  filters: Filters;
  onFilters: (filters: Filters) => void;
}

/** What waits for a decision of the person; nothing when nothing does. */
export function Inbox({ acts, inbox: { fresh, conflicts, more, error, again }, filters, onFilters }: Props) {
  const { t } = useTranslation("memories");
  if (error !== null) return <Failed error={error} again={again} />;
  return (
    <Stack gap={0}>
      {conflicts.length > 0 && (
        <InboxPart
          title={t("conflict.title", { count: conflicts.length })}
          about={t("conflict.about")}
          more={more.conflicts}
        >
          {conflicts.map((older) => (
            <Conflict key={older.id} older={older} onWhy={acts.why} />
          ))}
        </InboxPart>
      )}
      {fresh.length > 0 && (
        <Fresh
          memories={fresh}
          more={more.fresh}
          alone={filters.waiting === true}
          onAlone={(alone) => onFilters(alone ? { ...AT_FIRST, waiting: true } : AT_FIRST)}
        />
      )}
    </Stack>
  );
}
