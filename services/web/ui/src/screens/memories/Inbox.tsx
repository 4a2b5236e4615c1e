import { Stack } from "@mantine/core";

import type { Acts } from "./acts";
import { Conflict } from "./Conflict";
import { Fresh } from "./Fresh";
import { InboxPart } from "./InboxPart";
import { useInbox } from "./useInbox";
import { useTranslation } from "react-i18next";
import { Failed } from "@/shared/Failed";

interface Props {
  acts: Acts;
  /** Counts on when the person asked for what is new. */
  moment: number;
}

/** What waits for a decision of the person; nothing when nothing does. */
export function Inbox({ acts, moment }: Props) {
  const { t } = useTranslation("memories");
  const { fresh, conflicts, error, again } = useInbox(moment);
  if (error !== null) return <Failed error={error} again={again} />;
  return (
    <Stack gap={0}>
      {conflicts.length > 0 && (
        <InboxPart title={t("conflict.title", { count: conflicts.length })} about={t("conflict.about")}>
          {conflicts.map((older) => (
            <Conflict key={older.id} older={older} onWhy={acts.why} />
          ))}
        </InboxPart>
      )}
      {fresh.length > 0 && <Fresh memories={fresh} acts={acts} />}
    </Stack>
  );
}
